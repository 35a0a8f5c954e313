"""The page of the report where annotators give scores."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kinds import KINDS
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.services import reports
from evaluation.services.report_kinds import make_report
from evaluation.stats.two_way import TOO_FEW_ANNOTATORS
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import data, element
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
ESA = KINDS["error_spans"]
SENTENCES = 12


@pytest.fixture
def project() -> Project:
    """System A has 90, B has 40, or once 95."""
    project = make_project(
        kind=ESA.name, sentences=SENTENCES, segments={"0 1 2": ("starý dům", "dům")}
    )
    jana = make_annotator(project)
    for number in range(1, SENTENCES + 1):
        scores = (90, 95 if number == 1 else 40)
        submit(
            project,
            jana,
            number,
            {"0 1 2": [ESA.answer.read_score(str(score)) for score in scores]},
            steps=ESA.answer.worst,
        )
    return project


def page(client: Client, project: Project, options: ReportOptions, **parameters: str) -> str:
    client.force_login(make_annotator(project, "boss", "administrator"))
    reports.compute(reports.report_of(project, options).pk)
    return client.get(reverse("report", args=[project.pk]), parameters).content.decode()


def test_the_headline_is_by_mean_scores_and_their_tests(client: Client, project: Project) -> None:
    html = page(client, project, ReportOptions())

    assert data(html, "lead") == "significant"
    # The scores' signature is there, and that of the marks.
    assert "agreement of scores|" in html
    assert "agreement on marked errors|" in html
    # One annotator is no sample of annotators, which is said once.
    section = html[html.index('id="marked-errors-heading"') :].split("</section>")[0]
    assert section.count(TOO_FEW_ANNOTATORS) == 1


def test_one_system_with_a_score_leads_no_other(client: Client) -> None:
    project = make_project(kind=ESA.name, sentences=1, segments={"0 1 2": ("starý dům",)})
    submit(
        project,
        make_annotator(project),
        1,
        {"0 1 2": [ESA.answer.read_score("90")]},
        steps=ESA.answer.worst,
    )

    html = page(client, project, ReportOptions())

    assert data(html, "lead") not in ("significant", "insignificant")
    assert "Only one system has a score." in html


def test_the_unit_of_intervals_is_named_and_why_there_are_none(
    client: Client, project: Project
) -> None:
    blocks = ReportOptions(unit="block", block_size=2)
    html = page(client, project, blocks, unit="block", block_size="2")

    sampled = element(html, "id", "sampled")
    assert sampled is not None
    assert (data(sampled, "unit"), data(sampled, "units")) == ("block", "6")
    assert "the figure comes from fewer than 10 blocks" in html


def test_systems_are_compared_by_documents_once_these_are_known(project: Project) -> None:
    unknown: Any = make_report(project, ReportOptions()).data
    for sentence in project.sentences.all():
        sentence.document = f"document {sentence.number}"
        sentence.save()
    known: Any = make_report(project, ReportOptions()).data

    assert unknown.conclusions == ()
    (score, points) = known.conclusions
    assert (score.figure, points.figure) == ("score", "points")
    assert [row.system for row in score.found.systems] == ["A", "B"]
    assert score.found.systems[0].cluster < score.found.systems[1].cluster
