"""Workers of their own for tests, and what the database says of their work."""

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from typing import Any

import psycopg2

from tests.installation import Installation, Process, wait_until

# Seconds until what a killed process was at is done by another.
BACK_WITHIN = 10.0


def start_worker(
    installation: Installation, *options: str, own_group: bool = False, within: Sequence[str] = ()
) -> Process:
    """Start a worker, as the last words of the command `within`, and return once it is ready."""
    command = [sys.executable, "-m", "celery", "-A", "segranks", "worker", "--loglevel=INFO"]
    worker = installation.start(*within, *command, *options, own_group=own_group)
    worker.wait_for_line(" ready.")
    return worker


def state_of(installation: Installation, name: str) -> str:
    state: str = installation.query(f"Project.objects.get(name={name!r}).state")
    return state


def read_job(url: str) -> tuple[str, datetime | None, list[list[Any]]]:
    """Return the only job's stage, its start and its stages: faster than by a process of ours."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT stage, started, stages FROM annotation_job")
        found = cursor.fetchone()
    stage, started, stages = found or ("", None, "[]")
    return stage, started, stages if isinstance(stages, list) else json.loads(stages)


def at_work(url: str) -> int:
    """Return how many processes have a chunk."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT owner) FROM annotation_chunk WHERE state = 'running'")
        return int((cursor.fetchone() or (0,))[0])


def process_at_work(url: str, stage: str) -> int:
    """Return the id of a process that does a chunk of the stage, or 0 for none."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT owner FROM annotation_chunk WHERE state = 'running' AND stage = %s", [stage]
        )
        found = cursor.fetchone()
    return int(found[0].split(":")[1]) if found else 0


def who_gives_signs(url: str) -> dict[int, int]:
    """Return which process (its id, 0 for none) gives signs of life for each that has a chunk."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT owner, kept_by FROM annotation_chunk WHERE state = 'running'")
        return {
            int(owner.split(":")[1]): int(kept_by.split(":")[1]) if kept_by else 0
            for owner, kept_by in cursor.fetchall()
        }


def stopped_at(url: str, stage: str) -> int:
    """Return the process that does a chunk of the stage, stopped in the middle of it."""
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
        # It had just done it.
        os.kill(process, signal.SIGCONT)
