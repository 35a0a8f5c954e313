"""A small job, and the notifications that workers would get."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import current_app

from annotation.models import Job
from annotation.pipeline import jobs
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.segments import CHUNK_SIZES
from tests.annotation.pipeline.small_jobs import make_job


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of three sentences: four of each stage but of the alignment."""
    monkeypatch.setattr(plan, "SENTENCES", 3)
    monkeypatch.setitem(CHUNK_SIZES, "phrases", 3)


@pytest.fixture
def job(transactional_db: None, tmp_path: Path) -> Job:
    return make_job(tmp_path)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The notifications of workers, by job; there is no worker."""
    sent: list[int] = []

    def send_task(_name: str, args: list[int], **_options: Any) -> None:
        sent.append(args[0])

    monkeypatch.setattr(current_app, "send_task", send_task)
    return sent


@pytest.fixture
def stop() -> Iterator[Callable[[], None]]:
    """Tell this process to stop."""
    yield jobs.stopping.set
    jobs.stopping.clear()
