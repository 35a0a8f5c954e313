"""A worker that is killed in the middle of a job: another one does its chunk, within a minute."""

import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.cluster import Cluster, everything
from tests.installation import wait_until
from tests.workers import REPORT, process_at_work, stopped_at

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
WITHIN = 60.0


@pytest.mark.parametrize("stage", ["segments", "alignment", "candidates"])
def test_the_chunk_is_done_again_once_and_the_result_is_the_same(
    cluster: Cluster, texts: list[str], undisturbed: list[str], tmp_path: Path, stage: str
) -> None:
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("create_project", "Long", *texts, "--queue")
    at_work = stopped_at(cluster.database, stage)
    [killed] = [worker for worker in workers if worker.has(at_work)]
    killed.kill()
    claims = cluster.claims()
    [lost] = [(stage, first) for stage, first, owner in claims if f":{at_work}" in owner][-1:]
    began = time.monotonic()
    wait_until(
        lambda: any((stage, first) == lost for stage, first, _ in cluster.claims()[len(claims) :]),
        every=0.1,
    )
    print(f"{stage}: claimed again after {time.monotonic() - began:.1f} s")
    assert time.monotonic() - began < WITHIN
    wait_until(lambda: cluster.state("Long") == "open", 120)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    times = Counter((stage, first) for stage, first, _process in cluster.claims())
    assert {part: n for part, n in times.items() if n > 1} == {lost: 2}
    assert cluster.query("[Project.objects.count(), Chunk.objects.count()]") == [1, 0]
    [left] = [worker for worker in workers if worker is not killed]
    assert left.interrupt(signal.SIGTERM) == 0
    assert "Traceback" not in left.output


JUDGE_AND_REQUEST = """
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.services import reports
from tests.evaluation.projects import submit
project = Project.objects.get()
person = project.memberships.first().user
ranks = {"0 1 2": [1, 2, None], "4 5 6": [2, 1]}
for number in range(1, 201):
    submit(project, person, number, ranks)
print(reports.report_of(project, ReportOptions(resamples=100_000)).pk)
"""


def test_a_report_goes_on_within_a_minute(cluster: Cluster) -> None:
    project, _links = cluster.make_judged(sentences=200, people=1)
    assert project
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("shell", "--no-imports", "-c", JUDGE_AND_REQUEST)
    at_work = stopped_at(cluster.database, REPORT)
    [killed] = [worker for worker in workers if worker.has(at_work)]
    killed.kill()
    began = time.monotonic()
    wait_until(lambda: process_at_work(cluster.database, REPORT) not in (0, at_work), every=0.1)
    print(f"claimed again after {time.monotonic() - began:.1f} s")
    assert time.monotonic() - began < WITHIN
    wait_until(
        lambda: cluster.ask("SELECT state, attempts FROM evaluation_storedreport") == [("done", 2)]
    )
