"""Effects of the previous item on a score or label of single items.

Y_t = β0 + β1 Y_{t-1} + β2 gold_t + β3 M_t + noise, over all items that follow another one of the
same sequence, which is what one annotator judged in one go. Without an effect of the order β1 is 0;
above 0 scores resemble the previous one, below 0 they differ from it. M_t is the mean of the other
scores of the sequence, without Y_t, because annotators who often give high scores would look like
an effect. Scores must not be centred by annotator: that takes a part of Y_t from Y_{t-1}, and β1
would be low by about (1 + β1) / T in sequences of T items (Nickell 1981, "Biases in Dynamic Models
with Fixed Effects"). Scores are fitted by least squares, labels 0 and 1 by logistic regression.
Errors are those of independent noise, of scores with variances of their own (White 1980, "A
Heteroskedasticity-Consistent Covariance Matrix Estimator"); from three annotators on, there is also
an interval for other sentences and annotators, from the influence of each of their cells on the
coefficient (see `stats.two_way`).
Source: Mathur, Baldwin & Cohn (2017), "Sequence Effects in Crowdsourced Annotations".
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.estimates import sign
from evaluation.stats.judgements import UNIDENTIFIED, Codes, number_cells
from evaluation.stats.resampling import NORMAL_QUANTILE, Floats, sum_rows
from evaluation.stats.two_way import TwoWay, t_quantile, two_way

TOO_FEW: Final = "too few items follow another one"
NO_VARIATION: Final = "the scores, or what should explain them, do not vary"
SEPARATED: Final = "the labels follow exactly from the previous ones and the gold"
FEW_SEQUENCES: Final = "fewer than 3 sequences do not tell it from the annotators' means"
# The mean of the other scores is a function of the score itself in one sequence, nearly so in two.
FEWEST_SEQUENCES: Final = 3
THIRDS: Final = 3
MOST_STEPS: Final = 50
CLOSE_ENOUGH: Final = 1e-8
# Beyond these log odds every label follows exactly.
CERTAIN: Final = 30.0


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its standard error, 95 % interval and two-sided p of 0.

    These take the noise for independent. `wide_low`, `wide_high` and `wide_p` are for other
    sentences and annotators; None with too few annotators, and without variation.
    """

    value: float
    error: float
    low: float
    high: float
    p: float
    wide_low: float | None = None
    wide_high: float | None = None
    wide_p: float | None = None


@dataclass(frozen=True)
class Regression:
    """The coefficients of the previous score (β1) and of the gold (β2), over `items` items.

    `previous` is None, and `undefined` says why, if there is no estimate; `gold` also without gold.
    """

    items: int
    previous: Coefficient | None
    gold: Coefficient | None
    undefined: str = ""


@dataclass(frozen=True)
class ScoreSequence:
    """The regression of all items; of the first, second and last third of each sequence.

    If the effect becomes smaller from third to third, annotators learn; if larger, they tire.
    """

    all: Regression
    thirds: tuple[Regression, Regression, Regression]
    signature: str


def score_sequence(
    judged: ItemJudgements,
    scores: Floats,
    order: NDArray[np.floating] | Codes,
    *,
    gold: Floats | None = None,
    sequences: Codes | None = None,
    binary: bool = False,
) -> ScoreSequence:
    """Measure the effect of the previous item on J scores, or on labels 0 and 1 if `binary`.

    `order` (J) are times or positions: all items in the order shown, control items included.
    `sequences` (J codes) are such as the HITs of annotators; by default all scores of an annotator
    are one sequence. Scores are not centred by annotator; `gold` (J) is in their unit. NaN is an
    unknown score or gold. Scores by unidentified annotators are left out. Raises ValueError for
    other labels than 0 and 1.
    """
    if binary and not np.isin(scores[~np.isnan(scores)], (0, 1)).all():
        raise ValueError("A label is neither 0 nor 1.")
    known = np.flatnonzero(judged.annotators != UNIDENTIFIED)
    who = judged.annotators if sequences is None else sequences
    rows = known[np.lexsort((order[known], who[known], judged.annotators[known]))]
    starts = np.ones(len(rows), dtype=np.bool_)
    starts[1:] = np.diff(who[rows]) != 0
    starts[1:] |= np.diff(judged.annotators[rows]) != 0
    groups = np.cumsum(starts) - 1
    lengths = np.bincount(groups)
    places = np.arange(len(rows)) - np.flatnonzero(starts)[groups]
    thirds = places * THIRDS // lengths[groups]
    now = np.flatnonzero(~starts)
    sequence_scores = scores[rows]
    columns = [sequence_scores[now - 1]]
    if gold is not None:
        columns.append(gold[rows][now])
    columns.append(_means_of_others(sequence_scores, groups)[now])
    predictors = np.column_stack(columns)
    outcomes = sequence_scores[now]
    usable = ~np.isnan(predictors).any(axis=1) & ~np.isnan(outcomes)
    predictors, outcomes, now = predictors[usable], outcomes[usable], now[usable]
    sampled, people = judged.sampled[rows][now], judged.annotators[rows][now]
    of_sequence = groups[now]
    fit = _logistic if binary else _least_squares

    def regress(chosen: NDArray[np.bool_]) -> Regression:
        return _regression(
            fit,
            predictors[chosen],
            outcomes[chosen],
            (sampled[chosen], people[chosen]),
            sequences=len(np.unique(of_sequence[chosen])),
            with_gold=gold is not None,
        )

    first, second, last = (regress(thirds[now] == third) for third in range(THIRDS))
    return ScoreSequence(
        all=regress(np.ones(len(now), dtype=np.bool_)),
        thirds=(first, second, last),
        signature=sign(
            "effect of the previous score",
            (
                "logistic" if binary else "least squares",
                "with gold" if gold is not None else "without gold",
                f"{'share' if binary else 'mean'} of the others",
                f"{len(lengths)} sequences",
            ),
            len(rows),
            judged.sentences_judged,
        ),
    )


