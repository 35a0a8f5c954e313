"""The form that shows annotators the undecided systems only."""

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from annotation.models import Project, User
from annotation.projects.undecided_systems import decision_in_force, decisions
from evaluation.findings.options import ReportOptions
from evaluation.services.reports import compute, report_of
from tests.annotation.judging.judged_next import judge
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def boss(client: Client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def page_of(client: Client, project: Project) -> str:
    return client.get(reverse("project-systems", args=[project.pk])).content.decode()


def send(client: Client, project: Project, *names: str, **more: str) -> Any:
    fields = {"undecided": names} | more
    response = client.post(reverse("set-undecided", args=[project.pk]), fields)
    project.refresh_from_db()
    return response


def checked(page: str) -> list[str]:
    part = page.split('id="undecided"')[1].split("</section>")[0]
    boxes = [box.split(">")[0] for box in part.split('type="checkbox"')[1:]]
    return [box.split('value="')[1].split('"')[0] for box in boxes if "checked" in box]


def test_the_decision_is_stored_and_shown(client: Client, project: Project, boss: User) -> None:
    assert checked(page_of(client, project)) == ["A", "B", "C"]

    response = send(client, project, "A", "B")

    assert response.status_code == 302
    decision = decision_in_force(project)
    assert decision
    assert (decision.decided, decision.by) == (("C",), "boss")
    page = page_of(client, project)
    assert 'data-decision="1"' in page
    assert checked(page) == ["A", "B"]
    send(client, project, "A", "B", "C")
    assert decision_in_force(project) is None


def test_a_preview_stores_nothing(client: Client, project: Project, boss: User) -> None:
    page = send(client, project, "A", "B", propose="yes").content.decode()

    assert 'data-proposed="yes"' in page
    assert checked(page) == ["A", "B"]
    assert decisions(project) == []


def test_a_refusal_is_explained(client: Client, project: Project, boss: User) -> None:
    response = send(client, project, "A")

    assert len(list(get_messages(response.wsgi_request))) == 1
    assert decisions(project) == []


def test_it_names_the_pairs_that_the_report_leaves_undecided(
    client: Client, project: Project, boss: User
) -> None:
    assert "data-pairs" not in page_of(client, project)
    annotator = make_annotator(project)
    while judge(annotator, project):
        pass
    compute(report_of(project, ReportOptions()).pk)

    assert 'data-pairs="3"' in page_of(client, project)


def test_two_systems_have_no_form(client: Client, project: Project, boss: User) -> None:
    system = project.systems.get(name="C")
    system.projections.all().delete()
    system.delete()

    assert 'id="undecided"' not in page_of(client, project)


def test_the_report_shows_the_ranking_of_undecided_systems(
    client: Client, project: Project, boss: User
) -> None:
    annotator = make_annotator(project)
    judge(annotator, project)
    send(client, project, "A", "B")
    while judge(annotator, project):
        pass
    compute(report_of(project, ReportOptions()).pk)

    page = client.get(reverse("report", args=[project.pk])).content.decode()

    assert 'id="undecided" data-judgements="6" data-narrowed="4"' in page
    assert 'id="narrowed" data-narrowed="4"' in page
    table = reverse("report-table", args=[project.pk, "undecided-systems", "csv"])
    assert client.get(table).content.decode().startswith("rank,system,score")
