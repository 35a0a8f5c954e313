"""Storing what an annotator judged, in one function for what is new and one for revisions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.common.compiled_queries import (
    ReadyMadeChange,
    ReadyMadeDelete,
    ReadyMadeInsert,
    ReadyMadeRead,
)
from annotation.common.transactions import writing
from annotation.judging.queue import may_go_on
from annotation.judging.quota import has_enough
from annotation.judging.sheet import Cards, cards_of
from annotation.models import (
    Assignment,
    Draft,
    Judgement,
    Membership,
    Placement,
    Project,
    ShownCandidate,
    Submission,
    User,
)

_new_submissions = ReadyMadeInsert(
    Submission, "assignment", "number", "current", "token", "created", "active_seconds"
)
_store_judgements = ReadyMadeInsert(Judgement, "submission", "segment", "created", "seconds")
_store_placements = ReadyMadeInsert(Placement, "judgement", "candidate", "rank", "ranks_offered")


class Refused(Exception):
    """A submission that is not stored; the message is for the annotator."""


class NotYours(Refused):
    """The assignment is unknown or somebody else's."""


class Invalid(Refused):
    """The placements do not cover exactly what was shown, or a rank does not exist."""


class AlreadySubmitted(Refused):
    """The assignment was submitted before, by another submission."""


class Gone(Refused):
    """The assignment is the annotator's no longer; his work is kept."""


@dataclass(frozen=True)
class Handed:
    """`created` is False where the very same submission had been stored before."""

    submission: Submission
    created: bool


def submit(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    choices: Mapping[str, int | None],
    active_seconds: float | None = None,
) -> Handed:
    """Store the annotator's judgements of all segments of a sentence at once.

    `choices` maps each card's key to a rank from 1, or None for the garbage bin. The same token
    again changes nothing. What is open may be handed in even where the project was closed
    meanwhile, and what was given back as long as nobody else has it. Raises NotYours, Invalid,
    AlreadySubmitted and Gone; then nothing is stored.
    """
    submission_token = _parse_token(token)
    with _one_token(), writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state == Assignment.State.SUBMITTED:
            return _again(assignment, submission_token)
        if assignment.state != Assignment.State.OPEN:
            _take_back(assignment)
        now = timezone.now()
        _hand_in(assignment, now)
        assignment.submitted, assignment.state = now, Assignment.State.SUBMITTED
        assignment.lease_until = None
        cards = cards_of(assignment)
        shown = assignment.shown or now
        seconds = max((now - shown).total_seconds(), 0.0) / max(len(_sizes(cards)), 1)
        submission = Submission(
            assignment=assignment,
            token=submission_token,
            created=now,
            active_seconds=active_seconds,
        )
        _store(submission, cards, choices, seconds)
        _take_draft_away(assignment)
    return Handed(submission=submission, created=True)


def revise(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    choices: Mapping[str, int | None],
    active_seconds: float | None = None,
) -> Handed:
    """Store a revision of what the annotator submitted; the earlier rows stay.

    Its seconds are those of the submission it replaces, since nobody knows when he began to think
    again. Raises NotYours, Invalid and Gone; then nothing is stored.
    """
    submission_token = _parse_token(token)
    with _one_token(), writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.kind == Assignment.Kind.PRACTICE:
            raise Gone(_("Practice is not revised: you have been told the answers."))
        same = assignment.submissions.filter(token=submission_token).first()
        if same:
            return Handed(submission=same, created=False)
        latest = assignment.submissions.filter(current=True).first()
        if latest is None:
            raise Gone(_("This sentence was not submitted yet: there is nothing to revise."))
        seconds = latest.judgements.values_list("seconds", flat=True).first()
        Submission.objects.filter(pk=latest.pk).update(current=False)
        submission = Submission(
            assignment=assignment,
            number=latest.number + 1,
            token=submission_token,
            created=timezone.now(),
            active_seconds=active_seconds,
        )
        _store(submission, cards_of(assignment), choices, seconds)
    return Handed(submission=submission, created=True)


def locked_assignment(annotator: User, project: Project, assignment_id: int) -> Assignment:
    """Return the assignment of a member, held until the transaction ends. Raise NotYours."""
    assignment = _locked.first(annotator, project, assignment_id)
    if assignment is None:
        raise NotYours(_("This sentence is not assigned to you."))
    return assignment


