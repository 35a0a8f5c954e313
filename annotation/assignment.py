"""Giving sentences to annotators, as leases, and taking them back."""

import random
from collections import defaultdict
from datetime import timedelta

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import queue
from annotation.access import may_judge
from annotation.instructions import current_instructions
from annotation.models import Assignment, Candidate, Project, ShownCandidate, Skip, User
from annotation.models.texts import split_tokens
from annotation.preparation.tokens import detokenize
from annotation.writing import writing

# Lost races for a sentence are rare; so many in a row mean that something is wrong.
ATTEMPTS = 50


class NotAMember(Exception):
    """The user may not judge in this project."""


class ProjectNotOpen(Exception):
    """The project is still being prepared, or is closed."""


class NotOpen(Exception):
    """The assignment is unknown, somebody else's, or not open; the message is for people."""


def next_assignment(*, annotator: User, project: Project) -> Assignment | None:
    """Return the annotator's open assignment, else a new one, or None when nothing is left.

    A new one has its candidates in a random order, which is stored and stays. Leases that ran out
    are taken back first; who had begun a sentence that went back, and is free still, goes on with
    it. Raises NotAMember and ProjectNotOpen.
    """
    if not may_judge(annotator, project):
        raise NotAMember
    for _attempt in range(ATTEMPTS):
        open_one = (
            Assignment.objects.select_related("project", "sentence")
            .filter(annotator=annotator, project=project, state=Assignment.State.OPEN)
            .first()
        )
        if open_one:
            renew(open_one)
            return open_one
        if project.state != Project.State.OPEN:
            raise ProjectNotOpen
        try:
            with writing():
                return _assign(annotator, project)
        except IntegrityError:
            # Another annotator, or this one in another tab, was faster: look again.
            continue
    raise RuntimeError(f"No sentence could be assigned in {ATTEMPTS} attempts.")


def renew(assignment: Assignment) -> None:
    """Note that the annotator is active: a lease past half of its life is renewed."""
    now, life = timezone.now(), lease_of(assignment.project)
    if assignment.lease_until is None or assignment.lease_until - now < life / 2:
        Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.OPEN).update(
            lease_until=now + life
        )
        assignment.lease_until = now + life


def lease_of(project: Project) -> timedelta:
    return timedelta(minutes=project.lease_minutes)


def return_expired(project: Project) -> int:
    """Give back what nobody was active on for longer than the lease; return how many."""
    return Assignment.objects.filter(
        project=project, state=Assignment.State.OPEN, lease_until__lt=timezone.now()
    ).update(state=Assignment.State.RETURNED, lease_until=None)


def release(*, project: Project, assignment_id: int) -> None:
    """Give an open assignment back to the others, as the administrator asks. Raise NotOpen."""
    released = Assignment.objects.filter(
        pk=assignment_id, project=project, state=Assignment.State.OPEN
    ).update(state=Assignment.State.RETURNED, lease_until=None)
    if not released:
        raise NotOpen(_("This sentence is not open any more."))


def skip(
    *, annotator: User, project: Project, assignment_id: int, reason: str, comment: str = ""
) -> None:
    """Give the sentence back for a reason; this annotator never gets it again. Raise NotOpen."""
    with writing():
        skipped = Assignment.objects.filter(
            pk=assignment_id, project=project, annotator=annotator, state=Assignment.State.OPEN
        ).update(state=Assignment.State.SKIPPED, lease_until=None)
        if not skipped:
            raise NotOpen(_("This sentence is not open any more."))
        Skip.objects.create(
            assignment_id=assignment_id,
            reason=Skip.Reason(reason),
            comment=comment.strip(),
            created=timezone.now(),
        )


def _assign(annotator: User, project: Project) -> Assignment | None:
    return_expired(project)
    begun = _go_on(annotator, project)
    if begun:
        return begun
    choice = queue.choose(annotator, project)
    if choice is None:
        return None
    kind, sentence, slot = choice
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=kind,
        slot=slot,
        created=now,
        shown=now,
        lease_until=now + lease_of(project),
        instructions=current_instructions(project),
    )
    _store_shown_order(assignment, project.target_language)
    return assignment


def _go_on(annotator: User, project: Project) -> Assignment | None:
    """Reopen what the annotator had begun before it was given back, where it is free."""
    returned = Assignment.objects.filter(
        annotator=annotator,
        project=project,
        state=Assignment.State.RETURNED,
        draft__isnull=False,
    )
    for assignment in returned.order_by("-created"):
        if queue.may_go_on(assignment, project):
            assignment.state = Assignment.State.OPEN
            assignment.lease_until = timezone.now() + lease_of(project)
            assignment.save(update_fields=["state", "slot", "lease_until"])
            return assignment
    return None


def _store_shown_order(assignment: Assignment, language: str) -> None:
    """Shuffle the candidates of each segment; those that look alike share one position."""
    cards: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    candidates = Candidate.objects.filter(segment__sentence_id=assignment.sentence_id)
    for candidate in candidates.order_by("pk"):
        look = detokenize(split_tokens(candidate.text), language)
        cards[candidate.segment_id][look].append(candidate.pk)
    rows = []
    for of_segment in cards.values():
        groups = list(of_segment.values())
        random.shuffle(groups)
        rows += [
            ShownCandidate(assignment=assignment, candidate_id=candidate_id, position=position)
            for position, group in enumerate(groups, start=1)
            for candidate_id in group
        ]
    ShownCandidate.objects.bulk_create(rows)
