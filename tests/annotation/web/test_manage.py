"""The page from which administrators run a project: who may, pausing, and what it looks like."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.assignment import skip
from annotation.models import Assignment, Instructions, Project, User
from annotation.projects.instructions import write_instructions
from tests.annotation.web.manage_page import SETTINGS, address, boss, page_of, project, send, take
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db
FORMS = ["manage-state", "manage-settings", "manage-instructions", "manage-members"]


# --- who may -----------------------------------------------------------------------------------


def all_requests(client, project):
    """Yield the status of every page and form of management."""
    assignment = take(make_annotator(project, "petr"), project)
    yield client.get(address("manage-project", project)).status_code
    for name in FORMS:
        yield client.post(address(name, project), {"state": "closed"} | SETTINGS).status_code
    yield client.post(address("manage-release", project, assignment.pk)).status_code


def test_strangers_are_asked_to_sign_in(client, project):
    assert set(all_requests(client, project)) == {302}
    assert (
        client.get(address("manage-project", project)).headers["Location"].startswith("/sign-in/")
    )
    assert_nothing_changed(project)


def test_annotators_may_not(client, project):
    client.force_login(make_annotator(project))
    assert set(all_requests(client, project)) == {403}
    assert_nothing_changed(project)


def test_administrators_of_another_project_do_not_find_it(client, project):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))
    assert set(all_requests(client, project)) == {404}
    assert_nothing_changed(project)


def assert_nothing_changed(project):
    stored = Project.objects.get(pk=project.pk)
    assert (stored.state, stored.description, stored.judges_per_sentence) == ("open", "", 1)
    assert not Instructions.objects.exists()
    assert Assignment.objects.get(project=project).state == "open"


def test_administrators_and_whoever_runs_the_installation_may(client, project, boss):
    assert page_of(client, project)
    client.force_login(User.objects.create(username="root", is_superuser=True))
    assert page_of(client, project)


def test_there_is_no_page_of_a_project_that_is_not_there(client, boss):
    assert client.get(reverse("manage-project", args=[4040])).status_code == 404


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_not_sent_by_get(client, project, boss, name):
    assert client.get(address(name, project)).status_code == 405


def test_forms_of_other_sites_are_refused(client, project, boss):
    client.handler.enforce_csrf_checks = True
    assert client.post(address("manage-state", project), {"state": "closed"}).status_code == 403
    assert Project.objects.get().state == "open"


# --- state -------------------------------------------------------------------------------------


def test_judging_is_paused_and_opened_again(client, project, boss):
    assert "Pause judging" in page_of(client, project)
    assert send(client, "manage-state", project, state="closed") == ["Judging is paused."]
    assert Project.objects.get().state == "closed"
    page = page_of(client, project)
    assert "Pause judging" not in page
    assert "Open judging again" in page
    assert send(client, "manage-state", project, state="open") == ["Judging is open again."]
    assert Project.objects.get().state == "open"


@pytest.mark.parametrize(
    ("state", "said"), [("preparing", "Still being prepared"), ("failed", "preparation failed")]
)
def test_a_project_that_is_not_prepared_says_so_and_has_no_button(
    client, project, boss, state, said
):
    Project.objects.update(state=state)
    page = page_of(client, project)
    assert said in page
    assert address("manage-state", project) not in page
    told = send(client, "manage-state", project, state="open")
    assert told == ["The project is not prepared: it cannot be paused or reopened."]
    assert Project.objects.get().state == state


# --- the page ----------------------------------------------------------------------------------


def test_it_needs_as_many_queries_however_much_there_is(client, project, boss):
    with CaptureQueriesContext(connection) as little:
        page_of(client, project)
    for number, reason in enumerate(("unclear", "other", "technical")):
        person = make_annotator(project, f"person{number}")
        for _time in range(2):
            given = take(person, project)
            if given and _time == 0:
                skip(annotator=person, project=project, assignment_id=given.pk, reason=reason)
        write_instructions(project=project, author=person, text=f"Version {number}")
    assert Assignment.objects.filter(state="open").count() > 1
    with CaptureQueriesContext(connection) as much:
        page_of(client, project)
    assert len(much) == len(little) <= 20


def test_it_has_no_inline_script_or_style(client, project, boss):
    write_instructions(project=project, author=boss, text="Be *kind*.")
    take(boss, project)
    page = page_of(client, project)
    assert "style=" not in page
    assert re.findall("<script[^>]*>[^<]*", page) == [
        '<script type="module" src="/static/annotation/times.js">'
    ]


def test_it_speaks_czech(client, project, boss):
    page = client.get(
        address("manage-project", project), headers={"Accept-Language": "cs"}
    ).content.decode()
    assert "Pozastavit" in page
    assert "Manage" not in page


@pytest.mark.parametrize("name", ["projects", "results"])
def test_pages_of_administrators_lead_to_it(client, project, boss, name):
    arguments = [project.pk] if name == "results" else []
    assert (
        address("manage-project", project)
        in client.get(reverse(name, args=arguments)).content.decode()
    )


@pytest.mark.parametrize("name", ["projects", "results"])
def test_a_paused_project_is_said_to_be(client, project, boss, name):
    Project.objects.update(state="closed")
    arguments = [project.pk] if name == "results" else []
    assert "paused" in client.get(reverse(name, args=arguments)).content.decode()
