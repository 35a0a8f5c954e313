"""The systems on the page from which a project is run: adding one in the browser."""

import gzip
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from annotation.judging.assignment import next_assignment
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import (
    Candidate,
    Job,
    Project,
    Projection,
    System,
    Translation,
    User,
)
from annotation.pipeline import jobs
from annotation.selectors.judgements import project_summary
from tests.annotation.uploads.upload_files import make_zip
from tests.annotation.web.systems_page import (
    LINKS,
    TEXT,
    address,
    boss,
    file,
    page_of,
    part_of,
    project,
    send,
    state_of,
    told,
    uploads,
)
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "project", "uploads"]

pytestmark = pytest.mark.django_db


def judge_all(annotator: User, project: Project) -> int:
    count = 0
    while assignment := next_assignment(annotator=annotator, project=project):
        page = sheet(assignment)
        cards = {card.key: 1 for segment in page.segments for card in segment.cards}
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=cards,
        )
        count += 1
    return count


# --- who may ------------------------------------------------------------------------------


def test_only_administrators_may(client: Client, project: Project) -> None:
    system = project.systems.get(name="A")
    forms = [address("add-system", project), address("continue-adding-system", project, system.pk)]
    reads = [address("systems-state", project)]
    assert {client.post(form).status_code for form in forms} == {302}
    client.force_login(User.objects.create(username="stranger"))
    assert {client.post(form).status_code for form in forms} == {404}
    assert {client.get(read).status_code for read in reads} == {404}
    client.force_login(make_annotator(project))
    assert {client.post(form).status_code for form in forms} == {403}
    assert {client.get(read).status_code for read in reads} == {403}
    assert send(client, project).status_code == 403
    assert not Job.objects.exists()


def test_a_forged_form_is_refused(project: Project) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(make_annotator(project, "boss", "administrator"))
    assert send(careful, project).status_code == 403
    assert System.objects.count() == 3


def test_another_projects_system_is_not_there(client: Client, project: Project, boss: User) -> None:
    other = make_project("trees").systems.get(name="A")
    assert client.post(address("continue-adding-system", project, other.pk)).status_code == 404


# --- adding -------------------------------------------------------------------------------


def test_a_system_is_stored_at_once_and_gets_its_candidates_from_a_worker(
    client: Client, project: Project, boss: User
) -> None:
    jana = make_annotator(project)
    assert judge_all(jana, project) == 3
    response = send(client, project)
    assert response.headers["Location"] == address("manage-project", project) + "#systems"
    assert told(response) == ["“D” is stored; it gets its candidates now."]
    assert Translation.objects.filter(system__name="D").count() == 3
    job = Job.objects.get()
    assert (job.task, job.state) == ("add_system", "queued")
    assert state_of(client, project)["state"] == "queued"
    page = page_of(client, project)
    assert "“D” is being added" in page
    assert "annotation/manage/adding_system.js" in page
    jobs.run(job.pk)
    assert state_of(client, project) == {"state": "done"}
    part = part_of(page_of(client, project))
    assert "D 6 of 6 from D.out.txt · pharaoh links from files" in part
    assert "known 3 · new 3 · missing 0 · judged again 3" in part
    assert "Try again" not in part
    assert judge_all(jana, project) == 3
    project.refresh_from_db()
    assert project.state == "open"


def test_without_links_the_words_are_aligned_here(
    client: Client, project: Project, boss: User
) -> None:
    Project.objects.update(provenance={"aligner": {"name": "systran"}})
    send(client, project, text=gzip.compress((TEXT * 3).encode()), links=None, tokenized="on")
    jobs.run(Job.objects.get().pk)
    job = Job.objects.get()
    assert (job.state, job.error) == ("done", "")
    assert "alignment" in [name for name, _began in job.stages]
    assert "systran" in part_of(page_of(client, project))
    assert Projection.objects.filter(system__name="D").count() == 6


def test_a_project_that_was_prepared_uses_the_same_job(
    client: Client, project: Project, boss: User
) -> None:
    Job.objects.create(project=project, state="done", options={"parser": "phrases"})
    send(client, project)
    jobs.run(Job.objects.get().pk)
    assert Job.objects.get().task == "add_system"
    assert Candidate.objects.filter(text="starobylý dům").count() == 3


def test_it_does_not_look_like_a_preparation(client: Client, project: Project, boss: User) -> None:
    send(client, project)
    Job.objects.update(state="running", owner="x:1:1:aa", lease_until=timezone.now())
    assert project_summary(project).job is None
    assert "prepared and open" in client.get(address("preparing", project)).content.decode()
    assert client.get(address("preparing-state", project)).json()["state"] == "ready"


# --- what is refused ----------------------------------------------------------------------

