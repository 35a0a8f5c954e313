"""The systems of a project, and the progress of adding one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from msgspec.structs import astuple

from annotation.common.caching import cached_if_large
from annotation.common.error_messages import LocalizedMessage
from annotation.models import Job, Project, Projection, Segment, Sentence, System
from annotation.pipeline.jobs import error_message
from annotation.projects.added_systems import entries
from annotation.projects.provenance import AddedSystem
from annotation.selectors import counts
from annotation.selectors.preparation_status import LABELS


@dataclass(frozen=True)
class SystemRow:
    """A system and the number of segments for which it has a candidate.

    `is_unfinished` is True where adding the system was interrupted and no job is at work.
    """

    system: System
    candidates: int
    segments: int
    added: AddedSystem | None
    is_unfinished: bool


@dataclass(frozen=True)
class Adding:
    """How far adding a system is: `state` is "queued", "running" or "failed"."""

    system: str
    state: str
    words: str
    done: int
    total: int
    error: LocalizedMessage | None


@dataclass(frozen=True)
class _Counted:
    """Segments; and by the ids of systems: projections, and those that have a candidate."""

    segments: int
    projected: Counter[int]
    candidates: Counter[int]


def system_rows(project: Project, at_work: Adding | None) -> list[SystemRow]:
    """Return the systems in the order in which they came, in seven queries.

    `at_work` is what `adding` returns.
    """
    systems = list(project.systems.order_by("pk"))
    added = entries(project)
    counted = _counted(project, f"{len(systems)}-{_merged_segments(added.values())}", at_work)
    busy_with = at_work.system if at_work and at_work.state in Job.AT_WORK else None
    return [
        SystemRow(
            system=system,
            candidates=counted.candidates[system.pk],
            segments=counted.segments,
            added=added.get(system.name),
            is_unfinished=system.name != busy_with
            and _is_unfinished(
                added.get(system.name), counted.segments - counted.projected[system.pk]
            ),
        )
        for system in systems
    ]


def _merged_segments(added: Iterable[AddedSystem]) -> int:
    return sum(sum(astuple(one.counts)) for one in added if one.counts)


def _counted(project: Project, systems: str, at_work: Adding | None) -> _Counted:
    """Count without what is for practice and control; in large projects, once a minute at most.

    Count again when there are other `systems`, or more segments are merged with theirs.
    """
    if at_work:
        return _count_candidates(project)
    size = counts.to_judge(project)
    return cached_if_large(
        f"systems-{systems}", project, lambda: _count_candidates(project), sentences=size
    )


def _count_candidates(project: Project) -> _Counted:
    copies = project.sentences.exclude(purpose=Sentence.Purpose.JUDGE)
    copied = list(copies.values_list("pk", flat=True))
    # All less the few of copies: to ask of all of them what they belong to takes long.
    projections = Projection.objects.filter(system__project=project)
    projected, candidates = _by_system(projections)
    of_project = Segment.objects.filter(sentence__project=project)
    segments = of_project.count()
    documents = of_project.filter(of_document=True).exclude(sentence__in=copied)
    for left_out in (Segment.objects.filter(sentence__in=copied), documents):
        others = _by_system(projections.filter(segment__in=left_out.values("pk")))
        projected.subtract(others[0])
        candidates.subtract(others[1])
        segments -= left_out.count()
    return _Counted(segments, projected, candidates)


def _by_system(projections: QuerySet[Projection]) -> tuple[Counter[int], Counter[int]]:
    # A system can have several candidates of a segment, such as edits of its output.
    segments = Count("segment", distinct=True)
    with_candidates = Count("segment", distinct=True, filter=Q(candidate__isnull=False))
    rows = (
        projections.order_by()
        .values("system")
        .annotate(of_system=segments, with_candidates=with_candidates)
        .values_list("system", "of_system", "with_candidates")
    )
    projected: Counter[int] = Counter()
    candidates: Counter[int] = Counter()
    for system_id, of_system, with_candidate in rows:
        projected[system_id], candidates[system_id] = of_system, with_candidate
    return projected, candidates


def _is_unfinished(added: AddedSystem | None, left: int) -> bool:
    # What came ready-made may lack candidates for ever.
    return added is not None and (left > 0 or not added.counts)


def adding(project: Project) -> Adding | None:
    """Return how far adding a system is, or why it failed; None where none is being added."""
    job = Job.objects.filter(
        project=project, task=Job.Task.ADD_SYSTEM, state__in=(*Job.AT_WORK, Job.State.FAILED)
    ).first()
    if job is None:
        return None
    name = str(job.options.get("system", ""))
    added = entries(project).get(name)
    if job.state == Job.State.FAILED and added and added.counts:
        # The command has finished it meanwhile.
        return None
    return Adding(
        system=name,
        state=str(job.state),
        words=_progress_words(job),
        done=job.done,
        total=job.total,
        error=error_message(job),
    )


def _progress_words(job: Job) -> str:
    if job.state == Job.State.QUEUED:
        return _("The texts are stored and wait for a worker.")
    if not job.stage:
        return _("at work")
    label = LABELS.get(job.stage, job.stage)
    if not job.done:
        return str(label)
    text = _("%(label)s: %(done)d of %(total)d")
    return text % {"label": label, "done": job.done, "total": job.total}
