"""Fills the tables of earlier versions, brings them up to date, and prints what is there then.

A program of its own, for an empty DATABASE_URL: the tables of the tests are today's, and there is
no way back.
"""

import csv
import hashlib
import io
import json
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import django
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

# Those of the first version, and the last ones before what was stored changed its shape: leases
# and submissions came, then chunks of jobs, then owners.
VERSIONS = (
    "0001_initial",
    "0004_leases_and_submissions_hold",
    "0009_job_task",
    "0012_assignments_by_annotator",
)
SOURCE = "the old house"
CANDIDATES = ("starý dům", "stará dům", "dům")
# Who judged what: the kind, and the rank of each candidate, None for the garbage bin.
JUDGED: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "jana": ("first", (1, 2, None)),
    "petr": ("inter", (3, 3, 1)),
}
# Of several accounts one may have it, whatever its case: who has been signed in last.
ADDRESSES = {"jana": "jana@example.org", "petr": "Jana@Example.org", "petra": "petra@example.org"}


def main() -> None:
    django.setup()
    for version in VERSIONS:
        executor = MigrationExecutor(connection)
        executor.migrate([("annotation", version)])
        tables = executor.loader.project_state([("annotation", version)])
        Filling(tables.apps, version).fill()
    call_command("migrate", verbosity=0)
    json.dump({version: found(version) for version in VERSIONS}, sys.stdout)


class Filling:
    """A project in the tables of a version, with what people did in it."""

    def __init__(self, apps: Apps, version: str) -> None:
        self._apps = apps
        self._version = version
        self._now = timezone.now()
        self._has_submissions = version > "0004"
        self.project: Any = None

    def make(self, model: str, /, **fields: object) -> Any:
        return self._apps.get_model("annotation", model).objects.create(**fields)

    def fill(self) -> None:
        instructions = {} if self._has_submissions else {"instructions": "Be kind."}
        self.project = self._project(self._version, state="open", **instructions)
        if self._has_submissions:
            self.make(
                "Instructions", project=self.project, version=1, text="Be kind.", created=self._now
            )
        people = self._people()
        judged, waiting = self._sentence(1), self._sentence(2)
        for name, (kind, ranks) in JUDGED.items():
            self._judge(people[name], kind, judged, ranks)
        slot = {"slot": 1} if self._has_submissions else {}
        self._assign(people["jana"], "first", waiting[0], state="open", **slot)
        if self._has_submissions:
            self._practice(judged)
        self._running_job()

    def _project(self, name: str, **fields: object) -> Any:
        return self.make("Project", name=name, source_language="en", target_language="cs", **fields)

    def _people(self) -> dict[str, Any]:
        roles = {"jana": "annotator", "petr": "annotator"}
        roles |= {"petra": "administrator", "pavel": "administrator"}
        users = self._apps.get_model("annotation", "User").objects
        people = {}
        for name, role in roles.items():
            mail = {"email": ADDRESSES.get(name, "")}
            people[name], _new = users.get_or_create(
                username=name, password="a hash", defaults=mail
            )
            self.make("Membership", project=self.project, user=people[name], role=role)
        users.filter(username="petr").update(last_login=self._now)
        self.make(
            "SignInLink",
            user=people["jana"],
            token_hash=hashlib.sha256(self._version.encode()).hexdigest(),
            expires=self._now + timedelta(days=7),
        )
        return people

    def _sentence(self, number: int) -> tuple[Any, Any, list[Any]]:
        """Make a sentence that systems translated; return it, its segment and its candidates."""
        sentence, segment, candidates = made = self._texts(number)
        for name, candidate in zip("ABC", candidates, strict=True):
            systems = self._apps.get_model("annotation", "System").objects
            system, _new = systems.get_or_create(project=self.project, name=name)
            self.make("Projection", segment=segment, system=system, candidate=candidate)
            text = {"text": candidate.text, "tokens": candidate.text, "alignment": "0-0 1-0 2-1"}
            self.make("Translation", sentence=sentence, system=system, **text)
        self.make("Translation", sentence=sentence, text="reference", tokens="reference")
        return made

    def _texts(self, number: int, **fields: object) -> tuple[Any, Any, list[Any]]:
        texts = {"text": SOURCE, "tokens": SOURCE, "tree": "(S the old house)"}
        sentence = self.make("Sentence", project=self.project, number=number, **texts, **fields)
        segment = self.make("Segment", sentence=sentence, token_indices="0 1 2")
        candidates = [self.make("Candidate", segment=segment, text=text) for text in CANDIDATES]
        return sentence, segment, candidates

    def _assign(self, annotator: Any, kind: str, sentence: Any, **fields: object) -> Any:
        times: dict[str, Any] = {"created": self._now, "shown": self._now}
        if self._has_submissions and fields["state"] == "open":
            times["lease_until"] = self._now + timedelta(hours=4)
        assignment = self.make(
            "Assignment",
            project=self.project,
            sentence=sentence,
            annotator=annotator,
            kind=kind,
            **times,
            **fields,
        )
        if self._has_submissions and fields["state"] == "open":
            self.make("Draft", assignment=assignment, version=3, choices={}, saved=self._now)
        return assignment

    def _judge(
        self, annotator: Any, kind: str, judged: tuple[Any, Any, list[Any]], ranks: tuple[Any, ...]
    ) -> None:
        sentence, segment, candidates = judged
        token = uuid5(NAMESPACE_URL, f"{self._version} {annotator.username}")
        fields: dict[str, Any] = {"state": "submitted", "submitted": self._now}
        if not self._has_submissions:
            fields["submission_token"] = token
        elif kind == "first":
            fields["slot"] = 1
        assignment = self._assign(annotator, kind, sentence, **fields)
        of = {"assignment": assignment}
        if self._has_submissions:
            of = {
                "submission": self.make(
                    "Submission", assignment=assignment, token=token, created=self._now
                )
            }
        judgement = self.make("Judgement", segment=segment, created=self._now, seconds=3.5, **of)
        for position, (candidate, rank) in enumerate(zip(candidates, ranks, strict=True), start=1):
            self.make(
                "ShownCandidate", assignment=assignment, candidate=candidate, position=position
            )
            self.make(
                "Placement", judgement=judgement, candidate=candidate, rank=rank, ranks_offered=3
            )

    def _practice(self, judged: tuple[Any, Any, list[Any]]) -> None:
        """A sentence for practice with its answer; there was none in the first versions."""
        if self._version < "0005":
            return
        _sentence, segment, candidates = self._texts(1, purpose="practice", copy_of=judged[0])
        answer = self.make("Answer", segment=segment, explanation="A house is no she.")
        for rank, candidate in enumerate(candidates, start=1):
            self.make(
                "ExpectedPlacement", answer=answer, candidate=candidate, rank=rank, ranks_offered=3
            )

    def _running_job(self) -> None:
        project = self._project(f"{self._version}, preparing", state="preparing")
        whose = {"owner": "host:1:1", "lease_until": self._now}
        until_chunks = whose if self._version < "0010" else {}
        job = self.make("Job", project=project, state="running", started=self._now, **until_chunks)
        if not until_chunks:
            self.make("Chunk", job=job, stage="tokens", first=1, last=9, state="running", **whose)


