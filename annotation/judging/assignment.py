"""Giving sentences to annotators, as leases, and taking them back."""

import random
import time
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.compiled_queries import ReadyMadeChange, ReadyMadeInsert, ReadyMadeRead
from annotation.common.transactions import writing
from annotation.judging import queue
from annotation.judging.quota import has_enough
from annotation.judging.sheet import shuffled
from annotation.models import Assignment, Membership, Project, Sentence, ShownCandidate, Skip, User
from annotation.projects.instructions import current_instructions

# Lost races for a sentence are rare; so many in a row mean that something is wrong.
ATTEMPTS = 50
# Seconds.
WAIT = 0.05


_new_assignments = ReadyMadeInsert(
    Assignment,
    "project",
    "sentence",
    "annotator",
    "kind",
    "state",
    "slot",
    "round",
    "created",
    "shown",
    "lease_until",
    "instructions",
)
_store_shown = ReadyMadeInsert(ShownCandidate, "assignment", "candidate", "position")


class NotAMember(Exception):
    """The user may not judge in this project."""


class ProjectNotOpen(Exception):
    """The project is still being prepared, or is closed."""


class NotOpen(Exception):
    """The assignment is unknown, somebody else's, or not open; the message is for people."""


class NotYours(NotOpen):
    """The assignment is unknown or somebody else's."""


def next_assignment(
    *, annotator: User, project: Project, practise: bool = False
) -> Assignment | None:
    """Return the annotator's open assignment, else a new one, or None when nothing is left.

    With `practise` a new one is for practice, and None when all that is done. Whoever has as many
    sentences as he may have gets None too.

    A new one has its candidates in a random order, which is stored and stays. Leases that ran out
    are taken back first; who had begun a sentence that went back, and is free still, goes on with
    it. Raises NotAMember and ProjectNotOpen.
    """
    for _attempt in range(ATTEMPTS):
        open_one = open_assignment(annotator, project)
        if open_one:
            renew(open_one)
            return open_one
        membership = _judging.first(annotator, project)
        if membership is None:
            raise NotAMember
        if project.state != Project.State.OPEN:
            raise ProjectNotOpen
        try:
            with writing():
                if not practise and has_enough(membership):
                    return None
                given = _assign(annotator, project, practise=practise)
        except IntegrityError:
            # Another annotator, or this one in another tab, was faster: look again.
            continue
        if given or practise or not queue.free_sentences(annotator, project).exists():
            return given
        # Those that are left are held for a moment, by somebody who is being given one or by
        # a system that is being added.
        time.sleep(WAIT)
    raise RuntimeError(f"No sentence could be assigned in {ATTEMPTS} attempts.")


def open_assignment(annotator: User, project: Project) -> Assignment | None:
    """Return what the annotator has in hand, with all that its page needs. Two queries at most."""
    # Asked by itself: mostly there is none, and what the page needs is in seven tables.
    if not _open(annotator, project):
        return None
    assignment = _open_with_all.first(annotator, project)
    return assignment


@ReadyMadeRead
def _open(annotator: User, project: Project) -> QuerySet[Assignment, Any]:
    return Assignment.objects.filter(
        annotator=annotator, project=project, state=Assignment.State.OPEN
    ).values_list("pk")


@ReadyMadeRead
def _open_with_all(annotator: User, project: Project) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        annotator=annotator,
        project=project,
        state=Assignment.State.OPEN,
        project__memberships__user=annotator,
        project__memberships__role__in=Membership.JUDGING,
    ).select_related("project", "sentence__copy_of", "instructions", "draft")


@ReadyMadeRead
def _judging(user: User, project: Project) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user, project=project, role__in=Membership.JUDGING)


def renew(assignment: Assignment) -> None:
    """Note that the annotator is active: a lease past half of its life is renewed."""
    minutes = assignment.project.lease_minutes
    assignment.lease_until = renew_lease(assignment.pk, assignment.lease_until, minutes)


def renew_lease(assignment_id: int, until: datetime | None, minutes: int) -> datetime:
    """Do the same for a lease of so many minutes that ends then; return when it ends now."""
    now, life = timezone.now(), timedelta(minutes=minutes)
    if until is not None and until - now >= life / 2:
        return until
    Assignment.objects.filter(pk=assignment_id, state=Assignment.State.OPEN).update(
        lease_until=now + life
    )
    return now + life


