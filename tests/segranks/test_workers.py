"""Celery workers of their own, with PostgreSQL and Redis, and the schedule of beat."""

import signal
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

from annotation.common.task_queue import EXPIRES
from segranks.celery import app
from tests.installation import Installation, wait_until, write_texts
from tests.workers import beat_in, process_at_work, start_worker, state_of

NO_BROKER = "redis://127.0.0.1:1/0"
COUNTS = (
    "[Segment.objects.count(), Projection.objects.count(), AlignmentPriors.objects.count(),"
    " Translation.objects.filter(alignment='').count(), Chunk.objects.count()]"
)


def test_beat_sends_tasks_that_exist_and_expire() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] == max(entry["schedule"], EXPIRES)


@pytest.mark.process
def test_threads_of_any_process_of_django_send_tasks_by_our_application(
    installed: Installation,
) -> None:
    printed = installed.execute(
        "from celery import current_app; from threading import Thread\n"
        "thread = Thread(target=lambda: print(current_app.main))\n"
        "thread.start()\nthread.join()"
    )
    assert printed == "segranks\n"


@pytest.mark.process
@pytest.mark.postgresql
@pytest.mark.redis
def test_another_worker_does_the_chunk_of_a_killed_one_once(
    servers: Installation, redis_url: str, tmp_path: Path
) -> None:
    url = servers.environment["DATABASE_URL"]
    servers.environment["DJANGO_SETTINGS_MODULE"] = "tests.segranks.endless_settings"
    killed = start_worker(servers, "--concurrency=1", "--hostname=first@%h", own_group=True)
    del servers.environment["DJANGO_SETTINGS_MODULE"]
    texts = [*write_texts(tmp_path / "texts", 20), "--aligner=systran"]
    servers.manage("create_project", "Killed", *texts, "--queue")
    wait_until(lambda: process_at_work(url, "segments"))
    killed.kill()
    # And a job whose notification was lost.
    servers.environment["CELERY_BROKER_URL"] = NO_BROKER
    queued = servers.manage("create_project", "Unsent", *texts, "--queue")
    assert "The broker does not answer" in queued.stderr
    servers.environment["CELERY_BROKER_URL"] = redis_url
    # As if half a minute had passed.
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_chunk SET lease_until = now() WHERE state = 'running'")

    other = start_worker(servers, *beat_in(servers), "--concurrency=1", "--hostname=second@%h")
    wait_until(lambda: state_of(servers, "Killed") == "open")
    wait_until(lambda: state_of(servers, "Unsent") == "open")
    segments, projections, priors, unaligned, chunks = servers.query(COUNTS)
    assert (projections, unaligned, chunks) == (2 * segments, 0, 0)
    assert priors <= 2
    stages = servers.query("[[name for name, _ in job.stages] for job in Job.objects.all()]")
    assert stages == [["tokens", "alignment", "segments", "candidates"]] * 2
    assert other.interrupt(signal.SIGTERM) == 0
