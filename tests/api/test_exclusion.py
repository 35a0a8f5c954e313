"""Exclusion of texts, discarded judgements, paused members and assigned sentences."""

from typing import Any

import pytest

from annotation.models import Project, User
from tests.api.client import Program, at, problem_of
from tests.factories import make_annotator, make_project


def parts(program: Program, project: Project, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = program.send("GET", at(project, f"sentences/{number}/judged/")).json()
    return found


def test_a_sentence_is_excluded_and_included(program: Program, judged: Project) -> None:
    path = at(judged, "sentences/1/excluded/")

    answer = program.send("PUT", path, {"excluded": True})

    expected = {"sentence": 1, "segment": None, "candidate": None, "excluded": True}
    assert answer.json() == expected
    assert parts(program, judged)["excluded"] is True
    listed = program.send("GET", at(judged, "sentences/")).json()["results"]
    assert [row["excluded"] for row in listed] == [True, False, False]
    assert program.send("GET", at(judged, "excluded/")).json() == {
        "sentences": 1,
        "segments": 0,
        "candidates": 0,
        "discarded": 0,
    }
    judgements = program.send("GET", at(judged, "judgements/")).json()["results"]
    assert {row["sentence"] for row in judgements} == {2, 3}
    assert program.send("GET", at(judged, "statistics/")).json()["sentences_judged"] == 2
    program.send("PUT", path, {"excluded": False})
    assert len(program.send("GET", at(judged, "judgements/")).json()["results"]) == 10


def test_a_segment_and_a_candidate_are_excluded(program: Program, judged: Project) -> None:
    path = at(judged, "sentences/1/excluded/")
    first, second = parts(program, judged)["segments"]
    candidate = first["candidates"][0]["id"]

    program.send("PUT", path, {"segment": second["id"], "excluded": True})
    body = {"segment": first["id"], "candidate": candidate, "excluded": True}
    assert program.send("PUT", path, body).json() == {"sentence": 1, **body}

    found = parts(program, judged)
    assert [segment["excluded"] for segment in found["segments"]] == [False, True]
    excluded = [one["id"] for one in found["segments"][0]["candidates"] if one["excluded"]]
    assert excluded == [candidate]
    rows = program.send("GET", at(judged, "judgements/?sentence=1")).json()["results"]
    assert {row["segment"] for row in rows} == {first["id"]}
    assert all(len(row["placements"]) == 2 for row in rows)


def test_it_refuses_what_the_sentence_does_not_have(program: Program, judged: Project) -> None:
    path = at(judged, "sentences/1/excluded/")
    other = parts(program, judged, 2)["segments"][0]
    own = parts(program, judged)["segments"][1]
    ids = [candidate["id"] for candidate in own["candidates"]]

    problem_of(program.send("PUT", path, {"excluded": True, "segment": other["id"]}), 404)
    problem_of(program.send("PUT", at(judged, "sentences/9/excluded/"), {"excluded": True}), 404)
    body = {"excluded": True, "candidate": ids[0]}
    found = problem_of(program.send("PUT", path, body), 400)
    assert found["errors"][0]["pointer"] == "#/segment"
    assert program.send("PUT", path, {**body, "segment": own["id"]}).status_code == 200
    last = {**body, "segment": own["id"], "candidate": ids[1]}
    problem_of(program.send("PUT", path, last), 409)


def test_a_sentence_is_returned_to_judging(program: Program, judged: Project) -> None:
    path = at(judged, "sentences/1/returned/")

    answer = program.send("PUT", path, {"returned": True}).json()

    assert answer == {"sentence": 1, "returned": True, "assignments": 2}
    assert program.send("GET", at(judged, "excluded/")).json()["discarded"] == 4
    states = program.send("GET", at(judged, "assignments/?state=discarded")).json()["results"]
    assert len(states) == 2
    assert program.send("PUT", path, {"returned": False}).json()["assignments"] == 2
    assert parts(program, judged)["segments"][0]["judgements"]


def test_judgements_of_a_person_are_discarded_and_restored(
    program: Program, judged: Project
) -> None:
    karel = User.objects.get(username="karel")
    path = at(judged, f"members/{karel.pk}/discarded/")

    answer = program.send("PUT", path, {"discarded": True}).json()

    assert answer == {"user": karel.pk, "discarded": True, "assignments": 2}
    rows = program.send("GET", at(judged, "judgements/")).json()["results"]
    assert {row["annotator"]["name"] for row in rows} == {"jana"}
    assert program.send("PUT", path, {"discarded": False}).json()["assignments"] == 2
    assert len(program.send("GET", at(judged, "judgements/")).json()["results"]) == 10


def test_a_member_is_paused(program: Program, project: Project) -> None:
    jana = make_annotator(project)
    path = at(project, f"members/{jana.pk}/paused/")

    assert program.send("PUT", path, {"paused": True}).json()["paused"] is True
    assert program.send("GET", at(project, f"members/{jana.pk}/")).json()["paused"] is True
    assert program.send("PUT", path, {"paused": False}).json()["paused"] is False
    stranger = make_annotator(make_project("other"), "eva")
    problem_of(
        program.send("PUT", at(project, f"members/{stranger.pk}/paused/"), {"paused": True}), 404
    )


def test_sentences_are_assigned_to_a_member(program: Program, project: Project) -> None:
    jana = make_annotator(project)
    path = at(project, f"members/{jana.pk}/sentences/")

    assert program.send("PUT", path, {"sentences": [3, 1]}).json() == {"sentences": [1, 3]}
    assert program.send("PUT", path, {"sentences": [2, 3]}).json() == {"sentences": [2, 3]}
    assert program.send("GET", path).json() == {"sentences": [2, 3]}


@pytest.mark.parametrize("numbers", [[9], [0], ["x"], 1])
def test_it_refuses_sentences_that_cannot_be_judged(
    program: Program, project: Project, numbers: object
) -> None:
    jana = make_annotator(project)
    path = at(project, f"members/{jana.pk}/sentences/")
    program.send("PUT", path, {"sentences": [1]})

    answer = program.send("PUT", path, {"sentences": numbers})

    assert problem_of(answer, 400)["errors"][0]["pointer"].startswith("#/sentences")
    assert program.send("GET", path).json() == {"sentences": [1]}
