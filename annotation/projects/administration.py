"""What administrators change while a project runs: state, settings, instructions, members."""

from collections.abc import Mapping, Sequence
from logging import getLogger

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import locked_by_id, retried, writing
from annotation.kinds import kind_of
from annotation.models import (
    Answer,
    Assignment,
    Instructions,
    Membership,
    Project,
    Reservation,
    Skip,
    User,
)
from annotation.models.texts import look_at_again
from annotation.projects.highlights import check_highlights
from annotation.projects.instructions import current_instructions, write_instructions
from annotation.projects.overlap import mark_overlap
from annotation.projects.owners import keep_an_owner
from annotation.projects.permissions import LARGEST_ID, rights

log = getLogger(__name__)

# The settings of judging, in the order of the form. Copies of a project have the same.
JUDGING_SETTINGS = (
    "description",
    "judges_per_sentence",
    "overlap_share",
    "disputed_from",
    "third_judge",
    "intra_rate",
    "inter_rate",
    "control_rate",
    "given_share",
    "practice_required",
    "practice_share",
    "practice_tries",
    "queue_order",
    "block_size",
    "lease_minutes",
    "shown_references",
    "show_neighbours",
    "show_whole_translations",
    "highlights",
)
# All fields that administrators may change. A copy sends no email before they say so.
SETTINGS = (*JUDGING_SETTINGS, "remind_after_days")
NAME_IS_TAKEN = gettext_lazy("A project with this name already exists.")
OPTIONS_ARE_FIXED = gettext_lazy(
    "What annotators choose from cannot be changed after the first judgement, because their "
    "answers refer to it."
)
_NOT_A_MEMBER = gettext_lazy("This person is no longer a member.")
# The states that administrators set, and those from which each is reached; the others are set by
# the preparation. A project that leaves the archive is paused.
TRANSITIONS: dict[str, tuple[str, ...]] = {
    Project.State.OPEN: (Project.State.CLOSED,),
    Project.State.CLOSED: (Project.State.OPEN, Project.State.ARCHIVED),
    Project.State.ARCHIVED: (Project.State.OPEN, Project.State.CLOSED),
}


@retried
def set_state(*, project: Project, state: str) -> None:
    """Open, pause (close) or archive a project; the present state changes nothing.

    Archiving returns the open sentences. Raises NotPossible for any other change.
    """
    before = TRANSITIONS.get(state)
    if before is None:
        raise NotPossible(_("A project can only be opened, paused and archived."))
    with writing():
        # The state of the row now: it may have changed since the page was shown.
        rows = Project.objects.filter(pk=project.pk, state__in=(*before, state))
        if not rows.update(state=state):
            raise NotPossible(
                _("Take the project out of the archive first.")
                if Project.objects.filter(pk=project.pk, state=Project.State.ARCHIVED).exists()
                else _("The project is not prepared, so its state cannot be changed.")
            )
        if state == Project.State.ARCHIVED:
            return_open_assignments(Assignment.objects.filter(project=project))


def rename_project(*, project: Project, name: str) -> None:
    """Give the project another name, which the caller has trimmed. Raise NotPossible if taken."""
    try:
        with writing():
            Project.objects.filter(pk=project.pk).update(name=name)
    except IntegrityError:
        raise NotPossible(str(NAME_IS_TAKEN)) from None


def change_settings(*, project: Project, values: Mapping[str, object]) -> None:
    """Store the given SETTINGS, which the caller has validated; open assignments do not change.

    No other column is written, so that a simultaneous change of the state is kept. Raises
    NotPossible as `check_highlights` does.
    """
    unknown = set(values) - set(SETTINGS)
    if unknown:
        raise ValueError(f"No setting of a project: {sorted(unknown)}")
    if values.get("highlights"):
        check_highlights(project)
    with writing():
        rows = Project.objects.filter(pk=project.pk)
        rows.update(**values)
        if "overlap_share" in values:
            mark_overlap(rows.get())


def is_judged(project: Project) -> bool:
    """Return whether anything was submitted in the project, practice included. One query."""
    submitted = Assignment.objects.filter(project=project, state__in=Assignment.SUBMITTED_STATES)
    return submitted.exists()


@retried
def change_answer_options(*, project: Project, options: Sequence[str]) -> None:
    """Store the project's options of its answer, such as the labels of its own scale.

    Raises InputError for what are no options of this answer, and NotPossible after the first
    judgement, and for others to which answers cannot refer once a sentence was assigned or has
    gold answers.
    """
    answer = kind_of(project).answer
    asked = answer.options_asked
    if asked is None:
        raise NotPossible(_("The answers of this kind have no options."))
    joined = answer.joined_options(options)
    with writing():
        _lock(project)
        # No sentence is assigned meanwhile.
        locked_by_id(Membership.objects.filter(project=project))
        before = Project.objects.get(pk=project.pk)
        if joined == before.answer_options:
            return
        if is_judged(project):
            raise NotPossible(str(OPTIONS_ARE_FIXED))
        changed = answer.with_options(tuple(joined.splitlines()))
        if not changed.has_answers_of(kind_of(before).answer) and (
            Assignment.objects.filter(project=project).exists()
            or Answer.objects.filter(segment__sentence__project=project).exists()
        ):
            raise NotPossible(
                _(
                    "Work is assigned or has gold answers: you can change labels, but "
                    "neither their number nor names and ranges of scales."
                )
            )
        Project.objects.filter(pk=project.pk).update(answer_options=joined)


@retried
def change_instructions(*, project: Project, author: User, text: str) -> Instructions | None:
    """Store the text as a new version, "" for SegRanks' own; return None if nothing changed."""
    with transaction.atomic():
        _lock(project)
        current = current_instructions(project)
        if text.strip() == (current.text if current else ""):
            return None
        return write_instructions(project=project, author=author, text=text)


