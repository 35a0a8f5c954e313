"""The members of a project, with the work that each has submitted."""

from django.db.models import QuerySet

from annotation.models import Membership, Project, Reservation
from annotation.projects.annotator_names import name_of_member
from annotation.selectors import counts
from annotation.selectors.submitted_work import ProjectWork, recent_work


def members(project: Project) -> QuerySet[Membership]:
    """Return the members by user name, each with `name`: that which administrators see."""
    rows = Membership.objects.filter(project=project).select_related("user")
    return rows.annotate(name=name_of_member()).order_by("user__username")


def work_of_members(project: Project) -> ProjectWork:
    """Return the work of all annotators; in a large project it may be a minute old."""
    return recent_work(project, counts.to_judge(project))


def reserved_numbers(project: Project, user_id: int) -> list[int]:
    """Return the numbers of the sentences that are reserved for the user, judged or not."""
    rows = Reservation.objects.filter(sentence__project=project, annotator=user_id)
    return list(rows.order_by("sentence__number").values_list("sentence__number", flat=True))
