"""The names of members and annotators: in lists, exports and reports."""

from itertools import count

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, When

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


def name_of_member() -> Case:
    """Return the expression of a member's name, for rows of Membership.

    It is the display name or the user name; the user name alone if an administrator added the
    account by it and its user has not begun to judge.
    """
    assigned = Assignment.objects.filter(project=OuterRef("project"), annotator=OuterRef("user"))
    is_unknown = Q(added_by_name=True) & ~Exists(assigned)
    return Case(
        When(is_unknown | Q(user__display_name=""), then=F("user__username")),
        default=F("user__display_name"),
        output_field=CharField(),
    )


def account_names(project: Project) -> dict[int, str]:
    """Return the name of each user by id, made unique by " (2)", " (3)" …

    Members have the names of `name_of_member`. One query.
    """
    member = Membership.objects.filter(project=project, user=OuterRef("pk"))
    name_of = Subquery(member.annotate(name=name_of_member()).values("name"))
    accounts = accounts_of(project).annotate(member_name=name_of)
    names: dict[int, str] = {}
    taken: set[str] = set()
    for user in accounts.only("pk", "username", "display_name"):
        name = shown_name = user.member_name or user.shown_name
        numbers = count(2)
        while name in taken:
            suffix = f" ({next(numbers)})"
            name = shown_name[: LONGEST_ANNOTATOR_NAME - len(suffix)] + suffix
        taken.add(name)
        names[user.pk] = name
    return names


def annotator_numbers(project: Project) -> dict[int, int]:
    """Return the number of each annotator by id, from 1, for files without names. One query."""
    judged = Assignment.objects.filter(
        project=project, annotator=OuterRef("pk"), state=Assignment.State.SUBMITTED
    )
    people = User.objects.filter(Exists(judged)).order_by("pk").values_list("pk", flat=True)
    return {pk: number for number, pk in enumerate(people, start=1)}
