"""Store judgements: submissions of open assignments and revisions of submitted ones."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Exists, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.common.transactions import retried, writing
from annotation.judging.aids import DIFFERENCES, SECOND_TRY, note_aid
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import (
    Following,
    assign_after_submission,
    has_reached_limit,
    locked_membership,
)
from annotation.judging.attention_checks import check_attention
from annotation.judging.disputes import add_judge_if_disputed
from annotation.judging.errors import (
    TAKEN_OVER,
    AlreadySubmitted,
    InvalidJudgement,
    JudgingError,
    LookAgain,
    NotAssigned,
    NotAvailable,
)
from annotation.judging.practice_tries import failed_practice
from annotation.judging.queue import can_reopen
from annotation.judging.sheet import Cards, cards_of, layout_of, segment_sizes
from annotation.kinds import DEFAULT, kind_of
from annotation.kinds.answers import Answer, InvalidAnswer, JudgedText
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    MediaPlay,
    Membership,
    Placement,
    Project,
    Submission,
    User,
)
from annotation.process import clock
from annotation.projects.media import media_of_assignment
from annotation.signals import submitted

log = getLogger(__name__)

ARCHIVED = gettext_lazy("This project is archived, so nothing more can be submitted.")


@dataclass(frozen=True)
class SubmissionResult:
    """`created` is False where the same submission was stored before."""

    submission: Submission
    created: bool


class CheckedPlacement(NamedTuple):
    """Where a candidate was placed: a rank from 1 to `ranks`, None for garbage."""

    segment_id: int
    candidate_id: int
    rank: int | None
    ranks: int


@dataclass(frozen=True)
class Submitted:
    """What an annotator submits: choices and details by card key, comments by segment.

    `active_seconds` are those that the page counted; None where it does not say. `media` are the
    seconds and starts of what was played beside the source, by the id of the medium. `differences`
    says whether words in which translations differ were marked at any time.
    """

    choices: Mapping[str, int | None]
    comments: Mapping[str, str]
    details: Mapping[str, str]
    active_seconds: float | None = None
    media: Mapping[int, tuple[float, int]] = field(default_factory=dict)
    differences: bool = False


@retried
def submit(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    choices: Mapping[str, int | None],
    comments: Mapping[str, str] | None = None,
    details: Mapping[str, str] | None = None,
    active_seconds: float | None = None,
    media: Mapping[int, tuple[float, int]] | None = None,
    differences: bool = False,
) -> SubmissionResult:
    """Store the annotator's judgements of all segments of a sentence at once.

    `choices` maps each card key to a rank from 1, or None for garbage; `comments` are by the number
    of the segment, `details` by card key. The same token again changes nothing. An open assignment
    is accepted even if the project was closed meanwhile, a returned one if its sentence is still
    free. Raises NotAssigned, InvalidJudgement, AlreadySubmitted and NotAvailable; then nothing is
    stored.
    """
    member = Membership.objects.filter(
        user=annotator, project=project, role__in=Membership.JUDGING
    ).exclude(project__state=Project.State.ARCHIVED)
    given = Submitted(
        choices, comments or {}, details or {}, active_seconds, media or {}, differences
    )
    with _second_try(assignment_id), _one_token(), writing():
        return _submit(annotator, project, assignment_id, token, given, Exists(member))


def submit_and_assign(
    *, annotator: User, project: Project, assignment_id: int, token: str, given: Submitted
) -> tuple[SubmissionResult, Following | None]:
    """Do what `submit` does and assign the next sentence, in one transaction.

    Nothing follows where nothing is left, and where no sentence could be assigned, for example
    because another annotator took the same at the same moment: then another request asks again.
    """
    try:
        with _second_try(assignment_id), writing():
            member = load_annotator(annotator, project.pk, locked=True)
            condition = Q() if member and member.may_submit else Q(pk__in=[])
            stored = _submit(annotator, project, assignment_id, token, given, condition)
            return stored, assign_after_submission(member) if member else None
    except JudgingError:
        raise
    except Exception as problem:
        # What follows must not keep the judgement from being stored. Two annotators who want one
        # slot are no fault.
        is_fault = not isinstance(problem, IntegrityError)
        log.warning("No sentence follows assignment %s.", assignment_id, exc_info=is_fault)
        stored = submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment_id,
            token=token,
            **vars(given),
        )
        return stored, None


def _submit(
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    given: Submitted,
    may_submit: Exists | Q,
) -> SubmissionResult:
    """Store a submission. The caller is in a transaction.

    The usual case is one statement for the assignment: it is open, and the annotator `may_submit`.
    """
    submission_token = _parse_token(token)
    now = clock.now()
    columns: dict[str, Any] = {
        "state": Assignment.State.SUBMITTED,
        "submitted": now,
        "lease_until": None,
        **Assignment.NO_DRAFT,
    }
    own = Assignment.objects.filter(pk=assignment_id, annotator=annotator.pk, project=project.pk)
    layout = layout_of(assignment_id)
    if layout:
        check_attention(own, layout, given.choices)
    if not own.filter(may_submit, state=Assignment.State.OPEN).update(**columns):
        membership = locked_membership(annotator, project)
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state in Assignment.SUBMITTED_STATES:
            return _existing(assignment, submission_token)
        if assignment.project.state == Project.State.ARCHIVED:
            raise NotAvailable(str(ARCHIVED))
        if assignment.state != Assignment.State.OPEN:
            _reclaim(annotator, assignment, membership)
        own.update(**columns)
    cards: Cards = layout.cards if layout else {}
    shown = layout.shown if layout and layout.shown else now
    seconds = max((now - shown).total_seconds(), 0.0)
    if given.active_seconds is not None:
        # Pauses do not count, nor what the page says beyond the time that has passed.
        seconds = min(seconds, given.active_seconds)
    seconds /= max(len(segment_sizes(cards)), 1)
    submission = Submission(
        assignment_id=assignment_id,
        token=submission_token,
        created=now,
        active_seconds=given.active_seconds,
    )
    answer = (kind_of(layout) if layout else DEFAULT).answer
    _store_judgements(submission, answer, cards, given, seconds)
    _store_plays(submission, given.media)
    if given.differences:
        note_aid(assignment_id, DIFFERENCES)
    add_judge_if_disputed(project, assignment_id)
    submitted.send(Submission, project_id=project.pk)
    return SubmissionResult(submission, created=True)


@retried
def revise(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    choices: Mapping[str, int | None],
    comments: Mapping[str, str] | None = None,
    details: Mapping[str, str] | None = None,
    active_seconds: float | None = None,
    media: Mapping[int, tuple[float, int]] | None = None,
    differences: bool = False,
) -> SubmissionResult:
    """Store a revision of what the annotator submitted; earlier submissions stay.

    Its seconds, and what was played, are those of the submission it replaces, because the time of
    thinking again is not known; what is played meanwhile is added. Raises NotAssigned,
    InvalidJudgement and NotAvailable; then nothing is stored.
    """
    submission_token = _parse_token(token)
    with _one_token(), writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.project.state == Project.State.ARCHIVED:
            raise NotAvailable(str(ARCHIVED))
        if assignment.kind == Assignment.Kind.PRACTICE:
            raise NotAvailable(_("Practice cannot be revised, because you have seen the answers."))
        if assignment.state == Assignment.State.DISCARDED:
            raise NotAvailable(
                _("This judgement is not counted any more, so it cannot be revised.")
            )
        same = assignment.submissions.filter(token=submission_token).first()
        if same:
            return SubmissionResult(same, created=False)
        latest = assignment.submissions.filter(current=True).first()
        if latest is None:
            raise NotAvailable(
                _("This assignment is not submitted yet, so there is nothing to revise.")
            )
        seconds = latest.judgements.values_list("seconds", flat=True).first()
        Submission.objects.filter(pk=latest.pk).update(current=False)
        submission = Submission(
            assignment=assignment,
            number=latest.number + 1,
            token=submission_token,
            created=clock.now(),
            active_seconds=active_seconds,
        )
        cards = cards_of(assignment.pk)
        answer = kind_of(assignment.project).answer
        given = Submitted(choices, comments or {}, details or {})
        _store_judgements(submission, answer, cards, given, seconds)
        before = list(latest.media_plays.order_by("pk")) if assignment.project.media_count else []
        _store_plays(submission, media or {}, before)
        if differences:
            note_aid(assignment_id, DIFFERENCES)
        add_judge_if_disputed(assignment.project, assignment.pk)
    return SubmissionResult(submission, created=True)


def locked_assignment(annotator: User, project: Project, assignment_id: int) -> Assignment:
    """Return the member's assignment, locked until the transaction ends. Raise NotAssigned."""
    mine = Assignment.objects.filter(
        pk=assignment_id,
        annotator=annotator,
        project=project,
        project__memberships__user=annotator,
        project__memberships__role__in=Membership.JUDGING,
    )
    assignment = mine.select_for_update(of=("self",), no_key=True).first()
    if assignment is None:
        raise NotAssigned(_("This assignment is not yours."))
    return assignment


