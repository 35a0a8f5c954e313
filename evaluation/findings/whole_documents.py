"""Scores of documents as a whole, beside those of their paragraphs on the same sheets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.findings.evidence import Evidence
from evaluation.findings.ranking import ranking_table
from evaluation.meta.correlation import pearson, spearman
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.marked_systems import scores_of_systems
from evaluation.stats.ranking.same_texts import count_same_texts, systems_asked
from evaluation.stats.ranking.systems import METHODS, EstimatedRanking, rank_all
from evaluation.stats.resampling import UNBOUNDED, Floats, shares, sums_by
from evaluation.stats.score_means import SystemScores, estimate_means

METHOD: Final = METHODS[0]
# What of the paragraphs' scores the score of the document is compared with.
Summary = Literal["mean", "least"]
SUMMARIES: Final[Mapping[Summary, Text]] = {
    "mean": _("mean of the paragraphs’ scores"),
    "least": _("least of the paragraphs’ scores"),
}


@dataclass(frozen=True)
class ScoredDocuments:
    """A system: the mean score of its whole documents, and of the paragraphs of these.

    `sheets` are documents, or parts of long ones; `scores` are those of whole documents.
    """

    system: str
    document: Estimate
    paragraphs: Estimate
    sheets: int
    scores: int


@dataclass(frozen=True)
class Relation:
    """How scores of whole documents go with a summary of the paragraphs' scores.

    `pairs` are of one annotator and system on one sheet. r and ρ are None where all scores are
    equal; `difference` is the mean of the document's score less the summary.
    """

    summary: Summary
    pairs: int
    pearson: float | None
    spearman: float | None
    difference: Estimate


@dataclass(frozen=True)
class WholeDocuments:
    """Systems by the mean score of whole documents, the best first, and what these scores say.

    Where documents are ranked, there is only the `ranking` by them.
    """

    systems: tuple[ScoredDocuments, ...]
    relations: tuple[Relation, ...]
    ranking: EstimatedRanking | None
    signature: str


def compute(evidence: Evidence) -> WholeDocuments | None:
    """Return the finding; None unless documents got scores, or were ranked, as a whole."""
    whole, highest = evidence.whole_documents, evidence.scale.highest
    if whole is None or evidence.scale.grades or not whole.system_ranks.any():
        return None
    if highest is None:
        texts = count_same_texts(whole, systems_asked(whole, evidence.columns))
        ranked = rank_all(whole, methods=(METHOD,), texts=texts, **evidence.again)[METHOD]
        return WholeDocuments((), (), ranked, ranked.signature)
    on_sheets = evidence.judgements.select(np.isin(evidence.judgements.sheets, whole.sheets))
    documents, paragraphs = (scores_of_systems(one, highest) for one in (whole, on_sheets))
    of_documents, of_paragraphs = (
        estimate_means(scores, **evidence.again) for scores in (documents, paragraphs)
    )
    summaries = _summaries(_sheets(whole), _sheets(on_sheets), paragraphs.values)
    options = evidence.options
    systems = [
        ScoredDocuments(
            name,
            of_documents[code],
            of_paragraphs[code],
            sheets=len(np.unique(documents.segments[documents.systems == code])),
            scores=int(np.count_nonzero(documents.systems == code)),
        )
        for code, name in enumerate(whole.system_names)
        if of_documents[code].value is not None
    ]
    return WholeDocuments(
        tuple(sorted(systems, key=lambda row: row.document.value or 0.0, reverse=True)),
        tuple(
            _relation(name, documents, of_paragraphs, **evidence.again)
            for name, of_paragraphs in summaries.items()
        ),
        None,
        whole.sign(
            "mean scores of whole documents",
            f"95 % intervals of {options.resamples} resamples of {whole.unit}",
            f"seed {options.seed}",
        ),
    )


def _sheets(judgements: Judgements) -> NDArray[np.int64]:
    """Return a number of the sheet and the system of each score, as `scores_of_systems` has them.

    A system has one sheet once, so that these numbers join documents and their paragraphs.
    """
    rows, systems = np.nonzero(judgements.system_ranks)
    return judgements.sheets[rows] * len(judgements.system_names) + systems


def _summaries(
    documents: NDArray[np.int64], paragraphs: NDArray[np.int64], scores: Floats
) -> dict[Summary, Floats]:
    """Return the mean and the least score of the paragraphs of each document, NaN without one."""
    sheets, of_document = np.unique(documents, return_inverse=True)
    known = np.isin(paragraphs, sheets)
    places, values = np.searchsorted(sheets, paragraphs[known]), scores[known]
    counts = sums_by(places, np.ones(len(values)), len(sheets))
    least = np.full(len(sheets), np.inf)
    np.minimum.at(least, places, values)
    means = shares(sums_by(places, values, len(sheets)), counts)
    return {
        "mean": means[of_document],
        "least": np.where(counts > 0, least, np.nan)[of_document],
    }


def _relation(
    summary: Summary, documents: SystemScores, of_paragraphs: Floats, **again: int
) -> Relation:
    known = ~np.isnan(of_paragraphs)
    scores, others = documents.values[known], of_paragraphs[known]
    differences = replace(
        documents.select(known),
        values=scores - others,
        # Each pair counts alike.
        systems=np.zeros(len(scores), dtype=np.int32),
        segments=np.arange(len(scores), dtype=np.int32),
        names=1,
        bounds=UNBOUNDED,
    )
    return Relation(
        summary,
        len(scores),
        _defined(pearson(scores, others)),
        _defined(spearman(scores, others)),
        estimate_means(differences, **again)[0],
    )


def _defined(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)


def tables(found: WholeDocuments | None) -> list[Table]:
    if found is None:
        return []
    if found.ranking:
        return [
            ranking_table(
                found.ranking,
                name="ranking-of-documents",
                caption=_("Systems by ratio of wins of whole documents, ties ignored."),
            )
        ]
    return [systems_table(found), relations_table(found)]


def systems_table(found: WholeDocuments) -> Table:
    return Table.of(
        "whole-documents",
        _("Systems by the mean score of whole documents, beside that of their paragraphs."),
        (
            Column("system", _("System"), Name()),
            *estimate_columns("document", _("Documents"), lambda row: row.document, places=1),
            Column("paragraphs", _("Paragraphs"), Number(1), lambda row: row.paragraphs.value),
            Column("sheets", _("Sheets"), Count()),
            Column("scores", _("Scores"), Count()),
        ),
        found.systems,
        notes=(
            _(
                "A sheet is a document, or a part of a long one: it has the mean of its scores as "
                "a whole, and a system the mean of its sheets. The paragraphs are those of the "
                "same sheets."
            ),
            *missing_figures((row.system, row.document) for row in found.systems),
        ),
        details=[found.signature],
    )


def relations_table(found: WholeDocuments) -> Table:
    return Table.of(
        "document-scores",
        _("How far the score of a whole document goes with the scores of its paragraphs."),
        (
            Column("summary", _("Compared with"), Words(), lambda row: SUMMARIES[row.summary]),
            Column("pearson", "r", Number(2)),
            Column("spearman", _("Spearman’s ρ"), Number(2)),
            *estimate_columns("difference", _("Difference"), lambda row: row.difference, places=1),
            Column("pairs", _("Pairs"), Count()),
        ),
        found.relations,
        notes=(
            _(
                "Each pair is of one annotator and one system on one sheet: the score of the "
                "document, and the mean or the least score of its paragraphs. The difference is "
                "the score of the document less that: below 0, documents are judged more strictly."
            ),
            *missing_figures((SUMMARIES[row.summary], row.difference) for row in found.relations),
        ),
        details=[found.signature],
    )
