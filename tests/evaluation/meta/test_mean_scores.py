"""Mean scores by people: hand-computed values of two systems in three sentences."""

import numpy as np
import pytest

from evaluation.meta.mean_scores import StepValues, mean_scores, pairs_by_mean
from evaluation.stats.judgements import Judgements, assemble

# Of three steps; the second is left out.
YES_OR_NO = StepValues("share", (1.0, None, 0.0))
GRADES = StepValues("grade", (3.0, 2.0, 1.0))


def judged(rows: list[tuple[int, int, int]]) -> Judgements:
    """Return judgements of systems A and B: the sentence and the ranks of both, 0 for none."""
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
        annotators=[0] * len(rows),
        placed_by=by,
        placed_candidates=candidates,
        placed_ranks=steps,
        candidate_segments=[0, 0, 1, 1, 2, 2],
        producing_systems=[0, 1] * 3,
        produced_candidates=list(range(6)),
        seconds=[60.0] * len(rows),
        segment_ids=[4, 5, 6],
        sentence_numbers=[4, 5, 6],
        annotator_names=["jana"],
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
