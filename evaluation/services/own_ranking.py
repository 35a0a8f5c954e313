"""Systems by the means of what annotators answered, where each candidate is judged by itself."""

from dataclasses import replace

import numpy as np

from annotation.common.transactions import snapshot
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.findings.own_ranking import OwnRanking, RankedMean
from evaluation.findings.scales import systems_on
from evaluation.services.findings import provenance
from evaluation.services.kinds import answer_of
from evaluation.services.loading import load, load_controls
from evaluation.services.project_assessments import assessments_of, report_of_assessments
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.marked_systems import measure_systems, points_below_zero
from evaluation.stats.ranking.scale_answers import measure_answers
from evaluation.stats.ranking.systems import ranks
from evaluation.stats.score_means import estimate_means

STANDARDISED = "standardised score"
SCORE = "mean score"
POINTS = "minus error points"
GRADE = "mean grade"
SHARE = "share of the best answer"


def own_ranking(project: Project, options: ReportOptions) -> OwnRanking | None:
    """Return the means that the project's report shows; None for a ranking, or without judgements.

    Of direct assessment these are standardised scores; of answers that may be undecided, the share
    of the best one in the others.
    """
    answer = answer_of(project)
    if answer.values is None:
        return None
    with_documents = options.unit == "document"
    with snapshot():
        judgements = load(project, with_documents=with_documents)
        judgements = replace(judgements, provenance=tuple(provenance(project)))
        controls = load_controls(project)
        assessed = assessments_of(project, with_documents=with_documents)
        marked = answer.load_marked_errors(project)
        scales = answer.load_scales(project)
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
    if scales:
        systems = systems_on(scales, 0, kept, **again)
        name = scales.scales[0].name
        signature = kept.sign(f"{SCORE} on {name}", *(f"{key} {n}" for key, n in again.items()))
        scores = [(row.system, row.score) for row in systems]
        return OwnRanking(f"{SCORE} on {name}", _ranked(scores), signature)
    scale = answer.scale
    if scale.weights and marked is not None:
        points = points_below_zero(kept, marked, scale.weights[0])
        named = zip(kept.system_names, estimate_means(points, **again), strict=True)
        return OwnRanking(POINTS, _ranked(list(named)), kept.sign(*points.words))
    if scale.highest is not None:
        errors = marked or MarkedErrors({})
        scored = measure_systems(kept, errors, highest=scale.highest, **again)
        scores = [(row.system, row.score) for row in scored.systems]
        return OwnRanking(SCORE, _ranked(scores), scored.signature)
    found = measure_answers(kept, scale.grades, undecided=scale.undecided, **again)
    scores = [(row.system, row.decided or row.grade) for row in found.systems]
    return OwnRanking(SHARE if scale.undecided else GRADE, _ranked(scores), found.signature)


def _ranked(scores: list[tuple[str, Estimate]]) -> tuple[RankedMean, ...]:
    """Return the systems, the best first, each with its rank."""
    values = np.array([np.nan if each.value is None else each.value for _system, each in scores])
    places = ranks(values[None, :])[0].tolist()
    found = [
        RankedMean(system, None if np.isnan(place) else int(place), score)
        for (system, score), place in zip(scores, places, strict=True)
    ]
    return tuple(sorted(found, key=lambda row: row.rank or len(found) + 1))
