"""The tables of systems judged by marked errors and scores: MQM, ESA, Pearmut."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.report.readings import reasons
from evaluation.report.tables import Column, Table
from evaluation.stats.domain_means import DomainRanking
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import Floats

COMPARED: Final = (
    "Systems are compared by Wilcoxon's signed-rank test of the segments that both have, two-sided"
    "{domains}, p < {alpha:g}. Ranks: from the number of systems that are better, plus 1, to that "
    "of all less those that are worse. Cluster: lines are where all systems above differ from all "
    "below. Both, and the 95 % intervals from resampled segments, are for other segments judged by "
    "these annotators."
)


def system_table(
    found: DomainRanking,
    scores: Mapping[str, Estimate],
    judgements: Mapping[str, int],
    errors: Mapping[str, float],
    *,
    name: str,
    lower_is_better: bool,
    signature: str,
) -> Table:
    """Return the systems, best first; lines separate the clusters."""
    what = "error points: lower is better" if lower_is_better else "scores: higher is better"
    several = len(found.domains) > 1
    return Table(
        f"systems-{name}",
        f"Systems of {name} by mean {what}.",
        (
            Column("place", "place"),
            Column("system", "system", is_text=True),
            Column("points", "points") if lower_is_better else Column("score", "score"),
            Column("low", "from"),
            Column("high", "to"),
            Column("segments", "N"),
            Column("judgements", "N.ALL"),
            Column("errors", "errors", places=2),
            Column("best_rank", "best rank"),
            Column("worst_rank", "worst rank"),
            Column("cluster", "cluster"),
        ),
        tuple(
            (
                place,
                system,
                scores[system].value,
                scores[system].low,
                scores[system].high,
                int(segments),
                judgements[system],
                errors[system],
                *ranks,
                cluster,
            )
            for place, (system, segments, ranks, cluster) in enumerate(
                zip(found.systems, found.segments, found.rank_ranges, found.clusters, strict=True),
                start=1,
            )
        ),
        (
            COMPARED.format(
                domains=", in each domain, and p are combined by Stouffer's method"
                if several
                else "",
                alpha=found.alpha,
            ),
            "N: segments. N.ALL: judgements. Errors: marked in a judgement, on average."
            + (" Score: the mean over domains of the means over segments." if several else ""),
            *reasons([vars(scores[system]) for system in found.systems]),
            signature,
        ),
        frozenset(
            place for place, (one, next_) in enumerate(pairwise(found.clusters), 1) if one != next_
        ),
    )


def pair_table(found: DomainRanking, *, name: str) -> Table:
    """Return p of each pair of systems, which are in the order of the ranking."""
    return Table(
        f"pairs-{name}",
        f"p that two systems of {name} do not differ.",
        (
            Column("place", "place"),
            Column("system", "system", is_text=True),
            *(
                Column(f"p_{system}", str(place), places=4, is_p=True)
                for place, system in enumerate(found.systems, start=1)
            ),
        ),
        tuple(
            (place, system, *_defined(row))
            for place, (system, row) in enumerate(zip(found.systems, found.p, strict=True), start=1)
        ),
        ("Columns are places of systems. A dash: no segment has both.",),
    )


def domain_table(found: DomainRanking, *, name: str) -> Table:
    """Return the mean score of each system in each domain."""
    return Table(
        f"domains-{name}",
        f"Means of the systems of {name} by domain.",
        (
            Column("system", "system", is_text=True),
            *(Column(f"mean_{domain}", domain) for domain in found.domains),
        ),
        tuple(
            (system, *_defined(row))
            for system, row in zip(found.systems, found.domain_means, strict=True)
        ),
    )


def segment_table(
    systems: Sequence[str],
    segments: Sequence[str],
    scores: Floats,
    judgements: NDArray[np.int64],
    *,
    name: str,
    lower_is_better: bool,
) -> Table:
    """Return the scores of segments in a layout of WMT: `evaluate_metrics` reads the CSV file."""
    cells = [
        (system, segment, float(scores[row, column]), int(judgements[row, column]))
        for row, system in enumerate(systems)
        for column, segment in enumerate(segments)
        if judgements[row, column]
    ]
    of = (Column("system", "system", is_text=True), Column("seg_id", "segment", is_text=True))
    caption = f"Scores of segments of {name}."
    if lower_is_better:
        columns = (*of, Column("mqm_avg_score", "points"), Column("N", "N"))
        return Table(f"segment-scores-{name}", caption, columns, tuple(cells))
    return Table(
        f"segment-scores-{name}",
        caption,
        (
            Column("SYS", "system", is_text=True),
            Column("SID", "segment", is_text=True),
            Column("RAW.SCR", "score"),
            # There are no standardised scores.
            Column("Z.SCR", "z"),
            Column("N", "N"),
        ),
        tuple((system, segment, score, "None", count) for system, segment, score, count in cells),
    )


def _defined(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
