"""Systems by scores of whole translations and by the errors that annotators marked in them.

A candidate counts for each system that produced it. A system's score of a line of the source is the
mean over its judgements, the system's score the mean over its lines. Pairs of systems, ranges of
ranks and clusters are those of WMT24 (`evaluation.stats.domain_means`) with one domain, by tests of
lines, or of documents or blocks where these are sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.domain_means import ALPHA, DomainRanking, rank_by_domains
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores, estimate_means
from evaluation.stats.units import SENTENCES, Unit


@dataclass(frozen=True)
class MarkedSystem:
    """A system with its mean score over `segments`, from `judgements`.

    `minor` and `major` are the numbers of spans with this severity in a judgement, on average;
    `omissions` is the share of judgements that report one. Ranks and clusters are as in
    `DomainRanking`.
    """

    system: str
    score: Estimate
    segments: int
    judgements: int
    minor: float
    major: float
    omissions: float
    best_rank: int
    worst_rank: int
    cluster: int


@dataclass(frozen=True)
class MarkedSystems:
    """Systems that were judged, the best mean score first; p below which they differ."""

    systems: tuple[MarkedSystem, ...]
    significant_below: float
    signature: str


def measure_systems(
    judgements: Judgements,
    marked: MarkedErrors,
    *,
    highest: int,
    resamples: int = 1000,
    seed: int = 0,
) -> MarkedSystems:
    """Return the systems with scores from 0 to `highest`, which are stored as ranks from the best.

    Intervals sample the unit of the judgements; ranks and clusters are by tests of these units.
    """
    placed = judgements.system_ranks > 0
    scores = np.where(placed, highest + 1.0 - judgements.system_ranks, 0.0)
    _, lines = np.unique(judgements.sentences, return_inverse=True)
    means = _means(scores, placed, lines)
    counts = _count_errors(judgements, marked, placed)
    judged = placed.sum(axis=0)
    known = np.flatnonzero(judged).tolist()
    domains = np.zeros(means.shape[1], dtype=np.intp)
    signature = judgements.sign(
        "mean scores of systems",
        f"Wilcoxon signed-rank of {_tested(judgements.unit)}, two-sided",
        f"alpha {ALPHA:g}",
        f"95 % intervals of {resamples} resamples of {judgements.unit}",
        f"seed {seed}",
    )
    if not known:
        return MarkedSystems((), ALPHA, signature)
    of_lines = None
    if judgements.unit != SENTENCES:
        of_lines = np.zeros(means.shape[1], dtype=np.int64)
        of_lines[lines] = judgements.units
    ranking = rank_by_domains(
        means[known],
        domains,
        systems=[judgements.system_names[system] for system in known],
        domains=("all",),
        judgements=int(judged.sum()),
        units_of=of_lines,
    )
    estimates = estimate_means(
        scores_of_systems(judgements, highest), resamples=resamples, seed=seed
    )
    return MarkedSystems(
        systems=tuple(_rows(judgements, ranking, estimates, counts, judged)),
        significant_below=ALPHA,
        signature=signature,
    )


def _tested(unit: Unit) -> str:
    return "segments" if unit == SENTENCES else str(unit)


def scores_of_systems(judgements: Judgements, highest: int) -> SystemScores:
    """Return the scores from 0 to `highest`, which are stored as ranks from the best."""
    rows, systems = np.nonzero(judgements.system_ranks)
    return SystemScores(
        highest + 1 - judgements.system_ranks[rows, systems].astype(np.float64),
        systems=systems.astype(np.int32),
        # Of single translations each is a segment; systems are compared by lines of the source.
        segments=judgements.sentences[rows],
        annotators=judgements.annotators[rows],
        units=judgements.units[rows],
        names=len(judgements.system_names),
        unit=judgements.unit,
        bounds=(0.0, float(highest)),
        words=("mean score", f"{highest} is the best"),
    )


def _means(scores: Floats, placed: np.ndarray, segments: np.ndarray) -> Floats:
    """Return the mean scores (systems × segments), NaN where there is none."""
    count = int(segments.max(initial=-1)) + 1
    found = np.full((scores.shape[1], count), np.nan)
    for system in range(scores.shape[1]):
        sums = np.bincount(segments, scores[:, system], minlength=count)
        times = np.bincount(segments, placed[:, system], minlength=count)
        np.divide(sums, times, out=found[system], where=times > 0)
    return found


def _count_errors(judgements: Judgements, marked: MarkedErrors, placed: np.ndarray) -> Floats:
    """Return the numbers (systems × 3) of minor spans, major spans and omissions."""
    counts = np.zeros((placed.shape[1], 3))
    rows, systems = np.nonzero(placed)
    ids = judgements.ids[rows].tolist()
    columns = judgements.system_candidates[rows, systems].tolist()
    for system, judgement, column in zip(systems.tolist(), ids, columns, strict=True):
        spans = marked.marks.get((judgement, column), ())
        major = sum(severity == "major" for _start, _end, severity in spans)
        counts[system] += len(spans) - major, major, (judgement, column) in marked.omissions
    return counts


def _rows(
    judgements: Judgements,
    ranking: DomainRanking,
    estimates: Sequence[Estimate],
    counts: Floats,
    judged: np.ndarray,
) -> list[MarkedSystem]:
    codes = {name: code for code, name in enumerate(judgements.system_names)}
    rows = []
    for name, segments, (best, worst), cluster in zip(
        ranking.systems, ranking.segments, ranking.rank_ranges, ranking.clusters, strict=True
    ):
        code = codes[name]
        minor, major, omissions = (counts[code] / judged[code]).tolist()
        rows.append(
            MarkedSystem(
                name,
                estimates[code],
                int(segments),
                int(judged[code]),
                minor,
                major,
                omissions,
                best,
                worst,
                cluster,
            )
        )
    return rows
