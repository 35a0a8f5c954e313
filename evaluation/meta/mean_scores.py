"""Scores of systems and sentences by people who put each translation on a step by itself.

Steps are scores from 0 to 100, grades, or yes and no; what is computed of them is a mean, as gold
for metrics. Rankings of translations have no such scores: see `project_gold`.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.meta.gold_pairs import GoldPairs, pairs_of_systems
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.scale_answers import NOT_JUDGED
from evaluation.stats.resampling import (
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sum_rows,
    with_interval,
)

MEAN_SCORE: Final = "mean_score"
# Means that differ by less are equal but for rounding errors.
DECIMALS: Final = 9


@dataclass(frozen=True)
class StepValues:
    """The number that each step counts as in means, from the best step.

    None is a step that is left out, such as "not sure". `name` says what the means are. The score
    of a system is the mean over sentences of its means `by_sentence`, else that over all answers.
    """

    name: str
    values: tuple[float | None, ...]
    by_sentence: bool = False

    @property
    def bounds(self) -> tuple[float, float]:
        numbers = [value for value in self.values if value is not None]
        return min(numbers), max(numbers)

    @property
    def words(self) -> tuple[str, ...]:
        """What a signature says."""
        least, greatest = self.bounds
        return (
            self.name,
            f"from {least:g} to {greatest:g}",
            "mean of sentences" if self.by_sentence else "mean of answers",
        )


@dataclass(frozen=True, eq=False)
class MeanScores:
    """Scores of K systems and of their sentences.

    `of_sentences` K × S are means over all answers about a system in a sentence, repeats included;
    NaN where there is none. Columns are in the order of `sentence_numbers`. `sums` and `counts`
    (U × K) are of the U sampled units, in the order of `number_sentences`: the score of a system is
    the quotient of their totals.
    """

    of_sentences: Floats
    sums: Floats
    counts: Floats
    step_values: StepValues

    @property
    def of_systems(self) -> Floats:
        """The scores of the systems (K), NaN without an answer."""
        return shares(self.sums.sum(axis=0), self.counts.sum(axis=0))

    def resampled(self, *, resamples: int, seed: int) -> Floats:
        """Return the scores of systems in resamples (B × K); the draws are those of wins."""
        both = np.hstack([self.sums, self.counts])
        sums, counts = np.hsplit(resampled_sums(both, resamples=resamples, seed=seed), 2)
        return shares(sums, counts)

    def estimates(self, again: Floats, judgements: Judgements) -> tuple[Estimate, ...]:
        """Return the scores of the systems with intervals from their resamples."""
        behind = np.count_nonzero(self.counts, axis=0).tolist()
        return tuple(
            Estimate(None, undefined=NOT_JUDGED)
            if np.isnan(value)
            else with_interval(
                value, again[:, system], behind[system], self.step_values.bounds, judgements.unit
            )
            for system, value in enumerate(self.of_systems.tolist())
        )


def mean_scores(judgements: Judgements, step_values: StepValues) -> MeanScores:
    """Return the scores of the systems. Raise IndexError for a rank that is no step."""
    numbers = np.array([np.nan, *(np.nan if v is None else v for v in step_values.values)])
    # A system may have several candidates on a sheet, such as edits by several annotators.
    ranks = np.concatenate([judgements.system_ranks[:, :, None], judgements.more_ranks], axis=2)
    answers = numbers[ranks]
    known = np.isfinite(answers)
    size = len(judgements.sentence_numbers)
    totals = sum_rows(judgements.sentences, np.nansum(answers, axis=2), size)
    counts = sum_rows(judgements.sentences, known.sum(axis=2, dtype=np.float64), size)
    means = shares(totals, counts)
    judged = np.unique(judgements.sentences)
    units, unit_count = number_sentences(judgements.sentence_units[judged])
    if step_values.by_sentence:
        totals, counts = np.nan_to_num(means), np.isfinite(means).astype(np.float64)
    return MeanScores(
        of_sentences=np.ascontiguousarray(means.T),
        sums=sum_rows(units, totals[judged], unit_count),
        counts=sum_rows(units, counts[judged], unit_count),
        step_values=step_values,
    )


def pairs_by_mean(judgements: Judgements, scores: MeanScores) -> GoldPairs:
    """Return each pair of systems in a sentence where both have a score, by which one is higher.

    Metrics are to score systems × sentences, columns in the order of `sentence_numbers`.
    """
    found = [np.zeros((4, 0), dtype=np.int64)]
    for x, y in combinations(range(len(scores.of_sentences)), 2):
        difference = scores.of_sentences[x] - scores.of_sentences[y]
        columns: NDArray[np.intp] = np.flatnonzero(np.isfinite(difference))
        signs = np.sign(np.round(difference[columns], DECIMALS)).astype(np.int64)
        same = np.ones_like(columns)
        found.append(np.stack([signs, same * x, same * y, columns]))
    outcomes, first, second, segments = np.hstack(found)
    return pairs_of_systems(
        "pairs of systems by sentence",
        outcomes=outcomes,
        first=first,
        second=second,
        segments=segments,
        shape=scores.of_sentences.shape,
        groups=judgements.sentence_units[segments],
        judgements=len(judgements),
        unit=judgements.unit,
    )
