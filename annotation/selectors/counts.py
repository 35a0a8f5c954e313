"""Counts of all sentences of projects: those of large ones are counted once a minute."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.common.stale_cache import LARGE, REMEMBERED, key_of, recall, recall_each
from annotation.judging import queue
from annotation.models import Assignment, Project, Sentence

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
    return recall(
        key_of("to-judge", project),
        lambda: _to_judge.first(project) or 0,
        REMEMBERED,
        worth=lambda found: found >= LARGE,
    )


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
    waiting: bool = False,
) -> Found:
    """Return what `count` counts of the project, if it is large, as `recall` remembers it."""
    if size < large:
        return count()
    return recall(key_of(what, project), count, seconds, waiting=waiting)


def _of_each(
    what: str,
    projects: Collection[Project],
    count: Callable[[Collection[Project]], Mapping[int, Found]],
    nothing: Found,
    is_large: Callable[[Project, Found], bool],
) -> dict[int, Found]:
    """Return by the ids of projects what is remembered of them, and what is counted of others."""
    by_key = {key_of(what, one): one for one in projects}

    def find(keys: Collection[str]) -> dict[str, Found]:
        counted = count([by_key[key] for key in keys])
        return {key: counted.get(by_key[key].pk, nothing) for key in keys}

    found = recall_each(
        by_key, find, REMEMBERED, worth=lambda key, value: is_large(by_key[key], value)
    )
    return {by_key[key].pk: value for key, value in found.items()}
