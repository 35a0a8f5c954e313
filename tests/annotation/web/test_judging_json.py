"""What the judging page talks to."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from annotation.judging import repeats
from annotation.judging.assignment import release
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Judgement, Membership, Project, Skip, Submission
from annotation.projects.instructions import write_instructions
from tests.annotation.judging.practice_setting import practise_with
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(sentences=2, intra_rate=0, inter_rate=0)


@pytest.fixture
def assignment(project: Project) -> Assignment:
    given = next_assignment(annotator=make_annotator(project), project=project)
    assert given
    return given


@pytest.fixture
def browser(client: Client, assignment: Assignment) -> Client:
    client.force_login(assignment.annotator)
    return client


def address(assignment: Assignment, what: str) -> str:
    return f"/api/projects/{assignment.project_id}/assignments/{assignment.pk}/{what}/"


def put(browser: Client, assignment: Assignment, **body: object) -> Any:
    return browser.put(address(assignment, "draft"), body, content_type="application/json")


def post(browser: Client, assignment: Assignment, what: str = "submission", **body: Any) -> Any:
    return browser.post(address(assignment, what), body, content_type="application/json")


def all_on(assignment: Assignment, place: object) -> dict[str, object]:
    cards = [card.key for segment in sheet(assignment).segments for card in segment.cards]
    return dict.fromkeys(cards, place)


def test_a_draft_is_saved_and_an_older_one_refused(browser: Client, assignment: Assignment) -> None:
    assert put(browser, assignment, base=0, choices={"1-1": 1}).json() == {"version": 1}
    answer = put(browser, assignment, base=0, choices={"1-1": 2})
    assert answer.status_code == 409
    assert answer.json()["version"] == 1
    assert answer.json()["choices"] == {"1-1": 1}


def test_a_page_of_another_account_is_told_who_has_signed_in(
    browser: Client, assignment: Assignment
) -> None:
    own = str(assignment.annotator_id)
    body = {"base": 0, "choices": {"1-1": 1}}
    for annotator, status in (("0", 403), (own, 200)):
        answer = browser.put(
            address(assignment, "draft"),
            body,
            content_type="application/json",
            headers={"X-Annotator": annotator},
        )
        assert answer.status_code == status
        assert answer.json().get("signed_in") == ("jana" if status == 403 else None)


def test_a_submission_gets_the_same_answer_again(browser: Client, assignment: Assignment) -> None:
    body: dict[str, Any] = {
        "token": str(uuid4()),
        "choices": all_on(assignment, "garbage"),
        "active_seconds": 4,
    }
    for _time in range(2):
        answer = post(browser, assignment, **body)
        assert (answer.status_code, answer.json()) == (201, {"submission": 1})
    assert Judgement.objects.count() == 2
    other = post(browser, assignment, **body | {"token": str(uuid4())})
    assert other.status_code == 409
    assert other.json()["submitted"] is True


def test_it_refuses_a_sentence_that_another_has_and_keeps_the_draft(
    browser: Client, assignment: Assignment, project: Project
) -> None:
    put(browser, assignment, base=0, choices={"1-1": 1})
    release(project=project, assignment_id=assignment.pk)
    petr = make_annotator(project, "petr")
    for _sentence in range(2):
        his = assign_next(petr, project)
        Assignment.objects.filter(pk=his.pk).update(
            state="submitted", submitted=his.created, lease_until=None
        )
    answer = post(browser, assignment, token=str(uuid4()), choices=all_on(assignment, 1))
    assert answer.status_code == 409
    assert answer.json()["detail"]
    assert Assignment.objects.get(pk=assignment.pk).draft_choices == {"1-1": 1}
    assert not Judgement.objects.exists()


def test_a_revision_is_stored_beside_the_first(browser: Client, assignment: Assignment) -> None:
    choices = all_on(assignment, 1)
    post(browser, assignment, token=str(uuid4()), choices=choices)
    answer = post(browser, assignment, "revision", token=str(uuid4()), choices=choices)
    assert (answer.status_code, answer.json()) == (201, {"submission": 2})


def test_a_skip_is_stored_with_its_reason(browser: Client, assignment: Assignment) -> None:
    assert post(browser, assignment, "skip", reason="offensive").status_code == 204
    assert Skip.objects.get().reason == "offensive"
    assert post(browser, assignment, "skip", reason="other").status_code == 409


def frame_of(browser: Client, project: Project) -> str:
    html = browser.get(f"/projects/{project.pk}/judge/").content.decode()
    found = re.search(r'data-frame="([^"]+)"', html)
    assert found
    return found[1]


def number_in(sheet: str) -> int:
    found = re.search(r'name="assignment" value="([0-9]+)"', sheet)
    assert found
    return int(found[1])


def test_the_answer_to_a_submission_has_the_next_sheet(
    browser: Client, assignment: Assignment, project: Project
) -> None:
    body: dict[str, Any] = {
        "token": str(uuid4()),
        "choices": all_on(assignment, 1),
        "frame": frame_of(browser, project),
    }
    answers = [post(browser, assignment, **body).json() for _time in range(2)]
    following = Assignment.objects.get(state="open")
    assert following.sentence_id != assignment.sentence_id
    for answer in answers:
        assert answer["submission"] == 1
        assert number_in(answer["next"]) == following.pk
        assert f"assignments/{following.pk}/draft/" in answer["next"]
        assert "<strong>1</strong>" in answer["next"]
    last = body | {"token": str(uuid4()), "choices": all_on(following, 1)}
    assert post(browser, following, **last).json() == {"submission": 1, "next": None}


def test_the_next_sheet_follows_a_skip(
    browser: Client, assignment: Assignment, project: Project
) -> None:
    frame = frame_of(browser, project)
    answer = post(browser, assignment, "skip", reason="offensive", frame=frame).json()
    assert number_in(answer["next"]) == Assignment.objects.get(state="open").pk
    assert 'id="skipped"' in answer["next"]


def change_instructions(project: Project) -> None:
    write_instructions(project=project, author=make_annotator(project, "boss"), text="Anew")


def close(project: Project) -> None:
    Project.objects.update(state="closed")


def pause(project: Project) -> None:
    Membership.objects.update(paused=True)


def require_practice(project: Project) -> None:
    free = project.sentences.filter(purpose="judge", assignments=None).get()
    practise_with(project, free.number)
    Project.objects.update(practice_required=True)


@pytest.mark.parametrize("change", [change_instructions, close, pause, require_practice])
def test_the_page_is_loaded_where_more_than_the_sheet_has_changed(
    browser: Client,
    assignment: Assignment,
    project: Project,
    change: Callable[[Project], None],
) -> None:
    frame = frame_of(browser, project)
    change(project)
    choices = all_on(assignment, 1)
    answer = post(browser, assignment, token=str(uuid4()), choices=choices, frame=frame)
    assert answer.json() == {"submission": 1, "next": None}


def test_a_token_of_another_sheet_is_refused_with_the_next_sheet_too(
    browser: Client, assignment: Assignment, project: Project
) -> None:
    frame, token = frame_of(browser, project), str(uuid4())
    post(browser, assignment, token=token, choices=all_on(assignment, 1), frame=frame)
    following = Assignment.objects.get(state="open")
    answer = post(browser, following, token=token, choices=all_on(following, 1), frame=frame)
    assert answer.status_code == 400
    following.refresh_from_db()
    assert (following.state, Submission.objects.count()) == ("open", 1)


def test_a_submission_is_stored_where_nothing_can_be_assigned(
    browser: Client, assignment: Assignment, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OperationalError("canceling statement due to statement timeout")

    frame = frame_of(browser, project)
    # The database fails as it would where it has too much to do.
    monkeypatch.setattr(repeats, "sampled_numbers", fail)
    choices = all_on(assignment, 1)
    answer = post(browser, assignment, token=str(uuid4()), choices=choices, frame=frame)
    assert answer.json() == {"submission": 1, "next": None}
    assert Submission.objects.count() == 1
    # A page of practice asks for no sheet: its feedback follows.
    monkeypatch.undo()
    require_practice(project)
    html = browser.get(f"/projects/{project.pk}/judge/").content.decode()
    assert "data-frame" not in html


BAD: list[tuple[str, dict[str, Any]]] = [
    ("missing", {"choices": {"1-1": 1}}),
    ("foreign", {"choices": {"7-7": 1}}),
    ("rank as text", {"choices": {"1-1": "1"}}),
    ("rank zero", {"choices": {"1-1": 0}}),
    ("a list", {"choices": [1, 2]}),
    ("no choices", {}),
    ("no token", {"token": None, "choices": {}}),
    ("time as text", {"choices": {}, "active_seconds": "long"}),
]


@pytest.mark.parametrize("body", [body for _name, body in BAD], ids=[name for name, _ in BAD])
def test_it_refuses_invalid_submissions_and_stores_nothing(
    browser: Client, assignment: Assignment, body: dict[str, Any]
) -> None:
    answer = post(browser, assignment, **{"token": str(uuid4())} | body)
    assert answer.status_code == 400
    assert isinstance(answer.json()["detail"], str)
    assert not Judgement.objects.exists()
    assignment.refresh_from_db()
    assert assignment.state == "open"


def test_a_huge_body_is_refused_unread(browser: Client, assignment: Assignment) -> None:
    for what in ("draft", "submission"):
        send = browser.put if what == "draft" else browser.post
        answer = send(address(assignment, what), b" " * 10_000_000, content_type="application/json")
        assert answer.status_code in (400, 413)
    assert not Assignment.objects.filter(draft_version__gt=0).exists()


def test_it_refuses_what_is_not_json(browser: Client, assignment: Assignment) -> None:
    answer = browser.post(address(assignment, "submission"), b"{", content_type="application/json")
    assert answer.status_code == 400


@pytest.mark.parametrize("what", ["submission", "revision", "skip"])
def test_another_annotators_assignment_is_not_found(
    client: Client, assignment: Assignment, project: Project, what: str
) -> None:
    client.force_login(make_annotator(project, "petr"))
    body: dict[str, Any] = {
        "token": str(uuid4()),
        "choices": all_on(assignment, 1),
        "reason": "other",
    }
    assert post(client, assignment, what, **body).status_code in (404, 409)
    assert put(client, assignment, base=0, choices={}).status_code == 404
    assert not Judgement.objects.exists()
    assert not Skip.objects.exists()


def test_it_refuses_requests_without_a_session(client: Client, assignment: Assignment) -> None:
    assert put(client, assignment, base=0, choices={}).status_code == 403


def test_an_assignment_keeps_that_differences_were_marked(
    browser: Client, assignment: Assignment
) -> None:
    body: dict[str, Any] = {
        "token": str(uuid4()),
        "choices": all_on(assignment, 1),
        "active_seconds": 1.0,
    }
    assert post(browser, assignment, **body, differences=True).status_code == 201
    assignment.refresh_from_db()
    assert assignment.aids == {"differences": True}
    # A revision without marks does not undo what was seen.
    again = body | {"token": str(uuid4())}
    assert post(browser, assignment, "revision", **again).status_code == 201
    assignment.refresh_from_db()
    assert assignment.aids == {"differences": True}
