"""Practice sentences through the API: which may serve, their answers, how people did."""

from typing import Any

import pytest

from annotation.judging.practice import answers
from annotation.judging.practice_results import practice_results
from annotation.models import ExpectedPlacement, Project, Sentence
from tests.annotation.judging.practice_setting import practise_one, practise_with, take
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.factories import make_annotator, make_project


def at(project: Project, path: str = "") -> str:
    return f"projects/{project.pk}/practice/{path}"


def sheet_of(program: Program, project: Project, number: int) -> dict[str, Any]:
    answer = program.send("GET", at(project, f"possible/{number}/"))
    assert answer.status_code == 200, answer.content
    sheet: dict[str, Any] = answer.json()
    return sheet


def keys_of(sheet: dict[str, Any]) -> list[str]:
    return [card["key"] for segment in sheet["segments"] for card in segment["candidates"]]


def all_to_garbage(sheet: dict[str, Any]) -> dict[str, None]:
    return dict.fromkeys(keys_of(sheet))


def test_a_sentence_is_made_one_for_practice(program: Program, project: Project) -> None:
    sheet = sheet_of(program, project, 2)
    assert sheet["sentence"] == 2
    assert sheet["source"] == "".join(piece["text"] for piece in sheet["segments"][0]["pieces"])
    first, *others = (segment["candidates"] for segment in sheet["segments"])
    # By what they read, so that the answers are known to be at the right candidates.
    placements: dict[str, int | None] = {
        card["key"]: rank
        for rank, card in enumerate(sorted(first, key=lambda card: card["text"]), start=1)
    }
    for cards in others:
        placements |= dict.fromkeys((card["key"] for card in cards), None)
    body = {"sentence": 2, "placements": placements, "explanations": ["Because.\r\nSo."]}
    answer = program.send("POST", at(project), body)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert (made["number"], made["sentence"], made["retired"]) == (1, 2, False)
    ranks = {card["text"]: card["rank"] for card in made["segments"][0]["candidates"]}
    assert sorted(ranks, key=lambda text: ranks[text]) == sorted(ranks)
    assert [segment["explanation"] for segment in made["segments"]] == [
        "Because.\nSo.",
        *[""] * len(others),
    ]
    assert program.send("GET", at(project, "1/")).json() == made
    practised = Sentence.objects.get(purpose="practice")
    assert answers(practised, project)[0] == placements
    assert program.send("GET", at(project)).json()["results"][0]["number"] == 1


def test_sent_again_it_is_made_once(program: Program, project: Project) -> None:
    body = {"sentence": 2, "placements": all_to_garbage(sheet_of(program, project, 2))}
    first, again = (
        program.send("POST", at(project), body, Idempotency_Key="one") for _time in "ab"
    )
    assert first.status_code == 201, first.content
    assert again.json() == first.json()
    assert Sentence.objects.filter(purpose="practice").count() == 1
    problem_of(program.send("POST", at(project), body), 409)


def test_answers_are_changed(program: Program, project: Project) -> None:
    practise_with(project, 1)
    before = program.send("GET", at(project, "1/")).json()
    placements = dict.fromkeys(keys_of(before), 1)
    changed = program.send("PUT", at(project, "1/answers/"), {"placements": placements}).json()
    assert {card["rank"] for one in changed["segments"] for card in one["candidates"]} == {1}
    assert {one["explanation"] for one in changed["segments"]} == {""}
    assert program.send("GET", at(project, "1/")).json() == changed


def test_what_may_serve_is_what_nobody_has(program: Program, project: Project) -> None:
    rows = program.send("GET", at(project, "possible/")).json()["results"]
    assert [row["sentence"] for row in rows] == [1, 2, 3]
    taken = take(make_annotator(project), project).sentence
    rows = program.send("GET", at(project, "possible/")).json()["results"]
    assert taken.number not in [row["sentence"] for row in rows]
    assert len(rows) == 2
    told = problem_of(program.send("GET", at(project, f"possible/{taken.number}/")), 409)
    assert "cannot be used" in told["detail"]
    body = {"sentence": taken.number, "placements": {}}
    problem = problem_of(program.send("POST", at(project), body), 409)
    assert problem["errors"][0]["pointer"] == "#/sentence"
    for number in (4, 0, 2**31, 10**30):
        problem_of(program.send("GET", at(project, f"possible/{number}/")), 404)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"placements": {}}, "#/placements"),
        ({"placements": {"9-9": 1}}, "#/placements"),
        ({"placements": {"1-1": "1"}}, "#/placements/1-1"),
        ({"placements": {"1-1": True}}, "#/placements/1-1"),
        ({"placements": {"1-1": 0}}, "#/placements/1-1"),
        ({"placements": {"1-1": 10**400}}, "#/placements/1-1"),
        ({"placements": [1]}, "#/placements"),
        ({"explanations": ["x"] * 50}, "#/explanations"),
        ({"explanations": ["x" * 2001]}, "#/explanations/0"),
        ({"explanations": "x"}, "#/explanations"),
        ({"retired": True}, "#/retired"),
    ],
)
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "changed"])
def test_answers_that_make_no_sense_say_where(
    program: Program, project: Project, change: dict[str, Any], pointer: str, is_new: bool
) -> None:
    practise_with(project, 1)
    before = list(ExpectedPlacement.objects.order_by("pk").values())
    body = {"placements": all_to_garbage(sheet_of(program, project, 2))} | change
    if is_new:
        answer = program.send("POST", at(project), body | {"sentence": 2})
    else:
        answer = program.send("PUT", at(project, "1/answers/"), body)
    problem = problem_of(answer, 400)
    assert problem["errors"][0]["pointer"] == pointer
    assert list(ExpectedPlacement.objects.order_by("pk").values()) == before


def test_a_rank_that_there_is_not_is_refused(program: Program, project: Project) -> None:
    sheet = sheet_of(program, project, 2)
    placements = all_to_garbage(sheet) | {"1-1": len(sheet["segments"][0]["candidates"]) + 1}
    body = {"sentence": 2, "placements": placements}
    problem = problem_of(program.send("POST", at(project), body), 400)
    assert "does not exist" in problem["detail"]


def test_how_people_did(program: Program, project: Project) -> None:
    practise_with(project, 1)
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    practise_one(jana, project)
    practise_one(karel, project, right=False)
    observer = program_of(make_annotator(project, "observer", "observer"))
    found = observer.send("GET", at(project, "results/")).json()
    assert found["sentences"] == 1
    by_name = {row["annotator"]: row for row in found["annotators"]}
    assert by_name["jana"]["agreed"] == by_name["jana"]["pairs"] > 0
    assert by_name["karel"]["agreed"] < by_name["karel"]["pairs"]
    assert len(by_name) == len(practice_results(project).annotators)
    problem_of(observer.send("GET", at(project, "1/")), 403)


def test_practice_of_another_project_is_not_found(program: Program, project: Project) -> None:
    other = make_project("castles")
    practise_with(other, 1)
    problem_of(program.send("GET", at(project, "1/")), 404)
    problem_of(program.send("PUT", at(project, "1/answers/"), {"placements": {}}), 404)
    problem_of(program.send("GET", at(other, "1/")), 404)


def test_what_is_not_prepared_has_no_practice(program: Program, project: Project) -> None:
    body = {"sentence": 2, "placements": all_to_garbage(sheet_of(program, project, 2))}
    Project.objects.update(state="failed")
    problem_of(program.send("POST", at(project), body), 409)
    assert not Sentence.objects.filter(purpose="practice").exists()
