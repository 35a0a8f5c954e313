"""Systems by direct assessment: mean scores, significance and clusters as WMT computes them.

A segment of a system has the mean of its standardised scores, repeats included; a system has the
mean of its segments. Whether a system is better than another is tested on their segments, unpaired,
by the one-sided rank-sum test of Mann & Whitney (1947), "On a Test of Whether one of Two Random
Variables is Stochastically Larger than the Other", with the normal approximation corrected for ties
and for continuity. Clusters: a line between two places means by the textbook that all systems above
it beat all below; WMT draws one after the place i if the system there has as many wins as there are
systems below it, whichever systems it beats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.assessment.items import OF_SYSTEMS, Assessments
from evaluation.stats.assessment.standardisation import Standardised, standardise
from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import Floats, shares, sums_by
from evaluation.stats.score_means import SystemScores, estimate_means
from evaluation.stats.units import SENTENCES, Unit

LEVEL: Final = 0.05
# Decimals of segments' scores that are ranked: equal means of several scores differ in the last
# digits, and must tie.
RANKED_DECIMALS: Final = 9


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """M segments of systems, in order of systems and segments; the codes are of the assessments.

    `z` is the mean standardised score of `counts` assessments, `raw` that of the raw scores.
    """

    systems: Codes
    segments: Codes
    raw: Floats
    z: Floats
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.z)


@dataclass(frozen=True)
class AssessedSystem:
    """A system with its scores, N segments and N.ALL assessments.

    `z` has intervals for other segments, and for other segments and annotators. `raw` is None if
    the scores were given standardised. `wins` counts the systems that it is significantly better
    than. `cluster` follows the textbook rule and `published_cluster` that of WMT; both from 1.
    """

    system: str
    z: Estimate
    raw: float | None
    segments: int
    assessments: int
    wins: int
    cluster: int
    published_cluster: int


@dataclass(frozen=True)
class AssessedSystems:
    """Systems of a language pair, best mean first, and p that the row is better than the column.

    p is None on the diagonal, and where the segments of both systems have one and the same score.
    Systems in `unscored` were assessed, but only by annotators whose scores do not vary.
    """

    pair: str
    systems: tuple[AssessedSystem, ...]
    p: tuple[tuple[float | None, ...], ...]
    unscored: tuple[str, ...]
    segment_scores: SegmentScores
    standardised: Standardised
    signature: str


def score_segments(assessments: Assessments, z: Floats) -> SegmentScores:
    """Return the segments of systems that have a standardised score; `z` are N, NaN to leave out.

    Raw means are of the same assessments.
    """
    rows = np.flatnonzero(assessments.of(*OF_SYSTEMS) & ~np.isnan(z))
    width = len(assessments.segment_names)
    keys = assessments.systems[rows].astype(np.int64) * width + assessments.segments[rows]
    known, places = np.unique(keys, return_inverse=True)
    counts = np.bincount(places, minlength=len(known))
    return SegmentScores(
        systems=(known // max(1, width)).astype(np.int32),
        segments=(known % max(1, width)).astype(np.int32),
        raw=sums_by(places, assessments.scores[rows], len(known)) / counts,
        z=sums_by(places, z[rows], len(known)) / counts,
        counts=counts,
    )


def compare_systems(
    assessments: Assessments,
    *,
    resamples: int = 1000,
    seed: int = 0,
    standardised: Standardised | None = None,
    unit: Unit = SENTENCES,
    units: Codes | None = None,
) -> AssessedSystems:
    """Rank the systems of one language pair by their mean standardised scores.

    `standardised` are the scores of these assessments if they were standardised before, because an
    assessment counts for several systems, but only once for its annotator. Intervals sample the
    `unit`, by default segments; `units` has the code of that of each segment name. Tests are of
    the units, which have the mean of their segments. Of 35,000 assessments of 16 systems this takes
    0.2 s. Raises ValueError for assessments of several language pairs.
    """
    pairs = [assessments.language_pairs[code] for code in np.unique(assessments.pairs)]
    if len(pairs) != 1:
        raise ValueError("Give the assessments of one language pair.")
    tested = None if unit == SENTENCES else units
    if standardised is None:
        standardised = standardise(assessments)
    scored = score_segments(assessments, standardised.scores)
    systems = len(assessments.system_names)
    segments = sums_by(scored.systems, np.ones(len(scored)), systems)
    means = shares(sums_by(scored.systems, scored.z, systems), segments)
    raw = shares(sums_by(scored.systems, scored.raw, systems), segments)
    counts = sums_by(scored.systems, scored.counts, systems)
    assessed = np.unique(assessments.systems[assessments.of(*OF_SYSTEMS)])
    order = [code for code in np.argsort(-means, kind="stable").tolist() if segments[code]]

    samples = [
        np.round(_of_units(scored, scored.systems == code, tested), RANKED_DECIMALS)
        for code in order
    ]
    p = rank_sum_tests(samples)
    better = p < LEVEL
    wins = better.sum(axis=1)
    estimates = estimate_means(
        scores_of_systems(assessments, standardised, unit=unit, units=units),
        resamples=resamples,
        seed=seed,
    )
    textbook, published = textbook_clusters(better), published_clusters(wins)
    return AssessedSystems(
        pair=pairs[0],
        systems=tuple(
            AssessedSystem(
                system=assessments.system_names[code],
                z=estimates[code],
                raw=None if assessments.standardised else float(raw[code]),
                segments=int(segments[code]),
                assessments=int(counts[code]),
                wins=int(wins[place]),
                cluster=textbook[place],
                published_cluster=published[place],
            )
            for place, code in enumerate(order)
        ),
        p=tuple(tuple(None if np.isnan(cell) else float(cell) for cell in row) for row in p),
        unscored=tuple(
            assessments.system_names[code] for code in assessed.tolist() if not segments[code]
        ),
        segment_scores=scored,
        standardised=standardised,
        signature=sign(
            "direct assessment",
            (
                pairs[0],
                "given standardised" if assessments.standardised else "z by annotator",
                "mean of segments",
                "Mann–Whitney one-sided with continuity correction",
                *([] if tested is None else [f"of {unit}"]),
                f"p < {LEVEL:g}",
                f"{resamples} resamples of {unit}",
                f"seed {seed}",
            ),
            int(counts.sum()),
            len(np.unique(scored.segments)),
        ),
    )


def scores_of_systems(
    assessments: Assessments,
    standardised: Standardised,
    *,
    unit: Unit = SENTENCES,
    units: Codes | None = None,
) -> SystemScores:
    """Return the standardised scores of systems; `unit` and `units` as in `compare_systems`."""
    rows = np.flatnonzero(assessments.of(*OF_SYSTEMS) & ~np.isnan(standardised.scores))
    lines = assessments.segments[rows]
    return SystemScores(
        standardised.scores[rows],
        systems=assessments.systems[rows],
        segments=lines,
        annotators=assessments.annotators[rows],
        units=lines if units is None else units[lines],
        names=len(assessments.system_names),
        unit=unit,
        words=("mean standardised score",),
    )


def _of_units(scored: SegmentScores, rows: NDArray[np.bool_], units: Codes | None) -> Floats:
    """Return the scores of these segments, or their means in each unit."""
    if units is None:
        return np.asarray(scored.z[rows])
    codes = units[scored.segments[rows]]
    _units, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return sums_by(places, scored.z[rows], len(counts)) / counts


def rank_sum_tests(samples: Sequence[Floats]) -> Floats:
    """Return K × K values of p that the sample of the row is greater than that of the column.

    One-sided, with the normal approximation. NaN on the diagonal and where all values are equal.
    """
    from scipy.special import ndtr

    values, codes = np.unique(np.concatenate([*samples, []]), return_inverse=True)
    owners = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    times = np.zeros((len(samples), len(values)))
    np.add.at(times, (owners, codes), 1)
    sizes = times.sum(axis=1)
    # Values of the row that are greater than those of the column; equal ones count one half.
    greater = times @ (np.cumsum(times, axis=1) - times / 2).T
    together = sizes[:, None] + sizes
    cubes, mixed = (times**3).sum(axis=1), times**2 @ times.T
    ties = cubes[:, None] + cubes + 3 * (mixed + mixed.T) - together
    with np.errstate(divide="ignore", invalid="ignore"):
        product = sizes[:, None] * sizes
        variance = product / 12 * (together + 1 - ties / (together * (together - 1)))
        p = ndtr(-(greater - product / 2 - 0.5) / np.sqrt(np.where(variance > 0, variance, np.nan)))
    np.fill_diagonal(p, np.nan)
    return np.asarray(p)


def textbook_clusters(better: NDArray[np.bool_]) -> list[int]:
    """Return the cluster of each of K systems, best first, from whether the row beats the column.

    A cluster ends after a place iff all systems up to it beat all systems below.
    """
    ends = [bool(better[: place + 1, place + 1 :].all()) for place in range(len(better))]
    return _numbered(ends)


def published_clusters(wins: Sequence[int] | NDArray[np.integer]) -> list[int]:
    """Return the cluster of each of K systems, best first, as WMT publishes them.

    A cluster ends after a place iff the system there has as many wins as systems are below it.
    """
    return _numbered([bool(won == len(wins) - place) for place, won in enumerate(wins, start=1)])


def _numbered(ends: Sequence[bool]) -> list[int]:
    return [1 + sum(ends[:place]) for place in range(len(ends))]
