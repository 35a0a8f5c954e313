"""Redis is killed and started again, with its data or empty: no work is lost."""

import signal
from pathlib import Path

import pytest

from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster, everything
from tests.faults.stored import assert_stored_once
from tests.installation import wait_until, write_texts

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


@pytest.mark.parametrize("emptied", [False, True])
def test_jobs_and_reports_continue(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path, emptied: bool
) -> None:
    project, [link] = cluster.make_judged(sentences=2, people=1, role="administrator")
    cluster.start_web()
    worker = cluster.start_worker("one", "--concurrency=1")
    person = Annotator(cluster.address, project, link)
    cluster.manage("create_project", "Long", *texts, "--queue")
    wait_until(cluster.runs_a_chunk, every=0.05)
    cluster.redis.stop(signal.SIGKILL)
    if emptied:
        cluster.redis.empty()

    sheet = person.sheet()
    assert sheet
    person.submit(sheet)
    assert person.statuses == [201]
    short = write_texts(tmp_path / "short", 20)
    queued = cluster.manage("create_project", "Queued meanwhile", *short, "--queue")
    assert "The broker does not answer" in queued.stderr
    assert person.get(f"/projects/{project}/report/")[0] == 200
    assert cluster.status("/readyz") == 503

    cluster.redis.start()
    wait_until(lambda: cluster.state("Long") == "open", 120)
    wait_until(lambda: cluster.state("Queued meanwhile") == "open")
    assert everything(cluster, "Long", tmp_path) == undisturbed
    assert_stored_once(cluster, person)
    # The web sends to the new one what it is asked for, too.
    wait_until(lambda: cluster.status("/readyz") == 200)
    wait_until(lambda: report_is_made(cluster, person, project), every=1)
    assert cluster.query("Chunk.objects.count()") == 0
    assert worker.interrupt(signal.SIGTERM) == 0


def report_is_made(cluster: Cluster, person: Annotator, project: int) -> bool:
    """Look at the report, as the page does that waits for it."""
    assert person.get(f"/projects/{project}/report/state/")[0] == 200
    return cluster.ask("SELECT made IS NOT NULL FROM evaluation_storedreport") == [(True,)]
