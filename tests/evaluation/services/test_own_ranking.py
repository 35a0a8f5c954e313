"""The ranking by scores, grades or answers is that of the report, and what a program gets."""

import io
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.models import Project
from evaluation.report.options import ReportOptions
from evaluation.services.own_ranking import own_ranking
from evaluation.services.reports import make_report
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


@pytest.mark.parametrize(
    ("kind", "mean", "part", "figure"),
    [
        ("adequacy", "mean grade", "answers", "grade"),
        ("acceptability", "share of the best answer", "answers", "decided"),
        ("error_spans", "mean score", "marked_errors", None),
        ("direct_assessment", "standardised score", "assessments", None),
    ],
)
def test_it_is_that_of_the_report(
    tmp_path: Path, kind: str, mean: str, part: str, figure: str | None
) -> None:
    if kind == "direct_assessment":
        project = prepared(tmp_path)
        for name in ("jana", "petr"):
            assess_all(make_annotator(project, name), project)
    else:
        project = answered(kind, {"1-1": 1, "1-2": 2})
    found = own_ranking(project, ReportOptions())
    assert found is not None
    assert found["mean"] == mean
    report: Any = make_report(project, ReportOptions()).data
    rows = report[part]["systems"]
    expected = {row["system"]: row[figure] if figure else row for row in rows}
    assert len(found["systems"]) == len(expected) > 1
    for row in found["systems"]:
        of_report = expected[row["system"]]
        assert row["score"] == of_report["value"]
        assert row["undefined"] == of_report["undefined"]
        for name in ("low", "high", "wide_low", "wide_high", "no_interval", "no_wide_interval"):
            assert row[name] == of_report[name]
    scores = [row["score"] for row in found["systems"] if row["score"] is not None]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)
    assert found["systems"][0]["rank"] == 1
    assert json.loads(run("rank_systems", str(project.pk), "--json"))["means"] == found
    assert mean in run("rank_systems", str(project.pk))


def test_rankings_have_none() -> None:
    assert own_ranking(make_project(), ReportOptions()) is None
