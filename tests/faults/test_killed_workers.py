"""Workers that are killed in the middle of a job: it ends right, once, and goes on in seconds.

On another machine, too; and who is only busy there is not taken for killed.
"""

import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.cluster import Cluster, everything
from tests.faults.holding import HOLDS
from tests.installation import Process, wait_until, write_texts
from tests.workers import BACK_WITHIN, stopped_at

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


def kill_at_work(cluster: Cluster, stage: str, workers: list[Process]) -> tuple[int, Process]:
    """Kill the worker that does a chunk of the stage, with all its processes; return both."""
    at_work = stopped_at(cluster.database, stage)
    [killed] = [worker for worker in workers if worker.has(at_work)]
    killed.kill()
    return at_work, killed


def times_begun(cluster: Cluster) -> Counter[tuple[str, int]]:
    return Counter((stage, first) for stage, first, _process in cluster.begun())


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
    assert {part: n for part, n in times_begun(cluster).items() if n > 1} == {lost: 2}
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [1, 0]
    [left] = [worker for worker in workers if worker is not killed]
    assert left.interrupt(signal.SIGTERM) == 0
    assert "Traceback" not in left.output


def machine_at_work(cluster: Cluster, stage: str) -> tuple[str, int]:
    """Return the name of a machine that does a chunk of the stage, and which; "" for none."""
    found = cluster.ask(
        "SELECT owner, first FROM annotation_chunk WHERE state = 'running' AND stage = %s", stage
    )
    return (found[0][0].partition("/")[0], found[0][1]) if found else ("", 0)


def kill_machine_at_work(
    cluster: Cluster, stage: str, machines: dict[str, Process]
) -> tuple[str, int]:
    """Kill all processes of the one that does a chunk of the stage; return its name, and which."""
    while True:
        wait_until(lambda: machine_at_work(cluster, stage)[0], every=0.01)
        name, first = machine_at_work(cluster, stage)
        if not name:
            continue
        machines[name].signal_group(signal.SIGSTOP)
        # What it had sent before is stored a moment later.
        time.sleep(0.3)
        if (name, first) == machine_at_work(cluster, stage):
            machines[name].kill()
            return name, first
        # It had just done it.
        machines[name].signal_group(signal.SIGCONT)


@pytest.mark.parametrize("stage", ["segments", "alignment", "candidates"])
def test_a_killed_machine_is_missed_within_seconds(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path, stage: str
) -> None:
    machines = {
        name: cluster.start_worker_elsewhere(name, "--concurrency=1") for name in ("one", "two")
    }
    cluster.manage("create_project", "Long", *texts, "--queue")
    name, first = kill_machine_at_work(cluster, stage, machines)
    began = time.monotonic()
    wait_until(lambda: times_begun(cluster)[stage, first] == 2, every=0.1)
    missed_after = time.monotonic() - began
    print(f"{stage}: begun again after {missed_after:.1f} s")
    assert missed_after < BACK_WITHIN
    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    assert {part: n for part, n in times_begun(cluster).items() if n > 1} == {(stage, first): 2}
    del machines[name]
    [left] = machines.values()
    assert left.interrupt(signal.SIGTERM) == 0
    assert left.output.count("gives no sign of life") == 1
    assert "Traceback" not in left.output


def test_whose_work_lets_no_other_thread_run_is_not_taken_for_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    cluster.environment["DJANGO_SETTINGS_MODULE"] = "tests.faults.long_work"
    machines = [cluster.start_worker_elsewhere(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("create_project", "Short", *write_texts(tmp_path / "texts", 20), "--queue")
    seen: dict[object, list[float]] = {}
    while cluster.state("Short") == "preparing":
        for [lease] in cluster.ask("SELECT lease_until FROM annotation_chunk WHERE owner <> ''"):
            seen.setdefault(lease, []).append(time.monotonic())
        time.sleep(0.2)
    assert cluster.state("Short") == "open"
    # It did not renew its lease all the time, and nobody has touched its chunk.
    assert max(times[-1] - times[0] for times in seen.values()) > HOLDS - 1
    assert set(times_begun(cluster).values()) == {1}
    assert {machine.interrupt(signal.SIGTERM) for machine in machines} == {0}
    assert not any("gives no sign of life" in machine.output for machine in machines)
