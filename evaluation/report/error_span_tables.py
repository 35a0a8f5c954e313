"""The tables of systems judged by marked errors and scores: MQM, ESA, Pearmut."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.rendering.tables import Table
from evaluation.report.columns import column_of
from evaluation.report.readings import reasons
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
            column_of("place", "place"),
            column_of("system", "system", is_text=True),
            column_of("points", "points") if lower_is_better else column_of("score", "score"),
            column_of("low", "from"),
            column_of("high", "to"),
            column_of("segments", "N"),
            column_of("judgements", "N.ALL"),
            column_of("errors", "errors", places=2),
            column_of("best_rank", "best rank"),
            column_of("worst_rank", "worst rank"),
            column_of("cluster", "cluster"),
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
            column_of("place", "place"),
            column_of("system", "system", is_text=True),
            *(
                column_of(f"p_{system}", str(place), places=4, is_p=True)
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
            column_of("system", "system", is_text=True),
            *(column_of(f"mean_{domain}", domain) for domain in found.domains),
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
    of = (
        column_of("system", "system", is_text=True),
        column_of("seg_id", "segment", is_text=True),
    )
    caption = f"Scores of segments of {name}."
    if lower_is_better:
        columns = (*of, column_of("mqm_avg_score", "points"), column_of("N", "N"))
        return Table(f"segment-scores-{name}", caption, columns, tuple(cells))
    return Table(
        f"segment-scores-{name}",
        caption,
        (
            column_of("SYS", "system", is_text=True),
            column_of("SID", "segment", is_text=True),
            column_of("RAW.SCR", "score"),
            # There are no standardised scores.
            column_of("Z.SCR", "z", is_text=True),
            column_of("N", "N"),
        ),
        tuple((system, segment, score, "None", count) for system, segment, score, count in cells),
    )


def _defined(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
