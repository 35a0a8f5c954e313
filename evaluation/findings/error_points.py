"""Points of marked errors of whole translations, by system, category and severity (MQM)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from annotation.formats.error_points import ErrorWeights
from annotation.formats.span_notation import Span
from evaluation.findings.agreement import Measure, measures_table
from evaluation.findings.evidence import Evidence
from evaluation.findings.marked_errors import (
    ERROR_FREE,
    Who,
    alpha_measure,
    mark_measures,
    pairs_measure,
    ranked_systems_table,
)
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    Percent,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.marked_errors import MarkAgreement, MarkPairs, measure_marks
from evaluation.stats.agreement.scores import ScoreAgreement, ScorePairs, measure_scores
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.marked_systems import (
    MarkedSystems,
    measure_points,
    points_of_systems,
)
from evaluation.stats.score_means import estimate_means


@dataclass(frozen=True)
class OtherPoints:
    """The points of each system, in the order of the first weighting, by another one."""

    weights: str
    points: tuple[Estimate, ...]
    signature: str


@dataclass(frozen=True)
class MarkedCategory:
    """How many errors of a category and severity were marked, and their points together.

    An error in a translation of several systems counts once.
    """

    category: str
    severity: str
    errors: int
    points: float


@dataclass(frozen=True)
class SystemCategories:
    """The points of a system by group of categories; they add up to all that it has."""

    system: str
    points: tuple[float, ...]


@dataclass(frozen=True)
class ErrorPointsFound:
    """Systems by points, what the errors are, and agreement about marks and points.

    `weights` names the first weighting, which all points but those of `others` have. `judgements`
    is the number of judged candidates. Severities are from the mildest, `groups` are the first
    parts of categories.
    """

    weights: str
    by_system: MarkedSystems
    others: tuple[OtherPoints, ...]
    judgements: int
    severities: tuple[str, ...]
    categories: tuple[MarkedCategory, ...]
    groups: tuple[str, ...]
    by_group: tuple[SystemCategories, ...]
    points: ScoreAgreement
    marks: MarkAgreement


def compute(evidence: Evidence) -> ErrorPointsFound | None:
    """Return points; None unless marked errors are all that annotators answer."""
    marked, all_weights = evidence.marked, evidence.scale.weights
    if marked is None or not all_weights:
        return None
    weights, kept = all_weights[0], evidence.judgements
    judged, _labels = label_candidates(kept)
    rows, columns = np.nonzero(kept.candidate_ranks)
    keys = list(zip(kept.ids[rows].tolist(), columns.tolist(), strict=True))
    by_system = measure_points(kept, marked, weights, **evidence.again)
    order = [kept.system_names.index(row.system) for row in by_system.systems]
    categories = _categories([span for key in keys for span in marked.of(key)], weights)
    groups = tuple(dict.fromkeys(one.category.partition("/")[0] for one in categories))
    return ErrorPointsFound(
        weights=weights.name,
        by_system=by_system,
        others=tuple(
            _other_points(kept, marked, other, order, evidence) for other in all_weights[1:]
        ),
        judgements=len(keys),
        severities=marked.severities,
        categories=categories,
        groups=groups,
        by_group=_by_group(kept, marked, weights, groups, order),
        points=measure_scores(
            judged,
            np.array([weights.sum(marked.of(key)) for key in keys], dtype=np.float64),
            **evidence.again,
        ),
        marks=measure_marks(
            judged,
            [marked.marks(key) for key in keys],
            [marked.has_omission(key) for key in keys],
            **evidence.again,
        ),
    )


def _other_points(
    kept: Judgements,
    marked: MarkedErrors,
    weights: ErrorWeights,
    order: list[int],
    evidence: Evidence,
) -> OtherPoints:
    points = points_of_systems(kept, marked, weights)
    estimates = estimate_means(points, **evidence.again)
    signature = kept.sign("mean error points of systems", *weights.words)
    return OtherPoints(weights.name, tuple(estimates[place] for place in order), signature)


def _categories(spans: list[Span], weights: ErrorWeights) -> tuple[MarkedCategory, ...]:
    counts = Counter((span.category, span.severity) for span in spans)
    rows = [
        MarkedCategory(category, severity, count, count * weights.of(category, severity))
        for (category, severity), count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.points, -row.errors, row.category)))


def _by_group(
    kept: Judgements,
    marked: MarkedErrors,
    weights: ErrorWeights,
    groups: tuple[str, ...],
    order: list[int],
) -> tuple[SystemCategories, ...]:
    def means(group: str) -> list[float]:
        of_group = {
            key: [span for span in spans if span.category.partition("/")[0] == group]
            for key, spans in marked.spans.items()
        }
        only = replace(marked, spans=of_group)
        return list(map(float, points_of_systems(kept, only, weights).total[order]))

    columns = [means(group) for group in groups]
    return tuple(
        SystemCategories(kept.system_names[code], tuple(column[place] for column in columns))
        for place, code in enumerate(order)
    )


def tables(found: ErrorPointsFound | None) -> list[Table]:
    if found is None:
        return []
    return [
        systems_table(found),
        groups_table(found),
        categories_table(found),
        agreement_table(found),
    ]


def systems_table(found: ErrorPointsFound) -> Table:
    systems = found.by_system.systems
    places = {row.system: place for place, row in enumerate(systems)}

    def of(other: OtherPoints) -> Callable[[object], Estimate]:
        return lambda row: other.points[places[row.system]]  # type: ignore[attr-defined]

    return ranked_systems_table(
        "error-points",
        _("Systems by mean error points: fewer are better."),
        systems,
        score=(
            *estimate_columns(
                "value", _("Points (%(weights)s)", weights=found.weights), lambda row: row.score
            ),
            *(
                column
                for number, other in enumerate(found.others, start=2)
                for column in estimate_columns(
                    f"value_{number}",
                    _("Points (%(weights)s)", weights=other.weights),
                    of(other),
                    prefix=f"value_{number}_",
                    is_main=False,
                )[:2]
            ),
        ),
        errors=(
            Column("errors", _("Errors"), Number(2)),
            Column("omissions", _("Omissions"), Percent()),
            ERROR_FREE,
        ),
        notes=(
            _(
                "Points: sum over the errors that an annotator marked in a translation, mean over "
                "annotators, mean over sentences. Errors: marked in a judgement, on average; "
                "omissions: judgements that say that something is missing. Ranks and clusters are "
                "by Wilcoxon’s signed-rank test of the sentences that two systems share (p < 0.05, "
                "as at WMT24), with the points of %(weights)s: for other sentences judged by the "
                "same annotators.",
                weights=found.weights,
            ),
            _("Error-free: share of sentences with nothing marked."),
            *missing_figures((row.system, row.score) for row in systems),
        ),
        details=[found.by_system.signature, *(other.signature for other in found.others)],
    )


def groups_table(found: ErrorPointsFound) -> Table:
    def of(place: int) -> Callable[[SystemCategories], float]:
        return lambda row: row.points[place]

    return Table.of(
        "error-points-by-category",
        _("Mean error points of each system by category."),
        (
            Column("system", _("System"), Name()),
            *(
                Column(f"group_{place}", name, Number(3), of(place - 1))
                for place, name in enumerate(found.groups, start=1)
            ),
        ),
        found.by_group,
        notes=(
            _(
                "The points of a system, divided among the groups of categories, those with most "
                "points first. Rows add up to the points of the systems."
            ),
        ),
        details=[found.by_system.signature],
    )


def categories_table(found: ErrorPointsFound) -> Table:
    total = sum(row.points for row in found.categories)

    def share(row: MarkedCategory) -> float | None:
        return row.points / total if total else None

    return Table.of(
        "marked-categories",
        _(
            "Errors marked in %(judgements)s judgements, by category and severity.",
            judgements=found.judgements,
        ),
        (
            Column("category", _("Category"), Name()),
            Column("severity", _("Severity"), Name()),
            Column("errors", _("Errors"), Count()),
            Column("points", _("Points"), Number(1)),
            Column("share", _("Share of points"), Percent(), share),
        ),
        found.categories,
        notes=(_("An error in a translation that several systems produced counts once."),),
        details=[found.by_system.signature],
    )


def agreement_table(found: ErrorPointsFound) -> Table:
    rows: list[Measure] = []
    parts: tuple[tuple[Who, MarkPairs, ScorePairs, Text, Text], ...] = (
        (
            "intra",
            found.marks.intra,
            found.points.intra,
            _("Points by one annotator (r)"),
            _("Mean difference of points by one annotator"),
        ),
        (
            "inter",
            found.marks.inter,
            found.points.inter,
            _("Points by two annotators (r)"),
            _("Mean difference of points by two annotators"),
        ),
    )
    for who, marks, points, correlation, difference in parts:
        rows += [
            *mark_measures(who, marks),
            pairs_measure(correlation, points.correlation, points.pairs, items=points.items),
            pairs_measure(difference, points.difference, points.pairs, items=points.items),
        ]
    rows.append(replace(alpha_measure(found.points), measure=_("Points (α)")))
    return measures_table(
        "agreement-on-error-points",
        _(
            "Agreement of annotators with themselves (intra) and with each other (inter) on marked "
            "errors and on their points."
        ),
        rows,
        [Column("units", _("Pairs"), Count())],
        notes=(
            _(
                "F1 is 1 if two judgements mark the same characters of a translation, and 0 if "
                "they have none in common; categories do not count. Where errors overlap, "
                "characters have the worst severity. α counts judgements instead of pairs."
            ),
        ),
        details=[found.marks.signature, found.points.signature],
    )