@ReadyMadeRead
def _locked(annotator: User, project: Project, assignment_id: int) -> QuerySet[Assignment]:
    mine = Assignment.objects.filter(
        pk=assignment_id,
        annotator=annotator,
        project=project,
        project__memberships__user=annotator,
        project__memberships__role__in=Membership.JUDGING,
    )
    return mine.select_related("project").select_for_update(of=("self",))


@ReadyMadeChange
def _hand_in(assignment: Assignment, now: datetime) -> tuple[QuerySet[Assignment], dict[str, Any]]:
    handed_in = {"state": Assignment.State.SUBMITTED, "submitted": now, "lease_until": None}
    return Assignment.objects.filter(pk=assignment.pk), handed_in


@ReadyMadeDelete
def _take_draft_away(assignment: Assignment) -> QuerySet[Draft]:
    return Draft.objects.filter(assignment=assignment)


@contextmanager
def _one_token() -> Iterator[None]:
    """Say it plainly where the database refuses a token that served another assignment."""
    try:
        yield
    except IntegrityError as problem:
        raise Invalid(
            _("This form belongs to another sentence: please reload the page.")
        ) from problem


def _again(assignment: Assignment, token: UUID) -> Handed:
    same = assignment.submissions.filter(token=token).first()
    if same is None:
        raise AlreadySubmitted(_("You have submitted this sentence before; nothing was changed."))
    return Handed(submission=same, created=False)


def _take_back(assignment: Assignment) -> None:
    """Let an assignment be handed in that had been given back, if that breaks no quota."""
    if assignment.state == Assignment.State.SKIPPED:
        raise Gone(_("You have skipped this sentence, so it went back to the others."))
    is_practice = assignment.kind == Assignment.Kind.PRACTICE
    member = Membership.objects.get(user=assignment.annotator_id, project=assignment.project_id)
    if not is_practice and has_enough(member):
        raise Gone(_("You have judged as many sentences as you were asked for: thank you!"))
    if not may_go_on(assignment, assignment.project):
        raise Gone(
            _(
                "You were away for so long that this sentence went to somebody else. Your work is "
                "kept here; it can be handed in if the sentence becomes free again."
            )
        )
    # Perhaps it is another one now.
    assignment.save(update_fields=["slot"])


def _parse_token(token: str) -> UUID:
    try:
        return UUID(token)
    except ValueError:
        raise Invalid(_("The form is incomplete: please reload the page.")) from None


def _store(
    submission: Submission,
    cards: Cards,
    choices: Mapping[str, int | None],
    seconds: float | None,
) -> None:
    placements = checked_placements(cards, choices)
    _new_submissions.store(submission)
    segments = list(_sizes(cards))
    judgements = _store_judgements(
        [(submission.pk, segment_id, submission.created, seconds) for segment_id in segments]
    )
    judgement_of = dict(zip(segments, judgements, strict=True))
    _store_placements(
        [
            (judgement_of[shown.candidate.segment_id], shown.candidate_id, rank, ranks)
            for shown, rank, ranks in placements
        ]
    )


def checked_placements(
    cards: Cards, choices: Mapping[str, int | None]
) -> list[tuple[ShownCandidate, int | None, int]]:
    """Return each shown candidate with its rank (None = garbage) and how many ranks there are.

    Raises Invalid unless the choices are of exactly these cards, each with a rank that exists.
    """
    _check_cover(set(cards), set(choices))
    sizes = _sizes(cards)
    return [
        (shown, _checked_rank(choices[key], ranks), ranks)
        for key, card in cards.items()
        for shown in card
        for ranks in (sizes[shown.candidate.segment_id],)
    ]


def _sizes(cards: Cards) -> Counter[int]:
    """Return N, how many candidates were shown, by the ids of the segments."""
    return Counter(shown.candidate.segment_id for card in cards.values() for shown in card)


def _check_cover(cards: set[str], placed: set[str]) -> None:
    if placed - cards:
        raise Invalid(
            _("Some of the placed candidates are not part of this sentence: reload the page.")
        )
    missing = len(cards - placed)
    if missing:
        raise Invalid(
            ngettext(
                "%(count)d candidate is not placed yet.",
                "%(count)d candidates are not placed yet.",
                missing,
            )
            % {"count": missing}
        )


def _checked_rank(rank: int | None, ranks: int) -> int | None:
    if rank is not None and not 1 <= rank <= ranks:
        raise Invalid(
            _("Rank %(rank)d does not exist: choose one from 1 to %(ranks)d.")
            % {"rank": rank, "ranks": ranks}
        )
    return rank
