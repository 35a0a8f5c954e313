"""The members of a project with the number of sentences that each has judged."""

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.common.caching import cached_if_large
from annotation.models import Assignment, Membership, Project
from annotation.projects.annotator_names import name_of_member
from annotation.selectors import counts


def members(project: Project) -> QuerySet[Membership]:
    """Return the members by user name, each with `name` and `judged`.

    These are the name for administrators, and how many sentences they have submitted.
    """
    submitted = _counted_assignments(project).filter(annotator=OuterRef("user")).order_by()
    counted = submitted.values("annotator").annotate(rows=Count("sentence", distinct=True))
    judged = Coalesce(Subquery(counted.values("rows"), output_field=IntegerField()), 0)
    return (
        Membership.objects.filter(project=project)
        .select_related("user")
        .annotate(judged=judged, name=name_of_member())
        .order_by("user__username")
    )


def all_members(project: Project) -> list[tuple[Membership, int]]:
    """Return the same as pairs; in a large project the counts may be a minute old."""
    rows = Membership.objects.filter(project=project).select_related("user")
    rows = rows.annotate(name=name_of_member()).order_by("user__username")

    def count() -> dict[int, int]:
        submitted = _counted_assignments(project).order_by().values_list("annotator")
        return dict(submitted.annotate(Count("sentence", distinct=True)))

    judged = cached_if_large("judged-by", project, count, sentences=counts.to_judge(project))
    return [(row, judged.get(row.user_id, 0)) for row in rows]


def _counted_assignments(project: Project) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        project=project, state=Assignment.State.SUBMITTED, kind__in=Assignment.COUNTED
    )
