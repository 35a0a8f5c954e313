"""Counts of the sentences of projects. Those of large projects are cached for a minute."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from annotation.common.caching import CACHE_SECONDS, LARGE_PROJECT, cached_if_large, project_key
from annotation.judging import queue
from annotation.models import Assignment, Project, Sentence

# The sentence of an assignment, or for a copy its original.
SOURCE: Final = Coalesce("sentence__copy_of", "sentence")
# A sentence is judged again after a system has added candidates to it.
JUDGED: Final = Q(
    state=Assignment.State.SUBMITTED, candidate_version__gte=F("sentence__candidate_version")
) & ~Q(kind=Assignment.Kind.PRACTICE)


@dataclass(frozen=True)
class JudgedCount:
    """How many sentences any annotator has judged: with copies for control, and without."""

    all: int = 0
    counted: int = 0


def to_judge(project: Project) -> int:
    """Return how many sentences of the project have something to judge."""
    return to_judge_of([project])[project.pk]


def to_judge_of(projects: Collection[Project]) -> dict[int, int]:
    """Return the same by project id. One query at most."""
    keys = {project.pk: project_key("to-judge", project) for project in projects}
    cached = cache.get_many(keys.values())
    counts = {pk: cached[key] for pk, key in keys.items() if key in cached}
    missing = [pk for pk in keys if pk not in counts]
    if missing:
        sentences = queue.with_something_to_judge(Sentence.objects.filter(project__in=missing))
        rows = sentences.order_by().values("project").annotate(Count("pk"))
        counts |= dict.fromkeys(missing, 0) | dict(rows.values_list("project", "pk__count"))
        large = {keys[pk]: counts[pk] for pk in missing if counts[pk] >= LARGE_PROJECT}
        cache.set_many(large, CACHE_SECONDS)
    return counts


def judged_of(projects: Collection[Project], sizes: Mapping[int, int]) -> dict[int, JudgedCount]:
    """Return how many sentences are judged by project id; `sizes` are the sentences to judge."""
    keys = {project.pk: project_key("judged", project) for project in projects}
    cached = cache.get_many(keys.values())
    counts = {pk: cached[key] for pk, key in keys.items() if key in cached}
    missing = [pk for pk in keys if pk not in counts]
    if missing:
        rows = (
            Assignment.objects.filter(JUDGED, project__in=missing)
            .order_by()
            .values("project")
            .annotate(
                all=Count(SOURCE, distinct=True),
                counted=Count("sentence", distinct=True, filter=Q(kind__in=Assignment.COUNTED)),
            )
        )
        counts |= dict.fromkeys(missing, JudgedCount())
        counts |= {row.pop("project"): JudgedCount(**row) for row in rows}
        large = {keys[pk]: counts[pk] for pk in missing if sizes[pk] >= LARGE_PROJECT}
        cache.set_many(large, CACHE_SECONDS)
    return counts


def free(project: Project, sentences: int) -> int:
    """Return how many sentences need another judge, in a project of so many sentences."""
    return cached_if_large(
        f"free-{project.judges_per_sentence}",
        project,
        lambda: queue.needing_a_judge(project).count(),
        sentences=sentences,
    )
