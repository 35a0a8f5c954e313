"""What the administrators of a project see of its running, and what they may change."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Assignment, Instructions, Membership, Project, Skip, User
from annotation.projects.instructions import current_instructions, write_instructions
from annotation.projects.permissions import LARGEST_ID, rights

# What administrators may change, in the order in which they are asked.
SETTINGS = (
    "description",
    "judges_per_sentence",
    "intra_rate",
    "inter_rate",
    "control_rate",
    "practice_required",
    "queue_order",
    "block_size",
    "lease_minutes",
    "show_reference",
    "show_neighbours",
)
_NOT_THERE = gettext_lazy("This person is not a member any more.")
# From which state one gets to which by hand; preparation alone leads to all others.
TRANSITIONS = {Project.State.CLOSED: Project.State.OPEN, Project.State.OPEN: Project.State.CLOSED}


class NotPossible(Exception):
    """Something that cannot be done; the message is for people."""


def set_state(*, project: Project, state: str) -> None:
    """Pause (close) an open project or open a closed one. What it is already changes nothing.

    Raises NotPossible for any other change.
    """
    before = TRANSITIONS.get(Project.State(state)) if state in Project.State.values else None
    if before is None:
        raise NotPossible(_("A project can only be paused and reopened."))
    # As the row is now, whatever it was when the page was shown.
    changed = Project.objects.filter(pk=project.pk, state__in=(before, state)).update(state=state)
    if not changed:
        raise NotPossible(_("The project is not prepared: it cannot be paused or reopened."))


def change_settings(*, project: Project, values: Mapping[str, object]) -> None:
    """Store those of SETTINGS that are given, checked already. Sentences given out stay as given.

    Nothing else of the project is written, so that nobody's change of its state is undone.
    """
    unknown = set(values) - set(SETTINGS)
    if unknown:
        raise ValueError(f"No setting of a project: {sorted(unknown)}")
    Project.objects.filter(pk=project.pk).update(**values)


def change_instructions(*, project: Project, author: User, text: str) -> Instructions | None:
    """Store the text as a new version, "" for SegRanks' own; None where it holds already."""
    with transaction.atomic():
        _lock(project)
        current = current_instructions(project)
        if text.strip() == (current.text if current else ""):
            return None
        return write_instructions(project=project, author=author, text=text)


def set_role(*, project: Project, by: User, username: str, role: str) -> User:
    """Make the owner of an account a member with this role, or change a member's role.

    Who may not judge any more gives back what he has in hand. Raises NotPossible for accounts that
    nobody can sign in with, for one's own, and for owners where `by` is none.
    """
    user = User.objects.filter(username=username, imported_with=None, is_active=True).first()
    if user is None:
        raise NotPossible(
            _("Nobody here signs in as “%(name)s”: check the user name.") % {"name": username}
        )
    if user == by:
        raise NotPossible(_("Your own role can only be changed by somebody else."))
    with transaction.atomic():
        _lock(project)
        membership = Membership.objects.filter(user=user, project=project).first()
        _refuse_owners(project, by, role, membership.role if membership else "")
        Membership.objects.update_or_create(
            user=user, project=project, defaults={"role": Membership.Role(role)}
        )
        if role not in Membership.JUDGING:
            _return_open(project, user)
    return user


def limit_sentences(*, project: Project, user_id: int, most: int | None) -> None:
    """Let a member be given so many sentences at most, None for no limit; checked already.

    What he has in hand stays. Raises NotPossible where he is no member.
    """
    # Nothing else of the row is written, so that nobody's change of the role is undone.
    if not Membership.objects.filter(project=project, user=user_id).update(most_sentences=most):
        raise NotPossible(_NOT_THERE)


def remove_member(*, project: Project, by: User, user_id: int) -> User:
    """End a membership: what the member has in hand goes back, what he submitted stays.

    Raises NotPossible for one's own, where there is none, and for an owner's where `by` is none.
    """
    if user_id == by.pk:
        raise NotPossible(_("Your own membership can only be ended by somebody else."))
    with transaction.atomic():
        _lock(project)
        of_project = Membership.objects.select_related("user").filter(project=project)
        membership = of_project.filter(user=user_id).first() if user_id <= LARGEST_ID else None
        if membership is None:
            raise NotPossible(_NOT_THERE)
        _refuse_owners(project, by, membership.role)
        membership.delete()
        _return_open(project, membership.user)
    return membership.user


def _refuse_owners(project: Project, by: User, *roles: str) -> None:
    """Raise NotPossible where one of the roles is an owner's and `by` is none.

    So one owner stays whatever owners do, since nobody lowers his own role.
    """
    if Membership.Role.OWNER in roles and not rights(by, project).may_own:
        raise NotPossible(_("Who owns the project is for its owners to say."))


def _lock(project: Project) -> None:
    """Let others who change the same project wait until the transaction ends."""
    Project.objects.select_for_update().get(pk=project.pk)


def _return_open(project: Project, annotator: User) -> None:
    Assignment.objects.filter(
        project=project, annotator=annotator, state=Assignment.State.OPEN
    ).update(state=Assignment.State.RETURNED, lease_until=None)


def open_assignments(project: Project) -> QuerySet[Assignment]:
    """Return what annotators have in their hands, with their drafts, the oldest first."""
    return (
        Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
        .select_related("annotator", "sentence__copy_of", "draft")
        .order_by("created", "pk")
    )


def skips(project: Project) -> QuerySet[Skip]:
    """Return who skipped which sentence and why, the newest first."""
    return (
        Skip.objects.filter(assignment__project=project)
        .select_related("assignment__annotator", "assignment__sentence__copy_of")
        .order_by("-created", "-pk")
    )


def versions(project: Project) -> QuerySet[Instructions]:
    """Return all versions of the instructions, the newest first."""
    return project.instructions.select_related("author").order_by("-version")
