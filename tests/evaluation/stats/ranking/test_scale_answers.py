import numpy as np
import pytest

from annotation.formats.wmt_forms import GradeScreen, read_screens
from evaluation.stats.judgements import GARBAGE, UNIDENTIFIED, assemble
from evaluation.stats.ranking.scale_answers import NOT_JUDGED, ONLY_MIDDLE, measure_answers
from evaluation.stats.resampling import ALL_EQUAL
from evaluation.stats.units import Unit
from tests.evaluation.tables import judged

YES, NOT_SURE, NO = 1, 2, 3

# The grades of steps without numbers, from the best.
FIVE = (5, 4, 3, 2, 1)
THREE = (3, 2, 1)


def ends(estimate):
    return estimate.low, estimate.high, estimate.wide_low, estimate.wide_high


def test_answers_count_for_each_system_that_produced_the_candidate():
    # A and B share the first candidate of s; C has none of t; D has none that was judged.
    rows = [
        ("s", "jana", [YES, NO]),
        ("s", "petr", [NOT_SURE, NO]),
        ("t", "jana", [YES, NO, 0]),
        ("t", "jana", [YES, NOT_SURE, 0]),
    ]
    made = {"s": [0, 0, 1, None], "t": [0, 1, None, 2]}

    found = measure_answers(
        judged(rows, systems="ABCD", made=made), THREE, undecided=2, resamples=100
    )

    assert [row.system for row in found.systems] == ["A", "B", "C", "D"]
    a, b, c, d = found.systems
    assert [row.counts for row in found.systems] == [(3, 1, 0), (1, 2, 1), (0, 0, 2), (0, 0, 0)]
    assert [share.value for share in b.shares] == [0.25, 0.5, 0.25]
    assert [row.grade.value for row in found.systems] == [2.75, 2.0, 1.0, None]
    assert [row.decided and row.decided.value for row in (a, b, c)] == [1.0, 0.5, 0.0]
    assert (a.sentences, b.sentences, c.sentences, d.sentences) == (2, 2, 1, 0)
    assert {each.undefined for each in (d.grade, d.decided, *d.shares) if each} == {NOT_JUDGED}
    assert a.grade.low is None
    assert a.grade.no_interval == "the figure comes from fewer than 10 sentences"
    assert "repeats included" in found.signature


def test_five_steps_have_no_neutral_one():
    (row,) = measure_answers(judged([("s", "jana", [2])], systems="A"), FIVE, resamples=0).systems
    assert (row.grade.value, row.decided) == (4.0, None)


def test_without_decided_answers_their_share_is_undefined():
    (row,) = measure_answers(
        judged([("s", "jana", [NOT_SURE])], systems="A"), THREE, undecided=2
    ).systems
    assert row.decided
    assert row.decided.undefined == ONLY_MIDDLE
    assert row.shares[0].value == 0


def table_of(sentences, people=("jana", "petr", "zuzana")):
    """A is graded 1 to 3 by sentence and one worse by the last of the people; B always 5."""
    return judged(
        [
            (f"{sentence:02d}", who, [1 + sentence % 3 + (who == people[-1]), 5])
            for sentence in range(sentences)
            for who in people
        ],
        systems="AB",
    )


def test_grades_have_both_intervals():
    found = measure_answers(table_of(30), FIVE, resamples=300, seed=1)

    a, b = found.systems
    assert found.only_sentences == ""
    # Of each sentence two grades g and one g - 1, with g = 5, 4 and 3 in turn.
    assert a.grade.value == pytest.approx(4 - 1 / 3)
    error = np.sqrt((2 / 3) / 30)
    low, high, wide_low, wide_high = ends(a.grade)
    assert low == pytest.approx(a.grade.value - 2 * error, abs=0.1)
    assert high == pytest.approx(a.grade.value + 2 * error, abs=0.1)
    # One annotator differs, so that others may differ more.
    assert 1 <= wide_low < low
    assert high < wide_high <= 5
    # With equal answers everywhere: Wilson's interval, and none for other annotators.
    low, high, *wide = ends(b.grade)
    assert b.grade.value == low == 1 < high
    assert wide == [None, None]
    assert b.grade.no_wide_interval == ALL_EQUAL


