"""Scores and marked errors of a project, as a part of its report."""

import numpy as np

from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.report.marked_errors import marked_errors_part
from evaluation.report.options import ReportOptions
from evaluation.report.shape import MarkedErrorsPart
from evaluation.services.findings import provenance
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.marked_errors import measure_marks
from evaluation.stats.agreement.scores import measure_scores
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.marked_systems import measure_systems


def has_marked_errors(project: Project) -> bool:
    """Return whether annotators mark errors and give scores in the project."""
    kind = kind_of(project)
    return kind.marks_errors and kind.highest_score is not None


def marked_errors(
    project: Project,
    judgements: Judgements,
    marked: MarkedErrors,
    controls: ControlTable,
    options: ReportOptions,
) -> MarkedErrorsPart:
    """Return the part of the report on all judgements and the errors marked in them."""
    highest = kind_of(project).highest_score or 0
    kept, left_out = leave_out(judgements.sampled_by(options.sampled), controls, **options.filters)
    judged, labels = label_candidates(kept)
    rows, columns = np.nonzero(kept.candidate_ranks)
    keys = list(zip(kept.ids[rows].tolist(), columns.tolist(), strict=True))
    again = {"resamples": options.resamples, "seed": options.seed}
    return marked_errors_part(
        measure_systems(kept, marked, highest=highest, **again),
        measure_scores(judged, highest - labels.astype(np.float64), **again),
        measure_marks(
            judged,
            [marked.marks.get(key, ()) for key in keys],
            [key in marked.omissions for key in keys],
            **again,
        ),
        (*left_out.options, *provenance(project)),
    )
