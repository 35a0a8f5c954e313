"""The faults: each does something to hosts and undoes it; its answer says what happened."""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP

from tests.hosts import images
from tests.hosts.cluster import DELAY, PEOPLE, SIZES, WEB, WORKERS, Cluster
from tests.installation import wait_until

# A lease of 30 seconds, and what beat and another worker need after it.
LEASE_AND_MORE = 45.0
FAR, LOSS = 0.1, 0.01
# The `fail_timeout` of nginx, and a second more.
LEFT_OUT = 11.0
# The file system of the database.
DISK = "/var/lib"
# Again where PostgreSQL has written between the two commands.
LEAVE_NO_ROOM = f"""
until used=$(df --output=used -k {DISK} | tail -n 1) &&
    mount -o remount,size=$((used + 64))k {DISK} 2> /dev/null
do :; done
"""
CLOCKS = {"web1": 120, "worker1": -120}


@dataclass(frozen=True)
class Fault:
    """`prepare` is called before a project is queued, and `do` when workers are at work on it."""

    letter: str
    name: str
    do: Callable[[Cluster], str]
    prepare: Callable[[Cluster], None] = lambda _cluster: None


def with_chunk(cluster: Cluster) -> str:
    """Wait until a worker has a chunk; return the worker."""
    found: list[str] = []

    def is_at_work() -> bool:
        found[:] = sorted(set(cluster.at_work()) & set(WORKERS))
        return bool(found)

    wait_until(is_at_work, 60, every=0.02)
    return found[0]


def cut_worker(cluster: Cluster) -> str:
    worker = with_chunk(cluster)
    cluster.switch.cut(worker)
    time.sleep(60)
    cluster.switch.mend(worker)
    return f"{worker} had a chunk and no network for 60 s."


def empty_redis(cluster: Cluster) -> str:
    redis = cluster.hosts["redis"]
    redis.stop(SIGKILL)
    cluster.empty_redis()
    time.sleep(5)
    cluster.start_redis()
    return "Redis was killed, and started empty after 5 s."


def restart_postgresql(cluster: Cluster) -> str:
    began = time.monotonic()
    cluster.hosts["postgres"].signal(SIGKILL)
    time.sleep(0.5)
    wait_until(cluster.answers, 60, every=0.05)
    return (
        "All processes of PostgreSQL were killed; it repaired its files and answered again after "
        f"{time.monotonic() - began:.1f} s."
    )


def kill_web(cluster: Cluster) -> str:
    cluster.switch.cut("web2")
    cluster.hosts["web2"].stop(SIGKILL)
    time.sleep(30)
    cluster.switch.mend("web2")
    cluster.start_service("web2")
    cluster.wait_for_web("web2")
    return "web2 lost its network and all its processes, and came back after 30 s."


def shift_clocks(cluster: Cluster) -> None:
    library = cluster.folder / "clock.so"
    source = Path(__file__).with_name("clock.c")
    compile_it = ["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(compile_it, check=True)
    for name, seconds in CLOCKS.items():
        cluster.restart_service(name, LD_PRELOAD=str(library), CLOCK_OFFSET=str(seconds))


def set_clocks(cluster: Cluster) -> str:
    time.sleep(60)
    for name in CLOCKS:
        cluster.restart_service(name)
    return "The clock of web1 was 120 s ahead, and that of worker1 120 s behind, for a minute."


def slow_links(cluster: Cluster) -> str:
    cluster.switch.set(FAR, LOSS)
    time.sleep(60)
    cluster.switch.set(DELAY, 0.0)
    return "Each frame took 100 ms from any host to any other, and 1 % were lost, for a minute."


def stop_worker(cluster: Cluster) -> str:
    while True:
        worker = with_chunk(cluster)
        cluster.hosts[worker].signal(SIGSTOP)
        # What it had sent before is stored a moment later.
        time.sleep(0.3)
        if worker in cluster.at_work():
            break
        cluster.hosts[worker].signal(SIGCONT)
    stage = cluster.at_work()[worker]
    time.sleep(LEASE_AND_MORE)
    cluster.hosts[worker].signal(SIGCONT)
    return f"{worker} was stopped in a chunk of {stage}, and continued after its lease."


def fill_disk(cluster: Cluster) -> str:
    host = cluster.hosts["postgres"]
    log = host.log.stat().st_size
    host.run("sh", "-c", LEAVE_NO_ROOM)
    time.sleep(30)
    host.run("mount", "-o", f"remount,size={SIZES['postgres']}", DISK)
    wait_until(cluster.answers, 120, every=0.1)
    panics = host.log.read_bytes()[log:].count(b"PANIC")
    did = f"stopped {panics} times and restarted" if panics else "refused writes"
    return f"The disk of PostgreSQL was full for 30 s; it {did}."


def build_next(cluster: Cluster) -> None:
    images.build_next(cluster.folder / "next", cluster.folder / "current")


def upgrade(cluster: Cluster) -> str:
    image = cluster.folder / "next"
    began = time.monotonic()
    # As the service `migrate` of docker-compose.yml, which has no host of its own here.
    cluster.hosts[PEOPLE].order("image", folder=str(image))
    cluster.manage("migrate", "--noinput", "--verbosity=0", name=PEOPLE)
    migrated = time.monotonic()
    for name in (*WEB, *WORKERS, "beat"):
        cluster.restart_service(name, image)
        if name in WEB:
            # The proxy leaves it out for so long after it did not answer: the next must not stop.
            time.sleep(LEFT_OUT)
    return (
        f"A migration added a column and an index in {migrated - began:.0f} s while old code ran; "
        f"web, workers and beat were replaced one after the other in "
        f"{time.monotonic() - migrated:.0f} s."
    )


FAULTS = (
    Fault("a", "a worker's network is cut for a minute", cut_worker),
    Fault("b", "Redis restarts empty", empty_redis),
    Fault("c", "PostgreSQL is killed and restarts", restart_postgresql),
    Fault("d", "a web host is killed", kill_web),
    Fault("e", "clocks differ by two minutes", set_clocks, shift_clocks),
    Fault("f", "every link has 100 ms and loses 1 %", slow_links),
    Fault("g", "a worker is stopped and continued after its lease", stop_worker),
    Fault("h", "the disk of the database is full", fill_disk),
    Fault("i", "a rolling upgrade with a migration", upgrade, build_next),
)
