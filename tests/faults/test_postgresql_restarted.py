"""PostgreSQL ends as if it were killed, and comes back: nobody has to start anything anew."""

import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster, everything
from tests.faults.stored import assert_stored_once
from tests.installation import wait_until, write_texts
from tests.workers import process_at_work

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
# It ends at once, and mends its files when it starts.
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
    wait_until(lambda: process_at_work(cluster.database, "alignment"), every=0.05)

    cluster.postgresql.stop(IMMEDIATELY)
    assert person.send(sheet) >= 500
    assert person.judging_page()[0] >= 500
    assert cluster.status("/readyz") == 503
    assert cluster.status("/healthz") == 200
    time.sleep(2)
    cluster.postgresql.start()
    began = time.monotonic()
    wait_until(lambda: person.judging_page()[0] == 200, every=0.1)
    assert time.monotonic() - began < RECOVERED_WITHIN
    person.hand_in(sheet)
    assert_stored_once(cluster, person)

    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [2, 0]
    assert web.interrupt(signal.SIGTERM) == 0
    assert worker.interrupt(signal.SIGTERM) == 0


def test_nobody_is_taken_for_gone_because_it_was_away(cluster: Cluster, tmp_path: Path) -> None:
    cluster.environment["DJANGO_SETTINGS_MODULE"] = "tests.faults.long_work"
    machines = [cluster.start_worker_elsewhere(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("create_project", "Short", *write_texts(tmp_path / "texts", 20), "--queue")
    wait_until(lambda: cluster.ask("SELECT 1 FROM annotation_chunk WHERE state = 'running'"))
    # The one at work notices nothing of it: it is busy, and gives no sign by itself.
    cluster.postgresql.stop(IMMEDIATELY)
    time.sleep(4)
    cluster.postgresql.start()
    wait_until(lambda: cluster.state("Short") != "preparing", 120)
    assert cluster.state("Short") == "open"
    # What it made could not be stored, and was made once more when its lease had run out.
    begun = Counter((stage, first) for stage, first, _process in cluster.begun())
    assert {part: times for part, times in begun.items() if times > 1} == {("tokens", 1): 2}
    assert {machine.interrupt(signal.SIGTERM) for machine in machines} == {0}
    for machine in machines:
        assert machine.output.count("No signs of life while the database") == 1
        assert "gives no sign of life" not in machine.output


def test_restarted_at_once_no_page_is_refused_twice(cluster: Cluster) -> None:
    """Each thread has a connection that is dead: none of them answers with it more than once."""
    project, [link] = cluster.make_judged(sentences=2, people=1)
    cluster.start_web()
    person = Annotator(cluster.address, project, link)
    for _page in range(20):
        assert person.judging_page()[0] == 200
    cluster.postgresql.stop(IMMEDIATELY)
    cluster.postgresql.start()
    assert [person.judging_page()[0] for _page in range(20)] == [200] * 20
