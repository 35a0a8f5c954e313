"""The pages of results where annotators give several scores."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.services import reports
from tests.annotation.kinds.assessed_project import prepared, score_of
from tests.factories import make_annotator, next_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Single translations: adequacy is as `score_of` says, and fluency always 4."""
    project = prepared(tmp_path, kind="scores", scale=("Adequacy 0-100", "Fluency 0-5"))
    annotator = make_annotator(project)
    while assignment := next_assignment(annotator=annotator, project=project):
        score = score_of(assignment)
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices={"1-1": kind_of(project).answer.rank_of(score)},
            details={"1-1": "Fluency 4"},
        )
    return project


@pytest.fixture
def boss(client: Client, project: Project) -> None:
    client.force_login(make_annotator(project, "boss", "administrator"))


@pytest.mark.usefixtures("boss")
def test_the_report_has_each_scale_and_no_order(client: Client, project: Project) -> None:
    reports.compute(reports.report_of(project, ReportOptions()).pk)
    html = client.get(reverse("report", args=[project.pk])).content.decode()
    assert 'data-scale="Adequacy"' in html
    assert 'data-scale="Fluency"' in html
    assert 'id="ranking-heading"' not in html
    # The headline is of the first scale, on which A and B are the best.
    assert 'data-lead="level"' in html


@pytest.mark.usefixtures("boss")
def test_a_sentence_shows_all_scores(client: Client, project: Project) -> None:
    html = client.get(reverse("sentence", args=[project.pk, 1])).content.decode()
    assert ", Fluency 4</span>" in html


@pytest.mark.usefixtures("boss")
@pytest.mark.parametrize("name", ["overview", "quality", "people", "exports", "project-settings"])
def test_other_pages_work(client: Client, project: Project, name: str) -> None:
    assert client.get(reverse(name, args=[project.pk])).status_code == 200
