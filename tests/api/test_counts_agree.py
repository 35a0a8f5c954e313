"""All pages and API answers count the same sentences, assignments and judgements."""

import csv
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotation.judging.assignment import release, skip
from annotation.judging.control_items import make_controls
from annotation.models import Project, User
from annotation.projects.administration import remove_member
from evaluation.findings.options import ReportOptions
from evaluation.services import reports
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.api.client import OTHERS, RANKS, program_of
from tests.evaluation.projects import revise, submit, submit_control
from tests.evaluation.web.pages import data, part, text
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
# Sentences, assignments, judgements, counted by hand from `project`.
JANA, PETR, TOGETHER = (2, 4, 6), (1, 1, 2), (2, 5, 8)
# 1 and 2 of the sentences 1 to 5; the sixth is for practice.
JUDGED, ALL = 2, 5
COUNTS = ("sentences", "assignments", "judgements")


@pytest.fixture
def project() -> Project:
    """A project with everything that could be counted, and with what must not be."""
    project = make_project(sentences=6, numbered=True)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    boss = make_annotator(project, "boss", "owner")
    make_controls(project=project, count=1, seed=1)
    practise_with(project, 6)
    practise_one(jana, project)
    # Two segments each: a first assignment with a revision, its repeat, another one, a control.
    revise(submit(project, jana, 1, RANKS), OTHERS)
    submit(project, jana, 1, RANKS)
    submit(project, jana, 2, RANKS)
    submit_control(project, jana, 1, passes=True)
    # A repeat by another annotator, who returned a sentence and is no member any more.
    submit(project, petr, 1, OTHERS)
    release(project=project, assignment_id=assign_next(petr, project).pk)
    remove_member(project=project, by=boss, user_id=petr.pk)
    skipped = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=skipped.pk, reason="other")
    assert next_assignment(annotator=jana, project=project)
    return project


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def page_of(client: Client, name: str, project: Project) -> str:
    answer = client.get(reverse(name, args=[project.pk]))
    assert answer.status_code == 200, name
    return answer.content.decode()


def rows_of(page: str, table: str) -> dict[str, tuple[int, ...]]:
    """Return the first three numbers of each annotator's row in the table of this class or id."""
    of_id = rf'<table\b[^>]*\bid="{table}".*?</table>'
    of_class = rf'<table\b[^>]*\bclass="[^"]*{table}[^"]*".*?</table>'
    found = re.search(of_id, page, re.DOTALL) or re.search(of_class, page, re.DOTALL)
    assert found, table
    rows = {}
    for row in re.findall(r"<tr\b.*?</tr>", found[0], re.DOTALL):
        heading = re.search(r'<th scope="row"[^>]*>(.*?)</th>', row, re.DOTALL)
        cells = re.findall(r'<td class="number[^"]*"[^>]*>\s*(\d+)', row)
        if heading:
            rows[text(heading[1])] = tuple(map(int, cells[:3]))
    return rows


def first_number(page: str, name: str) -> int:
    found = re.search(rf'<dd id="{name}">(\d+)', page)
    assert found, name
    return int(found[1])


def counts_of(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(row[name]) for name in COUNTS)


def test_pages_of_observers_count_alike(project: Project) -> None:
    boss = signed_in("boss")

    overview = page_of(boss, "overview", project)
    rows = rows_of(overview, "annotators")
    assert (rows["jana"], rows["petr"], rows["Together"]) == (JANA, PETR, TOGETHER)
    assert part(overview, "judgements") == "8"
    # Of sentences 1 to 5, and neither repeats nor controls.
    assert part(overview, "judged").startswith(f"{JUDGED} of {ALL}")

    members = rows_of(page_of(boss, "people", project), "members-table")
    assert (members["jana"][0], members["petr"][0], members["boss"][0]) == (JANA[0], PETR[0], 0)

    payment = rows_of(page_of(boss, "crowd", project), "pay-table")
    assert (payment["jana"], payment["petr"]) == (JANA, PETR)

    projects = boss.get(reverse("projects")).content.decode()
    assert (data(projects, "judged"), data(projects, "sentences")) == (str(JUDGED), str(ALL))


def test_the_report_counts_as_the_pages(project: Project) -> None:
    stored = reports.report_of(project, ReportOptions(resamples=100))
    reports.request(stored)
    reports.compute(stored.pk)
    stored.refresh_from_db()
    report = stored.data
    assert report is not None
    rows = {row["annotator"]: counts_of(row) for row in report["annotators"]}
    assert rows == {"jana": JANA, "petr": PETR}
    judged = report["judged"]
    assert (judged["sentences_judged"], judged["sentences"]) == (JUDGED, ALL)
    assert judged["judgements"] == TOGETHER[2]

    reports.compute(reports.report_of(project, ReportOptions()).pk)
    page = page_of(signed_in("boss"), "report", project)
    rows = rows_of(page, "annotators")
    assert (rows["jana"], rows["petr"], rows["Together"]) == (JANA, PETR, TOGETHER)
    assert first_number(page, "sentences") == JUDGED
    assert first_number(page, "judgements") == TOGETHER[2]
    assert f"of {ALL}" in text(page)


def test_the_pages_of_an_annotator_count_assignments(project: Project) -> None:
    jana = signed_in("jana")
    for page in (
        page_of(jana, "my-judgements", project),
        page_of(jana, "judge", project),
        jana.get(reverse("projects")).content.decode(),
    ):
        assert data(page, "assignments") == str(JANA[1])
    # The other two counts would show which assignment was a control.
    assert data(jana.get(reverse("projects")).content.decode(), "judged") is None


def test_the_api_counts_as_the_pages(project: Project) -> None:
    cache.clear()
    program = program_of(User.objects.get(username="boss"))

    def get(path: str) -> Any:
        return program.send("GET", f"projects/{project.pk}/{path}").json()

    overview = get("overview/")
    rows = {row["name"]: counts_of(row) for row in overview["annotators"]}
    assert rows == {"jana": JANA, "petr": PETR}
    assert (overview["sentences_judged"], overview["sentences"]) == (JUDGED, ALL)
    assert (overview["assignments"], overview["judgements"]) == TOGETHER[1:]

    statistics = get("statistics/")
    rows = {row["annotator"]: counts_of(row) for row in statistics["annotators"]}
    assert rows == {"jana": JANA, "petr": PETR}
    assert statistics["sentences_judged"] == JUDGED
    assert (statistics["together"]["assignments"], statistics["judgements"]) == TOGETHER[1:]

    members = {row["username"]: counts_of(row) for row in get("members/")["results"]}
    assert members == {"jana": JANA, "boss": (0, 0, 0)}

    payment = {row["annotator"]: row for row in get("payment/")["results"]}
    assert counts_of(payment["jana"]) == JANA
    assert counts_of(payment["petr"]) == PETR
    jana = payment["jana"]
    assert [jana[name] for name in ("repeats", "controls", "practised", "skipped")] == [1, 1, 1, 1]
    answer = signed_in("boss").get(reverse("payment-csv", args=[project.pk]))
    table = csv.DictReader(answer.getvalue().decode().splitlines())
    assert {row["annotator"]: counts_of(row) for row in table} == {"jana": JANA, "petr": PETR}
