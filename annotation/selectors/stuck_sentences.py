"""The sentences that need a judge, and that no annotator can get any more."""

from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.common.caching import cached_if_large
from annotation.judging import queue
from annotation.judging.assignment import counted_for_limits
from annotation.models import Assignment, Membership, Project, Sentence

# Seconds for which the number of a large project may be out of date.
COUNT_CACHED: Final = 10


def count_stuck(project: Project, sentences: int) -> int:
    """Return the number of stuck sentences of a project that has so many to judge."""
    return cached_if_large(
        "stuck",
        project,
        lambda: stuck_sentences(project).count(),
        sentences=sentences,
        seconds=COUNT_CACHED,
    )


def stuck_sentences(project: Project) -> QuerySet[Sentence]:
    """Return the sentences that no annotator is left to judge. One query or two, and its own.

    Annotators are the members with this role, and administrators and owners who have begun to
    judge. Each of them is paused, deactivated, has reached the sentence limit, or is judging, has
    judged or has skipped the sentence. None where there are no annotators yet.
    """
    begun = Assignment.objects.filter(project=project, annotator=OuterRef("user"))
    annotators = Membership.objects.filter(
        Q(role=Membership.Role.ANNOTATOR) | Q(Exists(begun)),
        project=project,
        role__in=Membership.JUDGING,
    )
    rows = list(annotators.values_list("user", "user__is_active", "paused", "sentence_limit"))
    if not rows:
        return Sentence.objects.none()
    counted: dict[int, int] = {}
    if any(limit is not None for *_others, limit in rows):
        assigned = counted_for_limits(project.pk).order_by().values("annotator")
        counted = dict(assigned.annotate(Count("pk")).values_list("annotator", "pk__count"))
    judging = [
        pk
        for pk, is_active, paused, limit in rows
        if is_active and not paused and (limit is None or counted.get(pk, 0) < limit)
    ]
    had = Assignment.objects.filter(
        sentence=OuterRef(OuterRef("pk")),
        annotator=OuterRef("user"),
        candidate_version__gte=OuterRef(OuterRef("candidate_version")),
    ).exclude(state__in=Assignment.ENDED_STATES)
    members = Membership.objects.filter(project=project, user__in=judging)
    can_judge = members.filter(~Exists(had))
    return queue.needing_a_judge(project).filter(~Exists(can_judge))
