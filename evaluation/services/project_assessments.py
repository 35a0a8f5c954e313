"""Findings from scores of single translations in a project."""

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.models import Project
from evaluation.findings.assessments import (
    ASKED,
    AssessmentsFound,
    assessments_found,
    checks_table,
    tables_of_pair,
)
from evaluation.findings.options import ReportOptions
from evaluation.findings.scoped_tables import ScopedTables
from evaluation.services.assessments import (
    NO_ANNOTATOR,
    long_tables_of_pair,
    model_tables_of,
    who_counts,
)
from evaluation.services.findings import provenance
from evaluation.services.kinds import has_assessments
from evaluation.services.loading import ProjectAssessments, load_assessments
from evaluation.stats.annotators.exclusion import LeftOut
from evaluation.stats.assessment.annotators import check_annotators
from evaluation.stats.assessment.items import OF_SYSTEMS
from evaluation.stats.assessment.systems import compare_systems, scores_of_systems
from evaluation.stats.score_means import SystemScores


def assessments_of_project(
    project: Project,
    *,
    all_annotators: bool,
    resamples: int,
    seed: int,
    with_model: bool = False,
    keep: int | None = None,
) -> ScopedTables:
    """Return the tables of `assessments_of_files` of the scores of a project.

    Raises InputError if it has none.
    """
    found = assessments_of(project)
    if found is None or not len(found.items):
        raise InputError(f"The project {project.name!r} has no scores of single translations.")
    checks = check_annotators(found.items)
    kept = found.items.annotator_names if all_annotators else checks.passed
    counted = found.select(kept)
    rules = [
        *([] if all_annotators or not checks.has_degraded else ["annotators who pass"]),
        *provenance(project),
    ]
    tables = [checks_table(checks)]
    asked = ", ".join(f"{name}: {int(found.items.of(kind).sum())}" for name, kind in ASKED.items())
    scope = [
        f"Project: {project.name}. Scores: {len(found.items)} ({asked}). Annotators: "
        f"{len(checks.annotators)}."
    ]
    if found.unidentified:
        scope.append(f"Left out: scores of unidentified annotators: {found.unidentified}.")
    scope += who_counts(checks, kept)
    if not len(counted.items):
        return ScopedTables((*scope, NO_ANNOTATOR), tuple(tables))
    by_system, standardised = counted.by_system()
    systems = compare_systems(by_system, resamples=resamples, seed=seed, standardised=standardised)
    tables += tables_of_pair(systems, rules)
    if with_model:
        tables += model_tables_of(
            systems, counted.items, rules, resamples=resamples, seed=seed, keep=keep
        )
    return ScopedTables(tuple(scope), tuple(tables), tuple(long_tables_of_pair(systems, by_system)))


def assessments_of(project: Project, *, with_documents: bool = False) -> ProjectAssessments | None:
    """Return the scores of single translations; None, without a query, of other kinds."""
    if not has_assessments(project):
        return None
    return load_assessments(project, with_documents=with_documents)


def standardised_scores(
    found: ProjectAssessments, left_out: LeftOut, options: ReportOptions
) -> tuple[SystemScores, NDArray[np.int64]]:
    """Return the scores that the report's filters keep, and the number of the line of each.

    Raises InputError as `report_of_assessments` does.
    """
    without = {row.annotator for row in left_out.annotators}
    counted = found.select(set(found.items.annotator_names) - without)
    by_system, standardised = counted.by_system(repeats=options.repeats)
    scores = scores_of_systems(
        by_system, standardised, unit=options.sampled, units=counted.units(options.sampled)
    )
    return scores, counted.lines[scores.segments]


def report_of_assessments(
    project: Project, found: ProjectAssessments, left_out: LeftOut, options: ReportOptions
) -> AssessmentsFound | None:
    """Return what the report says of the scores that its filters keep; None if none count.

    Raises InputError if documents are to be sampled, and a line with a score has none.
    """
    without = {row.annotator for row in left_out.annotators}
    counted = found.select(set(found.items.annotator_names) - without)
    if not counted.items.of(*OF_SYSTEMS).any():
        return None
    by_system, standardised = counted.by_system(repeats=options.repeats)
    return assessments_found(
        counted.items,
        check_annotators(counted.items),
        compare_systems(
            by_system,
            resamples=options.resamples,
            seed=options.seed,
            standardised=standardised,
            unit=options.sampled,
            units=counted.units(options.sampled),
        ),
        unidentified=found.unidentified,
        provenance=[*left_out.options, *provenance(project)],
    )
