"""Renaming, copying, archiving and deleting a project in the browser."""

from collections.abc import Mapping, Sequence

import pytest
from django.urls import reverse

from annotation.models import Job, Membership, Project, Upload
from annotation.projects.instructions import write_instructions
from tests.annotation.kinds.edited_project import edited_project
from tests.annotation.web.new_project_page import uploads
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project
from tests.jobs import run_job

__all__ = ["uploads"]

pytestmark = pytest.mark.django_db
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def owner(client, project):
    owner = make_annotator(project, "boss", "owner")
    client.force_login(owner)
    return owner


def address(name, project):
    return reverse(f"{name}-project", args=[project.pk])


def test_a_project_is_renamed(client, owner, project):
    name = " Za\u0301mky\u200b"
    assert client.post(address("rename", project), {"name": name}).status_code == 302
    assert Project.objects.get().name == "Zámky"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "castles\u00a0", "a\nb", "x" * 201])
def test_a_name_that_is_impossible_is_refused_beside_the_field(client, owner, project, name):
    make_project("castles")
    answer = client.post(address("rename", project), {"name": name})
    assert answer.status_code == 400
    assert 'id="rename-problem"' in answer.content.decode()
    project.refresh_from_db()
    assert project.name == "houses"


def test_a_copy_with_texts_is_prepared_by_a_worker(client, owner, project):
    answer = client.post(address("copy", project), {"name": "Copy", "texts": "with"})
    made = Project.objects.get(name="Copy")
    assert answer.headers["Location"] == reverse("preparing", args=[made.pk])
    assert 'data-stage="copy"' in client.get(answer.headers["Location"]).content.decode()
    run_job(Job.objects.get().pk)
    made.refresh_from_db()
    assert made.state == Project.State.CLOSED
    assert made.memberships.get().role == Membership.Role.OWNER


def test_a_project_that_is_being_prepared_is_not_copied(client, owner, project):
    Project.objects.update(state="preparing")
    answer = client.post(address("copy", project), {"name": "Copy", "texts": "with"})
    assert answer.status_code == 400
    assert Project.objects.count() == 1


def test_a_copy_without_texts_starts_a_new_project(client, owner, project):
    Project.objects.update(judges_per_sentence=4, min_length=2)
    write_instructions(project=project, author=owner, text="Be kind.")
    answer = client.post(address("copy", project), {"name": "Copy", "texts": "without"})
    upload = Upload.objects.get()
    assert answer.headers["Location"] == reverse("new-project-files", args=[upload.token])
    assert client.get(answer.headers["Location"]).status_code == 200
    given = upload.settings
    assert (given["name"], given["instructions"]) == ("Copy", "Be kind.")
    assert (given["judging"]["judges_per_sentence"], given["min_length"]) == (4, 2)
    assert Project.objects.count() == 1


def test_edits_are_collected_by_a_worker(client):
    project = edited_project()
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    settings = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    assert reverse("accept-edits", args=[project.pk]) in settings
    answer = client.post(reverse("accept-edits", args=[project.pk]), {"name": "Accepted"})
    made = Project.objects.get(name="Accepted")
    assert answer.headers["Location"] == reverse("preparing", args=[made.pk])
    assert 'data-stage="edits"' in client.get(answer.headers["Location"]).content.decode()
    run_job(Job.objects.get().pk)
    assert client.get(answer.headers["Location"]).status_code == 200
    made.refresh_from_db()
    assert made.state == Project.State.CLOSED
    taken = client.post(reverse("accept-edits", args=[project.pk]), {"name": "Accepted"})
    assert taken.status_code == 400


def test_projects_without_edits_do_not_offer_their_acceptance(client, owner, project):
    settings = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    assert reverse("accept-edits", args=[project.pk]) not in settings


def test_an_archived_project_leaves_the_list_until_it_is_asked_for(client, owner, project):
    client.post(address("archive", project))
    assert Project.objects.get().state == Project.State.ARCHIVED
    card = f'data-project="{project.pk}"'
    assert card not in client.get("/").content.decode()
    assert card in client.get("/?archived").content.decode()
    for name in ("overview", "report", "project-settings", "my-judgements"):
        assert client.get(reverse(name, args=[project.pk])).status_code == 200
    client.post(address("archive", project), {"back": "yes"})
    assert Project.objects.get().state == Project.State.CLOSED
    assert card in client.get("/").content.decode()


def test_deleting_says_what_is_lost_and_needs_the_name(client, owner, project):
    submit(project, make_annotator(project), 1, RANKS)
    page = client.get(address("delete", project)).content.decode()
    losses = page.split('data-loss="judgements"')[1].split("</li>")[0]
    assert "2 " in losses
    assert client.post(address("delete", project), {"name": "castles"}).status_code == 400
    assert Project.objects.exists()
    assert client.post(address("delete", project), {"name": "houses\u00a0"}).status_code == 302
    assert not Project.objects.exists()


def test_only_owners_delete(client, project):
    client.force_login(make_annotator(project, "eva", "administrator"))
    assert client.post(address("delete", project), {"name": "houses"}).status_code == 403
    assert Project.objects.exists()


def test_a_project_at_work_is_not_deleted(client, owner, project):
    Job.objects.create(project=project, state=Job.State.RUNNING)
    assert client.post(address("delete", project), {"name": "houses"}).status_code == 409
    assert Project.objects.exists()
