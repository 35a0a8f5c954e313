"""Reports and exports."""

import io
import zipfile

import pytest
from django.test import Client

from annotation.import_export.export_formats import DOWNLOADS, EXPORT_FORMATS
from annotation.kinds import DEFAULT
from annotation.models import Project, User
from evaluation.models import ReportSchedule, StoredReport
from evaluation.services import reports
from tests.api.client import RANKS, Program, at, problem_of, program_of
from tests.evaluation.projects import submit
from tests.factories import make_annotator

RANKED = [one.name for one in DOWNLOADS.values() if one.has_kind(DEFAULT)]


def test_a_report_is_requested_computed_and_read(program: Program, judged: Project) -> None:
    asked = program.send("POST", at(judged, "reports/"), {"resamples": 100, "repeats": False})
    assert asked.status_code == 202
    assert asked.json()["state"] == "waiting"
    report = at(judged, f"reports/{asked.json()['id']}/")
    problem_of(program.send("GET", f"{report}data/"), 409)

    reports.compute(asked.json()["id"])

    shown = program.send("GET", report).json()
    assert (shown["state"], shown["error"], shown["judgements"]) == ("made", "", 10)
    assert shown["options"]["repeats"] is False
    assert program.send("GET", f"{report}data/").json()["signature"] == shown["signature"]
    tables = program.send("GET", f"{report}tables/").json()["names"]
    assert "ranking-ratio_of_wins" in tables
    for name in tables:
        assert program.send("GET", f"{report}tables/{name}/").json()["name"] == name
    figures = program.send("GET", f"{report}figures/").json()["names"]
    for name in figures:
        assert "$schema" in program.send("GET", f"{report}figures/{name}/").json()
    listed = program.send("GET", at(judged, "reports/")).json()["results"]
    assert [row["id"] for row in listed] == [shown["id"]]


@pytest.mark.parametrize(
    ("accept", "begins"),
    [
        ("text/csv", "rank,system"),
        ("application/x-tex", "% needs"),
        ("text/markdown", "**Systems by"),
        ("application/json", "{"),
        ("*/*", "{"),
    ],
)
def test_a_table_has_the_negotiated_format(
    program: Program, judged: Project, accept: str, begins: str
) -> None:
    report = program.send("POST", at(judged, "reports/"), {"resamples": 100}).json()["id"]
    reports.compute(report)
    answer = program.send(
        "GET", at(judged, f"reports/{report}/tables/ranking-ratio_of_wins/"), Accept=accept
    )
    assert answer.content.decode().startswith(begins)
    assert answer.headers["Content-Type"].startswith(accept.replace("*/*", "application/json"))


@pytest.mark.parametrize(
    "options",
    [
        {"resamples": 99},
        {"resamples": 10_001},
        {"minimum_kappa": 7},
        {"seed": -1},
        {"speed": 1},
        {"unit": "word"},
        {"block_size": 1, "unit": "block"},
    ],
)
def test_it_refuses_a_wrong_report(
    program: Program, judged: Project, options: dict[str, object]
) -> None:
    problem = problem_of(program.send("POST", at(judged, "reports/"), options), 400)
    assert problem["errors"][0]["pointer"] == f"#/{next(iter(options))}"
    assert not StoredReport.objects.exists()


def test_a_report_samples_documents_or_blocks(program: Program, judged: Project) -> None:
    blocks = {"resamples": 100, "unit": "block", "block_size": 2}
    asked = program.send("POST", at(judged, "reports/"), blocks).json()
    assert asked["options"]["block_size"] == 2
    of_documents = {"resamples": 100, "unit": "document"}
    problem_of(program.send("POST", at(judged, "reports/"), of_documents), 400)
    problem_of(program.send("POST", at(judged, "reports/"), {"block_size": 2}), 400)

    judged.sentences.filter(purpose="judge").update(document="news")

    assert program.send("POST", at(judged, "reports/"), of_documents).status_code == 202


def test_it_refuses_a_third_report_while_two_wait(program: Program, judged: Project) -> None:
    for seed in (1, 2):
        asked = program.send("POST", at(judged, "reports/"), {"seed": seed})
        assert asked.status_code == 202
    refused = program.send("POST", at(judged, "reports/"), {"seed": 3}, Idempotency_Key="third")
    assert problem_of(refused, 429)["type"].endswith(":throttled")
    assert int(refused.headers["Retry-After"]) > 0
    reports.compute(asked.json()["id"])
    again = program.send("POST", at(judged, "reports/"), {"seed": 3}, Idempotency_Key="third")
    assert again.status_code == 202


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_it_refuses_reports_and_exports_before_preparation(
    program: Program, project: Project, state: str
) -> None:
    Project.objects.update(state=state)
    problem_of(program.send("POST", at(project, "reports/"), {}), 409)
    problem_of(program.send("GET", at(project, "exports/json/")), 409)
    problem_of(program.send("GET", at(project, "exports/archive/")), 409)


