"""Means of systems' scores with narrower intervals, by scores of metrics for all texts.

Metrics score all translations, people only some. A regression learns from the judged texts how
scores of people follow those of metrics and the length of the source, and predicts all texts. The
mean of systems takes the scores of people less what is predicted for them, and adds the mean of the
predictions for all texts: unbiased if the judged texts are a random sample, however bad the metrics
are. There are two regressions, because one does not help the other: of what is common to all
systems of a text, its *level*, and of *differences* between systems in a text. Both are fitted in
folds of the sampled units, so that no text is predicted from its own scores, with a penalty that is
chosen by the folds; where no penalty makes the error smaller, nothing is predicted.
Sources: Angelopoulos, Duchi & Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference"; cross
fitting: Zrnic & Candès (2024), "Cross-prediction-powered inference", PNAS 121.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import combinations
from operator import add
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.prediction_powered import PoweredSystem, expected_width, powered_systems
from evaluation.reuse.ridge import Moments, moments
from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.judgements import Codes
from evaluation.stats.ranking.significance import holm
from evaluation.stats.resampling import (
    FEWEST_SENTENCES,
    Bounds,
    Floats,
    number_sentences,
    shares,
    sum_rows,
    sums_by,
    too_few,
)
from evaluation.stats.score_means import SystemScores
from evaluation.stats.two_way import TwoWay, t_quantile, two_way

FOLDS: Final = 10
# Of standardised columns, by row.
PENALTIES: Final = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
TINY: Final = 1e-12
# Passes of centring by system and text, which converges at once where all systems are judged.
PASSES: Final = 30
NO_MEAN: Final = "the system has too few scores in common with the others"
ONE_SYSTEM: Final = "fewer than two systems have scores"


class LinearMeans(Protocol):
    """Means of K systems that are linear in N scores, with their covariances."""

    def means(self, values: Floats) -> Floats:
        """Return the K means of N scores; NaN for a system without one."""

    def two_way(self, values: Floats, annotators: Codes) -> TwoWay:
        """Return the covariances of the means over units, and over units and annotators."""


@dataclass(frozen=True, eq=False)
class PlainMeans:
    """The mean over a system's segments of the mean of their scores."""

    scores: SystemScores

    def means(self, values: Floats) -> Floats:
        return replace(self.scores, values=values).total

    def two_way(self, values: Floats, annotators: Codes) -> TwoWay:
        own = replace(self.scores, values=values, annotators=annotators)
        return two_way(*own.influence)


@dataclass(frozen=True, eq=False)
class AllTexts:
    """What is known of all translations of a project, I lines of the source by K systems.

    `metrics` are M names, and `scores` M × I × K, NaN where a system has no translation; `lengths`
    (I) are those of the source, in characters.
    """

    metrics: tuple[str, ...]
    scores: Floats
    lengths: NDArray[np.int64]
    translated: NDArray[np.bool_]


@dataclass(frozen=True)
class Explained:
    """The share of the variance that predictors explain in texts that they did not learn from.

    Of the `level` of a text, common to its systems, and of the `differences` between these.
    `metrics` are the predictors beside the length of the source.
    """

    metrics: tuple[str, ...]
    level: float
    differences: float


@dataclass(frozen=True)
class PoweredDifference:
    """By how much the mean of `system` is better than that of `other`; p of it being 0."""

    system: str
    other: str
    difference: Estimate
    plain: Estimate
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class PoweredMeans:
    """Systems, best first, and differences, from `judged` of their `translations` in the project.

    Intervals are for these translations, by the same annotators (`low`, `high`) or by others.
    `explained` is what each metric alone, and last what all together explain. `width_ratio` is the
    mean width of the intervals, divided by that without metrics; 1 if these do not help, and
    figures are the plain ones. If there are no means, `undefined` says why. `left_out` metrics lack
    scores.
    """

    systems: tuple[PoweredSystem, ...]
    pairs: tuple[PoweredDifference, ...]
    explained: tuple[Explained, ...]
    left_out: tuple[str, ...]
    judged: int
    translations: int
    lower_is_better: bool
    width_ratio: float | None
    undefined: str
    signature: str

    @property
    def helps(self) -> bool:
        return self.width_ratio is not None and self.width_ratio < 1

    def mean_width(self, more: int) -> float | None:
        """Return the mean of `after_100` or `after_1000`; None without any."""
        found = [row.after_100 if more == 100 else row.after_1000 for row in self.systems]
        widths = [width for width in found if width is not None]
        return sum(widths) / len(widths) if widths else None


