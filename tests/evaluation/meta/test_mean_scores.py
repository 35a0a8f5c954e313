"""Mean scores by people: hand-computed values of two systems in three sentences."""

import numpy as np
import pytest

from evaluation.meta.mean_scores import (
    AnnotatorScales,
    StepValues,
    mean_scores,
    minus_edit_rates,
    pairs_by_mean,
    scales_of,
)
from evaluation.stats.judgements import Judgements, assemble
from evaluation.stats.ranking.edit_rates import EditCounts

# Of three steps; the second is left out.
YES_OR_NO = StepValues("share", (1.0, None, 0.0))
GRADES = StepValues("grade", (3.0, 2.0, 1.0))


def judged(rows: list[tuple[int, int, int]], people: list[int] | None = None) -> Judgements:
    """Return judgements of systems A and B: the sentence and the ranks of both, 0 for none.

    `people` are codes of the annotators, by default the first.
    """
    ranks = [
        (place, 2 * sentence + system, rank)
        for place, (sentence, *both) in enumerate(rows)
        for system, rank in enumerate(both)
        if rank
    ]
    by, candidates, steps = (list(column) for column in zip(*ranks, strict=True))
    sentences = [row[0] for row in rows]
    return assemble(
        segments=sentences,
        sentences=sentences,
        annotators=people or [0] * len(rows),
        placed_by=by,
        placed_candidates=candidates,
        placed_ranks=steps,
        candidate_segments=[0, 0, 1, 1, 2, 2],
        producing_systems=[0, 1] * 3,
        produced_candidates=list(range(6)),
        seconds=[60.0] * len(rows),
        segment_ids=[4, 5, 6],
        sentence_numbers=[4, 5, 6],
        annotator_names=["jana", "petr", "eva"],
        system_names=["A", "B"],
    )


# Sentence 4 is judged twice; in sentence 6 only A.
ROWS = [(0, 1, 3), (0, 1, 2), (1, 3, 1), (2, 2, 0)]


def test_sentences_have_means_over_answers() -> None:
    found = mean_scores(judged(ROWS), GRADES)
    assert found.of_sentences == pytest.approx(np.array([[3, 1, 2], [1.5, 3, np.nan]]), nan_ok=True)
    assert found.of_systems.tolist() == [(3 + 3 + 1 + 2) / 4, (1 + 2 + 3) / 3]


def test_the_mean_of_sentences_weighs_each_sentence_alike() -> None:
    found = mean_scores(judged(ROWS), StepValues("score", GRADES.values, by_sentence=True))
    assert found.of_systems.tolist() == [(3 + 1 + 2) / 3, (1.5 + 3) / 2]


def test_steps_without_a_number_are_left_out() -> None:
    found = mean_scores(judged(ROWS), YES_OR_NO)
    assert found.of_sentences == pytest.approx(
        np.array([[1, 0, np.nan], [0, 1, np.nan]]), nan_ok=True
    )
    assert found.of_systems.tolist() == [2 / 3, 1 / 2]


def test_pairs_have_the_sign_of_the_difference_of_means() -> None:
    judgements = judged(ROWS)
    pairs = pairs_by_mean(judgements, mean_scores(judgements, GRADES))
    assert (pairs.outcomes.tolist(), pairs.groups.tolist()) == ([1, -1], [0, 1])


def test_resamples_are_quotients_of_sums_of_the_same_sentences() -> None:
    found = mean_scores(judged(ROWS), GRADES)
    again = found.resampled(resamples=500, seed=1)
    assert again.shape == (500, 2)
    # A sample of one sentence three times has its mean.
    assert again[:, 0].min() == pytest.approx(1)
    assert again[:, 0].max() == pytest.approx(3)


# Three sentences of two annotators: jana gives 3 and 2, petr 2 and 1.
BY_PEOPLE = [(0, 1, 2), (1, 1, 2), (0, 2, 3), (1, 3, 2), (2, 1, 1)]
WHO = [0, 0, 1, 1, 2]


def test_scores_are_standardised_by_annotator() -> None:
    judgements = judged(BY_PEOPLE, WHO)
    scales = scales_of(judgements, GRADES)
    # jana: 3, 2, 3, 2; petr: 2, 1, 1, 2; eva: 3, 3.
    deviation = (4 * 0.25 / 3) ** 0.5
    assert scales.means == pytest.approx({"jana": 2.5, "petr": 1.5, "eva": 3.0})
    assert scales.deviations == {
        "jana": pytest.approx(deviation),
        "petr": pytest.approx(deviation),
        "eva": None,
    }
    found = mean_scores(judgements, GRADES, scales)
    z = 0.5 / deviation
    # Eva's scores do not vary, so that sentence 6 has none.
    assert found.of_sentences == pytest.approx(
        np.array([[z, 0, np.nan], [-z, 0, np.nan]]), nan_ok=True
    )
    assert found.of_systems == pytest.approx([z / 2, -z / 2])
    assert found.words == ("z by annotator of grade", scales.of, "mean of answers")


def test_given_scales_count_instead() -> None:
    scales = AnnotatorScales({"jana": 1.0}, {"jana": 2.0}, "control items included")
    found = mean_scores(judged(BY_PEOPLE, WHO), GRADES, scales)
    # Only jana's answers have a scale: 3 and 2 are 1 and 0.5.
    assert found.of_systems.tolist() == [1.0, 0.5]


def test_edit_rates_are_gold_below_0() -> None:
    judgements = judged(ROWS)
    # Of sentence 4, output A twice 1 edit of 4 words; of B 3 of 6 and 0 of 4.
    edits = np.array([[1, 3], [1, 0], [2, np.nan], [0, np.nan]])
    words = np.array([[4, 6], [4, 4], [5, np.nan], [3, np.nan]])
    counts = EditCounts(judgements.ids, edits, words, "TER")
    found = minus_edit_rates(judgements, counts)
    assert found.of_systems == pytest.approx([-4 / 16, -3 / 10])
    assert found.of_sentences == pytest.approx(
        np.array([[-2 / 8, -2 / 5, 0], [-3 / 10, np.nan, np.nan]]), nan_ok=True
    )
    pairs = pairs_by_mean(judgements, found)
    assert pairs.outcomes.tolist() == [1]


def test_means_have_an_interval_for_other_annotators() -> None:
    random = np.random.default_rng(1)
    rows = [(n % 3, *random.integers(1, 4, 2).tolist()) for n in range(30)]
    judgements = judged(rows, [n % 2 for n in range(30)])
    found = mean_scores(judgements, GRADES)
    two, _other = found.estimates(found.resampled(resamples=200, seed=0), judgements)
    assert (two.wide_low, two.no_wide_interval) == (None, "fewer than 3 annotators")
    of_three = mean_scores(judged(rows, [n % 7 % 3 for n in range(30)]), GRADES)
    errors = of_three.both.errors
    assert errors is not None
    assert (errors > 0).all()