def test_the_report_is_scheduled(judged: Project) -> None:
    observer = program_of(make_annotator(judged, "observer", "observer"))
    boss = program_of(make_annotator(judged, "boss", "administrator"))
    assert observer.send("POST", at(judged, "reports/"), {"resamples": 100}).status_code == 202
    assert observer.send("GET", at(judged, "reports/schedule/")).json() == {"every": "never"}
    problem_of(observer.send("PUT", at(judged, "reports/schedule/"), {"every": "day"}), 403)
    assert boss.send("PUT", at(judged, "reports/schedule/"), {"every": "day"}).json() == {
        "every": "day"
    }
    assert ReportSchedule.objects.get().every == "day"
    problem_of(boss.send("PUT", at(judged, "reports/schedule/"), {"every": "second"}), 400)


@pytest.mark.parametrize("name", RANKED)
def test_an_export_is_that_of_the_command(program: Program, judged: Project, name: str) -> None:
    answer = program.send("GET", at(judged, f"exports/{name}/"))
    assert answer.status_code == 200
    charset = "; charset=utf-8" if DOWNLOADS[name].media_type.startswith("text/") else ""
    assert answer.headers["Content-Type"] == DOWNLOADS[name].media_type + charset
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="houses-')
    pieces = (
        piece.encode() if isinstance(piece, str) else piece
        for piece in EXPORT_FORMATS[name].pieces(judged)
    )
    assert answer.getvalue() == b"".join(pieces)


def test_formats_of_other_kinds_are_refused(program: Program, judged: Project) -> None:
    problem = problem_of(program.send("GET", at(judged, "exports/wmt-forms/")), 409)
    assert problem["detail"].startswith("The format wmt-forms ")
    Project.objects.update(kind="constituents_in_context")
    answer = program.send("GET", at(judged, "exports/wmt-forms/"))
    assert answer.getvalue().startswith(b"TASK\t")
    assert program.send("GET", at(judged, "exports/mt-metrics-eval/")).status_code == 409


@pytest.mark.parametrize("name", RANKED)
def test_exports_are_not_streamed_over_http_1_0(judged: Project, owner: User, name: str) -> None:
    """There, one that breaks off would look complete."""
    program = program_of(owner)
    program.defaults["SERVER_PROTOCOL"] = "HTTP/1.0"
    problem_of(program.send("GET", at(judged, f"exports/{name}/")), 505)
    assert program.send("GET", at(judged)).status_code == 200


def test_it_refuses_texts_that_a_format_cannot_contain(program: Program, judged: Project) -> None:
    sentence = judged.sentences.earliest("pk")
    sentence.text = sentence.text.replace(" ", "\t")
    sentence.save()
    problem = problem_of(program.send("GET", at(judged, "exports/segments/")), 409)
    assert "tab" in problem["detail"]
    problem_of(program.send("GET", at(judged, "exports/doc/")), 404)


def test_the_zip_is_that_of_the_page(
    program: Program, project: Project, owner: User, client: Client
) -> None:
    submit(project, make_annotator(project, "jana"), 1, RANKS)
    asked = program.send("POST", at(project, "reports/"), {})
    report = at(project, f"reports/{asked.json()['id']}/")
    assert (asked.json()["state"], asked.json()["started"]) == ("waiting", None)
    problem_of(program.send("GET", f"{report}zip/"), 409)
    reports.compute(asked.json()["id"])
    made = program.send("GET", report).json()
    assert made["state"] == "made"
    assert made["seconds"] > 0

    observer = program_of(make_annotator(project, "observer", "observer"), "read")
    answer = observer.send("GET", f"{report}zip/")
    assert answer.headers["Content-Type"] == "application/zip"
    client.force_login(owner)
    page = client.get(f"/projects/{project.pk}/report/report.zip")
    ours, pages = (zipfile.ZipFile(io.BytesIO(each.content)) for each in (answer, page))
    assert "report.json" in ours.namelist()
    # PDF files of equal figures can differ.
    sums = [
        [(each.filename, each.CRC) for each in packed.infolist() if ".pdf" not in each.filename]
        for packed in (ours, pages)
    ]
    assert sums[0] == sums[1]
