"""Ratios of wins with narrower intervals, by predictions for sentences without judgements.

A regression learns from the judged sentences how texts of candidates (not their ranks) tell who
wins, and predicts all sentences of the project. The difference between predictions for all
sentences and for the judged ones corrects the plain ratio: unbiased, if the judged sentences are a
random sample, however bad the predictor is. It is fitted in folds, so that no sentence is predicted
from its own judgements, and has a weight λ for each system, which makes the variance least.
Source: Angelopoulos, Duchi & Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference"; cross
fitting: Zrnic & Candès (2024), "Cross-prediction-powered inference", PNAS 121.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.preparation.embedded.blas import one_thread
from evaluation.reuse.candidate_features import Outcomes, count_outcomes, text_features
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.ridge import Floats, Moments, moments
from evaluation.reuse.text_tables import Table, tabulate
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import NO_CANDIDATE, Judgements, natural_key
from evaluation.stats.ranking.significance import holm
from evaluation.stats.ranking.systems import clusters, rank_ranges, ranks
from evaluation.stats.two_way import TwoWay, t_quantile

PENALTY: Final = 1000.0
FOLDS: Final = 20
FEWEST_SENTENCES: Final = 20
NEVER_DECIDED: Final = "no judged sentence decides between the system and another"


@dataclass(frozen=True, eq=False)
class SentenceTexts:
    """What the regression needs of all sentences of a project, computed once.

    For R pairs of a segment and a system with a candidate: `features` R × F, `segments` and
    `systems` R codes. For S sentences and K systems: `sums` S × K × (F + 1), features and 1, times
    the comparisons of the candidate in a judgement. `sentences` are the codes of those that can be
    judged, because a segment of theirs has several candidates.
    """

    features: Table
    segments: NDArray[np.intp]
    systems: NDArray[np.intp]
    sums: Floats
    sentences: NDArray[np.intp]
    segment_sentences: NDArray[np.intp]


@dataclass(frozen=True)
class PoweredSystem:
    """A system's score, such as its ratio of wins: by prediction and judgements, `plain` by these.

    Both are for the project's sentences, if that is what the ranking is for. `weight` is λ, from 0
    to 1: how much of the prediction is used; None where it is not one number. Ranks and clusters by
    `score`, as in RankedSystem.
    `after_100` and `after_1000` are the widths of the interval to be expected after so many more
    sentences; None for a system without an interval.
    """

    system: str
    score: Estimate
    plain: Estimate
    weight: float | None
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    after_100: float | None
    after_1000: float | None


@dataclass(frozen=True)
class PoweredPair:
    """The share of decided comparisons that `system` wins against `other`; p of it being .5."""

    system: str
    other: str
    win_rate: Estimate
    plain: Estimate
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class PoweredRanking:
    """Systems, best first, and pairs, from `judged` of the `sentences` of the project.

    If `other_sentences`, intervals are for other sentences like those of the project, otherwise for
    those of the project, by the same annotators: they shrink to a point when all are judged.
    `width_ratio` is the mean width of the intervals, divided by that without predictions. If there
    is no ranking, `undefined` says why.
    """

    systems: tuple[PoweredSystem, ...]
    pairs: tuple[PoweredPair, ...]
    judged: int
    sentences: int
    other_sentences: bool
    width_ratio: float | None
    undefined: str
    signature: str

    def mean_width(self, more: int) -> float | None:
        """Return the mean of `after_100` or `after_1000`; None without any."""
        found = [row.after_100 if more == 100 else row.after_1000 for row in self.systems]
        widths = [width for width in found if width is not None]
        return sum(widths) / len(widths) if widths else None


def no_powered_ranking(reason: str) -> PoweredRanking:
    """Return what there is where nothing can be predicted, for this reason."""
    return PoweredRanking((), (), 0, 0, False, None, reason, "")


def expected_width(
    score: Estimate, more: int, *, judged: int, sentences: int, other_sentences: bool
) -> float | None:
    """Return the width of an interval to be expected after n more sentences; None without one.

    It shrinks as √(1 / n - 1 / N) with N sentences in the project, or as √(1 / n) if intervals are
    for other sentences.
    """
    if score.low is None or score.high is None:
        return None
    after = min(sentences, judged + more)
    if other_sentences:
        return (score.high - score.low) * float(np.sqrt(judged / after))
    if judged == sentences:
        return 0.0
    left = (1 / after - 1 / sentences) / (1 / judged - 1 / sentences)
    return (score.high - score.low) * float(np.sqrt(left))


def _width_ratio(systems: Sequence[PoweredSystem]) -> float | None:
    known = [each for each in systems if each.score.low is not None]
    widths = [
        sum((one.high or 0.0) - (one.low or 0.0) for one in estimates)
        for estimates in ([each.score for each in known], [each.plain for each in known])
    ]
    return widths[0] / widths[1] if known and widths[1] else None


def tabulate_sentences(texts: ProjectTexts) -> SentenceTexts:
    """Return features of all candidates, centred by segment: what one wins, another loses."""
    tables = tabulate(texts)
    produced = texts.system_candidates
    systems = produced.shape[1]
    count = (produced != NO_CANDIDATE).sum(axis=1)
    several = np.diff(texts.first_candidates) > 1
    parts, rows, columns = [], [], []
    for system in range(systems):
        segments = np.flatnonzero((produced[:, system] != NO_CANDIDATE) & several)
        others = [other for other in range(systems) if other != system]
        parts.append(text_features(tables, segments, system, others))
        rows.append(segments)
        columns.append(np.full(len(segments), system))
    features, of_rows = np.concatenate(parts), np.concatenate(rows)
    of_columns = np.concatenate(columns)
    sums = np.stack([np.bincount(of_rows, column, len(produced)) for column in features.T], axis=1)
    features -= (sums / np.maximum(1, count)[:, None])[of_rows].astype(np.float32)
    scale = features.std(axis=0)
    features /= np.where(scale > 0, scale, 1)
    # A few outliers must not decide the regression of a small sample.
    features = np.clip(features, -6, 6).astype(np.float32)
    where = texts.segment_sentences.astype(np.int64)[of_rows]
    keys = where * systems + of_columns
    weights = (count - 1)[of_rows]
    size = len(texts.sentence_numbers)
    of_sentences = [
        np.bincount(keys, column * weights, size * systems)
        for column in (*features.T, np.ones(len(features)))
    ]
    return SentenceTexts(
        features=features,
        segments=of_rows,
        systems=of_columns,
        sums=np.stack(of_sentences, axis=1, dtype=np.float64).reshape(size, systems, -1),
        sentences=np.unique(where),
        segment_sentences=texts.segment_sentences.astype(np.intp),
    )


def rank_prediction_powered(
    judgements: Judgements,
    texts: ProjectTexts,
    *,
    prepared: SentenceTexts | None = None,
    population: NDArray[np.intp] | None = None,
    other_sentences: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> PoweredRanking:
    """Rank systems by the ratio of wins with prediction-powered intervals.

    The judged sentences must be a random sample of `population`, codes of sentences, by default all
    that can be judged. Several judgements of a segment count as one, their mean. The seed chooses
    folds and draws for rank ranges. `prepared` texts save time. Raises InputError for fewer than
    FEWEST_SENTENCES judged sentences.
    """
    prepared = tabulate_sentences(texts) if prepared is None else prepared
    population = prepared.sentences if population is None else population
    segments = texts.segments_of(judgements)
    outcomes = count_outcomes(judgements.system_ranks, segments, len(texts.segment_ids))
    times = np.bincount(segments, minlength=len(texts.segment_ids))
    wins = _by_sentence(outcomes.wins / np.maximum(1, times)[:, None, None], prepared)
    judged = np.intersect1d(np.unique(prepared.segment_sentences[segments]), population)
    if len(judged) < FEWEST_SENTENCES:
        raise InputError(
            _(
                "Prediction-powered estimates need at least %(least)d judged sentences, but there "
                "are %(count)d. Judge more sentences first."
            ),
            least=FEWEST_SENTENCES,
            count=len(judged),
        )
    net, decided = _predict(prepared, outcomes, judged, np.random.default_rng(seed))
    won, lost = wins.sum(axis=2), wins.sum(axis=1)
    scores = estimate_ratios(
        won,
        lost,
        (decided + net) / 2,
        (decided - net) / 2,
        judged=judged,
        population=population,
        other_sentences=other_sentences,
    )
    # What x is expected to win more than y against all, times a λ, is what it wins against y.
    x, y = np.triu_indices(won.shape[1], 1)
    ahead = (net[:, x] - net[:, y]) / 2
    pairs = estimate_ratios(
        wins[:, x, y],
        wins[:, y, x],
        ahead,
        -ahead,
        judged=judged,
        population=population,
        other_sentences=other_sentences,
    )
    widths = partial(
        expected_width,
        judged=len(judged),
        sentences=len(population),
        other_sentences=other_sentences,
    )
    systems = powered_systems(
        judgements.system_names,
        scores.powered,
        TwoWay(scores.covariance, None, scores.degrees),
        [
            _estimate(value, error, scores.degrees)
            for value, error in zip(scores.powered, scores.errors, strict=True)
        ],
        [
            _estimate(value, error, scores.degrees + 1)
            for value, error in zip(scores.plain, scores.plain_errors, strict=True)
        ],
        scores.weights.tolist(),
        widths,
        resamples,
        seed,
    )
    return PoweredRanking(
        systems=systems,
        pairs=_pairs(judgements.system_names, pairs, x.tolist(), y.tolist()),
        judged=len(judged),
        sentences=len(population),
        other_sentences=other_sentences,
        width_ratio=_width_ratio(systems),
        undefined="",
        signature=judgements.sign(
            "prediction-powered ratio of wins",
            "ties ignored",
            "judgements of a segment averaged",
            f"ridge {PENALTY:g} of {prepared.features.shape[1]} features of texts",
            f"{FOLDS} folds of sentences",
            "for other sentences" if other_sentences else f"for {len(population)} sentences",
            f"seed {seed}",
        ),
    )


@dataclass(frozen=True, eq=False)
class Ratios:
    """K ratios: plain, corrected, λ, standard errors of both, and the errors' covariances."""

    plain: Floats
    powered: Floats
    weights: Floats
    plain_errors: Floats
    errors: Floats
    covariance: Floats
    degrees: int