def found(version: str) -> dict[str, Any]:
    """Return what today's models and exports say of the project of that version."""
    from annotation.exporting import export_project
    from annotation.importing import import_project
    from annotation.models import Answer, Assignment, Draft, Job, Project, SignInLink, Submission

    project = Project.objects.get(name=version)
    with TemporaryDirectory() as folder:
        export_project(project=project, format_name="archive", to=Path(folder) / "archive")
        restored = import_project(path=Path(folder) / "archive", name=f"{version}, restored")
    job = Job.objects.get(project__name=f"{version}, preparing")
    token_hash = hashlib.sha256(version.encode()).hexdigest()
    return {
        "placements": placements(project),
        "restored": placements(restored),
        "roles": dict(project.memberships.values_list("user__username", "role")),
        "passwords": list(project.memberships.values_list("user__password", flat=True).distinct()),
        "addresses": dict(project.memberships.values_list("user__username", "user__email")),
        "instructions": [row.text for row in project.instructions.all()],
        "open": list(
            Assignment.objects.filter(project=project, state="open").values_list(
                "annotator__username", "sentence__number", "kind", "slot"
            )
        ),
        "leased": Assignment.objects.filter(
            project=project, lease_until__gt=timezone.now()
        ).count(),
        "submissions": list(
            Submission.objects.filter(assignment__project=project)
            .order_by("pk")
            .values_list("number", "current")
        ),
        "drafts": list(
            Draft.objects.filter(assignment__project=project).values_list("version", flat=True)
        ),
        "answers": Answer.objects.filter(segment__sentence__project=project).count(),
        "translations": list(
            project.sentences.filter(number=2)
            .order_by("translations__pk")
            .values_list("translations__system__name", "translations__alignment")
        ),
        "job": [job.state, job.owner],
        "links": SignInLink.objects.filter(token_hash=token_hash, used=None).count(),
    }


def placements(project: Any) -> list[list[str]]:
    """Return the rows of the project's CSV: what anybody placed, and where."""
    from annotation.exporting.tables import placements

    rows = csv.DictReader(io.StringIO("".join(placements(project))))
    columns = ("sentence", "annotator", "assignment_kind", "seconds", "candidate", "systems")
    return [[row[name] for name in (*columns, "order_shown", "rank", "garbage")] for row in rows]


if __name__ == "__main__":
    main()
