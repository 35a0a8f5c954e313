"""The overview's figures, and a report as one file."""

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Assignment, Project, Submission, User
from evaluation.models import StoredReport
from evaluation.services import stored_reports
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.api.test_findings import OTHERS, RANKS, at
from tests.evaluation.projects import submit
from tests.factories import make_annotator


def test_the_overview_says_how_it_is_going(program: Program, project: Project) -> None:
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    for number in (1, 2):
        submit(project, jana, number, RANKS)
    before = timezone.now() - timedelta(days=2)
    Assignment.objects.update(created=before, shown=before, submitted=before)
    Submission.objects.update(created=before)
    submit(project, karel, 1, OTHERS)
    found = program.send("GET", at(project, "overview/?zone=Europe/Prague")).json()
    counted = ("sentences", "wanted", "judged", "percent", "repeats", "today", "zone")
    assert [found[name] for name in counted] == [3, 3, 2, 66, 1, 1, "Europe/Prague"]
    assert found["works_now"] == 1
    assert found["end"]["unknown"] == "too little"
    rows = {row["name"]: row for row in found["annotators"]}
    assert (rows["jana"]["judged"], rows["jana"]["today"], rows["jana"]["works_now"]) == (
        2,
        0,
        False,
    )
    assert (rows["karel"]["repeats"], rows["karel"]["works_now"]) == (1, True)
    assert found["agreement"]["inter"]["compared"] == 4
    assert found["agreement"]["inter"]["kappa"] is not None
    assert found["agreement"]["missing"] == 0


def test_its_end_is_that_of_the_page(program: Program, project: Project) -> None:
    jana = make_annotator(project, "jana")
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    assert program.send("GET", at(project, "overview/")).json()["end"]["unknown"] == "all judged"
    Project.objects.update(judges_per_sentence=5)
    end = program.send("GET", at(project, "overview/")).json()["end"]
    assert end["unknown"] == "too few judges"
    Project.objects.update(state="closed")
    assert program.send("GET", at(project, "overview/")).json()["end"]["unknown"] == "paused"


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "/etc/passwd", "../UTC", "", "a%00b"])
def test_a_zone_that_there_is_not_is_refused(program: Program, project: Project, zone: str) -> None:
    problem = problem_of(program.send("GET", at(project, f"overview/?zone={zone}")), 400)
    assert problem["errors"][0]["parameter"] == "zone"


def test_what_is_not_prepared_has_no_overview(program: Program, project: Project) -> None:
    Project.objects.update(state="preparing")
    problem_of(program.send("GET", at(project, "overview/")), 409)


def test_it_takes_the_same_queries_for_many_annotators(
    program: Program, project: Project, django_assert_max_num_queries: Any
) -> None:
    submit(project, make_annotator(project, "jana"), 1, RANKS)
    program.send("GET", at(project, "overview/"))
    with django_assert_max_num_queries(40) as few:
        program.send("GET", at(project, "overview/"))
    for number in range(4):
        make_annotator(project, f"p{number}")
    with django_assert_max_num_queries(len(few)):
        program.send("GET", at(project, "overview/"))


def test_a_report_as_one_file_is_that_of_the_page(
    program: Program, project: Project, owner: User, client: Client
) -> None:
    submit(project, make_annotator(project, "jana"), 1, RANKS)
    asked = program.send("POST", at(project, "reports/"), {})
    report = at(project, f"reports/{asked.json()['id']}/")
    assert (asked.json()["state"], asked.json()["started"]) == ("waiting", None)
    problem_of(program.send("GET", f"{report}zip/"), 409)
    stored_reports.compute(asked.json()["id"])
    made = program.send("GET", report).json()
    assert made["state"] == "made"
    assert made["seconds"] > 0

    observer = program_of(make_annotator(project, "observer", "observer"), "read")
    answer = observer.send("GET", f"{report}zip/")
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert "report.json" in packed.namelist()
    client.force_login(owner)
    assert client.get(f"/projects/{project.pk}/report/report.zip").content == answer.content


def test_who_is_at_a_report_is_told(program: Program, project: Project) -> None:
    asked = program.send("POST", at(project, "reports/"), {}).json()
    now = timezone.now()
    StoredReport.objects.update(state="running", started=now)
    shown = program.send("GET", at(project, f"reports/{asked['id']}/")).json()
    assert shown["state"] == "waiting"
    assert shown["started"] == now.isoformat().replace("+00:00", "Z")