def no_powered_means(reason: str, left_out: Sequence[str] = ()) -> PoweredMeans:
    """Return what there is where nothing can be predicted, for this reason."""
    return PoweredMeans((), (), (), tuple(left_out), 0, 0, False, None, reason, "")


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions for all texts (I × K), and what explains how much of the judged ones."""

    values: Floats
    explained: tuple[Explained, ...]


@dataclass(frozen=True, eq=False)
class Regression:
    """A regression that was fitted without each fold in turn: coefficients (folds × F).

    `explained` is the share of the variance that each choice of columns explains in other folds,
    at least 0; `chosen` is the place of the choice that explains most.
    """

    coefficients: Floats
    explained: tuple[float, ...]
    chosen: int


def estimate_powered_means(
    scores: SystemScores,
    texts: AllTexts,
    *,
    system_names: Sequence[str],
    means: LinearMeans | None = None,
    lower_is_better: bool = False,
    left_out: Sequence[str] = (),
    provenance: Sequence[str] = (),
    resamples: int = 1000,
    seed: int = 0,
) -> PoweredMeans:
    """Estimate the means of systems with the help of metrics.

    The `segments` of the scores are places of lines in the texts. `means` is by default the mean
    over segments. The seed chooses folds, and draws for rank ranges. If intervals of the means
    would be wider with predictions, the plain ones stay. `left_out` metrics and `provenance` are
    passed on.
    """
    linear = PlainMeans(scores) if means is None else means
    plain = linear.means(scores.values)
    units = len(np.unique(scores.units))
    if units < FEWEST_SENTENCES:
        return no_powered_means(too_few(scores.unit), left_out)
    if np.count_nonzero(~np.isnan(plain)) < 2:
        return no_powered_means(ONE_SYSTEM, left_out)
    found = predict_scores(scores, texts, standing=plain, seed=seed)
    rest = scores.values - found.values[scores.segments, scores.systems]
    powered = linear.means(rest) + mean_of_known(found.values.T, texts.translated.T)
    judged = np.zeros(texts.translated.shape, dtype=np.bool_)
    judged[scores.segments, scores.systems] = True
    left = 1 - judged.sum(axis=0) / np.maximum(1, texts.translated.sum(axis=0))
    degrees = _degrees(scores.units)
    errors, plain_errors = (
        _of_these_texts(linear.two_way(values, scores.annotators), left)
        for values in (rest, scores.values)
    )
    # A mean that rests on one document has no error.
    known = np.isfinite(np.diagonal(errors.sentences))
    powered, plain = (np.where(known, values, np.nan) for values in (powered, plain))
    if np.count_nonzero(~np.isnan(plain)) < 2:
        return no_powered_means(ONE_SYSTEM, left_out)
    width_ratio = _mean_error(errors, plain) / max(_mean_error(plain_errors, plain), TINY)
    if width_ratio >= 1:
        powered, errors, width_ratio = plain, plain_errors, 1.0
    by_metrics, by_people = (
        [
            _estimate(value, of, place, degrees, scores.bounds)
            for place, value in enumerate(values.tolist())
        ]
        for values, of in ((powered, errors), (plain, plain_errors))
    )
    sign_of = -1 if lower_is_better else 1
    scored = np.bincount(scores.systems, minlength=scores.names) > 0
    count, total = int(judged.sum()), int(texts.translated[:, scored].sum())
    ranked = powered_systems(
        system_names,
        sign_of * powered,
        replace(errors, both=None, degrees=degrees),
        by_metrics,
        by_people,
        [None] * len(system_names),
        partial(
            expected_width,
            judged=round(count / int(scored.sum())),
            sentences=round(total / int(scored.sum())),
            other_sentences=False,
        ),
        resamples,
        seed,
    )
    return PoweredMeans(
        systems=tuple(row for row in ranked if scored[system_names.index(row.system)]),
        pairs=_pairs(
            system_names,
            (sign_of * powered, errors.sentences),
            (sign_of * plain, plain_errors.sentences),
            degrees,
        ),
        explained=found.explained,
        left_out=tuple(left_out),
        judged=count,
        translations=total,
        lower_is_better=lower_is_better,
        width_ratio=width_ratio,
        undefined="",
        signature=sign(
            "prediction-powered means of systems",
            (
                *scores.words,
                f"metrics {', '.join(texts.metrics) or 'none'}",
                "and lengths of the source",
                f"{min(FOLDS, units)} folds of {scores.unit}",
                f"for {total} translations",
                f"seed {seed}",
            ),
            len(scores),
            len(np.unique(scores.segments)),
            provenance,
        ),
    )


def predict_scores(
    scores: SystemScores, texts: AllTexts, *, standing: Floats, seed: int = 0
) -> Predicted:
    """Predict scores of people for all translations, up to a constant of each system.

    `standing` are the K plain means. A text on which all systems do worse tells a good system from
    a bad one more than others do: so levels and lengths count in differences, too, in proportion to
    the system's standing.
    """
    systems, lines = scores.systems, scores.segments
    standings = _standardised(np.where(np.isnan(standing), np.nanmean(standing), standing))
    length = _standardised(np.log1p(texts.lengths))
    levels, differences = [length], [length[:, None] * standings]
    for of_metric in texts.scores:
        of_lines = mean_of_known(of_metric, texts.translated)
        level = _standardised(np.where(np.isnan(of_lines), np.nanmean(of_lines), of_lines))
        difference = np.where(texts.translated, of_metric - of_lines[:, None], 0.0)
        levels.append(level)
        differences += [difference, difference * length[:, None], level[:, None] * standings]
    of_levels, of_differences = np.stack(levels, axis=-1), np.stack(differences, axis=-1)
    count = len(texts.metrics)
    # The metrics of a choice: none, each alone, all together.
    choices = list(dict.fromkeys([(), *((one,) for one in range(count)), tuple(range(count))]))

    units, unit_count = number_sentences(scores.units)
    folds = min(FOLDS, unit_count)
    folds_of = (np.random.default_rng(seed).permutation(unit_count) % folds)[units]
    judged, places = np.unique(lines, return_inverse=True)
    line_folds = np.full(len(texts.lengths), folds)
    line_folds[lines] = folds_of

    columns = np.column_stack([scores.values, of_differences[lines, systems]])
    columns = _within(columns, places, systems)
    between = _regress(
        columns[:, 1:],
        columns[:, 0],
        np.ones(len(scores)),
        folds_of,
        [[0, *(1 + 3 * one + part for one in choice for part in range(3))] for choice in choices],
    )
    predicted = _apply(between, of_differences, line_folds)

    rest = scores.values - predicted[lines, systems]
    rest = _less_means(rest[:, None], systems)[:, 0]
    times = np.bincount(places)
    common = _regress(
        of_levels[judged],
        sums_by(places, rest, len(judged)) / times,
        times.astype(np.float64),
        line_folds[judged],
        [[0, *(1 + one for one in choice)] for choice in choices],
    )
    predicted += _apply(common, of_levels, line_folds)[:, None]
    return Predicted(
        predicted,
        tuple(
            Explained(tuple(texts.metrics[one] for one in choice), level, difference)
            for choice, level, difference in zip(
                choices, common.explained, between.explained, strict=True
            )
        ),
    )


def mean_of_known(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return the means of the known values in each row; NaN for a row without one."""
    return shares(np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1))


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / max(values.std(), TINY))