def lease_of(project: Project) -> timedelta:
    return timedelta(minutes=project.lease_minutes)


def return_expired(project: Project) -> int:
    """Return open assignments whose lease has expired to the queue; return how many."""
    return _return_expired(project, timezone.now())


@ReadyMadeChange
def _return_expired(project: Project, now: datetime) -> tuple[QuerySet[Assignment], dict[str, Any]]:
    expired = Assignment.objects.filter(
        project=project, state=Assignment.State.OPEN, lease_until__lt=now
    )
    return expired, {"state": Assignment.State.RETURNED, "lease_until": None}


def release(*, project: Project, assignment_id: int) -> None:
    """Give an open assignment back to the others, as the administrator asks.

    Raises NotOpen, and for one of another project NotYours.
    """
    of_project = Assignment.objects.filter(pk=assignment_id, project=project)
    released = of_project.filter(state=Assignment.State.OPEN).update(
        state=Assignment.State.RETURNED, lease_until=None
    )
    if not released:
        refusal = NotOpen if of_project.exists() else NotYours
        raise refusal(_("This sentence is not open any more."))


def skip(
    *, annotator: User, project: Project, assignment_id: int, reason: str, comment: str = ""
) -> None:
    """Give the sentence back for a reason; this annotator never gets it again.

    Raises NotOpen, and NotYours among it.
    """
    with writing():
        mine = Assignment.objects.filter(pk=assignment_id, project=project, annotator=annotator)
        skipped = mine.filter(state=Assignment.State.OPEN).update(
            state=Assignment.State.SKIPPED, lease_until=None
        )
        if not skipped:
            refusal = NotOpen if mine.exists() else NotYours
            raise refusal(_("This sentence is not open any more."))
        Skip.objects.create(
            assignment_id=assignment_id,
            reason=Skip.Reason(reason),
            comment=comment.strip(),
            created=timezone.now(),
        )


def _assign(annotator: User, project: Project, *, practise: bool) -> Assignment | None:
    return_expired(project)
    begun = _go_on(annotator, project)
    if begun:
        return begun
    choice = queue.choose(annotator, project, practise=practise)
    if choice is None:
        return None
    return give_out(annotator, project, *choice)


def give_out(
    annotator: User,
    project: Project,
    kind: Assignment.Kind,
    sentence: Sentence,
    slot: int | None = None,
) -> Assignment:
    """Store the assignment of a sentence, which somebody has chosen, with what it shows."""
    now = timezone.now()
    assignment = Assignment(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=kind,
        slot=slot,
        round=sentence.round,
        created=now,
        shown=now,
        lease_until=now + lease_of(project),
        instructions=current_instructions(project),
    )
    _new_assignments.store(assignment)
    rows = shuffled(
        queue.new_candidates(sentence, slot),
        project.target_language,
        random.SystemRandom(),
        assignment,
    )
    _store_shown([(assignment.pk, shown.candidate_id, shown.position) for shown in rows])
    # It is shown at once: nothing of it has to be read again.
    assignment.just_shown = rows
    no_draft: Any = Assignment._meta.get_field("draft")
    no_draft.set_cached_value(assignment, None)
    return assignment


def _go_on(annotator: User, project: Project) -> Assignment | None:
    """Reopen what the annotator had begun before it was given back, where it is free."""
    practice = Assignment.Kind.PRACTICE
    only_practice = (
        project.practice_required and queue.sentences_to_practise(annotator, project).exists()
    )
    for assignment in _returned(annotator, project):
        if only_practice and assignment.kind != practice:
            continue
        if queue.may_go_on(assignment, project):
            assignment.state = Assignment.State.OPEN
            assignment.lease_until = timezone.now() + lease_of(project)
            assignment.save(update_fields=["state", "slot", "lease_until"])
            return assignment
    return None


@ReadyMadeRead
def _returned(annotator: User, project: Project) -> QuerySet[Assignment]:
    """What the annotator had begun; not what is being handed in, which would wait for us."""
    returned = Assignment.objects.filter(
        annotator=annotator,
        project=project,
        state=Assignment.State.RETURNED,
        draft__isnull=False,
        sentence__retired=False,
    )
    # Locked rows are left out by PostgreSQL.
    return returned.order_by("-created").select_for_update(skip_locked=True, of=("self",))
