"""Scores and marked errors of whole translations, and how far annotators agree about both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal

import numpy as np

from evaluation.findings.agreement import Measure, measures_table, pairs_of_judgements
from evaluation.findings.evidence import Evidence
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.intervals import forest_plot
from evaluation.rendering.tables import (
    INTERVAL,
    Column,
    Count,
    EstimatedShare,
    Name,
    Number,
    Percent,
    Ranks,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Text, _, ngettext
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.marked_errors import MarkAgreement, MarkPairs, measure_marks
from evaluation.stats.agreement.scores import ScoreAgreement, ScorePairs, measure_scores
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.marked_systems import MarkedSystems, measure_systems

Who = Literal["intra", "inter"]
# The share of translations without errors, with its interval for other sentences.
ERROR_FREE: Final = Column(
    "error_free error_free_low error_free_high",
    _("Error-free"),
    EstimatedShare(),
    attrgetter("error_free.value", "error_free.low", "error_free.high"),
    unit=INTERVAL,
)
# Of one annotator and of two: marked characters, r of scores, their difference.
MEASURES: Final[Mapping[Who, tuple[Text, Text, Text]]] = {
    "intra": (
        _("Marked characters, by one annotator (F1)"),
        _("Scores by one annotator (r)"),
        _("Mean difference of scores by one annotator"),
    ),
    "inter": (
        _("Marked characters, by two annotators (F1)"),
        _("Scores by two annotators (r)"),
        _("Mean difference of scores by two annotators"),
    ),
}


@dataclass(frozen=True)
class MarkedErrorsFound:
    """Systems by score, and agreement about scores and about marked errors.

    Translations without marked errors that have at least the score `error_free_from` are
    error-free. `marks` is None where annotators give scores and mark nothing.
    """

    by_system: MarkedSystems
    error_free_from: int
    scores: ScoreAgreement
    marks: MarkAgreement | None


def compute(evidence: Evidence) -> MarkedErrorsFound | None:
    """Return scores and errors; None unless systems are ranked by scores as they were given."""
    marked, highest = evidence.marked, evidence.scale.highest
    if highest is None or evidence.scale.standardised:
        return None
    kept = evidence.judgements
    judged, labels = label_candidates(kept)
    rows, columns = np.nonzero(kept.candidate_ranks)
    keys = list(zip(kept.ids[rows].tolist(), columns.tolist(), strict=True))
    return MarkedErrorsFound(
        measure_systems(
            kept,
            marked or MarkedErrors({}),
            highest=highest,
            error_free_from=evidence.options.error_free_from,
            **evidence.again,
        ),
        evidence.options.error_free_from,
        measure_scores(judged, highest - labels.astype(np.float64), **evidence.again),
        None
        if marked is None
        else measure_marks(
            judged,
            [marked.marks(key) for key in keys],
            [marked.has_omission(key) for key in keys],
            **evidence.again,
        ),
    )


def tables(found: MarkedErrorsFound | None) -> list[Table]:
    return [] if found is None else [systems_table(found), agreement_table(found)]


def figures(found: MarkedErrorsFound | None) -> list[Figure]:
    if found is None:
        return []
    return [
        Figure(
            "marked-errors",
            _("Scores with intervals"),
            "marked-errors",
            lambda look, words: forest_plot(found.by_system, None, look, words),
        )
    ]


def systems_table(found: MarkedErrorsFound) -> Table:
    part = found.by_system
    return ranked_systems_table(
        "marked-errors",
        _("Systems by mean score, and the errors marked in a judgement.")
        if found.marks
        else _("Systems by mean score."),
        part.systems,
        score=estimate_columns("value", _("Score"), lambda row: row.score, places=1),
        errors=(
            Column("minor", _("Minor"), Number(2)),
            Column("major", _("Major"), Number(2)),
            Column("omissions", _("Omissions"), Percent()),
            ERROR_FREE,
        )
        if found.marks
        else (),
        notes=(
            _("Score: mean over sentences of the mean over judgements."),
            *(
                [
                    _(
                        "Minor and major: errors marked in a judgement, on average; omissions: "
                        "judgements that report one."
                    ),
                    _(
                        "Error-free: share of sentences with a score of at least %(least)s and "
                        "nothing marked.",
                        least=found.error_free_from,
                    ),
                ]
                if found.marks
                else []
            ),
            _(
                "Ranks and clusters are by Wilcoxon’s signed-rank test of the sentences that two "
                "systems share, as at WMT24, or of the documents or blocks that are sampled (p < "
                "0.05): for others judged by the same annotators."
            ),
            *(
                [
                    _(
                        "The first interval is for other sentences judged by the same annotators, "
                        "the second for other annotators too."
                    )
                ]
                if any(row.score.wide_low is not None for row in part.systems)
                else []
            ),
            *missing_figures((row.system, row.score) for row in part.systems),
        ),
        details=[part.signature],
    )


def ranked_systems_table(
    name: str,
    caption: Text | str,
    systems: Sequence[Any],
    *,
    score: Sequence[Column],
    errors: Sequence[Column],
    notes: Sequence[Text | str],
    details: Sequence[str],
) -> Table:
    """Return the systems with scores and errors; lines separate the clusters.

    Those of a project are `MarkedSystem`, those of files `error_spans.ScoredSystem`.
    """
    return Table.of(
        name,
        caption,
        (
            Column("system", _("System"), Name()),
            *score,
            Column("best_rank worst_rank", _("Ranks"), Ranks()),
            Column("cluster", _("Cluster"), Count()),
            *errors,
            Column("segments", _("Sentences"), Count()),
            Column("judgements", _("Judgements"), Count()),
        ),
        systems,
        groups=lambda row: row.cluster,
        notes=notes,
        details=details,
    )


def mark_measures(who: Who, found: MarkPairs) -> list[Measure]:
    """Return F1 of the marked characters, and of those with the same severity."""
    return [
        pairs_measure(MEASURES[who][0], found.f1, found.pairs),
        pairs_measure(_("… with the same severity"), found.severity_f1, found.pairs),
    ]


def score_measures(who: Who, found: ScorePairs) -> list[Measure]:
    """Return r and the mean difference of pairs of scores."""
    _characters, correlation, difference = MEASURES[who]
    return [
        pairs_measure(correlation, found.correlation, found.pairs, items=found.items),
        pairs_measure(difference, found.difference, found.pairs, items=found.items),
    ]


def alpha_measure(found: ScoreAgreement) -> Measure:
    return Measure(
        _("Scores (α)"),
        found.alpha,
        ngettext("%(number)s score", "%(number)s scores", found.values),
        {"units": found.values, "items": found.items},
    )


def agreement_table(found: MarkedErrorsFound) -> Table:
    rows, of_marks = [], found.marks
    parts: tuple[tuple[Who, MarkPairs | None, ScorePairs], ...] = (
        ("intra", of_marks.intra if of_marks else None, found.scores.intra),
        ("inter", of_marks.inter if of_marks else None, found.scores.inter),
    )
    for who, marks, scores in parts:
        if marks:
            rows += mark_measures(who, marks)
        rows += score_measures(who, scores)
    rows.append(alpha_measure(found.scores))
    return measures_table(
        "agreement-on-marked-errors",
        _(
            "Agreement of annotators with themselves (intra) and with each other (inter) on marked "
            "errors and on scores."
        )
        if of_marks
        else _(
            "Agreement of annotators with themselves (intra) and with each other (inter) on scores."
        ),
        rows,
        [Column("units", _("Pairs"), Count())],
        notes=_notes_of_marks(of_marks) if of_marks else [_("α counts scores instead of pairs.")],
        details=[*([of_marks.signature] if of_marks else []), found.scores.signature],
    )


def _notes_of_marks(found: MarkAgreement) -> list[Text]:
    both, differ, none = found.inter.omissions
    return [
        _(
            "F1 is 1 if two judgements mark the same characters, and 0 if they have none in "
            "common. Omissions have no place and are left out of it. α counts scores instead "
            "of pairs."
        ),
        _(
            "Of pairs of judgements by two annotators, %(both)s agree on an omission, %(none)s "
            "on none, and %(differ)s disagree.",
            both=both,
            none=none,
            differ=differ,
        ),
    ]


def pairs_measure(name: Text, figure: Estimate, pairs: int, **counts: int) -> Measure:
    """Return the row of a measure of pairs of judgements."""
    return Measure(name, figure, pairs_of_judgements(pairs), {"units": pairs, **counts})