@contextmanager
def _second_try(assignment_id: int) -> Iterator[None]:
    """Store that the annotator was asked to look again, once the transaction has ended."""
    try:
        yield
    except LookAgain:
        note_aid(assignment_id, SECOND_TRY)
        raise


@contextmanager
def _one_token() -> Iterator[None]:
    """Raise InvalidJudgement where the database refuses a token of another assignment."""
    try:
        yield
    except IntegrityError as problem:
        raise InvalidJudgement(
            _("This form belongs to another assignment: please reload the page.")
        ) from problem


def _existing(assignment: Assignment, token: UUID) -> SubmissionResult:
    same = assignment.submissions.filter(token=token).first()
    if same is None:
        raise AlreadySubmitted(_("You have submitted this before: nothing was changed."))
    return SubmissionResult(same, created=False)


def _reclaim(annotator: User, assignment: Assignment, membership: Membership | None) -> None:
    """Let a returned assignment be submitted if its sentence is still free.

    Raises NotAvailable, and NotAssigned without a membership.
    """
    if membership is None:
        raise NotAssigned(_("This assignment is not yours."))
    if assignment.state == Assignment.State.SKIPPED:
        raise NotAvailable(_("You have skipped this, so it was returned to the others."))
    if assignment.kind != Assignment.Kind.PRACTICE and has_reached_limit(membership):
        raise NotAvailable(_("You have judged all that you were asked for: thank you!"))
    if failed := failed_practice(annotator, membership.project):
        raise NotAvailable(str(failed))
    if not can_reopen(assignment, assignment.project):
        raise NotAvailable(TAKEN_OVER)
    # The slot can be a different one now.
    assignment.save(update_fields=["slot"])


