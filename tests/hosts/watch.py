"""Watch two web hosts, a worker and beat with Prometheus while one after the other is stopped.

`python -m tests.hosts.watch` takes twenty minutes, because the alarms wait as on a server. It
prints when each alarm fired and stopped, and which panels of the dashboard had no data.
"""

import secrets
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster
from tests.hosts.prometheus import Prometheus, prometheus
from tests.installation import Installation, Process, write_texts
from tests.services import free_port

# Longer than any alarm waits.
WITHIN = 480.0


class Watched(Cluster):
    """A cluster with a second gunicorn, and with beat in a process of its own."""

    def __init__(self, folder: Path, static_root: Path, running: ExitStack) -> None:
        super().__init__(folder, static_root, running)
        self.token = secrets.token_urlsafe(32)
        self.environment |= {"METRICS_TOKEN": self.token, "SEGRANKS_LOG": "json"}
        self.ports = [self.port, free_port()]
        self._beat_file = str(folder / "beat")

    def start_gunicorn(self, port: int) -> Process:
        command = [sys.executable, "-m", "gunicorn", "--config", "python:segranks.gunicorn"]
        web = self.start(*command, "--bind", f"127.0.0.1:{port}", "segranks.wsgi", own_group=True)
        web.wait_for_line("Booting worker")
        return web

    def start_one_worker(self) -> Process:
        celery = str(Path(sys.executable).with_name("celery"))
        options = ["--loglevel=INFO", "--concurrency=1", "--queues=celery,webhooks"]
        worker = self.start(celery, "-A", "segranks", "worker", *options, own_group=True)
        worker.wait_for_line("ready")
        return worker

    def start_beat(self) -> Process:
        celery = str(Path(sys.executable).with_name("celery"))
        options = ["--loglevel=INFO", "--schedule", self._beat_file]
        return self.start(celery, "-A", "segranks", "beat", *options, own_group=True)


@contextmanager
def judging(watched: Watched, project: int, link: str) -> Iterator[None]:
    """Let an annotator judge meanwhile, even if requests fail."""
    ended = threading.Event()
    person = Annotator(watched.address, project, link)

    def judge() -> None:
        while not ended.wait(0.5):
            status, _page = person.judging_page()
            if status == 200 and (sheet := person.sheet()):
                person.save_draft(sheet)
                person.send_once(sheet)

    thread = threading.Thread(target=judge, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def watch(
    name: str,
    seen: Prometheus,
    alarm: str,
    begin: Callable[[], object],
    end: Callable[[], object],
) -> bool:
    """Begin a fault, wait for its alarm, end it, and wait until no alarm fires; print the times."""
    begin()
    began = time.monotonic()
    fired = waited(lambda: alarm in seen.firing())
    took, others = time.monotonic() - began, seen.firing() - {alarm}
    end()
    ended = time.monotonic()
    over = waited(lambda: not seen.firing())
    after = time.monotonic() - ended
    print(
        f"{name}: {alarm} {f'fired after {took:.0f} s' if fired else 'did not fire'}, "
        f"{f'and stopped {after:.0f} s after the end' if over else 'and went on'}; "
        f"others that fired then: {', '.join(sorted(others)) or 'none'}",
        flush=True,
    )
    return fired and over


def waited(true: Callable[[], object]) -> bool:
    until = time.monotonic() + WITHIN
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(1)
    return True


def main() -> int:
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="watched-")))
        folder.chmod(0o755)
        made = Installation(folder / "tables", folder / "static")
        made.call("collectstatic", "--noinput", "--verbosity", "0")
        made.end()
        watched = Watched(folder, folder / "static", running)
        project, [link] = watched.make_judged(sentences=2000, people=1)
        webs = [watched.start_gunicorn(port) for port in watched.ports]
        workers = [watched.start_one_worker()]
        beats = [watched.start_beat()]
        since = time.time()
        seen = running.enter_context(
            prometheus(
                folder / "prometheus",
                targets=[f"127.0.0.1:{port}" for port in watched.ports],
                token=watched.token,
                listen=f"127.0.0.1:{free_port()}",
            )
        )
        running.enter_context(judging(watched, project, link))
        time.sleep(180)
        print("alarms after three minutes:", ", ".join(seen.firing()) or "none", flush=True)

        def kill_worker() -> None:
            workers.pop().signal_group(signal.SIGKILL)
            texts = write_texts(folder / "texts", 100)
            watched.manage("create_project", "Waiting", *texts, "--queue")

        outcomes = [
            watch(
                "worker killed, a job waits",
                seen,
                "SegRanksWorkStands",
                kill_worker,
                lambda: workers.append(watched.start_one_worker()),
            ),
            watch(
                "PostgreSQL stopped",
                seen,
                "SegRanksServerAway",
                lambda: watched.postgresql.stop(signal.SIGINT),
                watched.postgresql.start,
            ),
            watch(
                "beat killed",
                seen,
                "SegRanksBeatSilent",
                lambda: beats.pop().signal_group(signal.SIGKILL),
                lambda: beats.append(watched.start_beat()),
            ),
            watch(
                "a web host killed",
                seen,
                "SegRanksFails",
                lambda: webs.pop().signal_group(signal.SIGKILL),
                lambda: webs.append(watched.start_gunicorn(watched.ports[1])),
            ),
            watch(
                "Redis stopped",
                seen,
                "SegRanksServerAway",
                lambda: watched.redis.stop(signal.SIGKILL),
                watched.redis.start,
            ),
        ]
        panels = seen.panels(since)
        without = [
            f"{title} ({number})"
            for title, queries in panels.items()
            for number, found in enumerate(queries, 1)
            if not found
        ]
        print(f"{len(panels)} panels; queries without data: {', '.join(without) or 'none'}")
        return 0 if all(outcomes) and not without else 1


if __name__ == "__main__":
    sys.exit(main())
