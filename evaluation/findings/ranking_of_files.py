"""One ranking of judgements in files, with pairs of systems and agreement, for a terminal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from evaluation.findings.agreement import Measure, measures_table
from evaluation.findings.pairs import pairs_table
from evaluation.findings.ranking import COMPARISONS, comparisons_table, ranking_table
from evaluation.rendering.formats import as_text
from evaluation.rendering.system_names import short_names
from evaluation.rendering.tables import Column, Count, Number, P, Table
from evaluation.rendering.text import Text, _, ngettext
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
    scope = (
        f"Judgements: {found.judgements}. Sentences: {found.sentences}. "
        f"Annotators: {found.annotators or 'unknown'}.{repeated}"
    )
    if found.ranking.systems:
        tables = [_scores(found.ranking), _comparisons(found.ranking), _pairs(found)]
    else:
        scope, tables = f"{scope}\n\nUnknown systems: add --systems FILE.", []
    return "\n\n".join((scope, *map(as_text, (*tables, _agreement(found)))))


def _short(ranking: EstimatedRanking, width: int) -> Mapping[str, str]:
    names = [row.system for row in ranking.systems]
    return dict(zip(names, short_names(names, width), strict=True))


def _scores(ranking: EstimatedRanking) -> Table:
    names = _short(ranking, RANKED)
    systems = tuple(replace(row, system=names[row.system]) for row in ranking.systems)
    table = ranking_table(replace(ranking, systems=systems))
    return table.without(*(column.name for column in COMPARISONS))


def _comparisons(ranking: EstimatedRanking) -> Table:
    """Return what each system won, lost and tied: this table has the whole names."""

    def ratio(row: RankedSystem) -> float | None:
        decided = row.wins + row.losses
        return row.wins / decided if decided else None

    return comparisons_table(
        ranking,
        Column("ratio_of_wins", "Ratio of wins", Number(4), ratio),
        Column("sentences", _("Sentences"), Count()),
    )


def _pairs(found: RankingOfFiles) -> Table:
    part, names = found.significance, _short(found.ranking, PAIRED)
    table = pairs_table(
        replace(part, systems=tuple(names[system] for system in part.systems)),
        name="pairs",
        caption=_("How often a system was better than another."),
        order=[names[row.system] for row in found.ranking.systems],
        more=[Column("wide_p", "p, other annotators too", P(), may_be_empty=True)],
        notes=["A dash: never judged together, or always tied."],
    )
    return table.only("system", "other", "win_rate", "p", "p_holm", "wide_p", "wide_p_holm")


def _agreement(found: RankingOfFiles) -> Table:
    rows = []
    for name, row, published in (
        (_("Intra-annotator κ"), found.agreement.intra, found.intra_published),
        (_("Inter-annotator κ"), found.agreement.inter, found.inter_published),
    ):
        rows += [
            _measure(name, row, row.kappa),
            _measure(
                Text("%(measure)s, as published", {"measure": name}),
                published,
                Estimate(published.kappa, undefined=published.undefined),
            ),
        ]
    return measures_table(
        "agreement",
        _("Agreement of annotators with themselves (intra) and with each other (inter)."),
        rows,
        (
            Column("agree", _("Agree"), Count()),
            Column("compared", _("Compared"), Count()),
            Column("observed", "P(A)"),
            Column("expected", "P(E)"),
        ),
        notes=(),
        details=[found.agreement.signature],
    )


def _measure(name: Text, row: Kappa | PublishedAgreement, kappa: Estimate) -> Measure:
    counts = {
        "agree": row.agree,
        "compared": row.compared,
        "observed": row.observed,
        "expected": row.expected,
    }
    basis = (
        ngettext("on one sentence", "on %(number)s sentences", row.sentences)
        if isinstance(row, Kappa)
        else Text("")
    )
    return Measure(name, kappa, basis, counts)
