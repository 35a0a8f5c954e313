"""Systems by what annotators said of whole translations, and by the errors that they marked.

They gave scores, or the errors have points. A candidate counts for each system that produced it. A
system's score of a line of the source is the mean over its judgements, the system's score the mean
over its lines. Pairs of systems, ranges of ranks and clusters are those of WMT24
(`evaluation.stats.domain_means`) with one domain, by tests of lines, or of documents or blocks
where these are sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from annotation.formats.error_points import ErrorWeights
from evaluation.stats.domain_means import ALPHA, DomainRanking, rank_by_domains
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import SHARE, Floats
from evaluation.stats.score_means import POINTS, SystemScores, estimate_means
from evaluation.stats.units import SENTENCES, Unit

# The score from which the metrics task of WMT26 calls a translation without a span error-free.
ERROR_FREE_FROM: Final = 85


@dataclass(frozen=True)
class MarkedSystem:
    """A system with its mean score, or error points, over `segments`, from `judgements`.

    `minor` and `major` are the numbers of marked stretches with this severity in a judgement, on
    average, `errors` that of all errors; `omissions` is the share of judgements that report one.
    `error_free` is the share of segments without errors, as `error_free_translations` says.
    Ranks and clusters are as in `DomainRanking`.
    """

    system: str
    score: Estimate
    segments: int
    judgements: int
    minor: float
    major: float
    errors: float
    omissions: float
    error_free: Estimate
    best_rank: int
    worst_rank: int
    cluster: int


@dataclass(frozen=True)
class MarkedSystems:
    """Systems that were judged, the best first; p below which they differ."""

    systems: tuple[MarkedSystem, ...]
    significant_below: float
    signature: str


def measure_systems(
    judgements: Judgements,
    marked: MarkedErrors,
    *,
    highest: int,
    error_free_from: int = ERROR_FREE_FROM,
    resamples: int = 1000,
    seed: int = 0,
) -> MarkedSystems:
    """Return the systems with scores from 0 to `highest`, which are stored as ranks from the best.

    A translation without errors has at least the score `error_free_from`. Intervals sample the unit
    of the judgements; ranks and clusters are by tests of these units.
    """
    return _measure(
        judgements,
        marked,
        scores_of_systems(judgements, highest),
        ("mean scores of systems", f"error-free from {error_free_from}"),
        lower_is_better=False,
        error_free_from=error_free_from,
        resamples=resamples,
        seed=seed,
    )


def measure_points(
    judgements: Judgements,
    marked: MarkedErrors,
    weights: ErrorWeights,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> MarkedSystems:
    """Return the systems with the points of their errors, the fewest first.

    Otherwise as `measure_systems`.
    """
    return _measure(
        judgements,
        marked,
        points_of_systems(judgements, marked, weights),
        ("mean error points of systems", *weights.words),
        lower_is_better=True,
        resamples=resamples,
        seed=seed,
    )


def scores_of_systems(
    judgements: Judgements, highest: int, lowest: int = 0, step: int = 1
) -> SystemScores:
    """Return the scores from `lowest` to `highest`, which are stored as ranks from the best."""
    rows, systems = np.nonzero(judgements.system_ranks)
    values = highest - (judgements.system_ranks[rows, systems].astype(np.float64) - 1) * step
    scores = _of_systems(judgements, values)
    words = "mean score", f"{highest} is the best"
    return replace(scores, bounds=(float(lowest), float(highest)), words=words)


def error_free_translations(
    judgements: Judgements, marked: MarkedErrors, scores: SystemScores, least: float
) -> SystemScores:
    """Return 1 for each score of a translation in which nothing is marked, from the least, else 0.

    Scores are in the order of `scores_of_systems`.
    """
    rows, systems = np.nonzero(judgements.system_ranks)
    keys = zip(
        judgements.ids[rows].tolist(),
        judgements.system_candidates[rows, systems].tolist(),
        strict=True,
    )
    unmarked = np.array([not marked.of(key) for key in keys], dtype=np.bool_)
    free = (unmarked & (scores.values >= least)).astype(np.float64)
    return replace(scores, values=free, bounds=SHARE, words=("error-free",))


def points_of_systems(
    judgements: Judgements, marked: MarkedErrors, weights: ErrorWeights
) -> SystemScores:
    """Return the points of the errors in each judgement of a system's translation."""
    rows, systems = np.nonzero(judgements.system_ranks)
    keys = zip(
        judgements.ids[rows].tolist(),
        judgements.system_candidates[rows, systems].tolist(),
        strict=True,
    )
    values = np.array([weights.sum(marked.of(key)) for key in keys], dtype=np.float64)
    points = _of_systems(judgements, values)
    words = "mean error points", "fewer are better", *weights.words
    return replace(points, bounds=(0.0, np.inf), words=words)


