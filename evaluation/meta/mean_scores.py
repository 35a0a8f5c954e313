"""Scores of systems and sentences by people who put each translation on a step by itself.

Steps are scores from 0 to 100, grades, or yes and no; what is computed of them is a mean, as gold
for metrics, raw or standardised by annotator. Edits of translations are an edit rate, less than 0
so that higher is better. Rankings of translations have no such scores: see `project_gold`.
Source: scores standardised by annotator as in Graham et al. (2017), see `stats.assessment`; HTER as
in Snover et al. (2006), see `stats.ranking.edit_rates`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.meta.gold_pairs import GoldPairs, pairs_of_systems
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Judgements
from evaluation.stats.ranking.edit_rates import EditCounts, edits_of_systems
from evaluation.stats.ranking.scale_answers import NOT_JUDGED
from evaluation.stats.ratios import Ratios
from evaluation.stats.resampling import (
    UNBOUNDED,
    Bounds,
    Floats,
    number_sentences,
    shares,
    sum_rows,
    sums_by,
)
from evaluation.stats.two_way import TwoWay, two_way

MEAN_SCORE: Final = "mean_score"
MEAN_Z: Final = "mean_z"
MINUS_HTER: Final = "minus_hter"
# What can be gold besides scores by wins.
MEANS: Final = (MEAN_SCORE, MEAN_Z, MINUS_HTER)
NOT_POSITIVE: Final[Bounds] = (-np.inf, 0.0)
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
    def numbers(self) -> Floats:
        """The numbers by rank, from 1; NaN for 0 and for steps that are left out."""
        return np.array([np.nan, *(np.nan if v is None else v for v in self.values)])

    @property
    def unit(self) -> str:
        return "mean of sentences" if self.by_sentence else "mean of answers"

    @property
    def words(self) -> tuple[str, ...]:
        """What a signature says."""
        least, greatest = self.bounds
        return (self.name, f"from {least:g} to {greatest:g}", self.unit)


@dataclass(frozen=True)
class AnnotatorScales:
    """Mean and standard deviation (n - 1) of the numbers that annotators gave, by their names.

    The deviation is None where all numbers of an annotator are equal. `of` says which numbers these
    are, for signatures.
    """

    means: Mapping[str, float]
    deviations: Mapping[str, float | None]
    of: str


def scales_of(judgements: Judgements, step_values: StepValues) -> AnnotatorScales:
    """Return how annotators used the steps: each candidate of a judgement counts once."""
    ranks = judgements.candidate_ranks
    numbers = step_values.numbers[np.where(ranks == MISSING, 0, ranks)]
    rows, columns = np.nonzero(np.isfinite(numbers))
    given = numbers[rows, columns]
    people, count = judgements.annotators[rows] - UNIDENTIFIED, len(judgements.annotator_names) + 1
    counts = sums_by(people, np.ones(len(people)), count)
    means = shares(sums_by(people, given, count), counts)
    squares = sums_by(people, (given - means[people]) ** 2, count)
    deviations = np.sqrt(shares(squares, np.maximum(counts - 1, 0)))
    names = judgements.annotator_names
    return AnnotatorScales(
        means=dict(zip(names, means[1:].tolist(), strict=True)),
        deviations={
            # Rounding errors are no variation.
            name: float(one) if one > 10**-DECIMALS else None
            for name, one in zip(names, deviations[1:].tolist(), strict=True)
        },
        of="all answers of the annotator",
    )


@dataclass(frozen=True, eq=False)
class MeanScores:
    """Scores of K systems and of their sentences, and `words` for a signature.

    `of_sentences` K × S are those of a system in a sentence, repeats included; NaN where there is
    none. Columns are in the order of `sentence_numbers`. `ratios` are the scores of the systems, by
    sampled units in the order of `number_sentences`.
    """

    of_sentences: Floats
    ratios: Ratios
    bounds: Bounds
    words: tuple[str, ...]

    @property
    def of_systems(self) -> Floats:
        """The scores of the systems (K), NaN without an answer."""
        return self.ratios.values

    @property
    def both(self) -> TwoWay:
        """The covariances of the scores over sentences, and over sentences and annotators."""
        return self.ratios.two_way

    def resampled(self, *, resamples: int, seed: int) -> Floats:
        """Return the scores of systems in resamples (B × K); the draws are those of wins."""
        return self.ratios.resampled(resamples=resamples, seed=seed)

    def estimates(self, again: Floats, judgements: Judgements) -> tuple[Estimate, ...]:
        """Return the scores of the systems with both intervals, the first from their resamples."""
        count = len(self.of_systems)
        bounds, undefined = [self.bounds] * count, [NOT_JUDGED] * count
        return tuple(self.ratios.estimates(again, bounds, undefined, judgements.unit))


def mean_scores(
    judgements: Judgements, step_values: StepValues, scales: AnnotatorScales | None = None
) -> MeanScores:
    """Return the scores of the systems: means of numbers, or with `scales` of standardised ones.

    Answers of annotators without a scale, or whose numbers do not vary, have no standardised score.
    The scales stay fixed in intervals. Raise IndexError for a rank that is no step.
    """
    # A system may have several candidates on a sheet, such as edits by several annotators.
    ranks = np.concatenate([judgements.system_ranks[:, :, None], judgements.more_ranks], axis=2)
    answers = step_values.numbers[ranks]
    bounds: Bounds = step_values.bounds
    words = step_values.words
    if scales is not None:
        names = judgements.annotator_names
        means = np.array([np.nan, *(scales.means.get(name, np.nan) for name in names)])
        deviations = np.array([np.nan, *(scales.deviations.get(name) or np.nan for name in names)])
        people = judgements.annotators - UNIDENTIFIED
        answers = (answers - means[people, None, None]) / deviations[people, None, None]
        bounds = UNBOUNDED
        words = (f"z by annotator of {step_values.name}", scales.of, step_values.unit)
    known = np.isfinite(answers)
    counts = known.sum(axis=2, dtype=np.float64)
    return _quotients(
        judgements,
        np.where(known, answers, 0).sum(axis=2),
        counts,
        by_sentence=step_values.by_sentence,
        bounds=bounds,
        words=words,
    )


def minus_edit_rates(judgements: Judgements, counts: EditCounts) -> MeanScores:
    """Return -HTER of systems and sentences; `judgements` are a selection of those of `counts`."""
    edits, words = edits_of_systems(judgements, counts)
    return _quotients(
        judgements,
        0.0 - edits,
        words,
        by_sentence=False,
        bounds=NOT_POSITIVE,
        words=("-HTER", counts.signature),
    )


def _quotients(
    judgements: Judgements,
    sums: Floats,
    counts: Floats,
    *,
    by_sentence: bool,
    bounds: Bounds,
    words: tuple[str, ...],
) -> MeanScores:
    """Return quotients of `sums` and `counts`, both J × K.

    Each sentence of a system has the same weight `by_sentence`, else the weight of its counts.
    """
    size = len(judgements.sentence_numbers)
    totals, of_sentences = (sum_rows(judgements.sentences, rows, size) for rows in (sums, counts))
    means = shares(totals, of_sentences)
    weights = counts.sum(axis=1)
    if by_sentence:
        of_judgements = np.maximum(of_sentences, 1)[judgements.sentences]
        sums, counts = sums / of_judgements, counts / of_judgements
        totals, of_sentences = np.nan_to_num(means), np.isfinite(means).astype(np.float64)
    judged = np.unique(judgements.sentences)
    units, unit_count = number_sentences(judgements.sentence_units[judged])
    by_unit = [sum_rows(units, rows[judged], unit_count) for rows in (totals, of_sentences)]
    cells = judgements.cells
    values = shares(sums.sum(axis=0), counts.sum(axis=0))
    influence = (sums - np.nan_to_num(values) * counts) / np.maximum(counts.sum(axis=0), 1)
    both = two_way(
        sum_rows(cells.codes, influence, len(cells)),
        cells.units,
        cells.annotators,
        sums_by(cells.codes, weights, len(cells)),
    )
    return MeanScores(
        of_sentences=np.ascontiguousarray(means.T),
        ratios=Ratios(
            shares(*(sums.sum(axis=0) for sums in by_unit)),
            np.hstack(by_unit),
            both,
            unmoved=np.zeros(len(values), dtype=np.bool_),
        ),
        bounds=bounds,
        words=words,
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
