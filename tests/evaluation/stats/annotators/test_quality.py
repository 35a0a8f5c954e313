import numpy as np
import pytest

from evaluation.stats.agreement.kappa import measure_agreement
from evaluation.stats.annotators.controls import Controls, ControlTable
from evaluation.stats.annotators.quality import (
    ALL_TIED,
    NO_CONTROL,
    NO_ORDER,
    NO_TIMES,
    NOTHING_SHARED,
    NOTHING_TO_RANK,
    OTHERS_APART,
    Figure,
    Limit,
    annotator_quality,
)
from tests.evaluation.tables import G, judged


def quality_of(rows, who="jana", controls=None, **options):
    controls = ControlTable(controls or {})
    return next(
        row for row in annotator_quality(judged(rows, **options), controls) if row.annotator == who
    )


def test_seconds_are_the_median_without_pauses_and_unknown_times():
    rows = [(f"s{place}", "jana", [1, 2]) for place in range(5)]

    found = quality_of(rows, seconds=[2, 3, 10, 700, np.nan])

    assert found.seconds == Figure(3.0, 3)
    assert found.sentences == 5


def test_the_share_of_one_rank_counts_dense_ranks_of_segments_with_two_candidates():
    rows = [
        ("s1", "jana", [1, 3, 3]),  # as 1, 2, 2
        ("s2", "jana", [2, 2, G]),  # as 1, 1, 2
        ("s3", "jana", [G, G]),  # as 1, 1
        ("s4", "jana", [1]),
    ]

    found = quality_of(rows)

    assert found.one_rank == Figure(5 / 8, 3)
    # One pair of three, one of three, and one of one.
    assert found.ties == Figure(3 / 7, 3)


def test_the_share_of_failed_controls_is_of_control_sentences():
    found = quality_of([("s1", "jana", [1, 2])], controls={"jana": Controls(4, 1)})

    assert found.controls == Figure(0.75, 4)


def test_an_annotator_of_control_sentences_only_has_a_row():
    found = quality_of([("s1", "petr", [1, 2])], controls={"petr": Controls(2, 0)}, who="petr")

    assert found.controls == Figure(1.0, 2)


def test_kappa_is_that_with_others_and_counts_sentences_and_pairs():
    rows = [
        ("s1", "jana", [1, 2, 3]),
        ("s1", "petr", [1, 3, 2]),
        ("s2", "jana", [1, 2]),
        ("s2", "petr", [1, 2]),
        ("s2", "jana", [2, 1]),
        ("s3", "jana", [1, 2]),
    ]
    table = judged(rows)

    found = quality_of(rows)

    inter = measure_agreement(table).annotators_inter[0]
    assert found.kappa == Figure(inter.kappa, 2)
    assert found.kappa_pairs == inter.compared == 5


def test_the_share_of_the_order_shown_is_of_three_or_more_candidates():
    rows = [
        ("s1", "jana", [1, 2, 3]),
        ("s2", "jana", [1, 2, G]),
        ("s3", "jana", [1, 1, 2]),
        ("s4", "jana", [2, 1]),
        ("s5", "jana", [1, 2, 3]),
    ]
    shown = [(1, 2, 3), (1, 2, 3), (1, 2, 3), (2, 1), ()]

    found = quality_of(rows, shown=shown)

    assert found.shown_order == Figure(2 / 3, 3)


def test_undefined_figures_say_why():
    found = quality_of([("s1", "jana", [1])], seconds=[np.nan])

    assert found.seconds.undefined == NO_TIMES
    assert found.controls.undefined == NO_CONTROL
    assert found.one_rank.undefined == NOTHING_TO_RANK
    assert found.ties.undefined == NOTHING_TO_RANK
    assert found.kappa.undefined == NOTHING_SHARED
    assert found.shown_order.undefined == NO_ORDER
    tied = quality_of([("s1", "jana", [1, 1]), ("s1", "petr", [1, 1])])
    assert tied.kappa == Figure(None, 1, ALL_TIED)


def test_kappa_is_undefined_where_the_other_annotators_are_flagged():
    table = judged([("s1", "jana", [1, 2]), ("s1", "petr", [1, 2])], seconds=[9, 1])

    jana, petr = annotator_quality(table, limits=[Limit("seconds", 3.0, after=1)])

    assert jana.kappa == Figure(None, 0, OTHERS_APART)
    assert petr.kappa.value == 1.0


def test_judgements_by_unidentified_annotators_have_no_row():
    rows = annotator_quality(judged([("s1", None, [1, 2]), ("s1", "jana", [1, 2])]))

    assert [row.annotator for row in rows] == ["jana"]


@pytest.mark.parametrize(
    ("limit", "is_broken"),
    [
        (Limit("seconds", 3.0, after=2), True),
        (Limit("seconds", 2.0, after=2), False),
        (Limit("seconds", 3.0, after=3), False),
        (Limit("one_rank", 0.9, after=2), True),
        (Limit("one_rank", 1.0, after=2), False),
        (Limit("kappa", 1.0, after=1), False),
    ],
)
def test_a_limit_is_broken_beyond_it_and_by_enough_sentences(limit, is_broken):
    found = quality_of([("s1", "jana", [1, 1]), ("s2", "jana", [1, 1])], seconds=[2, 2])

    assert (limit.broken_by(found) is not None) == is_broken


def test_careless_annotators_do_not_lower_the_kappa_of_careful_ones():
    rows = []
    for place in range(6):
        rows += [(f"s{place}", name, [1, 2, 3]) for name in ("jana", "petr")]
        rows += [(f"s{place}", name, [3, 2, 1]) for name in ("eva", "ivan")]
        rows += [(f"s{place}", "hasty", [2, 3, 1])]
    rows += [("s9", "jana", [1, 2, 3]), ("s9", "petr", [1, 2, 3]), ("s9", "eva", [3, 1, 2])]
    rows += [("s8", "jana", [1, 2, 3]), ("s8", "petr", [1, 2, 3])]
    seconds = [1 if who == "hasty" else 60 for _, who, _ in rows]
    table = judged(rows, seconds=seconds)
    limits = (Limit("seconds", 3, after=1), Limit("kappa", 0.2, after=1))

    plain = {row.annotator: row for row in annotator_quality(table)}
    found = {row.annotator: row for row in annotator_quality(table, limits=limits)}

    assert (plain["jana"].kappa.value or 0) < 0.2
    assert found["jana"].kappa.value == found["petr"].kappa.value == 1
    assert found["jana"].kappa.sentences == 8
    # Who is set apart is compared with the careful ones.
    assert (found["eva"].kappa.value or 0) < 0
    assert found["hasty"].kappa_pairs == 6 * 2 * 3
