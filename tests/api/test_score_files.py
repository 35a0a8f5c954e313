"""Files with scores of other metrics."""

from typing import Any

import pytest
from django.db import OperationalError

from annotation.models import Project
from api.views.score_files import ScoreFileParser
from evaluation.findings.options import MetricsOptions
from evaluation.models import ScoreFile, StoredReport
from evaluation.services import reports
from tests.api.client import Program, at, file, problem_of
from tests.evaluation.judged_outputs import add_outputs

SCORES = "M\ten-cs\ttest\tA\t2\nM\ten-cs\ttest\tB\t1\nM\ten-cs\ttest\tC\t3\n"


@pytest.fixture
def scored(judged: Project) -> Project:
    add_outputs(judged)
    return judged


def add(program: Program, project: Project, *files: Any, **fields: Any) -> Any:
    return program.post(f"/api/v1/{at(project, 'metrics/files/')}", {"file": files} | fields)


def test_scores_are_added_evaluated_and_removed(program: Program, scored: Project) -> None:
    reports.report_of(scored, MetricsOptions(metrics=("ter",)))
    both = (file("M.score", SCORES), file("N.score", SCORES.replace("M", "N")))

    answer = add(program, scored, *both, lower_is_better="true")

    assert answer.status_code == 201, answer.content
    added = answer.json()["results"]
    assert [(row["name"], row["metrics"]) for row in added] == [
        ("M.score", ["M"]),
        ("N.score", ["N"]),
    ]
    assert {(row["size"], row["lower_is_better"]) for row in added} == {(len(SCORES), True)}
    path = at(scored, "metrics/files/")
    assert program.send("GET", path).json() == {"results": added}
    [evaluation] = StoredReport.objects.all()
    reports.compute(evaluation.pk)
    found = program.send("GET", at(scored, "metrics/")).json()["findings"]["metrics"]
    assert {row["metric"] for row in found} >= {"M", "N"}

    assert program.send("DELETE", f"{path}{added[0]['id']}/").status_code == 204

    assert program.send("GET", path).json() == {"results": added[1:]}
    state = program.send("GET", at(scored, "metrics/")).json()["evaluation"]["state"]
    assert state == "waiting"
    problem_of(program.send("DELETE", f"{path}{added[0]['id']}/"), 404)


def test_each_problem_of_the_files_is_named_and_none_is_stored(
    program: Program, scored: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = file("N.score", SCORES + "N\ten-cs\ttest\tA\tx\nN\ten-cs\ttest\tA\ty\n")
    problem = problem_of(add(program, scored, file("M.score", SCORES), wrong), 400)
    assert len(problem["errors"]) == 2
    assert "N.score, line 4" in problem["detail"]
    problem_of(add(program, scored), 400)
    monkeypatch.setattr(ScoreFileParser, "limit", 10)
    problem_of(add(program, scored, file("M.score", SCORES * 10_000)), 413)
    assert not scored.score_files.exists()


def test_no_file_is_stored_without_its_evaluation(
    program: Program, scored: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(reports, "request", fail)
    problem_of(add(program, scored, file("M.score", SCORES)), 503)
    assert not ScoreFile.objects.exists()