def _parse_token(token: str) -> UUID:
    try:
        return UUID(token)
    except ValueError:
        raise InvalidJudgement(_("The form is incomplete: please reload the page.")) from None


def _store_judgements(
    submission: Submission,
    answer: Answer,
    cards: Cards,
    given: Submitted,
    seconds: float | None,
) -> None:
    placements, details = checked_answers(answer, cards, given)
    sizes = segment_sizes(cards)
    check_comments(given.comments, len(sizes))
    submission.save(force_insert=True)
    judgements = Judgement.objects.bulk_create(
        Judgement(
            submission=submission,
            segment_id=segment_id,
            created=submission.created,
            seconds=seconds,
            comment=given.comments.get(str(number), "").strip(),
        )
        for number, segment_id in enumerate(sizes, start=1)
    )
    judgement_of = {judgement.segment_id: judgement for judgement in judgements}
    stored = Placement.objects.bulk_create(
        Placement(
            judgement=judgement_of[one.segment_id],
            candidate_id=one.candidate_id,
            rank=one.rank,
            ranks_offered=one.ranks,
        )
        for one in placements
    )
    if details:
        answer.store_details(
            {one.pk: details[one.candidate_id] for one in stored if one.candidate_id in details}
        )


def _store_plays(
    submission: Submission,
    played: Mapping[int, tuple[float, int]],
    before: Sequence[MediaPlay] = (),
) -> None:
    """Store what was played of the sheet's media, and `before`; no query where nothing was.

    A medium that was removed or replaced meanwhile is ignored: the judgement counts without it.
    """
    plays = {
        one.sha256: MediaPlay(
            submission=submission,
            name=one.name,
            sha256=one.sha256,
            seconds=one.seconds,
            plays=one.plays,
        )
        for one in before
    }
    media = media_of_assignment(submission.assignment_id) if played else {}
    for pk, (seconds, starts) in played.items():
        if pk not in media or not starts:
            continue
        medium = media[pk]
        play = plays.setdefault(
            medium.sha256,
            MediaPlay(
                submission=submission, name=medium.name, sha256=medium.sha256, seconds=0, plays=0
            ),
        )
        play.seconds += seconds
        play.plays += starts
    if plays:
        MediaPlay.objects.bulk_create(plays.values())


