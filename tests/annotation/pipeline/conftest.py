"""A small job, and ways to end what works on it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import current_app

from annotation.models import (
    Job,
)
from annotation.pipeline import jobs
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.segments import AT_A_TIME
from tests.annotation.pipeline.setting import make_job


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of three sentences: four of each stage but of the alignment."""
    monkeypatch.setattr(plan, "SENTENCES", 3)
    monkeypatch.setitem(AT_A_TIME, "phrases", 3)


@pytest.fixture
def job(transactional_db: None, tmp_path: Path) -> Job:
    return make_job(tmp_path)


@pytest.fixture
def ended_process() -> str:
    """The name of a process of this machine that is there no longer."""
    code = "from annotation import processes; print(processes.this_process())"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the broker was given; there is no worker."""
    sent: list[int] = []

    def send_task(_name: str, args: list[int]) -> None:
        sent.append(args[0])

    monkeypatch.setattr(current_app, "send_task", send_task)
    return sent


@pytest.fixture
def stopping() -> Iterator[Callable[[], None]]:
    yield jobs.stopping.set
    jobs.stopping.clear()
