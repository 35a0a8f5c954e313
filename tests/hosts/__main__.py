"""Run SegRanks on ten hosts, do one fault after the other, and print what happened: `make hosts`.

    python -m tests.hosts [--faults abcdefghi] [--people 50] [--sentences 3003] [--logs FOLDER]
        [--prometheus]

Needs root, ip, unshare and nsenter, PostgreSQL, Redis, nginx and a C compiler. Everything runs in
namespaces that end with this program, so nothing stays on the machine. While a fault is done, a
project is prepared and people judge another. Exits with 1 if an invariant does not hold.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.hosts import invariants, measures, uploads
from tests.hosts.cluster import ADDRESS, HOSTS, PEOPLE, SITE, WEB, WORKERS, Cluster
from tests.hosts.faults import FAULTS, Fault
from tests.hosts.people import People
from tests.hosts.texts import SENTENCES, write_texts
from tests.installation import REPOSITORY, wait_until

# Says that the program is in its own namespaces.
APART = "SEGRANKS_HOSTS_APART"
PROGRAMS = {
    "ip": "iproute2",
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "nginx": "nginx-light",
    "redis-server": "redis-server",
    "git": "git",
    "cc": "gcc",
}
# In memory, of this program only.
FOLDER = Path("/srv")
# The fastest parser and an aligner that is not random.
PREPARED = ["--parser=phrases", "--aligner=systran"]
# The fewest and most seconds that a person takes for a sentence.
THINK = [14.0, 26.0]
JUDGES = 6
# Seconds without any bad answer after which all is well again.
WELL = 10.0
# Seconds that a job may take, and that people may wait after a fault.
JOB_WITHIN, WELL_WITHIN = 400.0, 150.0
FIRST = "Undisturbed"


def missing() -> str:
    """Return what is missing, as one sentence; empty if nothing is."""
    if os.getuid() != 0:
        return "Run this as root: it makes network namespaces and mounts."
    packages = {PROGRAMS[name] for name in PROGRAMS if shutil.which(name) is None}
    if not any(Path("/usr/lib/postgresql").glob("*/bin/postgres")):
        packages.add("postgresql")
    if packages:
        return f"Install what is missing: apt-get install {' '.join(sorted(packages))}"
    return ""


def run_apart(arguments: list[str]) -> int:
    """Run this program in namespaces of its own, which end with it."""
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    program = [sys.executable, "-m", "tests.hosts", *arguments]
    return subprocess.call([*command, *program], env=os.environ | {APART: "1"})


@dataclass
class Run:
    """The hosts at work, and what was found so far."""

    cluster: Cluster
    people: People
    texts: list[str]
    contents: str
    rows: list[measures.Row] = field(default_factory=list)

    def do(self, fault: Fault) -> None:
        """Do a fault while a project is prepared, wait until all is well, and look at it."""
        project = f"Fault {fault.letter}"
        start = time.monotonic()
        fault.prepare(self.cluster)
        self.cluster.manage("create_project", project, *self.texts, "--queue")
        wait_until(lambda: bool(self.cluster.at_work()), 60, every=0.05)
        time.sleep(5)
        began = time.monotonic()
        [[moment]] = self.cluster.ask("SELECT clock_timestamp()::text")
        happened = fault.do(self.cluster)
        mended = time.monotonic()
        logs = {name: self.cluster.hosts[name].log.stat().st_size for name in WORKERS}
        expected: dict[str, tuple[Callable[[], bool], float]] = {
            "The job ends.": (lambda: self.cluster.state(project) != "preparing", JOB_WITHIN),
            "People get good answers again.": (lambda: self.is_well(mended), WELL_WITHIN),
            "Every worker works again.": (lambda: self.all_work(logs), WELL_WITHIN),
        }
        late = [words for words, (is_so, within) in expected.items() if not became(is_so, within)]
        ended = time.monotonic()
        self.people.rest()
        found = invariants.check(self.cluster, self.people.events)
        found.words += late
        if invariants.contents(self.cluster, project) != self.contents:
            found.words.append(f"{project} is not prepared as without faults.")
        gap = measures.longest_gap(self.cluster, project, moment)
        again = measures.claimed_again(self.cluster, project)
        row = measures.measure(
            f"{fault.letter}. {fault.name}",
            f"{happened} Chunks begun again: {again}.",
            self.people.since(began),
            began=began,
            ended=ended,
            job=gap,
            found=found,
        )
        self.people.go_on()
        self.rows.append(row)
        print(
            f"\n{row.fault}: {row.happened}\n  {row.cells[2:]}\n  {row.statuses}\n"
            f"  fault {mended - began:.0f} s, in all {time.monotonic() - start:.0f} s, "
            f"load {os.getloadavg()[0]:.1f}",
            *(f"  BROKEN: {words}" for words in found.words),
            sep="\n",
            flush=True,
        )

    def is_well(self, mended: float) -> bool:
        """Return whether answers have been good for some time, and no submission waits."""
        now = time.monotonic()
        if now < mended + WELL:
            return False
        recent = [event for event in self.people.since(now - WELL) if event.is_request]
        is_good = bool(recent) and all(event.is_good for event in recent)
        return is_good and not self.waiting()

    def all_work(self, logs: dict[str, int]) -> bool:
        """Return whether each worker has done a task since its log had this size."""
        return all(
            b" succeeded in " in self.cluster.hosts[name].log.read_bytes()[size:]
            for name, size in logs.items()
        )

    def waiting(self) -> set[str]:
        """Return the tokens that were sent 20 s ago or earlier and are not confirmed."""
        events = list(self.people.events)
        late = time.monotonic() - 20
        sent = {event.token for event in events if event.kind == "sent" and event.at < late}
        return sent - {event.token for event in events if event.kind == "confirmed"}


def became(true: Callable[[], bool], within: float) -> bool:
    """Wait until `true()`; return whether it was true within so many seconds."""
    deadline = time.monotonic() + within
    while not (is_true := true()) and time.monotonic() < deadline:
        time.sleep(0.5)
    return is_true


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", default="".join(fault.letter for fault in FAULTS))
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--prometheus", action="store_true", help="watch the alarms meanwhile")
    parser.add_argument("--logs", type=Path, help="keep what all programs say in this folder")
    options = parser.parse_args()
    if problem := missing():
        print(problem, file=sys.stderr)
        return 2
    if APART not in os.environ:
        return run_apart(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as running:
        try:
            return run(options, running)
        except KeyboardInterrupt:
            return 130


def run(options: argparse.Namespace, running: ExitStack) -> int:
    began = time.monotonic()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2g,mode=755", "tmpfs", FOLDER], check=True)
    for name in ("segranks", "run"):
        (FOLDER / name).mkdir()
    logs = options.logs or FOLDER / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(FOLDER / "run")
    Path("/proc/sys/net/ipv6/conf/default/disable_ipv6").write_text("1")
    texts = [*write_texts(FOLDER / "texts", options.sentences), *PREPARED]
    cluster = Cluster(FOLDER / "run", logs, running)
    cluster.start()
    print(f"{len(HOSTS)} hosts run after {time.monotonic() - began:.0f} s", flush=True)
    start = time.monotonic()
    cluster.manage("create_project", FIRST, *texts, "--queue")
    wait_until(lambda: cluster.state(FIRST) != "preparing", JOB_WITHIN, every=0.5)
    print(f"prepared without a fault in {time.monotonic() - start:.0f} s", flush=True)
    contents = invariants.contents(cluster, FIRST)
    print(uploads.upload(cluster, FOLDER / "files"), flush=True)
    project, sessions = cluster.members(FIRST, options.people, JUDGES)
    server = ADDRESS.format(HOSTS.index("proxy") + 1)
    order = {"server": server, "site": SITE, "project": project, "think": THINK}
    people = People(cluster.hosts[PEOPLE], order | {"sessions": sessions}, logs / PEOPLE)
    this = Run(cluster, people, texts, contents)
    watching = watch(cluster) if options.prometheus else None
    wait_until(lambda: this.is_well(start), 120)
    for fault in FAULTS:
        if fault.letter in options.faults:
            this.do(fault)
    print(f"\n{measures.table(this.rows)}\n\n{time.monotonic() - began:.0f} s in all")
    if watching:
        seen = json.loads(watching.communicate()[0])
        empty = [title for title, queries in seen["panels"].items() if not all(queries)]
        print(f"Alarms: {sorted(seen['fired'])}. Panels without data: {empty}.")
    return int(any(row.found.words for row in this.rows))


def watch(cluster: Cluster) -> "subprocess.Popen[str]":
    """Start Prometheus beside the annotators; when its input ends, it says what it has seen."""
    token = cluster.services["web"]["environment"]["METRICS_TOKEN"]
    program = [sys.executable, "-m", "tests.hosts.prometheus", "/tmp/prometheus", token]
    return subprocess.Popen(
        cluster.hosts[PEOPLE].command(
            *program, *(f"{name}:8000" for name in WEB), folder=str(REPOSITORY)
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


if __name__ == "__main__":
    sys.exit(main())
