"""The page with the progress of a preparation; cancelling and repeating it."""

import re
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    Candidate,
    Chunk,
    Job,
    Membership,
    Project,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.pipeline.stages.plan import ALIGNMENT, STAGE_FUNCTIONS
from annotation.projects.creation import create_project
from annotation.projects.instructions import write_instructions
from annotation.projects.options import PrepareOptions, Texts
from annotation.selectors.preparation_status import left_in_words
from tests.factories import make_annotator, make_project
from tests.installation import wait_until, write_texts
from tests.jobs import run_deletions, run_job

pytestmark = pytest.mark.django_db
OURS = (Chunk, Job, Project, Sentence, Translation, System, Segment, Candidate, Membership)


@pytest.fixture
def project(tmp_path):
    write_texts(tmp_path, 40)
    job = create_project(
        name="Houses",
        languages="en-cs",
        texts=Texts(
            source=tmp_path / "source",
            systems={name: tmp_path / name for name in ("north", "south")},
        ),
        options=PrepareOptions(parser="phrases", aligner="systran"),
    )
    return job.project


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def address(project, name="preparing"):
    return reverse(name, args=[project.pk])


def test_a_new_project_waits_for_a_worker(client, project, boss):
    page = client.get(address(project)).content.decode()
    assert address(project, "preparing-cancel") in page
    state = client.get(address(project, "preparing-state")).json()
    assert (state["state"], state["left"]) == ("queued", "")
    assert [stage["state"] for stage in state["stages"]] == ["waiting"] * 4
    assert address(project) in client.get("/").content.decode()


def test_the_progress_and_the_time_left_are_shown(client, project, boss):
    Job.objects.update(
        state="running",
        started=timezone.now() - timedelta(seconds=60),
        stage="tokens",
        stages=[["tokens", 0.0]],
        done=60,
        total=120,
    )
    state = client.get(address(project, "preparing-state")).json()
    assert state["left"]
    assert state["stages"][0] == {
        "name": "tokens", "state": "running", "share": 50, "detail": "50 %",
    }  # fmt: skip


def test_the_result_is_counted(client, project, boss):
    run_job(project.job.pk)
    page = client.get(address(project)).content.decode()
    assert "<dd>40</dd>" in page
    assert reverse("project-invitations", args=[project.pk]) in page
    assert client.get(address(project, "preparing-state")).json()["state"] == "ready"
    names = [name for name, _start in Job.objects.get().stages]
    assert names == ["tokens", "alignment", "segments", "candidates"]


def test_a_prepared_project_can_be_opened(client, project, boss):
    Job.objects.update(options={"parser": "phrases", "aligner": "systran", "open_at_once": False})
    run_job(project.job.pk)
    assert Project.objects.get().state == "closed"
    page = client.get(address(project)).content.decode()
    assert f'action="{reverse("project-state", args=[project.pk])}"' in page
    client.post(reverse("project-state", args=[project.pk]), {"state": "open"})
    assert Project.objects.get().state == "open"


def test_the_result_tells_own_instructions_from_the_default_ones(client):
    project = make_project()
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    assert "data-own-instructions" not in client.get(address(project)).content.decode()
    write_instructions(project=project, author=boss, text="Rank by meaning.")
    assert "data-own-instructions" in client.get(address(project)).content.decode()


def test_a_ready_made_project_has_the_page_too(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    assert (
        reverse("project-invitations", args=[project.pk])
        in client.get(address(project)).content.decode()
    )


def test_a_failure_is_explained_and_can_be_repeated(client, project, boss):
    Project.objects.update(min_length=90, max_length=90)
    run_job(project.job.pk)
    pages = []
    for language in ("en", "cs"):
        page = client.get(address(project), headers={"Accept-Language": language})
        pages += re.findall('error-words"[^>]*>(.*?)</p>', page.content.decode())
    assert len(set(pages)) == 2
    assert all("90" in words for words in pages)
    Project.objects.update(min_length=3, max_length=6)
    client.post(address(project, "preparing-retry"))
    job = Job.objects.get()
    assert (job.state, job.error, job.reason) == ("queued", "", {})
    assert job.project.state == "preparing"
    run_job(job.pk)
    assert Project.objects.get().state == "open"


def test_only_a_failed_preparation_is_repeated(client, project, boss):
    run_job(project.job.pk)
    client.post(address(project, "preparing-retry"))
    assert Job.objects.get().state == "done"


@pytest.mark.parametrize("state", ["queued", "failed"])
def test_cancelling_deletes_the_project(client, project, boss, state):
    Job.objects.update(state=state)
    answer = client.post(address(project, "preparing-cancel"), {"confirmed": "yes"})
    assert answer.headers["Location"] == "/"
    assert not Project.objects.exists()
    run_deletions()
    assert [model.objects.count() for model in OURS] == [0] * len(OURS)


def test_a_prepared_project_is_not_cancelled(client, project, boss):
    run_job(project.job.pk)
    client.post(address(project, "preparing-cancel"), {"confirmed": "yes"})
    assert Project.objects.get().state == "open"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", ["tokens", "alignment", "segments", "candidates"])
def test_cancelling_at_any_stage_ends_the_work(client, project, boss, stage):
    reached, cancelled = threading.Event(), threading.Event()
    in_time = []

    def slowly(part):
        reached.set()
        in_time.append(cancelled.wait(60))
        return STAGE_FUNCTIONS[stage](part)

    def worker():
        run_job(project.job.pk, {**STAGE_FUNCTIONS, stage: slowly})
        connection.close()

    thread = threading.Thread(target=worker)
    thread.start()
    assert reached.wait(60)
    client.post(address(project, "preparing-cancel"), {"confirmed": "yes"})
    assert not Project.objects.exists()
    cancelled.set()
    thread.join(60)
    assert not thread.is_alive()
    # The request did not wait for the work.
    assert in_time == [True]
    run_deletions()
    assert [model.objects.count() for model in OURS] == [0] * len(OURS)


@pytest.mark.django_db(transaction=True)
def test_cancelling_ends_the_running_aligner(client, project, boss):
    started, ended = threading.Event(), threading.Event()

    def work(part):
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        started.set()
        process.wait()
        ended.set()
        part.progress(1, 1)

    def worker():
        run_job(project.job.pk, {**STAGE_FUNCTIONS, ALIGNMENT: work})
        connection.close()

    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    thread = threading.Thread(target=worker)
    thread.start()
    assert started.wait(60)
    client.post(address(project, "preparing-cancel"), {"confirmed": "yes"})
    # The program would go on for five minutes.
    assert ended.wait(60)
    thread.join(60)
    # What others in this process have started goes on.
    assert other.poll() is None
    other.kill()
    other.wait()
    wait_until(lambda: not Project.objects.exists())


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "a few seconds left"),
        (9.9, "a few seconds left"),
        (12.0, "about 10 seconds left"),
        (54.0, "about 50 seconds left"),
        (58.0, "about 1 minute left"),
        (200.0, "about 3 minutes left"),
    ],
)
def test_the_time_left_is_rounded(seconds, words):
    assert left_in_words(seconds) == words
