"""A task that takes longer than Redis waits: several workers get it, and one does it."""

import os
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.cluster import Cluster, everything
from tests.installation import wait_until
from tests.workers import stopped_at

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
RECEIVED = re.compile(r"run_chunk\[([0-9a-f-]+)\] received")
# Seconds that it takes: as many times longer than Redis waits.
TAKES = 8.0


def test_a_chunk_is_done_once(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path
) -> None:
    cluster.environment["DJANGO_SETTINGS_MODULE"] = "tests.faults.short_visibility"
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two", "three")]
    cluster.manage("create_project", "Long", *texts, "--queue")
    slow = stopped_at(cluster.database, "alignment")
    time.sleep(TAKES)
    os.kill(slow, signal.SIGCONT)
    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    claims = Counter((stage, first) for stage, first, _process in cluster.claims())
    assert set(claims.values()) == {1}
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [1, 0]
    assert {worker.interrupt(signal.SIGTERM) for worker in workers} == {0}
    # Redis delivered it to other workers too.
    received = Counter(task for worker in workers for task in RECEIVED.findall(worker.output))
    assert max(received.values()) > 1
