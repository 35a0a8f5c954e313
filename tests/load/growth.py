"""What every operation reads as a project grows to tens of millions of placements.

    python -m tests.load.growth [--millions 1 3 10 30] [--operations annotators pages heavy]

One PostgreSQL with one project of the thesis' shape (`multiplied.py`), which grows from each size
to the next one; 30 million placements take 20 GB of disk and half an hour. For each operation and
size: the rows that scans of tables looked at and the blocks that were touched, by the planner's
figures of every statement (`read_rows.py`), seconds, which plans make longer, and for operations
with a process of their own its processor time and peak memory. The last column has the statement
that reads most. *Cold* requests, and all pages, are those of a process that has nothing cached.

*annotators*: the requests of an annotator who is new, and of one who has judged 330 sentences, in
each order of sentences, where all sentences are free, and where only 20 are. *pages*: pages of
administrators. *heavy*: report, exports, archive, backup. *deletion* deletes the project, at the
last size.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg2

from tests.load.annotators import ADDRESS, FRAME, TOKEN, Failed, found, placements
from tests.load.exchange import FORMATS
from tests.load.exchange import run as run_command
from tests.load.read_rows import EXPLAINED, Server
from tests.load.served import ROOT

if TYPE_CHECKING:
    pass

GROUPS: Final = ("annotators", "pages", "heavy", "deletion")
ORDERS: Final = ("random", "document", "blocks")
# Sentences that still need a judge where nearly all are assigned.
FREE: Final = 20
STATES: Final = (
    "judged",
    "unjudged",
    "progress",
    "complete",
    "nothing",
    "practice",
    "excluded",
)
SORTS: Final = ("agreement", "most-judges", "fewest-judges", "skips", "last-judged")
SHEETS: Final = 8
# Of the template: of a tenth of the sentences of each copy.
VETERAN: Final = "annotator1"
METRICS_TOKEN: Final = "of-a-measurement-and-nothing-else"
REPORT: Final = """
from annotation.models import Project
from evaluation.models import default_options
from evaluation.services import reports
report = reports.report_of(Project.objects.get(), default_options(Project.objects.get()))
reports.compute(report.pk)
report.refresh_from_db()
assert report.state == "done", report.error
report.delete()
"""
SUMMARIES: Final = """
from annotation.models import Project
from evaluation.services.sentence_summaries import count_all
count_all(Project.objects.get().pk)
"""


@dataclass(frozen=True)
class Figures:
    """An operation: the slowest of its runs in seconds, the most rows and blocks of one of them.

    `processor` (seconds, without those of PostgreSQL) and `peak` (MiB) are those of its process.
    """

    name: str
    rows: int
    blocks: int
    seconds: float
    processor: float | None = None
    peak: float | None = None
    largest: str = ""

    def __str__(self) -> str:
        processor, peak = (
            "" if figure is None else f"{figure:.0f}" for figure in (self.processor, self.peak)
        )
        return (
            f"{self.name:52}{self.rows:14,}{self.blocks:12,}{self.seconds:9.2f}{processor:>7}"
            f"{peak:>7}  {self.largest}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--millions", type=float, nargs="+", default=[1, 3, 10, 30])
    parser.add_argument("--operations", nargs="+", choices=GROUPS, default=GROUPS)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    options = parser.parse_args()
    with Server() as server, tempfile.TemporaryDirectory() as folder:
        grown = Grown(server, Path(folder))
        grown.create()
        print(f"{'':52}{'rows':>14}{'blocks':>12}{'seconds':>9}{'proc. s':>7}{'MiB':>7}")
        for millions in sorted(options.millions):
            print(f"\n{grown.grow(millions)}", flush=True)
            for group in options.operations:
                if group != "deletion" or millions == max(options.millions):
                    for figures in grown.measure(group, options.formats):
                        print(figures, flush=True)


@dataclass
class Grown:
    """The database that grows, and the processes that work on it."""

    server: Server
    folder: Path
    copies: int = 0

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": f"{self.server.url}/growth",
            "SEGRANKS_DATA": f"{self.folder}/data",
            "STATIC_ROOT": f"{self.folder}/static",
            "CELERY_BROKER_URL": "",
            "METRICS_TOKEN": METRICS_TOKEN,
            "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "segranks.settings",
        }

    def create(self) -> None:
        run_sql(self.server.url, "CREATE DATABASE growth")
        self._manage("migrate", "-v0")
        self._manage("collectstatic", "--noinput", "-v0")
        self._python("from tests.load.multiplied import write_template; write_template()")

    def grow(self, millions: float) -> str:
        """Let the project grow to so many million placements; return how large it is."""
        begun = time.perf_counter()
        answer = self._python(f"from tests.load.growth import grow; grow({millions})")
        return f"{answer.strip()}, {time.perf_counter() - begun:.0f} s"

    def measure(self, group: str, formats: list[str]) -> Iterator[Figures]:
        match group:
            case "annotators":
                for free in ("all", "few"):
                    for order in ORDERS:
                        yield from self._requests(f"annotators({free!r}, {order!r})")
            case "pages":
                yield self._process("count sentences for lists", "shell", "-c", SUMMARIES)
                yield from self._requests("pages()")
            case "heavy":
                yield from self._heavy(formats)
            case "deletion":
                yield self._process("deletion", "delete_project", "1", "--yes")

    def _heavy(self, formats: list[str]) -> Iterator[Figures]:
        for name in formats:
            file = str(self.folder / "export")
            yield self._process(f"export {name}", "export_project", "1", file, "--format", name)
            Path(file).unlink()
        file = str(self.folder / "backup.gz")
        yield self._process("backup", "backup", file)
        Path(file).unlink()
        yield self._process("report, worker", "shell", "-c", REPORT)
        yield self._process("report, command", "report", "1", "--output", f"{self.folder}/report")

    def _process(self, name: str, *command: str) -> Figures:
        """Run a command of manage.py and return its figures."""
        start = self.server.log.stat().st_size
        environment = self.environment | EXPLAINED | {"PGAPPNAME": name}
        before = _processor()
        seconds, peak = run_command(list(command), environment)
        processor = _processor() - before
        read = self.server.read_since(start)[name]
        return Figures(name, read.rows, read.blocks, seconds, processor, peak, read.largest)

    def _requests(self, call: str) -> Iterator[Figures]:
        """Run a function below, which yields requests, in one process; return their figures."""
        start = self.server.log.stat().st_size
        code = f"from tests.load import growth; growth.measure_requests(growth.{call})"
        seconds: dict[str, float] = json.loads(self._python(code, EXPLAINED))
        read = self.server.read_since(start)
        # Of requests of the same kind, the one that reads most.
        for kind in dict.fromkeys(name.partition("|")[0] for name in seconds):
            of_kind = {name: read[name] for name in seconds if name.partition("|")[0] == kind}
            most = max(of_kind.values(), key=lambda each: (each.rows, each.blocks))
            slowest = max(seconds[name] for name in of_kind)
            yield Figures(
                kind,
                most.rows,
                max(each.blocks for each in of_kind.values()),
                slowest,
                largest=most.largest,
            )

    def _manage(self, *command: str) -> None:
        subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *command],
            env=self.environment,
            cwd=ROOT,
            check=True,
        )

    def _python(self, code: str, more: dict[str, str] | None = None) -> str:
        """Return what the code writes, in a process with SegRanks."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", code],
            env=self.environment | (more or {}),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return str(done.stdout)


