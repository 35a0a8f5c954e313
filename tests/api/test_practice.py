"""Practice and control sentences."""

from typing import Any

import pytest

from annotation.judging.practice import answers
from annotation.judging.practice_results import practice_results
from annotation.models import ExpectedPlacement, Project, Sentence, User
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.api.client import Program, problem_of, program_of
from tests.factories import assign_next, make_annotator, make_project


def test_control_and_practice_sentences_are_retired(owner: User) -> None:
    project = make_project("castles", sentences=4, numbered=True)
    program = program_of(owner)
    project.memberships.create(user=owner, role="owner")
    path = f"projects/{project.pk}/controls/"
    made = program.send("POST", path, {"count": 2})
    assert made.status_code == 201, made.content
    assert program.send("GET", path).json() == made.json()
    assert {row["kind"] for row in made.json()["results"]} == {"degraded", "duplicate"}
    problem_of(program.send("POST", path, {"count": 100}), 409)
    problem_of(program.send("POST", path, {"count": 201}), 400)
    assert program.send("PUT", f"{path}1/", {"retired": True}).status_code == 204
    assert Sentence.objects.get(purpose="control", number=1).retired
    problem_of(program.send("PUT", f"{path}9/", {"retired": True}), 404)
    practise_with(project, 4)
    rows = program.send("GET", f"projects/{project.pk}/practice/").json()["results"]
    assert [(row["sentence"], row["practised"]) for row in rows] == [(4, 0)]
    path = f"projects/{project.pk}/practice/1/"
    assert program.send("PUT", path, {"retired": True}).status_code == 204
    assert Sentence.objects.get(purpose="practice").retired


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


def test_a_sentence_becomes_a_practice_sentence(program: Program, project: Project) -> None:
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


def test_gold_answers_are_changed(program: Program, project: Project) -> None:
    practise_with(project, 1)
    before = program.send("GET", at(project, "1/")).json()
    placements = dict.fromkeys(keys_of(before), 1)
    changed = program.send("PUT", at(project, "1/answers/"), {"placements": placements}).json()
    assert {card["rank"] for one in changed["segments"] for card in one["candidates"]} == {1}
    assert {one["explanation"] for one in changed["segments"]} == {""}
    assert program.send("GET", at(project, "1/")).json() == changed


def test_gold_answers_are_scores_where_annotators_give_scores(
    program: Program, project: Project
) -> None:
    keys = keys_of(sheet_of(program, project, 2))
    scores = {key: 100 - number for number, key in enumerate(keys)}
    body = {"sentence": 2, "scores": scores}
    assert problem_of(program.send("POST", at(project), body), 400)["errors"][0]["pointer"] == (
        "#/scores"
    )
    Project.objects.update(kind="error_spans")
    wrong = program.send("POST", at(project), body | {"scores": scores | {keys[0]: 101}})
    assert "101" in problem_of(wrong, 400)["detail"]
    made = program.send("POST", at(project), body).json()
    found = {
        card["key"]: (card["score"], card["rank"])
        for segment in made["segments"]
        for card in segment["candidates"]
    }
    assert found == {key: (score, 101 - score) for key, score in scores.items()}
    placements = dict.fromkeys(keys, 101)
    changed = program.send("PUT", at(project, "1/answers/"), {"placements": placements}).json()
    assert {card["score"] for one in changed["segments"] for card in one["candidates"]} == {0}


def test_only_unassigned_sentences_can_become_practice(program: Program, project: Project) -> None:
    rows = program.send("GET", at(project, "possible/")).json()["results"]
    assert [row["sentence"] for row in rows] == [1, 2, 3]
    taken = assign_next(make_annotator(project), project).sentence
    rows = program.send("GET", at(project, "possible/")).json()["results"]
    assert taken.number not in [row["sentence"] for row in rows]
    assert len(rows) == 2
    problem = problem_of(program.send("GET", at(project, f"possible/{taken.number}/")), 409)
    assert "cannot be used" in problem["detail"]
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
def test_it_refuses_wrong_gold_answers(
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


def test_practice_scores_of_annotators(program: Program, project: Project) -> None:
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
