"""Statistics, rankings, reports and exports: the same as commands and pages give."""

import json
from collections.abc import Mapping, Sequence

import pytest

from annotation.import_export.exports import FORMATS
from annotation.models import Project
from api.views.exports import FILES
from evaluation.models import ReportSchedule, StoredReport
from evaluation.services import stored_reports
from evaluation.services.findings import Findings, ranking_report, statistics_report
from evaluation.stats.ranking.systems import METHODS
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.evaluation.projects import submit
from tests.factories import make_annotator

RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [2, 1, 3], "4 5 6": [1, 2]}


@pytest.fixture
def judged(project: Project) -> Project:
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    for number in (1, 2):
        submit(project, karel, number, OTHERS)
    return project


def at(project: Project, path: str) -> str:
    return f"projects/{project.pk}/{path}"


# --- statistics and rankings ------------------------------------------------------------------


def test_statistics_are_those_of_the_command(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "statistics/"))
    assert answer.json() == statistics_report(Findings(judged))


def test_the_ranking_is_that_of_the_command(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "ranking/")).json()
    assert answer["method"] == "ratio_of_wins"
    expected = ranking_report(Findings(judged))["systems"]
    assert [
        {"system": row["system"], "ratio_of_wins": row["score"]}
        | {name: row[name] for name in ("wins", "losses", "ties")}
        for row in answer["systems"]
    ] == expected
    assert [row["rank"] for row in answer["systems"]] == [1, 2, 3]


@pytest.mark.parametrize("method", METHODS)
def test_there_is_a_ranking_by_each_method(program: Program, judged: Project, method: str) -> None:
    answer = program.send("GET", at(judged, f"ranking/?method={method}"))
    assert answer.json()["method"] == method
    assert len(answer.json()["systems"]) == 3


def test_what_is_left_out_is_left_out_and_told(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "ranking/?repeats=false")).json()
    assert "4 repeats left out" in answer["signature"]
    assert sum(row["wins"] for row in answer["systems"]) == 9


@pytest.mark.parametrize(
    "query", ["method=skill", "minimum_kappa=2", "minimum_kappa=nan", "minimum_controls=-1"]
)
def test_options_that_mean_nothing_are_refused(
    program: Program, judged: Project, query: str
) -> None:
    problem_of(program.send("GET", at(judged, f"ranking/?{query}")), 400)


def test_a_project_without_judgements_has_findings_too(program: Program, project: Project) -> None:
    assert program.send("GET", at(project, "statistics/")).json()["judgements"] == 0
    systems = program.send("GET", at(project, "ranking/")).json()["systems"]
    assert all(row["score"] is None and row["undefined"] for row in systems)


# --- reports ----------------------------------------------------------------------------------


def test_a_report_is_asked_for_made_and_read(program: Program, judged: Project) -> None:
    asked = program.send("POST", at(judged, "reports/"), {"resamples": 20, "repeats": False})
    assert asked.status_code == 202
    assert asked.json()["state"] == "waiting"
    report = at(judged, f"reports/{asked.json()['id']}/")
    problem_of(program.send("GET", f"{report}data/"), 409)

    stored_reports.compute(asked.json()["id"])

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
def test_a_table_comes_as_what_is_asked_for(
    program: Program, judged: Project, accept: str, begins: str
) -> None:
    report = program.send("POST", at(judged, "reports/"), {"resamples": 20}).json()["id"]
    stored_reports.compute(report)
    answer = program.send(
        "GET", at(judged, f"reports/{report}/tables/ranking-ratio_of_wins/"), Accept=accept
    )
    assert answer.content.decode().startswith(begins)
    assert answer.headers["Content-Type"].startswith(accept.replace("*/*", "application/json"))


def test_asking_again_makes_it_anew(program: Program, judged: Project) -> None:
    first, second = (
        program.send("POST", at(judged, "reports/"), {"resamples": 20}).json() for _time in "ab"
    )
    assert first["id"] == second["id"]
    assert second["asked"] >= first["asked"]


@pytest.mark.parametrize(
    "options", [{"resamples": 0}, {"minimum_kappa": 7}, {"seed": -1}, {"speed": 1}]
)
def test_a_report_that_means_nothing_is_refused(
    program: Program, judged: Project, options: dict[str, object]
) -> None:
    problem = problem_of(program.send("POST", at(judged, "reports/"), options), 400)
    assert problem["errors"][0]["pointer"] == f"#/{next(iter(options))}"
    assert not StoredReport.objects.exists()


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_what_is_not_prepared_has_no_report_and_no_export(
    program: Program, project: Project, state: str
) -> None:
    Project.objects.update(state=state)
    problem_of(program.send("POST", at(project, "reports/"), {}), 409)
    problem_of(program.send("GET", at(project, "exports/json/")), 409)
    problem_of(program.send("GET", at(project, "exports/archive/")), 409)


def test_observers_ask_for_reports_and_administrators_schedule_them(judged: Project) -> None:
    observer = program_of(make_annotator(judged, "observer", "observer"))
    boss = program_of(make_annotator(judged, "boss", "administrator"))
    assert observer.send("POST", at(judged, "reports/"), {"resamples": 20}).status_code == 202
    assert observer.send("GET", at(judged, "reports/schedule/")).json() == {"every": "never"}
    problem_of(observer.send("PUT", at(judged, "reports/schedule/"), {"every": "day"}), 403)
    assert boss.send("PUT", at(judged, "reports/schedule/"), {"every": "day"}).json() == {
        "every": "day"
    }
    assert ReportSchedule.objects.get().every == "day"
    problem_of(boss.send("PUT", at(judged, "reports/schedule/"), {"every": "second"}), 400)


# --- exports ----------------------------------------------------------------------------------


def test_every_format_of_the_command_is_there() -> None:
    assert set(FILES) == set(FORMATS)


@pytest.mark.parametrize("name", FILES)
def test_an_export_is_that_of_the_command(program: Program, judged: Project, name: str) -> None:
    answer = program.send("GET", at(judged, f"exports/{name}/"))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == FILES[name][0]
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="houses.')
    pieces = (
        piece.encode() if isinstance(piece, str) else piece for piece in FORMATS[name](judged)
    )
    assert answer.getvalue() == b"".join(pieces)


def test_everything_is_for_administrators_only(judged: Project) -> None:
    observer = program_of(make_annotator(judged, "observer", "observer"), "read")
    assert json.loads(observer.send("GET", at(judged, "exports/json/")).getvalue())
    problem_of(observer.send("GET", at(judged, "exports/archive/")), 403)


def test_what_a_format_cannot_hold_is_said(program: Program, judged: Project) -> None:
    sentence = judged.sentences.earliest("pk")
    sentence.tokens = "the\t old house stands near the river"
    sentence.save()
    problem = problem_of(program.send("GET", at(judged, "exports/segments/")), 409)
    assert "tab" in problem["detail"]
    problem_of(program.send("GET", at(judged, "exports/doc/")), 404)