def estimate_ratios(
    won: Floats,
    lost: Floats,
    expected_wins: Floats,
    expected_losses: Floats,
    *,
    judged: NDArray[np.intp],
    population: NDArray[np.intp],
    other_sentences: bool = False,
) -> Ratios:
    """Estimate K ratios of wins from S × K observed and expected numbers by sentence.

    Observed numbers are read of the n `judged` sentences only, which must be of the `population`.
    With z the influence of a sentence on the ratio and ẑ the expected one: the ratio plus λ (mean
    of ẑ over the population - mean of ẑ over judged sentences), λ = cov(z, ẑ) / var(ẑ). The
    variance of z - λ ẑ is multiplied by 1 / n - 1 / N; for other sentences, var(z) / N is added.
    """
    n = len(judged)
    won, lost = won[judged], lost[judged]
    total = won.sum(axis=0) + lost.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = won.sum(axis=0) / total
    known, scale = np.nan_to_num(ratio), n / np.where(total > 0, total, np.inf)
    influence = ((1 - known) * won - known * lost) * scale
    expected = ((1 - known) * expected_wins - known * expected_losses) * scale
    of_judged = expected[judged] - expected[judged].mean(axis=0)
    squares = (of_judged**2).sum(axis=0)
    weights = np.clip((influence * of_judged).sum(axis=0) / np.where(squares > 0, squares, 1), 0, 1)
    shift = expected[population].mean(axis=0) - expected[judged].mean(axis=0)
    rest = influence - weights * of_judged
    plain = influence.var(axis=0, ddof=1)
    left = 1 / n - 1 / len(population)
    # λ takes one more degree of freedom.
    covariance = rest.T @ rest / (n - 2) * left
    if other_sentences:
        covariance += influence.T @ influence / (n - 1) / len(population)
    return Ratios(
        plain=ratio,
        powered=ratio + weights * shift,
        weights=weights,
        plain_errors=np.sqrt(plain / n if other_sentences else plain * left),
        errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        degrees=n - 2,
    )


