"""SegRanks as on a server; each process can be killed or stopped."""

import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import psycopg2

from tests import services, workers
from tests.installation import Installation, Process, wait_until

# On several processors systran-align adds up in another order each time.
ALIKE = {"OMP_NUM_THREADS": "1"}
# Records every claim of a chunk.
RECORD_CLAIMS = """
CREATE TABLE claims (
    stage text, first integer, owner text, job bigint, at timestamptz DEFAULT clock_timestamp()
);
CREATE FUNCTION record_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO claims VALUES (NEW.stage, NEW.first, NEW.worker, NEW.job_id);
    RETURN NULL;
END $$;
CREATE TRIGGER record_claims AFTER UPDATE ON annotation_chunk FOR EACH ROW
    WHEN (NEW.state = 'running' AND NEW.worker <> OLD.worker) EXECUTE FUNCTION record_claims();
"""
MAKE_JUDGED = """
import json
from people.sign_in_links import sign_in_path
from tests.factories import make_annotator, make_project
project = make_project("Judged", sentences={sentences}, numbered=True)
people = [make_annotator(project, f"person {{n}}", {role!r}) for n in range({people})]
print(json.dumps([project.pk, [sign_in_path(person) for person in people]]))
"""


class Cluster(Installation):
    """An installation with a PostgreSQL and a Redis of its own, and gunicorn for the web."""

    def __init__(self, folder: Path, static_root: Path, running: ExitStack) -> None:
        super().__init__(folder / "data", static_root, **ALIKE)
        self.postgresql = running.enter_context(services.OwnPostgreSQL())
        # As in docker-compose.yml.
        self.redis = running.enter_context(
            services.OwnRedis(["redis-server", "--appendonly", "yes"])
        )
        self.database = running.enter_context(services.postgresql_database(self.postgresql.url))
        self.port = services.free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment |= {
            "DATABASE_URL": self.database,
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{self.redis.port}/0",
            "WEB_CONCURRENCY": "2",
        }
        self.manage("migrate", "--verbosity", "0")
        self.ask(RECORD_CLAIMS)
        self._folder = folder
        running.callback(self.end)

    def start_web(self) -> Process:
        command = [sys.executable, "-m", "gunicorn", "--config", "python:segranks.gunicorn"]
        bound = ["--bind", f"127.0.0.1:{self.port}", "segranks.wsgi"]
        web = self.start(*command, *bound, own_group=True)
        wait_until(lambda: self.status("/healthz") == 200, every=0.05)
        return web

    def start_worker(self, name: str, *options: str) -> Process:
        options = (*options, "--beat", "--schedule", str(self._folder / name))
        return workers.start_worker(self, f"--hostname={name}@%h", *options, own_group=True)

    def status(self, path: str) -> int:
        """Return the status of the answer, or 0 for none."""
        try:
            with urlopen(f"{self.address}{path}", timeout=10) as answer:
                return int(answer.status)
        except HTTPError as refused:
            return refused.code
        except (URLError, OSError):
            return 0

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with closing(psycopg2.connect(self.database)) as connection, connection:
            cursor = connection.cursor()
            cursor.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def runs_a_chunk(self) -> bool:
        """Return True while a worker does a chunk of any stage."""
        return bool(self.ask("SELECT 1 FROM annotation_chunk WHERE state = 'running'"))

    def claims(self) -> list[tuple[str, int, str]]:
        """Return stage, first sentence and "host:pid" of each claim, in order."""
        return [
            (stage, first, owner.rpartition(":")[0])
            for stage, first, owner in self.ask("SELECT stage, first, owner FROM claims")
        ]

    def state(self, project: str) -> str:
        [[state]] = self.ask("SELECT state FROM annotation_project WHERE name = %s", project)
        return str(state)

    def make_judged(
        self, *, sentences: int, people: int, role: str = "annotator"
    ) -> tuple[int, list[str]]:
        """Make a project to judge; return its id and a sign-in link for each of its people."""
        code = MAKE_JUDGED.format(sentences=sentences, people=people, role=role)
        project, links = json.loads(self.manage("shell", "--no-imports", "-c", code).stdout)
        return project, [self.address + link for link in links]


def everything(installation: Installation, project: str, folder: Path) -> list[str]:
    """Return the lines of the project's archive, but for when it was made."""
    path = folder / f"{project}.archive"
    installation.manage("export_project", project, str(path), "--format=archive")
    format_line, described, *lines, _digest = path.read_text().splitlines()
    made = json.loads(described)
    made.pop("created")
    return [format_line, json.dumps(made), *lines]