@retried
def set_role(*, project: Project, by: User, username: str, role: str) -> User:
    """Add the user as a member with this role, or change their role.

    Raises NotPossible for unknown and deactivated users, for the role of `by`, for owners unless
    `by` is an owner, and for the only owner.
    """
    username = User.normalize_username(username)
    user = User.objects.filter(username=username, imported_with=None, is_active=True).first()
    if user is None:
        raise NotPossible(_("No user “%(name)s”. Check the spelling.") % {"name": username})
    if user == by:
        raise NotPossible(_("You cannot change your own role."))
    with transaction.atomic():
        _lock(project)
        membership = Membership.objects.filter(user=user, project=project).first()
        _refuse_owners(project, by, role, membership.role if membership else "")
        assign_role(
            project=project, user=user, role=role, by_name=user.created_for_id != project.pk
        )
    return user


def assign_role(*, project: Project, user: User, role: str, by_name: bool = False) -> None:
    """Make the user a member with this role; the caller has checked who may do so.

    `by_name`: of a new member, administrators see the user name only. Members who may no longer
    judge return their open sentences. Raises NotPossible if the project would lose its only owner.
    """
    with transaction.atomic():
        _lock(project)
        if role != Membership.Role.OWNER:
            keep_an_owner(Membership.objects.filter(user=user, project=project))
        fields = {"role": Membership.Role(role)}
        Membership.objects.update_or_create(
            user=user,
            project=project,
            defaults=fields,
            create_defaults=fields | {"added_by_name": by_name},
        )
        if role not in Membership.JUDGING:
            _return_open(project, user)


def limit_sentences(*, project: Project, user_id: int, most: int | None) -> None:
    """Limit the number of sentences of a member, None for no limit; the caller has validated it.

    Open assignments stay. Raises NotPossible if the user is not a member.
    """
    # No other column is written, so that a simultaneous change of the role is kept.
    if not Membership.objects.filter(project=project, user=user_id).update(sentence_limit=most):
        raise NotPossible(_NOT_A_MEMBER)


def pause_member(*, project: Project, by: User | None, user_id: int) -> None:
    """Let the member get no new sentence; what they have open they can finish.

    `by` is None where a rule of the project pauses. Raises NotPossible if they are not a member.
    """
    _set_paused(project, by, user_id, paused=True)


def resume_member(*, project: Project, by: User | None, user_id: int) -> None:
    """Let a paused member get sentences again. Raises NotPossible if the user is not a member."""
    _set_paused(project, by, user_id, paused=False)


def _set_paused(project: Project, by: User | None, user_id: int, *, paused: bool) -> None:
    of_project = Membership.objects.filter(project=project)
    if user_id > LARGEST_ID or not of_project.filter(user=user_id).update(paused=paused):
        raise NotPossible(_NOT_A_MEMBER)
    log.info(
        "User %s %s user %s in project %s.",
        by.pk if by else "(a rule)",
        "paused" if paused else "resumed",
        user_id,
        project.pk,
    )


@retried
def remove_member(*, project: Project, by: User, user_id: int) -> User:
    """End a membership: open sentences are returned, submitted judgements are kept.

    Sentences are no longer reserved for the user.

    Raises NotPossible for the membership of `by`, if the user is not a member, for owners unless
    `by` is an owner, and for the only owner.
    """
    if user_id == by.pk:
        raise NotPossible(_("You cannot remove yourself."))
    with transaction.atomic():
        _lock(project)
        of_project = Membership.objects.select_related("user").filter(project=project)
        mine = of_project.filter(user=user_id)
        membership = mine.first() if user_id <= LARGEST_ID else None
        if membership is None:
            raise NotPossible(_NOT_A_MEMBER)
        _refuse_owners(project, by, membership.role)
        keep_an_owner(mine)
        membership.delete()
        _return_open(project, membership.user)
        Reservation.objects.filter(sentence__project=project, annotator=user_id).delete()
    return membership.user


def _refuse_owners(project: Project, by: User, *roles: str) -> None:
    """Raise NotPossible if one of the roles is that of an owner and `by` is not an owner."""
    if Membership.Role.OWNER in roles and not rights(by, project).may_own:
        raise NotPossible(_("Only owners can add or remove owners."))


def _lock(project: Project) -> None:
    """Lock the project's row until the transaction ends, but let sentences be assigned in it."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def _return_open(project: Project, annotator: User) -> None:
    return_open_assignments(Assignment.objects.filter(project=project, annotator=annotator))


def return_open_assignments(assignments: QuerySet[Assignment]) -> None:
    """Return the open ones of these assignments to the queue; the caller has a transaction."""
    open_ones = locked_by_id(assignments.filter(state=Assignment.State.OPEN))
    Assignment.objects.filter(pk__in=open_ones).update(
        state=Assignment.State.RETURNED, lease_until=None
    )
    look_at_again(open_ones)


def open_assignments(project: Project) -> QuerySet[Assignment]:
    """Return the open assignments, the oldest first."""
    return (
        Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
        .select_related("annotator", "sentence__copy_of")
        .order_by("created", "pk")
    )


def skips(project: Project) -> QuerySet[Skip]:
    """Return the skipped sentences with annotators and reasons, the newest first."""
    return (
        Skip.objects.filter(assignment__project=project)
        .select_related("assignment__annotator", "assignment__sentence__copy_of")
        .order_by("-created", "-pk")
    )


def versions(project: Project) -> QuerySet[Instructions]:
    """Return all versions of the instructions, the newest first."""
    return project.instructions.select_related("author").order_by("-version")
