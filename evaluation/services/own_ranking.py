"""Systems by the means of what annotators answered, where each candidate is judged by itself."""

from dataclasses import replace

import numpy as np

from annotation.common.transactions import snapshot
from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.findings.own_ranking import OwnRanking, RankedMean
from evaluation.services.findings import provenance
from evaluation.services.loading import (
    load,
    load_assessments,
    load_controls,
    load_marked_errors,
)
from evaluation.services.project_assessments import has_assessments, report_of_assessments
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.marked_systems import measure_systems
from evaluation.stats.ranking.scale_answers import measure_answers
from evaluation.stats.ranking.systems import ranks

STANDARDISED = "standardised score"
SCORE = "mean score"
GRADE = "mean grade"
SHARE = "share of the best answer"


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
        judgements = replace(load(project), provenance=tuple(provenance(project)))
        controls = load_controls(project)
        if has_assessments(project):
            assessed = load_assessments(project)
        elif kind.highest_score is not None:
            marked = load_marked_errors(project)
    kept, left_out = leave_out(judgements.sampled_by(options.sampled), controls, **options.filters)
    again = {"resamples": options.resamples, "seed": options.seed}
    if assessed:
        part = report_of_assessments(project, assessed, left_out, options)
        if part is None:
            return None
        scores = [(row.system, row.z) for row in part.systems]
        return OwnRanking(STANDARDISED, _ranked(scores), part.signature)
    if not len(kept):
        return None
    if marked and kind.highest_score is not None:
        scored = measure_systems(kept, marked, highest=kind.highest_score, **again)
        scores = [(row.system, row.score) for row in scored.systems]
        return OwnRanking(SCORE, _ranked(scores), scored.signature)
    found = measure_answers(kept, kind.grades, undecided=kind.undecided, **again)
    scores = [(row.system, row.decided or row.grade) for row in found.systems]
    return OwnRanking(SHARE if kind.undecided else GRADE, _ranked(scores), found.signature)


def _ranked(scores: list[tuple[str, Estimate]]) -> tuple[RankedMean, ...]:
    """Return the systems, the best first, each with its rank."""
    values = np.array([np.nan if each.value is None else each.value for _system, each in scores])
    places = ranks(values[None, :])[0].tolist()
    found = [
        RankedMean(system, None if np.isnan(place) else int(place), score)
        for (system, score), place in zip(scores, places, strict=True)
    ]
    return tuple(sorted(found, key=lambda row: row.rank or len(found) + 1))
