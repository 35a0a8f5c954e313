"""τ and the disagreement quotient by hand, and the intervals about them."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import TOO_FEW, interval, resampled_sums
from evaluation.stats.sentence_level import NoTau, compare_levels
from tests.evaluation.tables import G, Row, judged
from tests.evaluation.two_levels import SENTENCES, SYSTEMS, counts, levels

NOTHING, NOWHERE = NoTau.NOTHING_MET.value, NoTau.NO_SENTENCE.value

# By hand. Sentence 1 has two segments, the first of them judged twice; sentence 2 has one.
WHOLE: Sequence[Row] = [
    ("1", "jana", [1, 2, 2]),
    ("1", "petr", [1, 0, 3]),
    ("2", "jana", [2, 1, 3]),
    ("8", "jana", [1, 2, 3]),
]
PARTS: Sequence[Row] = [
    ("1a", "zuzana", [1, 2, 3]),
    ("1a", "karel", [2, 1, G]),
    ("1b", "zuzana", [1, 1, 1]),
    ("2a", "zuzana", [1, 2, 1]),
    ("9a", "zuzana", [1, 2, 3]),
]


def test_every_untied_comparison_meets_every_judgement_of_a_segment():
    compared = compare_levels(*levels(WHOLE, PARTS))

    # Sentence 1: A > B meets A > B and B > A; A > C, said twice, meets A > C twice.
    # Sentence 2: B > A meets A > B; B > C meets C > B; A > C meets a tie.
    assert counts(compared) == {
        "A": [(5, 1), (0, 1), (5, 2)],
        "B": [(0, 2), (1, 1), (1, 3)],
        "C": [(0, 0), (4, 1), (4, 1)],
    }
    assert (compared.together.concordant, compared.together.discordant) == (5, 3)
    assert compared.together.estimate.value == 2 / 8
    assert compared.systems[0].better.estimate.value == 4 / 6
    assert compared.systems[2].better.estimate == Estimate(None, undefined=NOTHING)
    assert (compared.sentences, compared.sentence_judgements) == (2, 3)
    assert compared.segment_judgements == 4
    assert str(compared.signature) == (
        "Kendall's τ of sentences and segments|ties skipped|repeats included"
        "|1000 resamples of sentences|seed 0|judgements of whole sentences 3"
        "|judgements 4|sentences 2|SegRanks 0.1.0"
    )


def test_sentences_by_disagreement_quotient():
    found = compare_levels(*levels(WHOLE, PARTS)).disagreements

    # Won and lost in segments, then as a whole; C never won in sentence 1, which is no quotient.
    assert [tuple(vars(row).values()) for row in found.listed] == [
        (2, "C", 1, 0, 0, 2, inf),
        (1, "B", 3, 1, 0, 1, inf),
        (2, "A", 1, 0, 1, 1, 2.0),
        (1, "A", 3, 1, 3, 0, 0.75),
        (2, "B", 0, 2, 2, 0, 0.0),
    ]
    assert [row.infinite for row in found.listed] == [True, True, False, False, False]
    assert (found.defined, found.infinite, found.never_won, found.not_compared) == (5, 2, 1, 0)


def test_only_the_first_disagreements_are_listed_and_all_counted():
    found = compare_levels(*levels(WHOLE, PARTS), limit=2).disagreements

    assert [row.sentence for row in found.listed] == [2, 1]
    assert found.defined == 5


def test_nothing_but_ties_at_one_level_is_no_quotient():
    tied = compare_levels(*levels([("1", "jana", [1, 1, 1])], [("1a", "karel", [1, 2, G])]))

    assert tied.together.estimate == Estimate(None, undefined=NOTHING)
    assert tied.disagreements.listed == ()
    assert tied.disagreements.not_compared == 3


@pytest.mark.parametrize(
    ("whole", "parts"), [([], PARTS), (WHOLE, []), ([], []), (WHOLE[3:], PARTS)]
)
def test_sentences_that_lack_a_level_say_so(whole, parts):
    compared = compare_levels(*levels(whole, parts))

    figures = [compared.together, *(row.better for row in compared.systems)]
    assert [figure.estimate for figure in figures] == [Estimate(None, undefined=NOWHERE)] * 4
    assert (compared.sentences, compared.disagreements.defined) == (0, 0)


def test_a_project_without_systems_has_no_figures():
    compared = compare_levels(
        judged(WHOLE, systems=(), sentences=SENTENCES),
        judged(PARTS, systems=(), sentences=SENTENCES),
    )

    assert compared.systems == ()
    assert compared.together.estimate.value is None


def test_both_levels_need_the_same_systems():
    with pytest.raises(ValueError, match="different systems"):
        compare_levels(judged(WHOLE, systems=SYSTEMS), judged(PARTS, systems=("B", "A", "C")))


def test_a_figure_of_one_sentence_has_no_interval():
    one = compare_levels(*levels(WHOLE[:1], PARTS)).together.estimate
    unsampled = compare_levels(*levels(WHOLE, PARTS), resamples=0).together.estimate

    assert one == Estimate(2 / 4, no_interval=TOO_FEW)
    assert unsampled.value == 2 / 8
    assert unsampled.low is None


@pytest.mark.parametrize(("counting", "why"), [(9, TOO_FEW), (10, "")])
def test_only_sentences_that_count_make_an_interval(counting, why):
    numbers = {f"{number}": number for number in range(1, 31)}
    rows = [(name, "jana", [1, 2 if int(name) <= counting else 1, 1]) for name in numbers]
    both = judged(rows, systems=SYSTEMS, sentences=numbers)

    estimate = compare_levels(both, both, resamples=20).together.estimate

    bound = None if why else 1.0
    assert estimate == Estimate(1.0, bound, bound, no_interval=why)


def test_what_left_out_judgements_leave_is_compared():
    whole, parts = levels(WHOLE, PARTS)

    compared = compare_levels(
        whole.select(np.array([False, False, True, True])),
        parts.select(np.array([False, False, False, True, True])),
    )

    assert compared.sentences == 1
    assert counts(compared)["B"] == [(0, 2), (0, 0), (0, 2)]


def test_intervals_come_from_resamples_of_sentences():
    random = np.random.default_rng(5)
    numbers = {f"{number}": number for number in range(1, 41)}
    rows = [(name, "jana", list(random.integers(1, 4, 3))) for name in numbers]
    others = [(name, "petr", list(random.integers(1, 4, 3))) for name in numbers]

    whole, parts = (judged(each, systems=SYSTEMS, sentences=numbers) for each in (rows, others))
    compared = compare_levels(whole, parts, resamples=200, seed=3)

    # Of A when better, a sentence at a time, through the very same draws.
    sums = np.zeros((40, 2))
    for row, (name, _, ranks) in enumerate(rows):
        of_segment = others[row][2]
        assert others[row][0] == name
        for other in (1, 2):
            if ranks[0] < ranks[other] and of_segment[0] != of_segment[other]:
                sums[row, int(of_segment[0] > of_segment[other])] += 1
    again = resampled_sums(sums, resamples=200, seed=3)
    low, high = interval((again[:, 0] - again[:, 1]) / again.sum(axis=1))
    estimate = compared.systems[0].better.estimate
    assert (estimate.low, estimate.high) == (low, high)
    assert estimate.low is not None
    assert estimate.value is not None
    assert estimate.low < estimate.value < high
    assert compare_levels(whole, parts, resamples=200, seed=3) == compared
    assert compare_levels(whole, parts, resamples=200, seed=4) != compared