def _less_means(columns: Floats, codes: NDArray[np.integer]) -> Floats:
    """Return the columns (N × F) less the mean of the rows with the same code."""
    count = int(codes.max(initial=-1)) + 1
    times = np.maximum(1, np.bincount(codes, minlength=count))
    return np.asarray(columns - (sum_rows(codes, columns, count) / times[:, None])[codes])


def _within(columns: Floats, lines: NDArray[np.integer], systems: Codes) -> Floats:
    """Return the columns (N × F) less what is common to a line, and to a system."""
    for _pass in range(PASSES):
        before, columns = columns, _less_means(_less_means(columns, lines), systems)
        if np.allclose(before, columns, rtol=0, atol=1e-9 * np.abs(columns).max(initial=0.0)):
            break
    return columns


def _regress(
    features: Floats,
    targets: Floats,
    weights: Floats,
    folds: NDArray[np.integer],
    choices: Sequence[list[int]],
) -> Regression:
    """Fit the targets (N) by each choice of the features (N × F), and keep the best one.

    Errors are of rows that the coefficients were fitted without.
    """
    parts = [
        moments(features[folds == fold], targets[folds == fold, None], weights[folds == fold])
        for fold in range(int(folds.max()) + 1)
    ]
    together = reduce(add, parts)
    without = [together - part for part in parts]

    def fitted(chosen: list[int]) -> Floats:
        """Return coefficients (penalties × folds × F + 1), the constant last."""
        kept = np.array([*chosen, features.shape[1]])
        every = np.zeros((len(PENALTIES), len(parts), features.shape[1] + 1))
        for fold, rest in enumerate(without):
            some = Moments(rest.gram[np.ix_(kept, kept)], rest.cross[kept], rest.rows)
            by_row = [penalty * max(1, rest.rows) for penalty in PENALTIES]
            every[:, fold, kept] = some.fit_each(by_row)[..., 0]
        return every

    def error(coefficients: Floats) -> float:
        of_rows = coefficients[folds]
        expected = (features * of_rows[:, :-1]).sum(axis=1) + of_rows[:, -1]
        return float((weights * (targets - expected) ** 2).sum())

    nothing = fitted([])[0]
    plain = error(nothing)
    best, least, explained, chosen = nothing, plain, [], -1
    for place, choice in enumerate(choices):
        tried = fitted(choice)
        errors = [error(coefficients) for coefficients in tried]
        smallest = int(np.argmin(errors))
        explained.append(max(0.0, 1 - errors[smallest] / plain) if plain else 0.0)
        if errors[smallest] < least:
            best, least, chosen = tried[smallest], errors[smallest], place
    return Regression(best[:, :-1], tuple(explained), chosen)


