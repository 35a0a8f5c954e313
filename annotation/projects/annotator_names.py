"""The names of annotators in exports and reports."""

from itertools import count

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.formats.judgement_lines import LONGEST_ANNOTATOR_NAME
from annotation.models import Assignment, Instructions, Membership, Project, User


def accounts_of(project: Project) -> QuerySet[User]:
    """Return the users that the project's data refer to, by id.

    These are members, annotators, authors of instructions, and users imported with the project.
    """
    # Subqueries: joins would have a row for each assignment.
    members = Membership.objects.filter(project=project, user=OuterRef("pk"))
    given = Assignment.objects.filter(project=project, annotator=OuterRef("pk"))
    written = Instructions.objects.filter(project=project, author=OuterRef("pk"))
    return User.objects.filter(
        Q(Exists(members)) | Q(Exists(given)) | Q(Exists(written)) | Q(imported_with=project)
    ).order_by("pk")


def account_names(project: Project) -> dict[int, str]:
    """Return the shown name of each user by id, made unique by " (2)", " (3)" …"""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for user in accounts_of(project).only("pk", "username", "display_name"):
        name = user.shown_name
        numbers = count(2)
        while name in taken:
            suffix = f" ({next(numbers)})"
            name = user.shown_name[: LONGEST_ANNOTATOR_NAME - len(suffix)] + suffix
        taken.add(name)
        names[user.pk] = name
    return names
