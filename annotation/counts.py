"""Counts of all sentences of projects: those of large ones are remembered for a minute."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from django.core.cache import cache
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation import queue
from annotation.models import Assignment, Project, Sentence
from annotation.ready_made import ReadyMadeRead

# Seconds.
REMEMBERED: Final = 60
# Sentences: those of a smaller project are counted quickly, and so always as they are.
LARGE: Final = 500

# The sentence of an assignment, or for control the one that it is a copy of.
SOURCE: Final = Coalesce("sentence__copy_of", "sentence")
# What a system has brought something new to is to be judged again.
JUDGED: Final = Q(state=Assignment.State.SUBMITTED, round__gte=F("sentence__round")) & ~Q(
    kind=Assignment.Kind.PRACTICE
)

Found = TypeVar("Found")


@dataclass(frozen=True)
class Judged:
    """How many sentences somebody has judged: those for control too, and without them."""

    all: int = 0
    counted: int = 0


@dataclass(frozen=True)
class Free:
    """How many sentences still needed a judge at a moment."""

    count: int
    when: datetime


def to_judge(project: Project) -> int:
    """Return how many sentences of the project have something to judge."""
    key = _key("to-judge", project)
    found: int | None = cache.get(key)
    if found is None:
        found = _to_judge.first(project) or 0
        if found >= LARGE:
            cache.set(key, found, REMEMBERED)
    return found


@ReadyMadeRead
def _to_judge(project: Project) -> QuerySet[Sentence, int]:
    """No row where there are none."""
    sentences = _by_project(Sentence.objects.filter(project=project))
    return sentences.values_list("pk__count", flat=True)


def _by_project(sentences: QuerySet[Sentence]) -> QuerySet[Sentence, Any]:
    to_judge = queue.with_something_to_judge(sentences).order_by().values("project")
    return to_judge.annotate(Count("pk")).values_list("project", "pk__count")


def to_judge_of(projects: Collection[Project]) -> dict[int, int]:
    """Return the same by the ids of projects. One query at most."""

    def count(unknown: Collection[Project]) -> dict[int, int]:
        return dict(_by_project(Sentence.objects.filter(project__in=unknown)))

    return _of_each("to-judge", projects, count, 0, lambda project, found: found >= LARGE)


def judged_of(projects: Collection[Project], sizes: Mapping[int, int]) -> dict[int, Judged]:
    """Return how many sentences anybody has judged, by the ids of projects. One query at most.

    `sizes` are their sentences to judge.
    """

    def count(unknown: Collection[Project]) -> dict[int, Judged]:
        rows = (
            Assignment.objects.filter(JUDGED, project__in=unknown)
            .order_by()
            .values("project")
            .annotate(
                all=Count(SOURCE, distinct=True),
                counted=Count("sentence", distinct=True, filter=Q(kind__in=Assignment.COUNTED)),
            )
        )
        return {row.pop("project"): Judged(**row) for row in rows}

    return _of_each(
        "judged", projects, count, Judged(), lambda project, _found: sizes[project.pk] >= LARGE
    )


def free(project: Project, size: int) -> Free:
    """Return how many sentences of the project, which has so many, still need a judge."""

    def count() -> Free:
        now = timezone.now()
        return Free(queue.free_at(project, now).count(), now)

    return of_large(f"free-{project.judges_per_sentence}", project, size, count)


def of_large(
    what: str,
    project: Project,
    size: int,
    count: Callable[[], Found],
    *,
    large: int = LARGE,
    seconds: int = REMEMBERED,
) -> Found:
    """Return what was counted in the last minute, if the project is large, else count it."""
    if size < large:
        return count()
    key = _key(what, project)
    found: Found | None = cache.get(key)
    if found is None:
        found = count()
        cache.set(key, found, seconds)
    return found


def _of_each(
    what: str,
    projects: Collection[Project],
    count: Callable[[Collection[Project]], Mapping[int, Found]],
    nothing: Found,
    is_large: Callable[[Project, Found], bool],
) -> dict[int, Found]:
    """Return what is remembered of the projects, and what is counted of the others."""
    keys = {_key(what, one): one for one in projects}
    remembered = cache.get_many(keys)
    unknown = {key: one for key, one in keys.items() if key not in remembered}
    counted = count(list(unknown.values())) if unknown else {}
    fresh = {key: counted.get(one.pk, nothing) for key, one in unknown.items()}
    large = {key: value for key, value in fresh.items() if is_large(keys[key], value)}
    cache.set_many(large, REMEMBERED)
    return {keys[key].pk: value for key, value in (remembered | fresh).items()}


def _key(what: str, project: Project) -> str:
    # Not by the id alone, which another project could get once this one is gone.
    return f"{what}:{project.pk}:{project.created.timestamp()}"
