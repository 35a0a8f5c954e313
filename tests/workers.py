"""Celery workers in processes of their own, and what the database says of their work."""

import os
import signal
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg2

from tests.installation import Installation, Process, wait_until

# In place of a stage.
REPORT = "report"


def start_worker(installation: Installation, *options: str, own_group: bool = False) -> Process:
    """Start a worker, and return once it is ready."""
    # The program, as docker-compose.yml starts it: `python -m` puts the folder on the path, too.
    celery = str(Path(sys.executable).with_name("celery"))
    command = [celery, "-A", "segranks", "worker", "--loglevel=INFO", *options]
    worker = installation.start(*command, own_group=own_group)
    worker.wait_for_line(" ready.")
    return worker


def beat_in(installation: Installation) -> list[str]:
    """Return the options with which a worker keeps the schedule, too."""
    return ["--beat", "--schedule", str(installation.data / "schedule")]


def state_of(installation: Installation, name: str) -> str:
    state: str = installation.query(f"Project.objects.get(name={name!r}).state")
    return state


def process_at_work(url: str, stage: str) -> int:
    """Return the id of a process that does a chunk of the stage, or a report, or 0 for none."""
    at_stage = "annotation_chunk WHERE state = 'running' AND stage = %s"
    at_report = "evaluation_storedreport WHERE state = 'running'"
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT worker FROM {at_report if stage == REPORT else at_stage}", [stage])
        found = cursor.fetchone()
    return int(found[0].split(":")[1]) if found else 0


def stopped_at(url: str, stage: str) -> int:
    """Return a process that does a chunk of the stage, or a report, after stopping it there."""
    while True:
        wait_until(lambda: process_at_work(url, stage), every=0.01)
        process = process_at_work(url, stage)
        if not process:
            continue
        os.kill(process, signal.SIGSTOP)
        # What it had sent before is stored a moment later.
        time.sleep(0.3)
        if process_at_work(url, stage) == process:
            return process
        # It had just finished the chunk.
        os.kill(process, signal.SIGCONT)
