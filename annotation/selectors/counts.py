"""Counts of the sentences of projects; of large ones, as a worker counted them last."""

from collections.abc import Collection

from django.db.models import Count

from annotation.judging import queue
from annotation.judging.project_counts import counted_sentences, counts_of_large
from annotation.models import Project


def to_judge(project: Project) -> int:
    """Return how many sentences of the project have something to judge."""
    return to_judge_of([project])[project.pk]


def to_judge_of(projects: Collection[Project]) -> dict[int, int]:
    """Return the same by project id. One query at most for small projects."""
    found = {pk: counts.to_judge for pk, counts in counts_of_large(projects).items()}
    if small := [project for project in projects if project.pk not in found]:
        rows = counted_sentences(small).order_by().values("project").annotate(Count("pk"))
        found |= dict.fromkeys((project.pk for project in small), 0)
        found |= dict(rows.values_list("project", "pk__count"))
    return found


def free(project: Project) -> int:
    """Return how many sentences need another judge."""
    if large := counts_of_large([project]):
        return large[project.pk].free
    return queue.needing_a_judge(project).count()
