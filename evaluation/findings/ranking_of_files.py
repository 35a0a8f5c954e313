"""One ranking of judgements in files, with pairs of systems and agreement, for a terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import fill
from typing import Any, Final

from evaluation.findings.ranking import CAPTIONS, TIES, missing_scores
from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.system_names import short_names
from evaluation.rendering.tables import (
    Column,
    Count,
    Interval,
    Name,
    Number,
    P,
    Ranks,
    Table,
    interval_column,
    missing_figures,
)
from evaluation.stats.agreement.intervals import AgreementEstimates, Kappa
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem

# Longest names of systems, with which the widest line has at most 120 characters.
RANKED: Final = 34
PAIRED: Final = 33


@dataclass(frozen=True)
class PublishedAgreement:
    """Agreement as WMT published it, without an interval; `undefined` says why there is no κ."""

    agree: int
    compared: int
    observed: float | None
    expected: float | None
    kappa: float | None
    undefined: str


@dataclass(frozen=True)
class RankingOfFiles:
    """Ranking, pairs of systems and agreement; also agreement as WMT published it.

    `repeated` judgements were given again, and are counted once.
    """

    method: str
    ranking: EstimatedRanking
    significance: Significance
    agreement: AgreementEstimates
    intra_published: PublishedAgreement
    inter_published: PublishedAgreement
    judgements: int
    repeated: int
    sentences: int
    annotators: int
    resamples: int
    seed: int


def ranking_text(found: RankingOfFiles) -> str:
    """Return the text for a terminal of 120 columns."""
    repeated = f" Given again, counted once: {found.repeated}." if found.repeated else ""
    parts = [
        f"Judgements: {found.judgements}. Sentences: {found.sentences}. "
        f"Annotators: {found.annotators or 'unknown'}.{repeated}"
    ]
    if found.ranking.systems:
        parts += [
            fill(ranking_scope(found.ranking.only_sentences), TEXT_WIDTH),
            as_text(_scores(found.ranking)),
            as_text(_counts(found.ranking)),
            as_text(_pairs(found)),
        ]
    else:
        parts.append("Unknown systems: add --systems FILE.")
    parts.append(as_text(_agreement(found)))
    signatures = (found.ranking.signature, found.significance.signature)
    return "\n\n".join((*parts, *signatures, found.agreement.signature))


def ranking_scope(only_sentences: str) -> str:
    """Return what the intervals, rank ranges and clusters of a ranking hold for.

    `only_sentences` says why for no other annotators; "" if for them too.
    """
    if only_sentences:
        return (
            "Intervals, rank ranges and clusters hold for other sentences judged by these "
            f"annotators, not for other annotators: {only_sentences}."
        )
    return (
        "The first interval holds for other sentences judged by these annotators; the second, rank "
        "ranges and clusters hold for other sentences and other annotators."
    )


def _scores(ranking: EstimatedRanking) -> Table:
    names = _short(ranking, RANKED)
    wide = Column(
        "wide_low wide_high",
        "annotators too",
        Interval(),
        lambda row: (row.score.wide_low, row.score.wide_high),
    )
    return Table.of(
        "scores",
        CAPTIONS[ranking.method],
        (
            Column("rank", "rank", Count()),
            Column("system", "system", Name(), lambda row: names[row.system]),
            Column("score", "score", value=lambda row: row.score.value),
            interval_column("score"),
            *([] if ranking.only_sentences else [wide]),
            Column("best_rank worst_rank", "ranks", Ranks()),
            Column("cluster", "cluster", Count()),
            Column("first", "P(best)", Number(2)),
            Column("sentences", "sentences", Count()),
        ),
        ranking.systems,
        notes=missing_scores(ranking.systems),
    )


def _short(ranking: EstimatedRanking, width: int) -> dict[str, str]:
    names = [row.system for row in ranking.systems]
    return dict(zip(names, short_names(names, width), strict=True))


def _counts(ranking: EstimatedRanking) -> Table:
    def ratio(row: RankedSystem) -> float | None:
        decided = row.wins + row.losses
        return row.wins / decided if decided else None

    return Table.of(
        "counts",
        "Comparisons with all other systems",
        (
            Column("system", "system", Name()),
            Column("wins", "wins", Count()),
            Column("losses", "losses", Count()),
            Column("ties_of_different_texts", "ties", Count()),
            Column("same_text", "same text", Count()),
            Column("ratio_of_wins", "ratio of wins", Number(4), ratio),
        ),
        ranking.systems,
        notes=[TIES],
    )


def _pairs(found: RankingOfFiles) -> Table:
    part, is_wide = found.significance, not found.significance.only_sentences
    places = {name: place for place, name in enumerate(part.systems)}
    short = _short(found.ranking, PAIRED)
    ranked = [row.system for row in found.ranking.systems]
    pairs = [(one, other) for one, other in combinations(ranked, 2)]
    tested = [
        (one, other)
        for one, other in pairs
        if part.win_rate[places[one]][places[other]] is not None
    ]

    def of(figures: Sequence[Sequence[Any]]) -> Callable[[tuple[str, str]], Any]:
        return lambda pair: figures[places[pair[0]]][places[pair[1]]]

    wide = (
        Column("wide_p", "wide p", P(), of(part.wide_p)),
        Column("wide_p_holm", "wide Holm", P(), of(part.wide_p_holm)),
    )
    untested = len(pairs) - len(tested)
    return Table.of(
        "pairs",
        "How often the first system of a pair was better than the other, ties ignored",
        (
            Column("system", "system", Name(), lambda pair: short[pair[0]]),
            Column("other", "other", Name(), lambda pair: short[pair[1]]),
            Column("win_rate", "win rate", value=of(part.win_rate)),
            Column("p", "p", P(), of(part.p)),
            Column("p_holm", "Holm", P(), of(part.p_holm)),
            *(wide if is_wide else ()),
        ),
        tested,
        notes=(
            "p is for other sentences judged by these annotators"
            f"{'; wide p is for other annotators too' if is_wide else ''}. Holm: p corrected for "
            "all pairs.",
            *([f"Never judged together, or always tied: {untested} pairs."] if untested else []),
        ),
    )


def _agreement(found: RankingOfFiles) -> Table:
    rows: list[tuple[str, Kappa | PublishedAgreement, Estimate]] = [
        ("intra", found.agreement.intra, found.agreement.intra.kappa),
        ("inter", found.agreement.inter, found.agreement.inter.kappa),
    ]
    for name, row in (
        ("intra, as published", found.intra_published),
        ("inter, as published", found.inter_published),
    ):
        rows.append((name, row, Estimate(row.kappa, undefined=row.undefined)))
    return Table.of(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter)",
        (
            Column("agreement", "agreement", Name(), lambda row: row[0]),
            Column("agree", "agree", Count(), lambda row: row[1].agree),
            Column("compared", "compared", Count(), lambda row: row[1].compared),
            Column("observed", "observed", value=lambda row: row[1].observed),
            Column("expected", "expected", value=lambda row: row[1].expected),
            Column("kappa", "κ", value=lambda row: row[2].value),
            Column("low high", "95 % interval", Interval(), lambda row: (row[2].low, row[2].high)),
            Column(
                "wide_low wide_high",
                "annotators too",
                Interval(),
                lambda row: (row[2].wide_low, row[2].wide_high),
            ),
        ),
        rows,
        notes=missing_figures((f"κ {name}", figure) for name, _row, figure in rows),
    )