def _by_sentence(values: NDArray[Any], prepared: SentenceTexts) -> Floats:
    """Sum G × K × K by sentence."""
    count, systems = prepared.sums.shape[:2]
    sums = np.zeros((count, systems, systems))
    np.add.at(sums, prepared.segment_sentences, values)
    return sums


def _predict(
    prepared: SentenceTexts,
    outcomes: Outcomes,
    judged: NDArray[np.intp],
    random: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return expected net wins and decided comparisons in a judgement of all segments: S × K.

    A judged sentence is predicted by the folds without it, another one by the mean of all folds.
    """
    fold = np.full(len(prepared.sums), -1)
    fold[random.permutation(judged)] = np.arange(len(judged)) % FOLDS
    compared = outcomes.compared.sum(axis=2) - np.einsum("gkk->gk", outcomes.compared)
    weights = compared[prepared.segments, prepared.systems].astype(np.float64)
    won = outcomes.wins.sum(axis=2)[prepared.segments, prepared.systems]
    lost = outcomes.wins.sum(axis=1)[prepared.segments, prepared.systems]
    targets = np.stack([won - lost, won + lost], axis=1) / np.maximum(1, weights)[:, None]
    of_rows = fold[prepared.segment_sentences[prepared.segments]]
    parts: list[Moments] = []
    for number in range(FOLDS):
        rows = np.flatnonzero((of_rows == number) & (weights > 0))
        parts.append(moments(prepared.features[rows], targets[rows], weights[rows]))
    together = parts[0]
    for part in parts[1:]:
        together = together + part
    fitted = [(together - part).fit(PENALTY) for part in parts]
    with one_thread():
        expected = prepared.sums @ np.mean(fitted, axis=0)
        for number, coefficients in enumerate(fitted):
            expected[fold == number] = prepared.sums[fold == number] @ coefficients
    return expected[..., 0], expected[..., 1]


def powered_systems(
    names: Sequence[str],
    values: Floats,
    errors: TwoWay,
    scores: Sequence[Estimate],
    plain: Sequence[Estimate],
    weights: Sequence[float | None],
    width_after: Callable[[Estimate, int], float | None],
    resamples: int,
    seed: int,
) -> tuple[PoweredSystem, ...]:
    """Return systems, the highest value first, with rank ranges from draws of Student's t."""
    ranges = rank_ranges(errors.draws(values, resamples, seed))
    places = ranks(values[None, :])[0]
    order = sorted(
        range(len(names)),
        key=lambda x: (np.isnan(values[x]), -np.nan_to_num(values[x]), natural_key(names[x])),
    )
    ranged = [(x, bounds) for x in order if (bounds := ranges[x])]
    cluster_of = dict(
        zip((x for x, _bounds in ranged), clusters([bounds for _x, bounds in ranged]), strict=True)
    )
    return tuple(
        PoweredSystem(
            system=names[x],
            score=scores[x],
            plain=plain[x],
            weight=weights[x],
            rank=int(places[x]) if np.isfinite(places[x]) else None,
            best_rank=bounds[0] if (bounds := ranges[x]) else None,
            worst_rank=bounds[1] if bounds else None,
            cluster=cluster_of.get(x),
            after_100=width_after(scores[x], 100),
            after_1000=width_after(scores[x], 1000),
        )
        for x in order
    )


def _pairs(
    names: Sequence[str], found: Ratios, left: Sequence[int], right: Sequence[int]
) -> tuple[PoweredPair, ...]:
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(found.degrees, -np.abs(found.powered - 0.5) / found.errors)
    p = np.where(found.errors > 0, p, np.nan)
    corrected = holm(p)
    return tuple(
        PoweredPair(
            system=names[x],
            other=names[y],
            win_rate=_estimate(found.powered[pair], found.errors[pair], found.degrees),
            plain=_estimate(found.plain[pair], found.plain_errors[pair], found.degrees + 1),
            p=None if np.isnan(p[pair]) else float(p[pair]),
            p_holm=None if np.isnan(p[pair]) else float(corrected[pair]),
        )
        for pair, (x, y) in enumerate(zip(left, right, strict=True))
    )


def _estimate(value: float, error: float, degrees: int) -> Estimate:
    if np.isnan(value):
        return Estimate(None, undefined=NEVER_DECIDED)
    half = t_quantile(degrees) * float(error)
    return Estimate(float(value), max(0.0, float(value) - half), min(1.0, float(value) + half))