def _processor() -> float:
    """Return the processor seconds of all processes of this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_sql(server: str, statement: str) -> None:
    connection = psycopg2.connect(f"{server}/postgres")
    connection.autocommit = True
    connection.cursor().execute(statement)
    connection.close()


# --- in processes with SegRanks -------------------------------------------------------------------


def grow(millions: float) -> None:
    """Multiply the template until there are so many placements, and print what there is."""
    from django.db import connection

    from annotation.models import (
        Assignment,
        Judgement,
        Placement,
        Sentence,
        SentenceSummary,
        SummarisedProject,
    )
    from tests.load.multiplied import OWN_IDS, SENTENCES, multiply

    made = Placement.objects.filter(pk__lt=OWN_IDS).count()
    copies = Sentence.objects.filter(pk__lt=OWN_IDS).count() // SENTENCES
    wanted = round(millions * 1_000_000 * copies / made)
    if wanted > copies:
        # They are up to a submission that is later than the copies.
        SentenceSummary.objects.all().delete()
        SummarisedProject.objects.all().delete()
        multiply(copies, wanted - 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        size = cursor.fetchone()[0]
    tables = (Placement, Judgement, Assignment, Sentence)
    counted = [f"{table.objects.count():,} {table._meta.verbose_name}s" for table in tables]
    print(f"{', '.join(counted)}, {size}")


Request = tuple[str, Callable[[], Any]]


def measure_requests(requests: Iterator[Request]) -> None:
    """Perform requests, each under its name; print JSON of their seconds."""
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["testserver"]
    seconds: dict[str, float] = {}
    for number, (name, request) in enumerate(requests):
        unique = f"{name}|{number}"
        _name_connection(unique)
        begun = time.perf_counter()
        try:
            request()
        except (AssertionError, Failed) as failure:
            print(f"{name}: {failure}", file=sys.stderr)
            continue
        seconds[unique] = time.perf_counter() - begun
        _name_connection("")
    json.dump(seconds, sys.stdout)


def _name_connection(name: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET application_name = %s", [name])


def annotators(free: str, order: str) -> Iterator[Request]:
    """Yield the requests of two annotators, with all or few sentences free, in this order."""
    from annotation.judging.project_counts import count_project
    from annotation.models import Assignment, Membership, Project, ProjectCounts, User
    from tests.load.multiplied import JUDGES, OWN_IDS

    # Judges beyond the third are of measurements where all sentences were free.
    Assignment.objects.filter(pk__gte=OWN_IDS, slot__gt=JUDGES, state="submitted").update(
        state="discarded", discarded_with_annotator=True
    )
    judges = {"all": JUDGES + 1, "few": JUDGES}[free]
    Project.objects.update(judges_per_sentence=judges, queue_order=order)
    project = Project.objects.get()
    last = project.sentences.order_by("-number")[0].number
    newcomer = User.objects.create_user(f"newcomer {free} {order} {time.time()}")
    Membership.objects.create(user=newcomer, project=project, role="annotator")
    for user in (newcomer, User.objects.get(username=VETERAN)):
        who = "veteran" if user.username == VETERAN else "newcomer"
        freed = _free(project, last) if free == "few" else []
        # As a worker does.
        ProjectCounts.objects.all().delete()
        count_project(project.pk)
        yield from _judging(Judging(user, project.pk), f"{free} free, {order}: {who},")
        _take_back(freed)


class Judging:
    """An annotator at the judging page."""

    def __init__(self, user: Any, project: int) -> None:
        from django.test import Client

        self.client = Client()
        self.client.force_login(user)
        self.project = project
        self.sheet = self.frame = ""

    def open_page(self) -> None:
        self.sheet = self.get(f"/projects/{self.project}/judge/")
        self.frame = found(FRAME, self.sheet)

    def get(self, address: str) -> str:
        answer = self.client.get(address, follow=True)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer.content.decode()

    def save_draft(self) -> None:
        self._send("put", "draft", {"base": 0, "choices": placements(self.sheet)})

    def submit(self) -> None:
        body = {"token": found(TOKEN, self.sheet), "choices": placements(self.sheet)}
        self._follow(self._send("post", "submission", body | {"frame": self.frame}))

    def skip(self) -> None:
        self._follow(self._send("post", "skip", {"reason": "other", "frame": self.frame}))

    def revise(self, assignment: int) -> None:
        self.get(f"/projects/{self.project}/mine/{assignment}/")

    def _follow(self, answer: Any) -> None:
        self.sheet = answer.json()["next"] or ""
        assert self.sheet, "no sheet is left"

    def _send(self, method: str, name: str, body: dict[str, Any]) -> Any:
        address = dict(ADDRESS.findall(self.sheet))[name]
        answer = getattr(self.client, method)(address, body, content_type="application/json")
        assert answer.status_code in (200, 201), (address, answer.content)
        return answer


def _judging(judging: Judging, what: str) -> Iterator[Request]:
    from django.core.cache import cache

    from annotation.models import Assignment

    base = f"/projects/{judging.project}"
    # With an empty cache, as in a process that has just begun.
    cache.clear()
    yield f"{what} cold page", judging.open_page
    yield f"{what} page", judging.open_page
    yield f"{what} draft", judging.save_draft
    for _sheet in range(SHEETS):
        yield f"{what} submission", judging.submit
    yield f"{what} skip", judging.skip
    user = judging.client.session["_auth_user_id"]
    latest = Assignment.objects.filter(annotator=user, state="submitted").latest("pk").pk
    yield f"{what} previous judgement", lambda: judging.revise(latest)
    yield f"{what} my judgements", lambda: judging.get(f"{base}/mine/")
    yield f"{what} my judgements, page 2", lambda: judging.get(f"{base}/mine/?page=2")
    yield f"{what} instructions", lambda: judging.get(f"{base}/instructions/")
    cache.clear()
    yield f"{what} projects, cold", lambda: judging.get("/")
    yield f"{what} projects", lambda: judging.get("/")
    # The sheet goes back to the queue, for the next group of requests.
    Assignment.objects.filter(annotator=user, state="open").update(
        state="returned", draft_version=0, draft_saved=None
    )


def _free(project: Any, last: int) -> list[int]:
    """Let FREE sentences need another judge, by discarding one; return these assignments."""
    from annotation.models import Assignment

    numbers = random.Random(FREE).sample(range(1, last + 1), FREE)
    judged = Assignment.objects.filter(project=project, kind="first", slot=1, state="submitted")
    freed = list(judged.filter(sentence__number__in=numbers).values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=freed).update(state="discarded", discarded_with_annotator=True)
    return freed


def _take_back(freed: list[int]) -> None:
    """Undo it where no annotator has judged the sentence meanwhile."""
    from annotation.models import Assignment

    for assignment in Assignment.objects.filter(pk__in=freed):
        others = Assignment.objects.filter(sentence=assignment.sentence_id, slot=1, kind="first")
        if not others.filter(state="submitted").exists():
            assignment.state, assignment.discarded_with_annotator = "submitted", False
            assignment.save()


def pages() -> Iterator[Request]:
    """Yield the pages of administrators."""
    from django.core.cache import cache

    from annotation.models import Membership, Project, User

    project = Project.objects.get()
    boss, _is_new = User.objects.get_or_create(username="boss")
    Membership.objects.get_or_create(user=boss, project=project, role="owner")
    judging = Judging(boss, project.pk)
    veteran = User.objects.get(username=VETERAN).pk
    systems = list(project.systems.values_list("pk", flat=True))
    last = project.sentences.order_by("-number")[0].number
    middle = last // 2

    def page(name: str, address: str) -> Iterator[Request]:
        cache.clear()
        yield name, lambda: judging.get(address)

    base = f"/projects/{project.pk}"
    yield from page("projects", "/")
    yield from page("project", f"{base}/")
    for name in ("people", "overview", "quality", "settings", "settings/systems", "export"):
        yield from page(name, f"{base}/{name}/")
    for name in ("overview/now", "sentences/open", "sentences/skipped", "documents", "report"):
        yield from page(name, f"{base}/{name}/")
    for name in ("quality/practice", "quality/controls", "quality/disputed", "metrics"):
        yield from page(name, f"{base}/{name}/")
    yield from page("person", f"{base}/people/{veteran}/")
    yield from page("document", f"{base}/documents/{middle - middle % 20 + 1}/")
    yield from page("sentence", f"{base}/sentences/{middle}/")
    queries = {
        "no filter": "",
        "last page": f"page={last // 50}",
        "words": "q=mostem",
        "words that are nowhere": "q=nowhere",
        "words in candidates": "q=budova+0&translations=on",
        "words in no candidate": "q=nowhere&translations=on",
        **{f"state {name}": f"state={name}" for name in STATES},
        "judged by": f"by={veteran}",
        **{name: f"{name}=on" for name in ("disputed", "skipped", "commented", "open", "stuck")},
        "system": f"system={systems[0]}",
        "system differs": f"system={systems[0]}&differs={systems[1]}",
        **{f"sorted by {name}": f"sort={name}" for name in SORTS},
        "agreement, last page": f"sort=agreement&page={last // 50}",
    }
    for name, query in queries.items():
        yield from page(f"sentences, {name}", f"{base}/sentences/?{query}")
    yield from page("sentence in order of agreement", f"{base}/sentences/{middle}/?sort=agreement")
    api = f"/api/v1/projects/{project.pk}"
    yield from page("API, projects", "/api/v1/projects/")
    for name in (
        "",
        "sentences/",
        "members/",
        "judgements/",
        "overview/",
        "quality/",
        "assignments/",
    ):
        yield from page(f"API, {name or 'project'}", f"{api}/{name}")
    cache.clear()
    yield (
        "metrics of the installation",
        lambda: judging.client.get(
            "/metrics", headers={"authorization": f"Bearer {METRICS_TOKEN}"}
        ),
    )


if __name__ == "__main__":
    main()
