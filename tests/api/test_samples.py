"""Samples of segments."""

import pytest

from annotation.models import Project, System
from tests.annotation.judging.judged_next import judge
from tests.annotation.pipeline.test_system_candidates import add_sampled
from tests.api.client import Program, at, problem_of
from tests.factories import make_annotator


def test_segments_are_sampled_before_anything_is_judged(program: Program, project: Project) -> None:
    path = at(project, "segments/sample/")
    none = {"segments": None, "of": None, "seed": None, "can_be_sampled": True}
    assert program.send("GET", path).json() == none

    first = program.send("POST", path, {"segments": 2, "seed": 5}).json()
    more = program.send("POST", path, {"segments": 100}).json()

    assert first == {"segments": 2, "of": 6, "seed": 5, "can_be_sampled": True, "added": 2}
    assert more == first | {"segments": 6, "added": 4}
    assert program.send("GET", path).json() == {**none, "segments": 6, "of": 6, "seed": 5}
    problem_of(program.send("POST", path, {"segments": 0}), 400)


def test_segments_of_a_judged_project_are_not_sampled(program: Program, judged: Project) -> None:
    path = at(judged, "segments/sample/")
    problem_of(program.send("POST", path, {"segments": 2}), 409)
    assert not program.send("GET", path).json()["can_be_sampled"]


def test_more_segments_are_sampled_for_a_system(
    program: Program, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    jana = make_annotator(project)
    while judge(jana, project):
        pass
    add_sampled(project, tmp_path_factory.mktemp("d"), 2, *["starobylý dům při řece"] * 3)
    path = at(project, f"systems/{System.objects.get(name='D').pk}/sample/")

    first = program.send("POST", path, {"segments": 3}, Idempotency_Key="one").json()
    again = program.send("POST", path, {"segments": 3}, Idempotency_Key="one").json()

    assert first == again == {"segments": 5, "added": 3}
    assert program.send("POST", path, {"segments": 3}).json() == {"segments": 6, "added": 1}
    in_full = project.systems.earliest("pk").pk
    problem_of(
        program.send("POST", at(project, f"systems/{in_full}/sample/"), {"segments": 1}), 409
    )
    problem_of(program.send("POST", at(project, "systems/999/sample/"), {"segments": 1}), 404)
