"""Workers that are killed in the middle of a job: it ends right, once, and goes on in seconds."""

import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.cluster import Cluster, everything
from tests.installation import Process, wait_until
from tests.workers import BACK_WITHIN, stopped_at

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


def kill_at_work(cluster: Cluster, stage: str, workers: list[Process]) -> tuple[int, Process]:
    """Kill the worker that does a chunk of the stage, with all its processes; return both."""
    at_work = stopped_at(cluster.database, stage)
    [killed] = [worker for worker in workers if worker.has(at_work)]
    killed.kill()
    return at_work, killed


@pytest.mark.parametrize("stage", ["segments", "alignment", "candidates"])
def test_a_job_goes_on_within_seconds_and_ends_right_once(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path, stage: str
) -> None:
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("create_project", "Long", *texts, "--queue")
    at_work, killed = kill_at_work(cluster, stage, workers)
    chunks = cluster.begun()
    [lost] = [(stage, first) for stage, first, owner in chunks if f":{at_work}:" in owner][-1:]
    began = time.monotonic()
    wait_until(
        lambda: any((stage, first) == lost for stage, first, _ in cluster.begun()[len(chunks) :]),
        every=0.1,
    )
    assert time.monotonic() - began < BACK_WITHIN
    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    times = Counter((stage, first) for stage, first, _owner in cluster.begun())
    assert {part: count for part, count in times.items() if count > 1} == {lost: 2}
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [1, 0]
    [left] = [worker for worker in workers if worker is not killed]
    assert left.interrupt(signal.SIGTERM) == 0
    assert "Traceback" not in left.output