def _apply(found: Regression, features: Floats, folds: NDArray[np.integer]) -> Floats:
    """Return predictions from features (I × … × F) by the fold of each line.

    A line that is in no fold, which has the number after the last one, has the mean of all.
    """
    coefficients = np.vstack([found.coefficients, found.coefficients.mean(axis=0)])[folds]
    return np.asarray(np.einsum("i...f,if->i...", features, coefficients))


def _of_these_texts(found: TwoWay, left: Floats) -> TwoWay:
    """Return the covariances for the texts of the project, `left` (K) being the unjudged share."""
    these = found.sentences * np.sqrt(np.outer(left, left))
    return replace(
        found,
        sentences=these,
        # What annotators add does not become less.
        both=None if found.both is None else these + found.both - found.sentences,
    )


def _mean_error(found: TwoWay, plain: Floats) -> float:
    return float(np.sqrt(np.maximum(np.diagonal(found.sentences), 0))[~np.isnan(plain)].mean())


def _degrees(units: Codes) -> int:
    """Return the degrees of freedom of a variance over units: fewer if some are far larger.

    Satterthwaite's, if the variance of a unit's sum is as the square of its number of scores.
    """
    squares = np.bincount(units).astype(np.float64) ** 2
    return max(1, round(float(squares.sum() ** 2 / (squares**2).sum())) - 1)


def _estimate(value: float, found: TwoWay, place: int, degrees: int, bounds: Bounds) -> Estimate:
    if np.isnan(value):
        return Estimate(None, undefined=NO_MEAN)
    half = t_quantile(degrees) * float(np.sqrt(found.sentences[place, place]))
    low, high = max(bounds[0], value - half), min(bounds[1], value + half)
    return found.widen(Estimate(value, low, high), place, bounds)


def _pairs(
    names: Sequence[str], powered: tuple[Floats, Floats], plain: tuple[Floats, Floats], degrees: int
) -> tuple[PoweredDifference, ...]:
    """Return all pairs of systems with means, the better one first.

    Both are means, the higher the better, with their covariances.
    """
    from scipy.special import stdtr

    means, _errors = powered
    order = [place for place in np.argsort(-means, kind="stable") if not np.isnan(means[place])]
    x, y = np.array(list(combinations(order, 2))).T

    def differences(of: tuple[Floats, Floats]) -> tuple[list[Estimate], Floats]:
        means, covariance = of
        variances = np.diagonal(covariance)
        errors = np.sqrt(np.maximum(0, variances[x] + variances[y] - 2 * covariance[x, y]))
        half, apart = t_quantile(degrees) * errors, means[x] - means[y]
        ends = zip(apart.tolist(), (apart - half).tolist(), (apart + half).tolist(), strict=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * stdtr(degrees, -np.abs(apart) / errors)
        return [Estimate(*each) for each in ends], np.where(errors > 0, p, np.nan)

    (found, p), (without, _p) = differences(powered), differences(plain)
    corrected = holm(p)
    return tuple(
        PoweredDifference(
            names[first],
            names[second],
            found[place],
            without[place],
            None if np.isnan(p[place]) else float(p[place]),
            None if np.isnan(p[place]) else float(corrected[place]),
        )
        for place, (first, second) in enumerate(zip(x.tolist(), y.tolist(), strict=True))
    )
