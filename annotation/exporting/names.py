"""What people are called in an export."""

from itertools import count

from django.db.models import Q, QuerySet

from annotation.formats.judgement_lines import LONGEST_ANNOTATOR_NAME
from annotation.models import Instructions, Project, User


def accounts_of(project: Project) -> QuerySet[User]:
    """Return, by id, who is a member, has an assignment, wrote instructions or came with it."""
    authors = Instructions.objects.filter(project=project, author__isnull=False).values("author")
    return (
        User.objects.filter(
            Q(memberships__project=project)
            | Q(assignments__project=project)
            | Q(came_with=project)
            | Q(pk__in=authors)
        )
        .distinct()
        .order_by("pk")
    )


def account_names(project: Project) -> dict[int, str]:
    """Return by id what each account is called in exports: its shown name, made unique.

    Of several with the same name, the later get " (2)", " (3)" and so on behind it.
    """
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
