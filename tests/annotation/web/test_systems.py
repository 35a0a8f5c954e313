"""Adding a system in the browser, from the files to what can go wrong later."""

import gzip
import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Job, Membership, Project, Projection, System, Translation, User
from annotation.selectors.judgements import project_summary
from tests.annotation.judging.judged_next import judge
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
    uploads,
)
from tests.factories import make_annotator, make_project
from tests.jobs import run_job

__all__ = ["boss", "project", "uploads"]

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n\0\0"


def test_a_system_is_stored_at_once_and_the_worker_adds_its_candidates(
    client: Client, project: Project, boss: User
) -> None:
    response = send(client, project)
    assert response.headers["Location"] == address("project-systems", project)
    assert Translation.objects.filter(system__name="D").count() == 3
    job = Job.objects.get()
    assert (job.task, job.state) == ("add_system", "queued")
    assert state_of(client, project)["state"] == "queued"
    assert f'data-url="{address("systems-state", project)}"' in page_of(client, project)
    # It is no preparation: the project stays open.
    assert project_summary(project).job is None
    assert client.get(address("preparing-state", project)).json()["state"] == "ready"
    run_job(job.pk)
    assert state_of(client, project) == {"state": "done"}
    assert "D 6 of 6 from D.out.txt" in part_of(page_of(client, project))
    assert Projection.objects.filter(system__name="D").count() == 6
    project.refresh_from_db()
    assert project.state == "open"


def test_without_links_the_words_are_aligned(client: Client, project: Project, boss: User) -> None:
    Project.objects.update(provenance={"aligner": {"name": "systran"}})
    send(client, project, text=gzip.compress((TEXT * 3).encode()), links=None, tokenized="on")
    run_job(Job.objects.get().pk)
    job = Job.objects.get()
    assert (job.state, job.error) == ("done", "")
    assert "systran" in part_of(page_of(client, project))


def test_the_column_of_a_table_with_the_name_of_the_system_is_read(
    client: Client, project: Project, boss: User
) -> None:
    table = "reference,C,D\n" + "a,b,starobylý dům u řeky\n" * 3
    text_file = SimpleUploadedFile("all.csv", table.encode("cp1250"))
    fields = {"system_name": "D", "text_file": text_file, "encoding": "Windows-1250"}
    client.post(address("add-system", project), fields)
    texts = Translation.objects.filter(system__name="D").values_list("text", flat=True)
    assert set(texts) == {TEXT.strip()}
    project.refresh_from_db()
    assert project.provenance["added"][0]["name"] == "all.csv, D"


def test_a_table_without_the_name_of_the_system_is_refused(
    client: Client, project: Project, boss: User
) -> None:
    text_file = SimpleUploadedFile("all.csv", b"reference,C\na,b\n")
    fields = {"system_name": "D", "text_file": text_file}
    answer = client.post(address("add-system", project), fields)
    assert answer.status_code == 400
    assert "all.csv" in answer.content.decode()


def test_the_probable_encoding_is_chosen_for_the_next_try(
    client: Client, project: Project, boss: User
) -> None:
    answer = send(client, project, text=(TEXT * 3).encode("cp1250"))
    assert answer.status_code == 400
    assert '<option value="Windows-1250" selected>' in answer.content.decode()
    assert not Translation.objects.filter(system__name="D").exists()


def test_the_system_of_another_project_is_not_found(
    client: Client, project: Project, boss: User
) -> None:
    other = make_project("trees").systems.get(name="A")
    assert client.post(address("continue-adding-system", project, other.pk)).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {"name": ""},
        {"name": "A\u200b"},
        {"name": "reference"},
        {"name": "x" * 201},
        {"text": None},
        {"text": b""},
        {"text": PNG},
        {"text": TEXT * 2, "links": None},
        {"text": TEXT * 4, "links": None},
        {"text": b"a\nb\n\xff\n", "links": None},
        {"links": LINKS * 2},
        {"links": LINKS * 2 + "0-9\n"},
        {"links": "x\n" * 3},
        {"text": make_zip({"a.txt": TEXT, "b.txt": TEXT})},
    ],
)
def test_a_wrong_system_has_one_message_and_nothing_is_stored(
    client: Client, project: Project, boss: User, sent: dict[str, Any]
) -> None:
    response = send(client, project, tokenized="on", **sent)
    assert response.status_code == 400
    page = response.content.decode()
    errors = re.findall(r'class="errorlist"|class="notice notice-error" role="alert"', page)
    assert len(errors) == 1
    # What was filled in is kept.
    assert f'value="{sent.get("name", "D")}"' in page or not sent.get("name", "D")
    assert re.search(r'name="tokenized"[^>]* checked', page)
    assert System.objects.count() == 3
    assert not Translation.objects.filter(system__isnull=False).exists()
    assert not Job.objects.exists()
    project.refresh_from_db()
    assert "added" not in project.provenance


@pytest.mark.parametrize(("limit", "size"), [(10, 2_000_000), (1000, 5000)])
def test_files_that_are_too_large_are_refused(
    client: Client, project: Project, boss: User, settings: Any, limit: int, size: int
) -> None:
    settings.MAX_UPLOAD_BYTES = limit
    assert send(client, project, text="a" * size).status_code == 413
    assert System.objects.count() == 3