def test_two_annotators_say_nothing_of_others():
    found = measure_answers(table_of(10, ("jana", "petr")), FIVE, resamples=100)
    assert found.only_sentences == "fewer than 3 annotators"
    assert {row.grade.no_wide_interval for row in found.systems} == {found.only_sentences}


def test_blocks_are_sampled_where_they_are_asked_for():
    found = measure_answers(table_of(20).sampled_by(Unit("block", 10)), FIVE, resamples=100)
    assert found.systems[0].grade.no_interval == "the figure comes from fewer than 10 blocks"
    assert found.systems[0].sentences == 20


def test_nothing_judged_is_undefined():
    nothing = table_of(1).select(np.zeros(3, dtype=np.bool_))
    found = measure_answers(nothing, FIVE, resamples=10)
    assert {row.grade.undefined for row in found.systems} == {NOT_JUDGED}


def test_garbage_is_no_answer():
    with pytest.raises(ValueError, match="not a step from 1 to 3"):
        measure_answers(judged([("s", "jana", [1, GARBAGE])]), THREE)


# Means of adequacy and fluency and their number: ../shared/judgement-kinds.md, 4.6.
WMT07 = {
    "systran": (3.502, 3.280, 225),
    "liu": (3.460, 3.143, 224),
    "upc": (3.415, 3.041, 241),
    "uedin": (3.348, 3.067, 178),
    "cmu-uka": (3.326, 2.933, 224),
    "nrc": (3.178, 2.773, 225),
    "saar": (2.638, 2.612, 196),
}


@pytest.mark.shared
@pytest.mark.parametrize("column", [0, 1], ids=["adequacy", "fluency"])
def test_grades_of_wmt07_agree_with_another_computation(shared, column):
    screens = [
        (screen, [graded for graded in screen.graded if None not in graded])
        for screen in read_screens(shared / "data/judgements/wmt07/judgements")
        if isinstance(screen, GradeScreen) and screen.pair == "German-English"
        if screen.domain == "Europarl"
    ]
    names = sorted(WMT07)
    known = dict.fromkeys(screen.item for screen, _ in screens)
    codes = {item: code for code, item in enumerate(known)}
    placed = [
        (
            row,
            codes[screen.item] * len(names) + names.index(each.system),
            6 - int(each[1 + column] or 0),
        )
        for row, (screen, graded) in enumerate(screens)
        for each in graded
    ]

    # Each system has a candidate of each sentence. A screen shows some of them.
    judgements = assemble(
        segments=[codes[screen.item] for screen, _ in screens],
        sentences=[codes[screen.item] for screen, _ in screens],
        annotators=[UNIDENTIFIED] * len(screens),
        seconds=[60.0] * len(screens),
        placed_by=[row for row, _, _ in placed],
        placed_candidates=[candidate for _, candidate, _ in placed],
        placed_ranks=[rank for _, _, rank in placed],
        candidate_segments=np.repeat(np.arange(len(codes)), len(names)),
        producing_systems=np.tile(np.arange(len(names)), len(codes)),
        produced_candidates=np.arange(len(codes) * len(names)),
        segment_ids=np.arange(len(codes)),
        sentence_numbers=np.arange(len(codes)),
        annotator_names=[],
        system_names=names,
    )
    found = measure_answers(judgements, FIVE, resamples=10)

    assert found.only_sentences == "some annotators are unknown"
    assert {
        row.system: (round(row.grade.value or 0, 3), sum(row.counts)) for row in found.systems
    } == {name: (row[column], row[2]) for name, row in WMT07.items()}
