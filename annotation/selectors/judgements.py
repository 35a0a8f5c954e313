"""Streams of judgements as plain rows, and summaries of projects."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import (
    Count,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.formats.answer_times import TOO_LONG
from annotation.formats.span_notation import Span
from annotation.kinds.edited_text import UNABLE
from annotation.models import (
    Assignment,
    Candidate,
    ErrorSpan,
    FurtherScore,
    Job,
    Judgement,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    ShownCandidate,
    ShownSystem,
    System,
    User,
)
from annotation.models.results import (
    assignment_counts,
    candidate_counts,
    judgement_counts,
    segment_counts,
)
from annotation.projects.annotator_names import account_names

JUDGE = Sentence.Purpose.JUDGE
# Returns the condition that a judgement counts, by the path to it: see `models.results`.
Counts = Callable[[str], Q]


@dataclass(frozen=True)
class JobSummary:
    """The progress of the preparation of a project; `error` says why it failed."""

    state: str
    stage: str
    done: int
    total: int
    error: str | None


@dataclass(frozen=True)
class ProjectSummary:
    """A project with the numbers of its parts that are not excluded; sentences are lines.

    `job` is None for an imported project, and for one whose last job is not its preparation.
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
    """An annotator with assignments in a project; names are unique, as in exports."""

    id: int
    name: str
    unidentified: bool


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One judgement of a segment; `repeat`: its assignment was a repeat.

    `sentence` is the line in the source.
    """

    id: int
    assignment: int
    segment: int
    sentence: int
    annotator: int
    seconds: float | None
    created: datetime
    repeat: bool


@dataclass(frozen=True)
class Speed:
    """Segments judged; `timed` of them, whose time is known and not too long, took `seconds`."""

    segments: int = 0
    timed: int = 0
    seconds: float = 0.0

    @property
    def per_segment(self) -> float | None:
        return self.seconds / self.timed if self.timed else None

    def __add__(self, other: "Speed") -> "Speed":
        return Speed(
            self.segments + other.segments,
            self.timed + other.timed,
            self.seconds + other.seconds,
        )


def project_summaries() -> list[ProjectSummary]:
    """Return all projects, oldest first, in one query."""
    return _summaries(Project.objects.order_by("pk"))


def project_summary(project: Project) -> ProjectSummary:
    """Return the summary in one query; raise Project.DoesNotExist if the project is deleted."""
    summaries = _summaries(Project.objects.filter(pk=project.pk))
    if not summaries:
        raise Project.DoesNotExist(f"Project {project.pk} is gone.")
    return summaries[0]


def _summaries(projects: QuerySet[Project]) -> list[ProjectSummary]:
    counted = projects.select_related("job").annotate(
        system_count=_count_by_project(System.objects.all(), "project"),
        sentence_count=_count_by_project(
            Sentence.objects.filter(purpose=JUDGE, excluded=False),
            "project",
            Count(Sentence.LINE, distinct=True),
        ),
        segment_count=_count_by_project(
            Segment.objects.filter(
                excluded=False,
                of_document=False,
                sentence__purpose=JUDGE,
                sentence__excluded=False,
            ),
            "sentence__project",
        ),
        candidate_count=_count_by_project(
            Candidate.objects.filter(
                excluded=False,
                segment__excluded=False,
                segment__of_document=False,
                segment__sentence__purpose=JUDGE,
                segment__sentence__excluded=False,
            ),
            "segment__sentence__project",
        ),
        judgement_count=_count_by_project(
            Judgement.objects.filter(judgement_counts()), "submission__assignment__project"
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
    if not job.makes_project:
        return None
    return JobSummary(job.state, job.stage, job.done, job.total, job.error or None)


def _count_by_project(rows: QuerySet[Any], project: str, number: Count | None = None) -> Coalesce:
    """Count the rows of each project in a subquery: joins would multiply the counts."""
    of_project = rows.filter(**{project: OuterRef("pk")}).order_by().values(project)
    counts = of_project.annotate(rows=number or Count("pk")).values("rows")
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)


def annotators(project: Project) -> list[Annotator]:
    """Return all users with an assignment in the project, in the order of their ids."""
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


def sentence_ids(project: Project) -> dict[int, int]:
    """Return the ids of the sentences to judge by their numbers, in the order of these."""
    rows = Sentence.objects.filter(project=project, purpose=JUDGE).order_by("number")
    return dict(rows.values_list("number", "pk").iterator(CHUNK))


def has_more_judgements_than(project: Project, number: int) -> bool:
    """Tell whether the project has more than `number` judgements, without counting all."""
    # Each of these has a judgement. To find the first judgements of a large project, PostgreSQL
    # would read all of them.
    submitted = Assignment.objects.filter(assignment_counts(), project=project).order_by()
    if submitted[number:].exists():
        return True
    return _judged(project).order_by()[number:].exists()


def narrowed_judgements(project: Project, decisions: Collection[int] | None = None) -> int:
    """Count the judgements that were narrowed by these decisions, or by any."""
    narrowed = _judged(project).filter(submission__assignment__decision__isnull=False)
    if decisions is not None:
        narrowed = narrowed.filter(submission__assignment__decision__in=decisions)
    return narrowed.count()


def aided_judgements(project: Project) -> dict[str, tuple[int, int]]:
    """Return how many judgements were made with each aid, and without it, by its name. One query.

    Only aids that some judgements were made with; narrowed judgements count.
    """
    by_aids = _judged(project).order_by().values_list("submission__assignment__aids")
    found: Counter[str] = Counter()
    total = 0
    for aids, count in by_aids.annotate(Count("pk")):
        total += count
        found.update(dict.fromkeys(aids, count))
    return {name: (count, total - count) for name, count in sorted(found.items())}


def judgements(
    project: Project, decisions: Collection[int] = (), counts: Counts = judgement_counts
) -> Iterator[JudgementRow]:
    """Stream the judgements that count, by id, narrowed ones only if by these `decisions`."""
    rows = (
        _judged(project, counts)
        .filter(_shown_by("submission__assignment", decisions))
        .order_by("pk")
    )
    values = rows.values_list(
        "pk",
        "submission__assignment",
        "segment",
        Coalesce("segment__sentence__source_line", "segment__sentence__number"),
        "submission__assignment__annotator",
        "seconds",
        "created",
        "submission__assignment__kind",
    )
    first = Assignment.Kind.FIRST
    return (
        JudgementRow(pk, assignment, segment, sentence, annotator, seconds, created, kind != first)
        for pk, assignment, segment, sentence, annotator, seconds, created, kind in values.iterator(
            CHUNK
        )
    )


def speeds(project: Project) -> dict[int, Speed]:
    """Return the speed of each annotator by id; TOO_LONG seconds or more are not timed.

    Revisions do not count: they have the time of the submission that they replace.
    """
    timed = Q(seconds__lt=TOO_LONG)
    counted = (
        Judgement.objects.filter(
            assignment_counts("submission__assignment"),
            segment_counts(),
            submission__assignment__project=project,
            submission__number=1,
        )
        .order_by()
        .values("submission__assignment__annotator")
        .annotate(
            segments=Count("pk"),
            timed=Count("pk", filter=timed),
            total=Sum("seconds", filter=timed),
        )
        .values_list("submission__assignment__annotator", "segments", "timed", "total")
    )
    return {
        who: Speed(segments, timed, seconds or 0.0) for who, segments, timed, seconds in counted
    }


def judged_candidates(
    project: Project, decisions: Collection[int] = (), counts: Counts = judgement_counts
) -> Iterator[tuple[int, int]]:
    """Stream candidate id and segment id of the segments of `judgements`, by candidate id."""
    judged = _judged(project, counts).filter(_shown_by("submission__assignment", decisions))
    rows = Candidate.objects.filter(excluded=False, segment__in=judged.values("segment"))
    return rows.order_by("pk").values_list("pk", "segment").iterator(CHUNK)


def placements(
    project: Project, decisions: Collection[int] = (), counts: Counts = judgement_counts
) -> Iterator[tuple[int, int, int | None]]:
    """Stream judgement id, candidate id and rank (None = garbage) of `judgements`, in no order."""
    rows = Placement.objects.filter(
        counts("judgement"),
        candidate_counts(),
        _shown_by("judgement__submission__assignment", decisions),
        judgement__submission__assignment__project=project,
    )
    return rows.values_list("judgement", "candidate", "rank").iterator(CHUNK)


def error_spans(project: Project) -> Iterator[tuple[int, int, Span]]:
    """Stream judgement id, candidate id and the error of those marked in `judgements`.

    In no order.
    """
    rows = ErrorSpan.objects.filter(
        judgement_counts("placement__judgement"),
        candidate_counts("placement__candidate"),
        _shown_by("placement__judgement__submission__assignment", ()),
        placement__judgement__submission__assignment__project=project,
    )
    columns = "start", "end", "severity", "side", "category"
    for judgement, candidate, *of_span in rows.values_list(
        "placement__judgement", "placement__candidate", *columns
    ).iterator(CHUNK):
        yield judgement, candidate, Span(*of_span)


def further_scores(project: Project) -> Iterator[tuple[int, int, int, int]]:
    """Stream judgement id, candidate id, scale and rank of the scores on scales after the first.

    They are those of `judgements`, in no order; scales count from 1.
    """
    rows = FurtherScore.objects.filter(
        judgement_counts("placement__judgement"),
        candidate_counts("placement__candidate"),
        _shown_by("placement__judgement__submission__assignment", ()),
        placement__judgement__submission__assignment__project=project,
    )
    return rows.values_list(
        "placement__judgement", "placement__candidate", "scale", "rank"
    ).iterator(CHUNK)


def edits(project: Project) -> Iterator[tuple[int, int, str, str | None]]:
    """Stream judgement id, candidate id, the candidate's text and the text made of it.

    The text is None if it needed no corrections; candidates that could not be corrected are left
    out. In no order.
    """
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        candidate_counts(),
        _shown_by("judgement__submission__assignment", ()),
        judgement__submission__assignment__project=project,
        rank__lt=UNABLE,
    )
    values = rows.values_list("judgement", "candidate", "candidate__text", "edit__text")
    return values.iterator(CHUNK)


def shown(project: Project) -> Iterator[tuple[int, int, int]]:
    """Stream assignment id, candidate id and position from 1 of shown candidates, in no order.

    Imported judgements have none. Candidates with equal text share a position.
    """
    rows = ShownCandidate.objects.filter(
        assignment_counts("assignment"), candidate_counts(), assignment__project=project
    )
    return rows.values_list("assignment", "candidate", "position").iterator(CHUNK)


def columns(project: Project) -> Iterator[tuple[int, str, int]]:
    """Stream assignment id, name and column of the systems that sheets show, in no order."""
    rows = ShownSystem.objects.filter(assignment_counts("assignment"), assignment__project=project)
    return rows.values_list("assignment", "system__name", "column").iterator(CHUNK)


def choices(project: Project) -> Iterator[tuple[int, float, int, float]]:
    """Stream assignment id, probability of the sheet, system id and probability of the system.

    Of sheets whose systems were chosen, in no order.
    """
    rows = Assignment.objects.filter(
        assignment_counts(), project=project, sentence__chosen_systems__isnull=False
    )
    values: Any = rows.order_by().values_list(
        "pk",
        "sentence__sheet_probability",
        "sentence__chosen_systems__system",
        "sentence__chosen_systems__probability",
    )
    return cast("Iterator[tuple[int, float, int, float]]", values.iterator(CHUNK))


def producers(
    project: Project, decisions: Collection[int] = (), counts: Counts = judgement_counts
) -> Iterator[tuple[int, int]]:
    """Stream system id and candidate id of the segments of `judgements`, in no order."""
    judged = _judged(project, counts).filter(_shown_by("submission__assignment", decisions))
    rows = Projection.objects.filter(
        candidate_counts(), segment__in=judged.values("segment"), candidate__isnull=False
    )
    return rows.values_list("system", "candidate").iterator(CHUNK)


def _judged(project: Project, counts: Counts = judgement_counts) -> QuerySet[Judgement]:
    return Judgement.objects.filter(counts(""), submission__assignment__project=project)


def _shown_by(assignment: str, decisions: Collection[int]) -> Q:
    """Return the condition that an assignment shows all systems, or is of one of the decisions."""
    every = Q(**{f"{assignment}__decision__isnull": True})
    return every | Q(**{f"{assignment}__decision__in": decisions}) if decisions else every
