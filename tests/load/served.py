"""SegRanks as a server runs it, for measuring: PostgreSQL, gunicorn, annotators who are signed in.

The database is one of its own, on the server of this machine or on one started for it, and is
dropped in the end.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.load import exchange
from tests.services import free_port, postgresql_database, postgresql_server

ROOT = Path(__file__).resolve().parents[2]
REAL_TEXTS = ROOT.parent / "shared" / "data" / "wmt14-en-cs"
PROCESSES, THREADS = 2, 4
STARTED_WITHIN = 30.0
# Made by the program itself, so that it does not matter how people sign in.
SIGN_IN = """
import json, sys
from django.conf import settings
from django.test import Client
from annotation.models import Membership, Project, User
project, cookies = Project.objects.get(), []
for number in range({people}):
    user, _made = User.objects.get_or_create(username=f"person{{number}}")
    Membership.objects.get_or_create(user=user, project=project, role="annotator")
    client = Client()
    client.force_login(user)
    cookies.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
json.dump({{"project": project.pk, "sessions": cookies}}, sys.stdout)
"""


@dataclass(frozen=True)
class Site:
    """A database with SegRanks' tables, and the environment of every process that works on it.

    `root` is the checkout that works on it.
    """

    folder: Path
    environment: dict[str, str]
    root: Path = ROOT

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py to its end and return what it wrote."""
        command = [sys.executable, str(self.root / "manage.py"), *arguments]
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.root,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def ask(self, code: str) -> Any:
        """Return what the Python code, in a process of its own, writes as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "-c", code))

    def make_project(self, sentences: int, judges: int) -> str:
        """Make a project, of real texts where they are at hand; return what its texts are."""
        if REAL_TEXTS.is_dir():
            kind = f"real texts of {REAL_TEXTS.name}"
            self.manage("create_project", "campaign", *_real_texts(self.folder, sentences))
        else:
            kind = "made-up texts"
            exchange.write_files(self.folder, sentences)
            texts = [str(self.folder / "segments"), "--systems", str(self.folder / "systems")]
            self.manage("import_segments", "campaign", *texts, "--languages", "en-cs")
        rules = f"judges_per_sentence={judges}, state='open'"
        self.ask(f"from annotation.models import Project; print(Project.objects.update({rules}))")
        self.take_stock()
        return kind

    def take_stock(self) -> None:
        """Let PostgreSQL look at its tables, as it does by itself each minute where it may."""
        self.ask("from django.db import connection as c; c.cursor().execute('ANALYZE'); print(0)")

    def sign_in(self, people: int) -> tuple[int, list[str]]:
        """Return the project's id and the sessions of so many of its annotators."""
        made = self.ask(SIGN_IN.format(people=people))
        return made["project"], made["sessions"]

    @contextmanager
    def serving(self) -> "Iterator[Server]":
        """Run gunicorn, as `docs/deployment.md` says, and yield it once it answers."""
        self.manage("collectstatic", "--noinput", "-v0")
        port, log = free_port(), (self.folder / "web.log").open("w")
        gunicorn = [sys.executable, "-m", "gunicorn", "segranks.wsgi"]
        process = subprocess.Popen(
            [*gunicorn, "--config", "python:segranks.gunicorn", "--bind", f"127.0.0.1:{port}"],
            env=self.environment,
            cwd=self.root,
            stdout=log,
            stderr=log,
        )
        try:
            _wait(port)
            yield Server(port, process.pid)
        finally:
            process.terminate()
            process.wait()
            log.close()


@dataclass(frozen=True)
class Server:
    port: int
    pid: int


@contextmanager
def site(*, sqlite: bool = False, root: Path = ROOT) -> Iterator[Site]:
    """Yield a site with an empty database, on PostgreSQL or SQLite, which is dropped in the end.

    On SQLite one process serves it. Another checkout can be the `root`.
    """
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory())
        url = ""
        if not sqlite:
            server = stack.enter_context(postgresql_server())
            url = stack.enter_context(postgresql_database(server))
        environment = os.environ | {
            "SEGRANKS_DATA": f"{name}/data",
            "STATIC_ROOT": f"{name}/static",
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": "",
            "WEB_CONCURRENCY": str(1 if sqlite else PROCESSES),
            "WEB_THREADS": str(THREADS),
            "METRICS_TOKEN": "of-a-measurement-and-nothing-else",
            "SEGRANKS_LOG": "json",
            "LOG_LEVEL": "INFO",
            "DJANGO_SETTINGS_MODULE": "segranks.settings",
        }
        made = Site(Path(name), environment, root)
        made.manage("migrate", "-v0")
        yield made


def _real_texts(folder: Path, sentences: int) -> list[str]:
    """Return the options of create_project for the first sentences of the real texts."""

    def shortened(path: Path) -> Path:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:sentences]
        copy = folder / path.name
        copy.write_text("".join(lines), encoding="utf-8")
        return copy

    systems = sorted((REAL_TEXTS / "systems").glob("*.txt"))
    return [
        "--languages=en-cs",
        f"--source={shortened(REAL_TEXTS / 'source.txt')}",
        f"--reference={shortened(REAL_TEXTS / 'reference.txt')}",
        *(f"--system={path.stem}={shortened(path)}" for path in systems),
    ]


def _wait(port: int) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        finally:
            connection.close()
