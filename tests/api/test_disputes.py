"""Disputed sheets and what a curator decides."""

import pytest

from annotation.models import Membership, Project, Settlement, User
from annotation.projects.administration import change_settings
from tests.annotation.kinds.document_project import judge, prepared
from tests.api.client import Program, at, problem_of
from tests.factories import make_annotator, next_assignment


@pytest.fixture
def disputed(owner: User, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of one sheet, to which two annotators give 80 and 40."""
    folder = tmp_path_factory.mktemp("texts")
    project = prepared(folder, kind="contrastive_error_spans", documents=("news 1", "news 1"))
    change_settings(project=project, values={"judges_per_sentence": 2, "disputed_from": 20})
    project.refresh_from_db()
    Membership.objects.create(user=owner, project=project, role="administrator")
    for name, score in (("first", 80), ("second", 40)):
        annotator = make_annotator(project, name)
        assignment = next_assignment(annotator=annotator, project=project)
        assert assignment
        judge(annotator, assignment, score=score)
    return project


def test_a_disputed_sheet_is_listed_and_settled(program: Program, disputed: Project) -> None:
    (row,) = program.send("GET", at(disputed, "disputed/")).json()["results"]
    assert (row["number"], row["difference"], row["is_settled"]) == (1, 40, False)
    sheet = program.send("PUT", at(disputed, "disputed/1/"), {"answer_of": 2}).json()
    assert sheet["answer_of"] == 2
    assert {text["settled"]["score"] for text in sheet["texts"]} == {40}
    assert {one["score"] for text in sheet["texts"] for one in text["answers"]} == {80, 40}


def test_it_takes_a_score_for_each_candidate(program: Program, disputed: Project) -> None:
    sheet = program.send("GET", at(disputed, "disputed/1/")).json()
    scores = {str(text["candidate"]): 55 for text in sheet["texts"]}
    settled = program.send("PUT", at(disputed, "disputed/1/"), {"scores": scores}).json()
    assert {text["settled"]["score"] for text in settled["texts"]} == {55}
    scores.popitem()
    problem_of(program.send("PUT", at(disputed, "disputed/1/"), {"scores": scores}), 400)


@pytest.mark.parametrize(
    "body", [{}, {"answer_of": 3}, {"answer_of": 1, "scores": {}}, {"scores": {"1": 1001}}]
)
def test_it_refuses_what_is_no_decision(
    program: Program, disputed: Project, body: dict[str, object]
) -> None:
    problem_of(program.send("PUT", at(disputed, "disputed/1/"), body), 400)
    assert not Settlement.objects.exists()


def test_a_sheet_of_fewer_than_two_annotators_is_not_found(
    program: Program, disputed: Project
) -> None:
    problem_of(program.send("GET", at(disputed, "disputed/2/")), 404)