def _means_of_others(scores: Floats, groups: NDArray[np.intp]) -> Floats:
    """Return the mean of the other known scores of each score's sequence; NaN if there is none."""
    known = ~np.isnan(scores)
    counts = np.bincount(groups, weights=known)[groups] - known
    sums = np.bincount(groups, weights=np.nan_to_num(scores))[groups] - np.nan_to_num(scores)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / counts)


# Coefficients, their covariance, degrees of freedom (None: normal), and the influence of each
# outcome on the coefficients; or why there are none.
Fit = tuple[Floats, Floats, int | None, Floats]


def _regression(
    fit: Callable[[Floats, Floats], Fit | str],
    predictors: Floats,
    outcomes: Floats,
    clusters: tuple[Codes, Codes],
    *,
    sequences: int,
    with_gold: bool,
) -> Regression:
    count = len(outcomes)
    matrix = np.column_stack([np.ones(count), predictors])
    if count <= matrix.shape[1]:
        return Regression(count, None, None, TOO_FEW)
    if np.ptp(outcomes) == 0:
        return Regression(count, None, None, NO_VARIATION)
    if sequences < FEWEST_SEQUENCES:
        return Regression(count, None, None, FEW_SEQUENCES)
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return Regression(count, None, None, NO_VARIATION)
    fitted = fit(matrix, outcomes)
    if isinstance(fitted, str):
        return Regression(count, None, None, fitted)
    both = _two_way(fitted[3], *clusters)
    previous = _coefficient(fitted, 1, both)
    return Regression(count, previous, _coefficient(fitted, 2, both) if with_gold else None)


def _two_way(influence: Floats, sentences: Codes, annotators: Codes) -> TwoWay:
    cells = number_cells(sentences, annotators)
    return two_way(
        sum_rows(cells.codes, influence, len(cells)),
        cells.units,
        cells.annotators,
        np.bincount(cells.codes),
    )


def _coefficient(fitted: Fit, place: int, both: TwoWay) -> Coefficient:
    from scipy.special import ndtr, stdtr

    coefficients, covariance, degrees, _influence = fitted
    value, error = float(coefficients[place]), float(np.sqrt(covariance[place, place]))
    # Without noise the error is 0.
    t = -abs(value) / error if error else (-np.inf if value else 0.0)
    half = (NORMAL_QUANTILE if degrees is None else t_quantile(degrees)) * error
    p = 2 * float(ndtr(t) if degrees is None else stdtr(degrees, t))
    found = Coefficient(value, error, value - half, value + half, p)
    wide = None if both.errors is None else float(both.errors[place])
    if not wide:
        return found
    wide_half = t_quantile(both.degrees) * wide
    return replace(
        found,
        wide_low=value - wide_half,
        wide_high=value + wide_half,
        wide_p=2 * float(stdtr(both.degrees, -abs(value) / wide)),
    )


def _least_squares(matrix: Floats, outcomes: Floats) -> Fit:
    inverse = np.linalg.inv(matrix.T @ matrix)
    coefficients = inverse @ matrix.T @ outcomes
    residuals = outcomes - matrix @ coefficients
    degrees = len(outcomes) - matrix.shape[1]
    influence = np.asarray((matrix * residuals[:, None]) @ inverse)
    # Divided by the degrees of freedom: HC1 of MacKinnon & White (1985).
    covariance = influence.T @ influence * len(outcomes) / degrees
    return coefficients, covariance, degrees, influence


def _logistic(matrix: Floats, outcomes: Floats) -> Fit | str:
    """Return the maximum of the likelihood, by Newton's method; it has none if separated."""
    coefficients = np.zeros(matrix.shape[1])
    for _ in range(MOST_STEPS):
        odds = matrix @ coefficients
        if np.abs(odds).max() > CERTAIN:
            return SEPARATED
        chances = 1 / (1 + np.exp(-odds))
        information = (matrix * (chances * (1 - chances))[:, None]).T @ matrix
        step = np.linalg.solve(information, matrix.T @ (outcomes - chances))
        coefficients = coefficients + step
        if np.abs(step).max() < CLOSE_ENOUGH:
            inverse = np.asarray(np.linalg.inv(information), np.float64)
            chances = 1 / (1 + np.exp(-matrix @ coefficients))
            influence = (matrix * (outcomes - chances)[:, None]) @ inverse
            return coefficients, inverse, None, influence
    return SEPARATED