def test_a_file_that_is_too_large_unpacked_is_refused(
    client: Client, project: Project, boss: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 10_000
    assert send(client, project, text=gzip.compress(b"a\n" * 100_000)).status_code == 400
    assert System.objects.count() == 3


def test_the_name_of_a_file_is_no_path(client: Client, project: Project, boss: User) -> None:
    fields = {"system_name": "D", "text_file": file("../../etc/<b>D</b>", TEXT * 3)}
    client.post(address("add-system", project), fields)
    project.refresh_from_db()
    # Django keeps what follows the last slash.
    assert project.provenance["added"][0]["name"] == "b>"
    assert "b&gt;" in page_of(client, project)


def test_one_system_is_added_at_a_time(client: Client, project: Project, boss: User) -> None:
    send(client, project)
    for state in ("queued", "running"):
        Job.objects.update(state=state)
        response = send(client, project, name="E")
        assert response.status_code == 400
        assert 'value="E"' in response.content.decode()
    assert not System.objects.filter(name="E").exists()
    assert Job.objects.get().options == {"system": "D", "effort": ""}


def test_a_project_in_preparation_takes_no_system(
    client: Client, project: Project, boss: User
) -> None:
    Project.objects.update(state="preparing")
    Job.objects.create(project=project)
    assert address("add-system", project) not in page_of(client, project)
    for state in ("queued", "failed"):
        Job.objects.update(state=state)
        assert send(client, project).status_code == 400
        assert Job.objects.get().task == "prepare"
    assert System.objects.count() == 3


def fail(client: Client, project: Project) -> Job:
    """Add a system whose words cannot be aligned."""
    send(client, project, links=None)
    Job.objects.update(options={"system": "D", "effort": "wild"})
    run_job(Job.objects.get().pk)
    return Job.objects.get()


def test_a_failure_leaves_the_project_open_and_can_be_repeated(
    client: Client, project: Project, boss: User
) -> None:
    job = fail(client, project)
    assert job.state == "failed"
    project.refresh_from_db()
    assert project.state == "open"
    assert job.error in page_of(client, project).replace("&#x27;", "'")
    assert state_of(client, project)["state"] == "failed"
    # Meanwhile another system can be added.
    send(client, project, name="E")
    system = System.objects.get(name="D")
    client.post(address("continue-adding-system", project, system.pk))
    assert Job.objects.get().options["system"] == "E"
    run_job(Job.objects.get().pk)
    assert Projection.objects.filter(system__name="E").count() == 6
    Project.objects.update(
        provenance=Project.objects.get().provenance | {"aligner": {"name": "systran"}}
    )
    client.post(address("continue-adding-system", project, system.pk))
    job = Job.objects.get()
    assert (job.state, job.error, job.options["effort"]) == ("queued", "", "")
    run_job(job.pk)
    assert Projection.objects.filter(system=system).count() == 6
    # What is complete is not done again.
    assert address("continue-adding-system", project, system.pk) not in page_of(client, project)
    client.post(address("continue-adding-system", project, system.pk))
    assert Job.objects.get().state == "done"


@pytest.mark.parametrize("state", ["queued", "running", "failed"])
def test_adding_is_not_cancelled_with_the_project(
    client: Client, project: Project, boss: User, state: str
) -> None:
    send(client, project)
    Job.objects.update(state=state)
    client.post(address("preparing-cancel", project))
    assert Job.objects.get().state == state
    assert Membership.objects.count() == 1


def test_a_sample_is_taken_and_more_of_it(client: Client, project: Project, boss: User) -> None:
    annotator = make_annotator(project, "eva")
    while judge(annotator, project):
        pass
    send(client, project, text=b"starobyly dum pri rece\n" * 3, judge="2")
    run_job(Job.objects.get().pk)
    system = System.objects.get(name="D")
    assert 'data-sampled="2"' in page_of(client, project)

    client.post(address("sample-segments", project, system.pk), {"count": "1"})
    assert 'data-sampled="3"' in page_of(client, project)
    for count in ("", "0", "-1", "x", "²"):
        client.post(address("sample-segments", project, system.pk), {"count": count})
    # All of A are judged already.
    client.post(
        address("sample-segments", project, project.systems.get(name="A").pk), {"count": "1"}
    )
    assert 'data-sampled="3"' in page_of(client, project)
    # What is sampled has the name that the kind gives it.
    said = []
    for kind in ("segment_ranking", "sentence_ranking"):
        Project.objects.update(kind=kind)
        answer = client.post(address("sample-segments", project, system.pk), {"count": "1"})
        said.append(str(list(get_messages(answer.wsgi_request))[-1]))
    assert [("segment" in words) for words in said] == [True, False]


# --- reference --------------------------------------------------------------------------------


def send_reference(client: Client, project: Project, text: str | bytes) -> Any:
    fields = {"text_file": file("human.txt", text)}
    return client.post(address("add-reference", project), fields)


def test_a_further_reference_is_added(client: Client, project: Project, boss: User) -> None:
    assert f'action="{address("add-reference", project)}"' in page_of(client, project)
    refused = send_reference(client, project, TEXT * 2)
    assert refused.status_code == 400
    assert "human.txt" in refused.content.decode().split('id="reference"')[1]
    refused = send_reference(client, project, "")
    assert 'id="reference-text_file_error"' in refused.content.decode()

    assert send_reference(client, project, TEXT * 3).status_code == 302
    assert Translation.objects.filter(reference=2).count() == 3
    assert send_reference(client, project, TEXT * 3).status_code == 400


def test_translations_that_are_judged_one_by_one_are_not_counted_out_of_all_systems(
    client: Client,
) -> None:
    project = make_project(kind="direct_assessment_source")
    client.force_login(make_annotator(project, "boss", "administrator"))
    page = page_of(client, project)
    assert re.search(r"A \d+ B \d+ C \d+", part_of(page))
    # Its annotators see no reference, so nothing leads to a setting that does not exist.
    assert "#id_shown_references" not in page
