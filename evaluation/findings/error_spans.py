"""Systems by marked errors and scores of segments in files: MQM, ESA, Pearmut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from evaluation.findings.conclusions import tables_of
from evaluation.findings.marked_errors import ranked_systems_table
from evaluation.findings.pairs import p_table
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    Table,
    interval_column,
    missing_figures,
)
from evaluation.rendering.text import _
from evaluation.stats.domain_means import DomainRanking, macro_means, rank_by_domains
from evaluation.stats.estimates import Estimate, signed
from evaluation.stats.ranking.conclusions import Conclusions, Sheets, conclude, fit
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores


@dataclass(frozen=True, eq=False)
class EachScore:
    """The scores by single annotators, for the model of documents; systems have the same codes.

    `sheets` say what stood beside, None if systems are judged one by one; `given` are numbers in
    the order in which scores were given.
    """

    scores: SystemScores
    sheets: Sheets | None
    given: Floats


@dataclass(frozen=True, eq=False)
class ScoredSegments:
    """Mean scores or error points of S systems and I segments of a language pair or campaign.

    `scores` and `judgements` (their numbers) are S × I, scores NaN where there is none;
    `domains_of` I are codes of `domains`. `errors` S are the errors marked in a judgement, on
    average. `words` are for the signature, `left_out` counts by reason, `notes` what else there is
    to say. `each` are the judgements behind the means.
    """

    name: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: Floats
    judgements: NDArray[np.int64]
    errors: Floats
    lower_is_better: bool
    words: tuple[str, ...]
    domains: tuple[str, ...]
    domains_of: NDArray[np.intp]
    left_out: Mapping[str, int]
    notes: tuple[str, ...] = ()
    each: EachScore | None = None

    @property
    def scope(self) -> list[str]:
        """Sentences about what was judged, and what does not count."""
        judged = (
            f"{self.name}: {len(self.systems)} systems, {len(self.segments)} segments, "
            f"{int(self.judgements.sum())} judgements."
        )
        out = "; ".join(f"{reason} {count}" for reason, count in self.left_out.items())
        return [f"{judged} Left out: {out}." if out else judged, *self.notes]


@dataclass(frozen=True)
class ScoredSystem:
    """A system with its score over `segments`, from `judgements`; ranks as in DomainRanking."""

    system: str
    score: Estimate
    segments: int
    judgements: int
    errors: float
    best_rank: int
    worst_rank: int
    cluster: int


@dataclass(frozen=True, eq=False)
class RankedSegments:
    """The systems of scored segments, best first, and the tests of their pairs."""

    of: ScoredSegments
    systems: tuple[ScoredSystem, ...]
    ranking: DomainRanking
    concluded: Conclusions | None
    signature: str


def compute(
    of: ScoredSegments, provenance: Sequence[str], *, resamples: int, seed: int
) -> RankedSegments:
    ranking = rank_by_domains(
        -of.scores if of.lower_is_better else of.scores,
        of.domains_of,
        systems=of.systems,
        domains=of.domains,
        judgements=int(of.judgements.sum()),
    )
    means = macro_means(of.scores, of.domains_of, resamples=resamples, seed=seed)
    judged = of.judgements.sum(axis=1).tolist()
    places = [of.systems.index(system) for system in ranking.systems]
    left_out = [f"left out {reason} {count}" for reason, count in of.left_out.items()]
    return RankedSegments(
        of,
        tuple(
            ScoredSystem(
                system=of.systems[place],
                score=means[place],
                segments=segments,
                judgements=judged[place],
                errors=float(of.errors[place]),
                best_rank=best,
                worst_rank=worst,
                cluster=cluster,
            )
            for place, segments, (best, worst), cluster in zip(
                places,
                ranking.segments.tolist(),
                ranking.rank_ranges,
                ranking.clusters,
                strict=True,
            )
        ),
        ranking,
        None
        if of.each is None
        else conclude(
            fit(of.each.scores, of.each.sheets),
            of.systems,
            given=of.each.given,
            lower_is_better=of.lower_is_better,
            provenance=(*left_out, *provenance),
        ),
        signed(
            ranking.signature,
            (
                *of.words,
                *left_out,
                *(f"{resamples} resamples of segments", f"seed {seed}", *provenance),
            ),
        ),
    )


def tables(found: RankedSegments) -> list[Table]:
    # Only ESA has domains.
    domains = [domains_table(found)] if len(found.of.domains) > 1 else []
    return [*concluded_tables(found)[:1], systems_table(found), pairs_table(found), *domains]


def long_tables(found: RankedSegments) -> list[Table]:
    """Return the tables that only files have."""
    return [*concluded_tables(found)[1:], segments_table(found.of)]


def concluded_tables(found: RankedSegments) -> list[Table]:
    """Return the systems by the model of documents, and the pairs of systems."""
    if found.concluded is None:
        return []
    of = found.of
    what = "error points: lower is better" if of.lower_is_better else "score: higher is better"
    return tables_of(
        found.concluded,
        f"Systems of {of.name} by the model of documents, and by published rules, by mean {what}",
        f"Pairs of systems of {of.name} by the model of documents",
        end=f"-{of.name}",
    )


def systems_table(found: RankedSegments) -> Table:
    """Return the systems, best first; lines separate the clusters."""
    of, several = found.of, len(found.of.domains) > 1
    name, what = ("points", "error points") if of.lower_is_better else ("score", "score")
    tested = ", in each domain, and p are combined by Stouffer's method" if several else ""
    return ranked_systems_table(
        f"systems-{of.name}",
        f"Systems of {of.name} by mean {what}: {'lower' if of.lower_is_better else 'higher'} is "
        "better",
        found.systems,
        score=(
            Column(name, name.capitalize(), value=lambda row: row.score.value, is_main=True),
            interval_column("score"),
        ),
        errors=(Column("errors", "Errors", Number(2)),),
        notes=(
            "Systems are compared by Wilcoxon's signed-rank test of the segments that both have, "
            f"two-sided{tested}, p < {found.ranking.alpha:g}. Ranks: from the number of systems "
            "that are better, plus 1, to that of all less those that are worse. Cluster: lines are "
            "where all systems above differ from all below. Both, and the 95 % intervals from "
            "resampled segments, are for other segments judged by these annotators.",
            "Sentences: segments. Errors: marked in a judgement, on average."
            + (" Score: the mean over domains of the means over segments." if several else ""),
            *missing_figures((row.system, row.score) for row in found.systems),
        ),
        details=[found.signature],
    )


def pairs_table(found: RankedSegments) -> Table:
    return p_table(
        f"pairs-{found.of.name}",
        f"p that two systems of {found.of.name} do not differ",
        found.ranking.systems,
        found.ranking.p.tolist(),
        notes=["A dash: no segment has both."],
        details=[found.signature],
    )


def domains_table(found: RankedSegments) -> Table:
    """Return the mean score of each system in each domain."""
    ranking = found.ranking
    return Table.of(
        f"domains-{found.of.name}",
        f"Means of the systems of {found.of.name} by domain",
        (
            Column("system", _("System"), Name(), itemgetter(0)),
            *(
                Column(f"mean_{domain}", domain, value=itemgetter(place))
                for place, domain in enumerate(ranking.domains, start=1)
            ),
        ),
        [
            (system, *(None if isnan(mean) else mean for mean in means))
            for system, means in zip(ranking.systems, ranking.domain_means.tolist(), strict=True)
        ],
        details=[found.signature],
    )


def segments_table(of: ScoredSegments) -> Table:
    """Return the scores of segments in a layout of WMT: `evaluate_metrics` reads the CSV file."""
    system, segment, score, judgements = map(itemgetter, range(4))
    return Table.of(
        f"segment-scores-{of.name}",
        f"Scores of segments of {of.name}",
        (
            Column("system", "system", Name(), system),
            Column("seg_id", "segment", Name(), segment),
            Column("mqm_avg_score", "points", value=score),
            Column("N", "N", Count(), judgements),
        )
        if of.lower_is_better
        else (
            Column("SYS", "system", Name(), system),
            Column("SID", "segment", Name(), segment),
            Column("RAW.SCR", "score", value=score),
            # There are no standardised scores.
            Column("Z.SCR", "z", Name(), lambda _row: "None"),
            Column("N", "N", Count(), judgements),
        ),
        [
            (name, of.segments[column], of.scores[row, column].item(), count)
            for row, name in enumerate(of.systems)
            for column, count in enumerate(of.judgements[row].tolist())
            if count
        ],
    )
