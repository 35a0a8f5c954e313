"""Rules, flags and figures of quality."""

import pytest

from annotation.models import Project
from evaluation.models import QualityFlag
from evaluation.services.quality import check
from tests.api.client import RANKS, Program, at, problem_of
from tests.evaluation.projects import submit
from tests.factories import make_annotator

RULE = {"kind": "seconds", "limit": 3.0, "after": 2, "action": "flag"}


def set_rules(program: Program, project: Project, *rules: object) -> object:
    return program.send("PUT", at(project, "quality/rules/"), {"rules": rules})


def test_a_flag_is_listed_and_dismissed(program: Program, project: Project) -> None:
    hasty = make_annotator(project, "hasty")
    for number in (1, 2):
        submit(project, hasty, number, RANKS, seconds=0.5)
    assert RULE in set_rules(program, project, RULE).json()["results"]  # type: ignore[attr-defined]
    check(project)

    (flag,) = program.send("GET", at(project, "quality/flags/")).json()["results"]
    assert (flag["user"], flag["kind"], flag["value"]) == (hasty.pk, "seconds", 0.5)
    (person,) = program.send("GET", at(project, "quality/")).json()["results"]
    assert person["user"] == hasty.pk
    assert person["seconds"] == {"value": 0.5, "sentences": 2, "undefined": ""}
    assert person["kappa"]["value"] is None
    assert person["broken"] == ["seconds"]

    path = at(project, f"quality/flags/{flag['id']}/dismiss/")
    assert program.send("POST", path).json()["dismissed"]
    assert QualityFlag.objects.get().dismissed
    problem_of(program.send("POST", path), 409)


@pytest.mark.parametrize(
    "rules",
    [
        [RULE | {"kind": "mood"}],
        [RULE | {"limit": 601}],
        [RULE | {"kind": "one_rank", "limit": 1.5}],
        [RULE | {"kind": "controls", "limit": -0.5}],
        [RULE | {"after": 0}],
        [RULE, RULE],
    ],
)
def test_wrong_rules_are_refused(program: Program, project: Project, rules: list[object]) -> None:
    problem = problem_of(set_rules(program, project, *rules), 400)

    assert problem["errors"][0]["pointer"].startswith("#/rules")
