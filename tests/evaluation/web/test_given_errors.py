"""The page of errors that were marked before, and the sheets that show them."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.judging.sheet import cards_of
from annotation.kinds import KINDS
from annotation.models import GivenErrors, GivenOrigin, Project, User
from tests.annotation.kinds.document_project import judge
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
ESA = KINDS["error_spans"]
TEXTS = ["Starý dům", "U řeky"]


@pytest.fixture
def project() -> Project:
    """System A has the old house in its only sentence."""
    return make_project(kind=ESA.name, sentences=1, segments={"0 1 2 3 4 5 6": TEXTS})


@pytest.fixture
def boss(client: Client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def send(client: Client, project: Project, *lines: dict[str, Any], **fields: str) -> Any:
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    posted = {"name": "xcomet", "by": "annotator", "marker": ""} | fields
    return client.post(
        reverse("given-errors", args=[project.pk]),
        {"file": SimpleUploadedFile("mine.jsonl", content), **posted},
    )


def line(*spans: tuple[int, int]) -> dict[str, Any]:
    found = [{"start": start, "end": end, "severity": "minor"} for start, end in spans]
    return {"system": "A", "line": 1, "error_spans": found}


def test_errors_are_uploaded_shown_and_removed(
    client: Client, project: Project, boss: User
) -> None:
    assert send(client, project, line((0, 5))).status_code == 302
    origin = project.given_origins.get()
    assert (origin.name, origin.by) == ("xcomet", "annotator")
    page = client.get(reverse("given-errors", args=[project.pk])).content.decode()
    assert f'data-origin="{origin.pk}"' in page
    settings = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    assert 'name="given_share"' in settings

    remove = reverse("remove-given-errors", args=[project.pk, origin.pk])
    client.post(remove)
    assert GivenOrigin.objects.exists()
    client.post(remove, {"confirmed": "yes"})
    assert not GivenErrors.objects.exists()
    settings = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    assert 'name="given_share"' not in settings


def test_what_is_wrong_in_the_file_is_named_beside_it(
    client: Client, project: Project, boss: User
) -> None:
    answer = send(client, project, line((0, 99)), line((5, 5)))
    assert answer.status_code == 400
    assert len(answer.context["form"].errors["file"]) == 2
    assert "mine.jsonl" in answer.context["form"].errors["file"][0]
    assert send(client, project, line(), name=" ").status_code == 400
    assert send(client, project, line(), by="nobody").status_code == 400
    assert not GivenOrigin.objects.exists()


def test_a_name_is_taken_once(client: Client, project: Project, boss: User) -> None:
    send(client, project, line())
    assert send(client, project, line()).context["form"].errors.keys() == {"name"}


def test_errors_of_a_project_that_the_user_administers_are_given(
    client: Client, project: Project, boss: User
) -> None:
    annotator = make_annotator(project)
    judge(annotator, assign_next(annotator, project))
    other = make_project("foreign", kind=ESA.name, sentences=1, segments={"0 1 2 3 4 5 6": TEXTS})
    address = reverse("second-pass", args=[project.pk])
    refused = client.post(address, {"pass-judged_in": other.pk})
    assert refused.status_code == 400
    assert not GivenOrigin.objects.exists()
    assert client.post(address, {"pass-judged_in": project.pk}).status_code == 302
    assert project.given_origins.get().by == "annotator"
    assert set(GivenErrors.objects.values_list("detail", flat=True)) == {"0-3 minor"}


def judge_page(project: Project, annotator: User) -> str:
    # In another browser, which has no message for the administrator.
    client = Client()
    client.force_login(annotator)
    return client.get(reverse("judge", args=[project.pk])).content.decode()


def test_a_sheet_begins_with_the_errors_and_says_who_marked_them(
    client: Client, project: Project, boss: User
) -> None:
    send(client, project, line((0, 5)), by="annotator")
    annotator = make_annotator(project)
    page = judge_page(project, annotator)
    assert 'data-marked-before="annotator"' in page
    assert 'value="0-5 minor"' in page
    assert 'data-version="0"' in page
    assert "xcomet" not in page


def test_a_draft_without_errors_stays_without_them(
    client: Client, project: Project, boss: User
) -> None:
    send(client, project, line((0, 5)))
    annotator = make_annotator(project)
    assignment = assign_next(annotator, project)
    client.force_login(annotator)
    draft = {
        "base": 0,
        "choices": {},
        "details": dict.fromkeys(cards_of(assignment.pk), ""),
        "active_seconds": 1,
    }
    saved = client.put(
        reverse("draft", args=[project.pk, assignment.pk]), draft, "application/json"
    )
    assert saved.status_code == 200
    page = judge_page(project, annotator)
    assert 'value="0-5 minor"' not in page
    assert "data-marked-before" in page


def test_a_refused_answer_keeps_what_was_posted(
    client: Client, project: Project, boss: User
) -> None:
    send(client, project, line((0, 5)))
    annotator = make_annotator(project)
    assignment = assign_next(annotator, project)
    client.force_login(annotator)
    keys = [*cards_of(assignment.pk)]
    page = client.post(
        reverse("judge", args=[project.pk]),
        {
            "assignment": assignment.pk,
            "token": "not-a-token",
            **{f"detail-{key}": "" for key in keys},
        },
    )
    assert page.status_code == 400
    assert 'value="0-5 minor"' not in page.content.decode()


def test_projects_of_other_kinds_have_no_such_tab(client: Client) -> None:
    other = make_project("other")
    client.force_login(make_annotator(other, "boss", "administrator"))
    page = client.get(reverse("project-settings", args=[other.pk])).content.decode()
    assert reverse("given-errors", args=[other.pk]) not in page
    assert send(client, other, line()).status_code == 400