def points_below_zero(
    judgements: Judgements, marked: MarkedErrors, weights: ErrorWeights
) -> SystemScores:
    """Return the same as numbers below 0: the higher, the better.

    Widths of intervals are told as parts of a major error.
    """
    points = points_of_systems(judgements, marked, weights)
    words = "minus mean error points", *weights.words
    return replace(
        points,
        values=0.0 - points.values,
        bounds=(-np.inf, 0.0),
        scale=weights.major,
        method=POINTS,
        words=words,
    )


def _of_systems(judgements: Judgements, values: Floats) -> SystemScores:
    """Return numbers of the placements of systems, in the order of rows and systems."""
    rows, systems = np.nonzero(judgements.system_ranks)
    return SystemScores(
        values,
        systems=systems.astype(np.int32),
        # Of single translations each is a segment; systems are compared by lines of the source.
        segments=judgements.sentences[rows],
        annotators=judgements.annotators[rows],
        units=judgements.units[rows],
        names=len(judgements.system_names),
        unit=judgements.unit,
    )


def _measure(
    judgements: Judgements,
    marked: MarkedErrors,
    scores: SystemScores,
    words: tuple[str, ...],
    *,
    lower_is_better: bool,
    error_free_from: float = -np.inf,
    resamples: int,
    seed: int,
) -> MarkedSystems:
    means = _means(scores)
    judged = np.bincount(scores.systems, minlength=scores.names)
    known = np.flatnonzero(judged).tolist()
    signature = judgements.sign(
        *words,
        f"Wilcoxon signed-rank of {_tested(judgements.unit)}, two-sided",
        f"alpha {ALPHA:g}",
        f"95 % intervals of {resamples} resamples of {judgements.unit}",
        f"seed {seed}",
    )
    if not known:
        return MarkedSystems((), ALPHA, signature)
    of_lines = None
    if judgements.unit != SENTENCES:
        _, lines = np.unique(scores.segments, return_inverse=True)
        of_lines = np.zeros(means.shape[1], dtype=np.int64)
        of_lines[lines] = scores.units
    ranking = rank_by_domains(
        -means[known] if lower_is_better else means[known],
        np.zeros(means.shape[1], dtype=np.intp),
        systems=[judgements.system_names[system] for system in known],
        domains=("all",),
        judgements=int(judged.sum()),
        units_of=of_lines,
    )
    estimates = estimate_means(scores, resamples=resamples, seed=seed)
    free = error_free_translations(judgements, marked, scores, error_free_from)
    shares = estimate_means(free, resamples=resamples, seed=seed)
    counts = _count_errors(judgements, marked)
    return MarkedSystems(
        systems=tuple(_rows(judgements, ranking, estimates, shares, counts, judged)),
        significant_below=ALPHA,
        signature=signature,
    )


def _tested(unit: Unit) -> str:
    return "segments" if unit == SENTENCES else str(unit)


def _means(scores: SystemScores) -> Floats:
    """Return the mean scores (systems × segments), NaN where there is none."""
    different, segments = np.unique(scores.segments, return_inverse=True)
    shape = scores.names, len(different)
    sums, times = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (scores.systems, segments), scores.values)
    np.add.at(times, (scores.systems, segments), 1)
    means = np.full(shape, np.nan)
    np.divide(sums, times, out=means, where=times > 0)
    return means


def _count_errors(judgements: Judgements, marked: MarkedErrors) -> Floats:
    """Return the numbers (systems × 4) of minor and major stretches, errors and omissions."""
    counts = np.zeros((len(judgements.system_names), 4))
    rows, systems = np.nonzero(judgements.system_ranks)
    ids = judgements.ids[rows].tolist()
    columns = judgements.system_candidates[rows, systems].tolist()
    for system, *key in zip(systems.tolist(), ids, columns, strict=True):
        judgement, column = key
        severities = [severity for _start, _end, severity in marked.marks((judgement, column))]
        counts[system] += (
            severities.count("minor"),
            severities.count("major"),
            len(marked.of((judgement, column))),
            marked.has_omission((judgement, column)),
        )
    return counts


def _rows(
    judgements: Judgements,
    ranking: DomainRanking,
    estimates: Sequence[Estimate],
    shares: Sequence[Estimate],
    counts: Floats,
    judged: np.ndarray,
) -> list[MarkedSystem]:
    codes = {name: code for code, name in enumerate(judgements.system_names)}
    rows = []
    for name, segments, (best, worst), cluster in zip(
        ranking.systems, ranking.segments, ranking.rank_ranges, ranking.clusters, strict=True
    ):
        code = codes[name]
        minor, major, errors, omissions = (counts[code] / judged[code]).tolist()
        rows.append(
            MarkedSystem(
                system=name,
                score=estimates[code],
                segments=int(segments),
                judgements=int(judged[code]),
                minor=minor,
                major=major,
                errors=errors,
                omissions=omissions,
                error_free=shares[code],
                best_rank=best,
                worst_rank=worst,
                cluster=cluster,
            )
        )
    return rows
