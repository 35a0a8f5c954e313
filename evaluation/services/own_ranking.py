"""Systems by the means of what annotators answered, where each candidate is judged by itself."""

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from annotation.common.transactions import snapshot
from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.report.options import ReportOptions
from evaluation.report.plain import estimate_row, signed
from evaluation.services.findings import provenance
from evaluation.services.loading import (
    load,
    load_assessments,
    load_controls,
    load_marked_errors,
)
from evaluation.services.project_assessments import has_assessments, report_of_assessments
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.ranking.marked_systems import measure_systems
from evaluation.stats.ranking.scale_answers import measure_answers
from evaluation.stats.ranking.systems import ranks

STANDARDISED = "standardised score"
SCORE = "mean score"
GRADE = "mean grade"
SHARE = "share of the best answer"


class OwnRanking(TypedDict):
    """`mean` says what the scores are; systems are those of the report, the best first."""

    mean: str
    systems: list[dict[str, Any]]
    signature: str


def own_ranking(project: Project, options: ReportOptions) -> OwnRanking | None:
    """Return the means that the project's report shows; None for a ranking, or without judgements.

    Of direct assessment these are standardised scores; of answers that may be undecided, the share
    of the best one in the others.
    """
    kind = kind_of(project)
    if not kind.steps:
        return None
    assessed = marked = None
    with snapshot():
        judgements, controls = load(project), load_controls(project)
        if has_assessments(project):
            assessed = load_assessments(project)
        elif kind.highest_score is not None:
            marked = load_marked_errors(project)
    kept, left_out = leave_out(judgements.sampled_by(options.sampled), controls, **options.filters)
    rules = (*left_out.options, *provenance(project))
    again = {"resamples": options.resamples, "seed": options.seed}
    if assessed:
        part = report_of_assessments(project, assessed, left_out, options)
        if part is None:
            return None
        rows = [dict(row) for row in part["systems"]]
        return {"mean": STANDARDISED, "systems": _ranked(rows), "signature": part["signature"]}
    if not len(kept):
        return None
    if marked and kind.highest_score is not None:
        scored = measure_systems(kept, marked, highest=kind.highest_score, **again)
        rows = [{"system": row.system, **estimate_row(row.score)} for row in scored.systems]
        mean, signature = SCORE, scored.signature
    else:
        found = measure_answers(kept, kind.grades, undecided=kind.undecided, **again)
        mean, signature = SHARE if kind.undecided else GRADE, found.signature
        rows = [
            {"system": row.system, **estimate_row(row.decided or row.grade)}
            for row in found.systems
        ]
    return {"mean": mean, "systems": _ranked(rows), "signature": signed(signature, rules)}


_ESTIMATE = (
    *("value", "low", "high", "undefined", "no_interval"),
    *("wide_low", "wide_high", "no_wide_interval"),
)


def _ranked(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows, the best first, with the rank and with the value as the score."""
    values = np.array([np.nan if row["value"] is None else row["value"] for row in rows])
    places = ranks(values[None, :])[0].tolist()
    found = [
        {
            "system": row["system"],
            "rank": None if np.isnan(place) else int(place),
            "score": row["value"],
            **{name: row[name] for name in _ESTIMATE[1:]},
        }
        for row, place in zip(rows, places, strict=True)
    ]
    return sorted(found, key=lambda row: row["rank"] or len(found) + 1)
