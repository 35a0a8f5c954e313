"""The clock is set, ahead or back by hours, while people judge and workers work."""

import os
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.annotators import Annotator, Sheet
from tests.faults.cluster import Cluster, everything
from tests.faults.stored import assert_stored_once
from tests.installation import wait_until
from tests.workers import stopped_at

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
HOUR = 3600.0
# More than a sentence is lent for, more than any task may take.
JUMPS = (5 * HOUR, -5 * HOUR)
COMPUTED = re.compile(r"compute_report\[.*\] succeeded")


@pytest.fixture(params=JUMPS)
def jump(request: pytest.FixtureRequest, cluster: Cluster) -> float:
    cluster.set_clock(0)
    return float(request.param)


def test_a_job_goes_on_and_ends_right(
    cluster: Cluster, jump: float, texts: list[str], undisturbed: list[str], tmp_path: Path
) -> None:
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two")]
    cluster.manage("create_project", "Long", *texts, "--queue")
    at_work = stopped_at(cluster.database, "alignment")
    cluster.set_clock(jump)
    os.kill(at_work, signal.SIGCONT)
    wait_until(lambda: cluster.state("Long") == "open", 180)
    assert everything(cluster, "Long", tmp_path) == undisturbed
    # Once, or once more by another who took it for left: never again and again.
    begun = Counter((stage, first) for stage, first, _process in cluster.begun())
    assert sum(begun.values()) - len(begun) <= 1
    assert {worker.interrupt(signal.SIGTERM) for worker in workers} == {0}


def test_what_a_killed_machine_was_at_goes_on(
    cluster: Cluster, jump: float, texts: list[str]
) -> None:
    """Its lease, by a clock that was hours ahead, does not keep others away for hours."""
    there = cluster.start_worker_elsewhere("there", "--concurrency=1")
    cluster.manage("create_project", "Long", *texts, "--queue")
    wait_until(lambda: ("alignment", 1) in began(cluster), every=0.02)
    there.kill()
    cluster.set_clock(jump)
    before = len(cluster.begun())
    here = cluster.start_worker("here", "--concurrency=1")
    started = time.monotonic()
    wait_until(lambda: began(cluster)[before:], 150)
    print(f"{time.monotonic() - started:.1f} s after a jump of {jump / HOUR:.0f} h")
    wait_until(lambda: cluster.state("Long") == "open", 60)
    assert here.interrupt(signal.SIGTERM) == 0


def began(cluster: Cluster) -> list[tuple[str, int]]:
    return [(stage, first) for stage, first, _process in cluster.begun()]


def test_nobody_loses_what_he_has_in_hand(cluster: Cluster, jump: float) -> None:
    project, links = cluster.make_judged(sentences=3, people=4)
    cluster.start_web()
    people = [Annotator(cluster.address, project, link) for link in links]
    in_hand = [sheet_of(person) for person in people[:2]]
    cluster.set_clock(jump)
    # There is one left for those who come later, and not what the others are at.
    in_hand.append(sheet_of(people[2]))
    assert people[3].sheet() is None
    for person, sheet in zip(people, in_hand, strict=False):
        person.hand_in(sheet)
    assert_stored_once(cluster, *people)
    [[shortest]] = cluster.ask("SELECT min(seconds) FROM annotation_judgement")
    assert shortest >= 0


def sheet_of(person: Annotator) -> Sheet:
    sheet = person.sheet()
    assert sheet
    return sheet


def test_links_that_sign_in_still_do(cluster: Cluster, jump: float) -> None:
    project, links = cluster.make_judged(sentences=2, people=2)
    cluster.start_web()
    before = Annotator(cluster.address, project, links[0])
    cluster.set_clock(jump)
    after = Annotator(cluster.address, project, links[1])
    for person in (before, after):
        person.hand_in(sheet_of(person))
    assert_stored_once(cluster, before, after)


def test_a_report_is_made_anew_and_once(cluster: Cluster, jump: float) -> None:
    project, [link] = cluster.make_judged(sentences=2, people=1, role="administrator")
    cluster.start_web()
    worker = cluster.start_worker("one", "--concurrency=1")
    person = Annotator(cluster.address, project, link)
    page = f"/projects/{project}/report/"
    person.get(page)
    wait_until(lambda: report(cluster) == (True, False))
    person.hand_in(sheet_of(person))
    cluster.set_clock(jump)
    person.upload(f"{page}refresh/", {}, "text/html")
    wait_until(lambda: report(cluster) == (True, False))
    assert cluster.ask("SELECT judgements > 0 FROM evaluation_storedreport") == [(True,)]
    time.sleep(2)
    assert worker.interrupt(signal.SIGTERM) == 0
    assert len(COMPUTED.findall(worker.output)) == 2


def report(cluster: Cluster) -> tuple[bool, bool]:
    """Return whether the report was ever made, and whether it is asked for."""
    [row] = cluster.ask("SELECT made IS NOT NULL, asked IS NOT NULL FROM evaluation_storedreport")
    return bool(row[0]), bool(row[1])
