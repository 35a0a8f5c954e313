"""The systems of a project as its administrators see them, and how far adding one is."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from annotation.models import Job, Project, Segment, Sentence, System
from annotation.preparation_reports import LABELS

AT_WORK = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True)
class Added:
    """What is remembered of a system that came later.

    `brought` are its segments by what they got from it ("known", "new", "missing", "again"); none
    before it has all its candidates.
    """

    file: str
    aligner: str
    brought: dict[str, int]


@dataclass(frozen=True)
class SystemRow:
    """A system: it has a candidate for so many of so many segments.

    `is_unfinished` where adding it stopped half way, and nobody works on it.
    """

    system: System
    candidates: int
    segments: int
    added: Added | None
    is_unfinished: bool


@dataclass(frozen=True)
class Adding:
    """How far adding a system is: `state` is "queued", "running" or "failed"."""

    system: str
    state: str
    words: str
    done: int
    total: int
    error: str


def system_rows(project: Project, at_work: Adding | None) -> list[SystemRow]:
    """Return the systems in the order in which they came, in two queries.

    `at_work` is what `adding` returns.
    """
    segments = Segment.objects.filter(
        sentence__project=project, sentence__purpose=Sentence.Purpose.JUDGE
    ).count()
    judged = Q(projections__segment__sentence__purpose=Sentence.Purpose.JUDGE)
    has_candidate = Q(projections__candidate__isnull=False)
    systems = project.systems.order_by("pk").annotate(
        projected=Count("projections", filter=judged),
        with_candidate=Count("projections", filter=judged & has_candidate),
    )
    added = _added(project)
    busy_with = at_work.system if at_work and at_work.state in AT_WORK else None
    return [
        SystemRow(
            system=system,
            candidates=system.with_candidate,
            segments=segments,
            added=added.get(system.name),
            is_unfinished=system.name != busy_with
            and _is_unfinished(added.get(system.name), segments - system.projected),
        )
        for system in systems
    ]


def _is_unfinished(added: Added | None, left: int) -> bool:
    # What came ready-made may lack candidates for ever.
    return added is not None and (left > 0 or not added.brought)


def adding(project: Project) -> Adding | None:
    """Return how far adding a system is, or why it failed; None where none is being added."""
    job = Job.objects.filter(
        project=project, task=Job.Task.ADD_SYSTEM, state__in=(*AT_WORK, Job.State.FAILED)
    ).first()
    if job is None:
        return None
    name = str(job.options.get("system", ""))
    added = _added(project).get(name)
    if job.state == Job.State.FAILED and added and added.brought:
        # The command has finished it meanwhile.
        return None
    return Adding(
        system=name,
        state=str(job.state),
        words=_words(job),
        done=job.done,
        total=job.total,
        error=job.error,
    )


def _words(job: Job) -> str:
    if job.state == Job.State.QUEUED:
        return _("The texts are stored and wait for a worker.")
    if not job.stage:
        return _("at work")
    label = LABELS.get(job.stage, job.stage)
    if not job.done:
        return str(label)
    told = _("%(label)s: %(done)d of %(total)d")
    return told % {"label": label, "done": job.done, "total": job.total}


def _added(project: Project) -> dict[str, Added]:
    """Return what the provenance says of the systems that came later, by their names."""
    rows = project.provenance.get("added")
    # A restored archive may hold anything.
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {str(row.get("system")): _as_added(row) for row in rows}


def _as_added(row: dict[str, Any]) -> Added:
    aligner, brought = _dict(row.get("aligner")), _dict(row.get("brought"))
    parts = [str(aligner[name]) for name in ("name", "version") if aligner.get(name)]
    return Added(
        file=str(row.get("name", "")),
        aligner=" ".join(parts),
        brought={str(name): count for name, count in brought.items() if isinstance(count, int)},
    )


def _dict(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}
