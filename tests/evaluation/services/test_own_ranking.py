"""The ranking by scores, grades or answers is that of the report, and what a program gets."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report
from evaluation.findings.serialisation import as_stored, to_json
from evaluation.services.own_ranking import own_ranking
from evaluation.services.report_kinds import make_report
from evaluation.stats.estimates import Estimate
from tests.annotation.kinds.assessed_project import assess_all, prepared
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def answered(kind: str, ranks: dict[str, int]) -> Project:
    project = make_project(
        kind=kind,
        sentences=12,
        segments={"0 1 2 3 4 5 6": ["a b", "c d"]},
        judges_per_sentence=2,
    )
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        for number in range(12):
            assignment = assign_next(annotator, project)
            choices = {key: ranks[key] + (number % 3 == 0) for key in cards_of(assignment.pk)}
            submit(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=str(uuid4()),
                choices=choices,
            )
    return project


def grades(report: Report) -> dict[str, Estimate | None]:
    assert report.answers
    return {row.system: row.grade for row in report.answers.by_system.systems}


def shares_of_the_best(report: Report) -> dict[str, Estimate | None]:
    assert report.answers
    return {row.system: row.decided for row in report.answers.by_system.systems}


def scores(report: Report) -> dict[str, Estimate | None]:
    assert report.marked_errors
    return {row.system: row.score for row in report.marked_errors.by_system.systems}


def standardised(report: Report) -> dict[str, Estimate | None]:
    assert report.assessments
    return {row.system: row.z for row in report.assessments.systems}


@pytest.mark.parametrize(
    ("kind", "mean", "means_of"),
    [
        ("adequacy", "mean grade", grades),
        ("acceptability", "share of the best answer", shares_of_the_best),
        ("error_spans", "mean score", scores),
        ("direct_assessment", "standardised score", standardised),
    ],
)
def test_it_is_that_of_the_report(
    tmp_path: Path, kind: str, mean: str, means_of: Callable[[Report], dict[str, Estimate | None]]
) -> None:
    if kind == "direct_assessment":
        project = prepared(tmp_path)
        for name in ("jana", "petr"):
            assess_all(make_annotator(project, name), project)
    else:
        project = answered(kind, {"1-1": 1, "1-2": 2})
    ranked = own_ranking(project, ReportOptions())
    assert ranked is not None
    found = as_stored(ranked)
    assert found.mean == mean
    expected = means_of(make_report(project, ReportOptions()).data)
    assert len(found.systems) == len(expected) > 1
    assert {row.system: row.score for row in found.systems} == expected
    values = [row.score.value for row in found.systems if row.score.value is not None]
    assert len(values) > 1
    assert values == sorted(values, reverse=True)
    assert found.systems[0].rank == 1
    assert json.loads(run("rank_systems", str(project.pk), "--json"))["means"] == to_json(found)
    assert mean in run("rank_systems", str(project.pk))


def test_rankings_have_none() -> None:
    assert own_ranking(make_project(), ReportOptions()) is None
