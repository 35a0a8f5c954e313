"""The same code with workers of their own: PostgreSQL, Redis, and `celery worker`."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.installation import Installation, wait_until, write_texts
from tests.workers import (
    BACK_WITHIN,
    at_work,
    process_at_work,
    read_job,
    start_worker,
    state_of,
    stopped_at,
    who_gives_signs,
)

NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture
def url(servers: Installation) -> str:
    """The database that the workers of a test share."""
    return servers.environment["DATABASE_URL"]


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_worker_prepares_what_was_queued(servers: Installation, tmp_path: Path) -> None:
    worker = start_worker(servers)
    servers.manage("create_project", "Queued", *write_texts(tmp_path / "texts", 5), "--queue")
    wait_until(lambda: state_of(servers, "Queued") == "open")
    assert worker.interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_worker_takes_up_at_its_start_what_it_was_never_told_of(
    servers: Installation, redis_url: str, tmp_path: Path
) -> None:
    servers.environment["CELERY_BROKER_URL"] = NOBODY
    queued = servers.manage(
        "create_project", "Queued", *write_texts(tmp_path / "texts", 5), "--queue"
    )
    assert "The broker does not answer" in queued.stderr
    servers.environment["CELERY_BROKER_URL"] = redis_url
    worker = start_worker(servers)
    wait_until(lambda: state_of(servers, "Queued") == "open")
    assert worker.interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.parametrize(
    ("pool", "signs"), [("prefork", True), ("solo", False), ("threads", False)]
)
def test_the_main_process_gives_signs_of_life_where_it_does_not_work_itself(
    servers: Installation, url: str, tmp_path: Path, pool: str, signs: bool
) -> None:
    start_worker(servers, f"--pool={pool}", "--concurrency=1")
    servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 1500), "--queue")
    at_work = stopped_at(url, "alignment")
    main = parent(at_work) if signs else 0
    assert who_gives_signs(url) == {at_work: main}


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.parametrize("stage", ["tokens", "alignment", "candidates"])
def test_what_a_killed_worker_had_is_done_by_another(
    servers: Installation, url: str, tmp_path: Path, stage: str
) -> None:
    killed = start_worker(servers, "--pool=solo", "--hostname=first@%h")
    servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 1500), "--queue")
    wait_until(lambda: read_job(url)[0] == stage)
    killed.kill()
    _stage, started, stages = read_job(url)
    # It is there already when the other goes, or it comes later: here it comes later.
    other = start_worker(servers, "--pool=solo", "--hostname=second@%h")
    wait_until(lambda: state_of(servers, "Long") == "open", 180)
    # It went on, and did not begin once more.
    *_done, started_after, stages_after = read_job(url)
    assert started_after == started
    assert stages_after[: len(stages)] == stages
    counts = servers.query(
        "[Segment.objects.count(), Segment.objects.values('sentence').distinct().count(),"
        " Projection.objects.count(), Translation.objects.filter(alignment='').count(),"
        " AlignmentPriors.objects.count(), Chunk.objects.count()]"
    )
    segments, sentences, projections, unaligned, priors, chunks = counts
    assert (sentences, projections, unaligned) == (1500, 2 * segments, 0)
    assert (priors, chunks) == (1, 0)
    assert other.interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_two_workers_share_a_project_and_one_may_be_killed(
    servers: Installation, url: str, tmp_path: Path
) -> None:
    workers = [start_worker(servers, "--pool=solo", f"--hostname={n}@%h") for n in ("one", "two")]
    servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 3000), "--queue")
    wait_until(lambda: at_work(url) == 2)
    workers[0].kill()
    # Nobody starts anything anew.
    wait_until(lambda: state_of(servers, "Long") == "open", 180)
    segments, projections, chunks = servers.query(
        "[Segment.objects.count(), Projection.objects.count(), Chunk.objects.count()]"
    )
    assert (projections, chunks) == (2 * segments, 0)
    assert workers[1].interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_what_a_killed_child_was_at_goes_on_within_seconds(
    servers: Installation, url: str, tmp_path: Path
) -> None:
    worker = start_worker(servers, "--concurrency=1")
    servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 1500), "--queue")
    killed = stopped_at(url, "alignment")
    os.kill(killed, signal.SIGKILL)
    began = time.monotonic()
    wait_until(lambda: process_at_work(url, "alignment") not in (0, killed), every=0.1)
    assert time.monotonic() - began < BACK_WITHIN
    wait_until(lambda: state_of(servers, "Long") == "open", 180)
    assert servers.query("[Segment.objects.count() * 2, Chunk.objects.count()]") == [
        servers.query("Projection.objects.count()"),
        0,
    ]
    assert worker.interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_what_a_killed_worker_was_at_goes_on_within_seconds(
    servers: Installation, url: str, tmp_path: Path
) -> None:
    workers = [start_worker(servers, "--pool=solo", f"--hostname={n}@%h") for n in ("one", "two")]
    # Of so few sentences there is one chunk: nobody else is at work who would go on by himself.
    servers.manage("create_project", "Short", *write_texts(tmp_path / "texts", 200), "--queue")
    killed = stopped_at(url, "alignment")
    os.kill(killed, signal.SIGKILL)
    began = time.monotonic()
    wait_until(
        lambda: (
            read_job(url)[0] != "alignment" or process_at_work(url, "alignment") not in (0, killed)
        ),
        every=0.1,
    )
    assert time.monotonic() - began < BACK_WITHIN
    wait_until(lambda: state_of(servers, "Short") == "open")
    assert {worker.interrupt(signal.SIGTERM) for worker in workers} <= {0, -signal.SIGKILL}
