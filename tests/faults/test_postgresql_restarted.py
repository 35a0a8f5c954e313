"""PostgreSQL is killed and started again: web and workers continue by themselves."""

import signal
import time
from pathlib import Path

import pytest

from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster, everything
from tests.faults.stored import assert_stored_once
from tests.installation import wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
# It stops at once, and repairs its files when it starts.
IMMEDIATELY = signal.SIGQUIT
# Seconds.
RECOVERED_WITHIN = 5.0


def test_pages_and_jobs_go_on(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path
) -> None:
    project, [link] = cluster.make_judged(sentences=2, people=1)
    web = cluster.start_web()
    worker = cluster.start_worker("one", "--concurrency=1")
    person = Annotator(cluster.address, project, link)
    sheet = person.sheet()
    assert sheet
    cluster.manage("create_project", "Long", *texts, "--queue")
    wait_until(cluster.runs_a_chunk, every=0.05)

    cluster.postgresql.stop(IMMEDIATELY)
    assert person.send_once(sheet) >= 500
    assert person.judging_page()[0] >= 500
    assert cluster.status("/readyz") == 503
    assert cluster.status("/healthz") == 200
    time.sleep(2)
    cluster.postgresql.start()
    began = time.monotonic()
    wait_until(lambda: person.judging_page()[0] == 200, every=0.1)
    assert time.monotonic() - began < RECOVERED_WITHIN
    person.submit(sheet)
    assert_stored_once(cluster, person)

    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [2, 0]
    assert web.interrupt(signal.SIGTERM) == 0
    assert worker.interrupt(signal.SIGTERM) == 0


def test_no_page_fails_after_a_quick_restart(cluster: Cluster) -> None:
    """Each thread has a dead connection, and opens a new one."""
    project, [link] = cluster.make_judged(sentences=2, people=1)
    cluster.start_web()
    person = Annotator(cluster.address, project, link)
    for _page in range(20):
        assert person.judging_page()[0] == 200
    cluster.postgresql.stop(IMMEDIATELY)
    cluster.postgresql.start()
    assert [person.judging_page()[0] for _page in range(20)] == [200] * 20