def checked_answers(
    answer: Answer, cards: Cards, given: Submitted
) -> tuple[list[CheckedPlacement], dict[int, str]]:
    """Return where each candidate was placed, and the details that are not empty by candidate id.

    One query, none without details. Raises InvalidJudgement unless the answers are for exactly
    these cards, each with a rank that exists and a detail that fits.
    """

    def texts() -> dict[str, JudgedText]:
        shown = {key: card.candidate_ids[0] for key, card in cards.items()}
        rows = Candidate.objects.filter(pk__in=shown.values()).values_list(
            "pk", "text", "segment__sentence__text"
        )
        found = {pk: JudgedText(text, source) for pk, text, source in rows}
        return {key: found[pk] for key, pk in shown.items()}

    try:
        answer.check_sizes(given.details, cards.keys())
        ranks = answer.ranks_given(given.choices, given.details)
        placements = _checked_placements(answer, cards, ranks)
        details = answer.checked_details(given.details, ranks, texts)
    except InvalidAnswer as problem:
        raise InvalidJudgement(str(problem)) from None
    return placements, {
        pk: detail for key, detail in details.items() for pk in cards[key].candidate_ids
    }


def check_sizes(answer: Answer, cards: Cards, details: Mapping[str, str]) -> None:
    """Raise InvalidJudgement for a detail that is too long, of no card, or not asked for."""
    try:
        answer.check_sizes(details, cards.keys())
    except InvalidAnswer as problem:
        raise InvalidJudgement(str(problem)) from None


def check_comments(comments: Mapping[str, str], segments: int) -> None:
    """Raise InvalidJudgement for a comment that is too long or of no segment."""
    if set(comments) - set(map(str, range(1, segments + 1))):
        raise InvalidJudgement(
            _("A comment is on a part that is not on this page: reload the page.")
        )
    if any(len(comment) > Judgement.LONGEST_COMMENT for comment in comments.values()):
        raise InvalidJudgement(
            _("A comment is too long. The limit is %(limit)d characters.")
            % {"limit": Judgement.LONGEST_COMMENT}
        )


def _checked_placements(
    answer: Answer, cards: Cards, choices: Mapping[str, int | None]
) -> list[CheckedPlacement]:
    """Return where each candidate was placed. Raise InvalidAnswer for a rank that does not exist.

    Raises InvalidJudgement unless the choices are for exactly these cards.
    """
    if choices.keys() - cards.keys():
        raise InvalidJudgement(
            _("Some of the placed candidates are not on this page: reload the page.")
        )
    missing = len(cards.keys() - choices.keys())
    if missing:
        raise InvalidJudgement(
            ngettext(
                "%(count)d candidate is not placed yet.",
                "%(count)d candidates are not placed yet.",
                missing,
            )
            % {"count": missing}
        )
    sizes = segment_sizes(cards)
    placements = []
    for key, card in cards.items():
        rank, ranks = choices[key], answer.ranks(sizes[card.segment_id])
        answer.check_rank(rank, ranks)
        placements += [
            CheckedPlacement(card.segment_id, candidate_id, rank, ranks)
            for candidate_id in card.candidate_ids
        ]
    return placements
