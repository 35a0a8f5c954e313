"""What scores of documents conclude about systems: by a model, and by rules that were published."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evaluation.findings.evidence import Evidence, Figure
from evaluation.findings.options import OTHERS
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    P,
    Ranks,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Listed, Text, _
from evaluation.stats.ranking.conclusions import ConcludedPair, Conclusions, Term, conclude

CAPTIONS: Final[Mapping[Figure, Text]] = {
    "score": _("Systems by mean score, by a model that has the documents."),
    "points": _(
        "Systems by mean error points, by a model that has the documents: fewer are better."
    ),
    "scale": _("Systems by mean score on the scale %(scale)s, by a model that has the documents."),
}
PAIRS: Final[Mapping[Figure, Text]] = {
    "score": _("Differences of the systems’ mean scores."),
    "points": _("Differences of the systems’ mean error points."),
    "scale": _("Differences of the systems’ mean scores on the scale %(scale)s."),
}
TERMS: Final[Mapping[Term, Text]] = {
    "column": _("the column on the sheet"),
    "annotator": _("the annotator"),
    "neighbours": _("how good the systems beside it are"),
    "number of neighbours": _("how many systems stand beside it"),
}


@dataclass(frozen=True)
class ConcludedFigure:
    """The conclusions from one figure; `scale` is the name of one of several scales."""

    figure: Figure
    scale: str
    found: Conclusions


def compute(evidence: Evidence) -> tuple[ConcludedFigure, ...]:
    """Return the conclusions; none unless translations in known documents got scores or marks."""
    kept = evidence.judgements
    return tuple(
        ConcludedFigure(
            each.figure,
            each.scale,
            conclude(
                each.fitted,
                kept.system_names,
                given=each.given,
                lower_is_better=each.lower_is_better,
                provenance=kept.provenance,
            ),
        )
        for each in evidence.modelled
        if len(each.fitted.scores)
    )


def tables(found: tuple[ConcludedFigure, ...]) -> list[Table]:
    """Return a table of systems and one of pairs for each figure; names are numbered from 2."""
    return [
        made
        for number, each in enumerate(found, start=1)
        for made in tables_of(
            each.found,
            Text(CAPTIONS[each.figure].message, {"scale": each.scale}),
            Text(PAIRS[each.figure].message, {"scale": each.scale}),
            end="" if number == 1 else f"-{number}",
        )
    ]


def tables_of(
    found: Conclusions, caption: Text | str, pairs_caption: Text | str, *, end: str = ""
) -> list[Table]:
    """Return the table of systems and that of pairs, whose names have this end."""
    words = OTHERS[found.unit.name]
    made = [systems_table(found, f"conclusions{end}", caption)]
    if found.pairs:
        made.append(pairs_table(found, f"concluded-pairs{end}", pairs_caption))
    return [table.renamed(words) for table in made]


def systems_table(found: Conclusions, name: str, caption: Text | str) -> Table:
    return Table.of(
        name,
        caption,
        (
            Column("system", _("System"), Name()),
            *estimate_columns("value", _("Model"), lambda row: row.score, places=2),
            Column("best_rank worst_rank", _("Ranks"), Ranks(), may_be_empty=True),
            Column("cluster", _("Cluster"), Count(), may_be_empty=True),
            Column(
                "own_cluster",
                _("Cluster"),
                Count(),
                unit=_("these annotators"),
                may_be_empty=True,
            ),
            Column("wmt_score", "WMT26", Number(2), unit=_("mean")),
            Column("wmt_cluster", "WMT26", Count(), unit=_("cluster")),
            Column("pearmut_score", "Pearmut", Number(2), unit=_("mean")),
            Column("pearmut_cluster", "Pearmut", Count(), unit=_("cluster")),
            Column("documents", _("Documents"), Count()),
            Column("segments", _("Sentences"), Count()),
            Column("scores", _("Scores"), Count()),
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=(
            _(
                "Model: the mean over the sentences of all documents, from the differences of "
                "systems on the same documents, so that it does not depend on which documents a "
                "system was judged on. Two systems differ if p < 0.05 by Student’s t over "
                "documents, and over annotators if these are known, after Holm’s correction for "
                "all pairs; a cluster ends where all systems above differ from all below."
            ),
            *terms_notes(found),
            _(
                "WMT26: the mean over sentences of the mean over annotators; two systems differ if "
                "p < 0.05 by Student’s t over sentences, paired or unpaired. Pearmut: the mean "
                "over sentences of the last score; a cluster ends where a system differs from the "
                "next one by the paired test. Both are as they were published, for comparison: "
                "they take the sentences of a document for independent."
            ),
            *missing_figures((row.system, row.score) for row in found.systems),
        ),
        details=[found.signature],
    )


def terms_notes(found: Conclusions) -> list[Text]:
    """Return what the model has besides systems and documents, and what it cannot have."""
    notes = []
    if found.terms:
        words = Listed([TERMS[term] for term in found.terms])
        notes.append(_("The model also has %(terms)s.", terms=words))
    if found.refused:
        words = Listed([TERMS[term] for term in found.refused])
        notes.append(
            _(
                "The model does not have %(terms)s: the effect cannot be told from that of the "
                "systems.",
                terms=words,
            )
        )
    if found.only_units:
        notes.append(
            _(
                "All this holds for the present annotators only: %(why)s.",
                why=Text(found.only_units),
            )
        )
    return notes


def pairs_table(found: Conclusions, name: str, caption: Text | str) -> Table:
    def pair(row: ConcludedPair) -> Text:
        return Text("%(one)s, %(other)s", {"one": row.system, "other": row.other})

    return Table.of(
        name,
        caption,
        (
            Column("system", _("System"), Name()),
            Column("other", _("Compared with"), Name()),
            *estimate_columns("value", _("Difference"), lambda row: row.difference, places=2),
            Column("p", _("p"), P(), may_be_empty=True),
            Column("p_holm", _("p (Holm)"), P(), may_be_empty=True),
            Column("wide_p", _("p, other annotators too"), P(), may_be_empty=True),
            Column("wide_p_holm", _("p (Holm), other annotators too"), P(), may_be_empty=True),
            Column("wmt_p", _("p (WMT26)"), P(), may_be_empty=True),
            Column("documents", _("Documents"), Count(), unit=_("in common")),
        ),
        found.pairs,
        notes=(
            _(
                "The system less the one it is compared with, by the model. p (WMT26) is the "
                "smaller p of the two tests of WMT26, not corrected for the number of pairs."
            ),
            *missing_figures((pair(row), row.difference) for row in found.pairs),
        ),
        details=[found.signature],
    )
