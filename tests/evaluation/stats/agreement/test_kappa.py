from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats import comparisons
from evaluation.stats.agreement.kappa import (
    Agreement,
    Chance,
    Undefined,
    measure_agreement,
)
from evaluation.stats.comparisons import pairs_of_judgements
from tests.evaluation.tables import G, judged, slow_agreement, slow_chance, tables


def counts(result: Agreement) -> tuple[int, int]:
    return result.agree, result.compared


def test_the_whole_experiment_of_the_thesis():
    # method.md: P(E) 0.3944, intra 4267/5662 → 0.5932, inter 2392/3769 → 0.3967.
    chance = Chance(tied=18393, untied=121414)

    assert chance.expected == pytest.approx(0.3944, abs=5e-5)
    assert Agreement(4267, 5662, chance).kappa == pytest.approx(0.5932, abs=5e-5)
    assert Agreement(2392, 3769, chance).kappa == pytest.approx(0.3967, abs=5e-5)


def test_expected_agreement_is_of_all_judgements_also_those_without_a_pair():
    # One tie and three untied pairs: P(=) = 1/4, P(<) = P(>) = 3/8.
    report = measure_agreement(judged([("s", "jana", [1, 1]), ("t", "petr", [1, 2, 3])]))

    assert report.chance == Chance(tied=1, untied=3)
    assert report.chance.expected == pytest.approx(1 / 16 + 2 * 9 / 64)


def test_kappa_by_hand():
    # P(=) = 2/8 as above, P(E) = 11/32; intra agrees in 3 of 4.
    report = measure_agreement(
        judged(
            [
                ("s", "jana", [1, 2, 3]),
                ("s", "jana", [1, 3, 3]),  # 2<3 became a tie
                ("t", "jana", [1, 1]),
                ("t", "jana", [G, G]),
            ]
        )
    )

    assert report.chance == Chance(tied=3, untied=5)
    expected = (3 / 8) ** 2 + 2 * (5 / 16) ** 2
    assert counts(report.intra) == (3, 4)
    assert report.intra.kappa == pytest.approx((3 / 4 - expected) / (1 - expected))


def test_two_garbage_candidates_tie_and_garbage_is_worse_than_the_last_rank():
    report = measure_agreement(
        judged([("s", "jana", [3, G, G]), ("s", "petr", [1, 2, 2]), ("t", "jana", [1, 2])])
    )

    assert counts(report.inter) == (3, 3)
    assert report.chance.tied == 2


def test_three_judgements_are_three_pairs_of_judgements():
    report = measure_agreement(
        judged([("s", "jana", [1, 2]), ("s", "petr", [1, 2]), ("s", "zuzana", [2, 1])])
    )

    assert counts(report.inter) == (1, 3)
    assert [counts(of_one) for of_one in report.annotators_inter] == [(1, 2), (1, 2), (0, 2)]


def test_a_persons_inter_counts_the_pairs_in_which_they_are_one_side():
    report = measure_agreement(
        judged([("s", "jana", [1, 2]), ("s", "jana", [1, 2]), ("s", "petr", [1, 2])])
    )

    assert counts(report.intra) == (1, 1)
    assert counts(report.inter) == (2, 2)
    assert [counts(of_one) for of_one in report.annotators_inter] == [(2, 2), (2, 2)]


def test_unidentified_annotators_count_in_chance_only():
    report = measure_agreement(
        judged([("s", None, [1, 2]), ("s", None, [1, 2]), ("s", "jana", [1, 2])])
    )

    assert report.chance == Chance(tied=0, untied=3)
    assert counts(report.intra) == counts(report.inter) == (0, 0)


def test_a_candidate_that_one_judgement_lacks_is_not_compared():
    report = measure_agreement(judged([("s", "jana", [1, 2, 0]), ("s", "petr", [1, 2, 3])]))

    assert counts(report.inter) == (1, 1)
    assert report.chance == Chance(tied=0, untied=4)


def test_one_candidate_makes_no_pairs():
    report = measure_agreement(judged([("s", "jana", [1]), ("s", "jana", [1])]))

    assert report.chance.expected is None
    assert report.intra.kappa is None
    assert report.intra.undefined is Undefined.NOTHING_COMPARED


def test_nothing_judged_is_undefined_never_zero():
    report = measure_agreement(judged([]))

    assert report.chance.expected is None
    assert report.intra.kappa is report.inter.kappa is None
    assert report.annotators_intra == ()


def test_an_all_tied_project_is_undefined():
    report = measure_agreement(judged([("s", "jana", [1, 1]), ("s", "jana", [G, G])]))

    assert report.chance.expected == 1
    assert report.intra.observed == 1
    assert report.intra.kappa is None
    assert report.intra.undefined is Undefined.ALL_TIED


def test_it_counts_sentences_and_knows_where_all_compared_are_ties():
    report = measure_agreement(
        judged(
            [
                ("s", "jana", [1, 1]),
                ("s", "petr", [G, G]),
                ("t", "jana", [1, 2]),
                ("t", "jana", [1, 1]),
                ("u", "zuzana", [1, 2]),
            ]
        )
    )

    assert (report.inter.kappa, report.inter.sentences, report.inter.only_ties) == (1, 1, True)
    assert (report.intra.sentences, report.intra.only_ties) == (1, False)
    assert [each.sentences for each in report.annotators_inter] == [1, 1, 0]


def test_its_signature_says_how_much_was_judged():
    report = measure_agreement(judged([("s", "jana", [1, 2]), ("s", "jana", [1, 2])]))

    assert "judgements 2|sentences 1|SegRanks" in report.signature


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 4))
def test_every_unordered_pair_of_judgements_is_met_once_however_many_at_once(segments, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparisons, "PAIRS_AT_ONCE", at_once)
        parts = list(pairs_of_judgements(np.array(segments, dtype=np.int32)))

    met = [tuple(sorted(pair)) for left, right in parts for pair in zip(left, right, strict=True)]
    expected = [
        (x, y) for x, y in combinations(range(len(segments)), 2) if segments[x] == segments[y]
    ]
    assert sorted(met) == expected
    assert all(len(left) <= at_once for left, _ in parts)


@given(tables())
def test_it_agrees_with_plain_loops(rows):
    judgements = judged(rows)
    report = measure_agreement(judgements)

    assert (report.chance.tied, report.chance.untied) == slow_chance(rows)
    assert counts(report.intra) == slow_agreement(rows, same=True)
    assert counts(report.inter) == slow_agreement(rows, same=False)
    for code, name in enumerate(judgements.annotator_names):
        intra, inter = report.annotators_intra[code], report.annotators_inter[code]
        assert counts(intra) == slow_agreement(rows, same=True, involving=name)
        assert counts(inter) == slow_agreement(rows, same=False, involving=name)
