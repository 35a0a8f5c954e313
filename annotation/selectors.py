"""Reads that others need: who judged what, as plain rows that stream."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.exporting.names import account_names
from annotation.models import (
    Assignment,
    Candidate,
    Job,
    Judgement,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    User,
)

# Rows fetched at once: memory stays bounded however many there are.
CHUNK = 10_000
JUDGE = Sentence.Purpose.JUDGE


@dataclass(frozen=True)
class JobSummary:
    """How far the preparation of a project is; `error` says why it failed."""

    state: str
    stage: str
    done: int
    total: int
    error: str | None


@dataclass(frozen=True)
class ProjectSummary:
    """A project and how much there is in it.

    One has no job that came ready-made, or to which something was added once it was prepared.
    """

    id: int
    name: str
    state: str
    source_language: str
    target_language: str
    systems: int
    sentences: int
    segments: int
    candidates: int
    judgements: int
    job: JobSummary | None


@dataclass(frozen=True)
class Annotator:
    """Someone who was given sentences of a project; named as in exports, no two alike."""

    id: int
    name: str
    unidentified: bool


def project_summaries() -> list[ProjectSummary]:
    """Return all projects, oldest first, in one query."""
    return _summaries(Project.objects.order_by("pk"))


def project_summary(project: Project) -> ProjectSummary:
    """Return what the project holds, in one query; raise Project.DoesNotExist if it is gone."""
    summaries = _summaries(Project.objects.filter(pk=project.pk))
    if not summaries:
        raise Project.DoesNotExist(f"Project {project.pk} is gone.")
    return summaries[0]


def _summaries(projects: QuerySet[Project]) -> list[ProjectSummary]:
    counted = projects.select_related("job").annotate(
        system_count=_count(System.objects.all(), "project"),
        sentence_count=_count(Sentence.objects.filter(purpose=JUDGE), "project"),
        segment_count=_count(Segment.objects.filter(sentence__purpose=JUDGE), "sentence__project"),
        candidate_count=_count(
            Candidate.objects.filter(segment__sentence__purpose=JUDGE),
            "segment__sentence__project",
        ),
        judgement_count=_count(
            Judgement.objects.filter(
                submission__current=True, submission__assignment__kind__in=Assignment.COUNTED
            ),
            "submission__assignment__project",
        ),
    )
    return [
        ProjectSummary(
            id=project.pk,
            name=project.name,
            state=project.state,
            source_language=project.source_language,
            target_language=project.target_language,
            systems=project.system_count,
            sentences=project.sentence_count,
            segments=project.segment_count,
            candidates=project.candidate_count,
            judgements=project.judgement_count,
            job=_job(project),
        )
        for project in counted
    ]


def _job(project: Project) -> JobSummary | None:
    try:
        job = project.job
    except Job.DoesNotExist:
        return None
    if job.task != Job.Task.PREPARE:
        return None
    return JobSummary(job.state, job.stage, job.done, job.total, job.error or None)


def _count(rows: QuerySet[Any], project: str) -> Coalesce:
    """Count the rows of each project apart: joins would multiply one count by another."""
    of_project = rows.filter(**{project: OuterRef("pk")}).order_by().values(project)
    counts = of_project.annotate(rows=Count("pk")).values("rows")
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)


def annotators(project: Project) -> list[Annotator]:
    """Return everyone with an assignment in the project, in the order of their ids."""
    given = Assignment.objects.filter(project=project).values("annotator")
    people = User.objects.filter(pk__in=given).order_by("pk")
    names = account_names(project)
    return [
        Annotator(id=pk, name=names[pk], unidentified=unidentified)
        for pk, unidentified in people.values_list("pk", "unidentified")
    ]


def systems(project: Project) -> list[tuple[int, str]]:
    """Return id and name of the project's systems, in the order of their ids."""
    return list(System.objects.filter(project=project).order_by("pk").values_list("pk", "name"))


def judgements(project: Project) -> Iterator[tuple[int, int, int, int, float | None]]:
    """Stream judgement id, segment id, sentence number, annotator id, seconds; by judgement id."""
    rows = _judged(project).order_by("pk")
    return rows.values_list(
        "pk",
        "segment",
        "segment__sentence__number",
        "submission__assignment__annotator",
        "seconds",
    ).iterator(CHUNK)


def judged_candidates(project: Project) -> Iterator[tuple[int, int]]:
    """Stream candidate id and segment id of all segments with a judgement, by candidate id."""
    rows = Candidate.objects.filter(segment__in=_judged(project).values("segment"))
    return rows.order_by("pk").values_list("pk", "segment").iterator(CHUNK)


def placements(project: Project) -> Iterator[tuple[int, int, int | None]]:
    """Stream judgement id, candidate id and rank (None = garbage), in no certain order."""
    rows = Placement.objects.filter(
        judgement__submission__assignment__project=project,
        judgement__submission__assignment__kind__in=Assignment.COUNTED,
        judgement__submission__current=True,
    )
    return rows.values_list("judgement", "candidate", "rank").iterator(CHUNK)


def producers(project: Project) -> Iterator[tuple[int, int]]:
    """Stream system id and candidate id of all segments with a judgement, in no certain order."""
    rows = Projection.objects.filter(
        segment__in=_judged(project).values("segment"), candidate__isnull=False
    )
    return rows.values_list("system", "candidate").iterator(CHUNK)


def _judged(project: Project) -> QuerySet[Judgement]:
    # What was revised has been replaced in every figure; practice and control are in none.
    return Judgement.objects.filter(
        submission__assignment__project=project,
        submission__assignment__kind__in=Assignment.COUNTED,
        submission__current=True,
    )