PNG = b"\x89PNG\r\n\x1a\n\0\0"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"name": ""}, "Give the system a name"),
        ({"name": "A"}, "There is a system of this name"),
        ({"name": "reference"}, "that is the human translation"),
        ({"name": "x" * 201}, "200 characters are allowed"),
        ({"text": None}, "Choose the file with what the system made"),
        ({"text": b""}, "This file is empty"),
        ({"text": PNG}, "D.out.txt: This is not a plain text"),
        ({"text": TEXT * 2, "links": None}, "D.out.txt ends with line 2, but the last sentence of"),
        ({"text": TEXT * 4, "links": None}, "D.out.txt ends with line 4"),
        ({"text": b"a\nb\n\xff\n", "links": None}, "D.out.txt, line 3: Byte 1"),
        ({"links": LINKS * 2}, "D.out.txt ends with line 3 but D.links with line 2"),
        ({"links": LINKS * 2 + "0-9\n"}, "D.links, line 3: The link 0-9 points beyond"),
        ({"links": "x\n" * 3}, "D.links, line 1"),
        ({"text": make_zip({"a.txt": TEXT, "b.txt": TEXT})}, "more than one file"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence_and_nothing_is_stored(
    client: Client, project: Project, boss: User, sent: dict[str, Any], why: str
) -> None:
    response = send(client, project, tokenized="on", **sent)
    assert response.status_code == 400
    page = response.content.decode()
    assert part_of(page).replace("&#x27;", "'").count(why) == 1
    # What was filled in is kept.
    assert f'value="{sent.get("name", "D")}"' in page or not sent.get("name", "D")
    assert re.search(r'name="tokenized"[^>]* checked', page)
    assert System.objects.count() == 3
    assert Translation.objects.filter(system__isnull=False).count() == 0
    assert not Job.objects.exists()
    project.refresh_from_db()
    assert "added" not in project.provenance


def test_what_is_wrong_is_told_in_the_language_of_the_page(
    client: Client, project: Project, boss: User
) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    for sent, words in (
        ({"links": "x\n" * 3}, "D.links, řádek 1: &#x27;x&#x27; není spoj"),
        ({"text": TEXT * 2, "links": None}, "D.out.txt končí řádkem 2, ale poslední věta projektu"),
        ({"text": PNG}, "D.out.txt: "),
    ):
        page = send(client, project, **sent).content.decode()
        (told,) = re.findall(r'<p class="notice notice-error" role="alert">(.*?)</p>', page)
        assert told.startswith(words)


@pytest.mark.parametrize(("limit", "size"), [(10, 2_000_000), (1000, 5000)])
def test_too_large_files_are_not_taken(
    client: Client, project: Project, boss: User, settings: Any, limit: int, size: int
) -> None:
    settings.MAX_UPLOAD_BYTES = limit
    response = send(client, project, text="a" * size)
    assert response.status_code == 413
    assert "These files are too large" in response.content.decode()
    assert System.objects.count() == 3


def test_what_is_too_large_unpacked_is_not_taken(
    client: Client, project: Project, boss: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 10_000
    response = send(client, project, text=gzip.compress(b"a\n" * 100_000))
    assert response.status_code == 400
    assert "more than an upload may have" in response.content.decode()
    assert System.objects.count() == 3


def test_the_name_of_a_file_is_no_path(client: Client, project: Project, boss: User) -> None:
    fields = {"system_name": "D", "text_file": file("../../etc/<b>D</b>", TEXT * 3)}
    client.post(address("add-system", project), fields)
    project.refresh_from_db()
    # Django keeps what follows the last slash.
    assert project.provenance["added"][0]["name"] == "b>"
    assert "b&gt;" in page_of(client, project)


def test_only_one_is_added_at_a_time(client: Client, project: Project, boss: User) -> None:
    send(client, project)
    for state in ("queued", "running"):
        Job.objects.update(state=state, lease_until=timezone.now())
        response = send(client, project, name="E")
        assert response.status_code == 400
        page = response.content.decode()
        assert page.count("Another system is being added at the moment") == 1
        assert 'value="E"' in page
    assert not System.objects.filter(name="E").exists()
    assert Job.objects.get().options == {"system": "D", "effort": ""}


def test_what_is_being_prepared_takes_none(client: Client, project: Project, boss: User) -> None:
    Project.objects.update(state="preparing")
    Job.objects.create(project=project)
    assert address("add-system", project) not in page_of(client, project)
    for state in ("queued", "failed"):
        Job.objects.update(state=state)
        response = send(client, project)
        assert response.status_code == 400
        assert "The project is not prepared yet" in part_of(response.content.decode())
        assert Job.objects.get().task == "prepare"
    assert System.objects.count() == 3
