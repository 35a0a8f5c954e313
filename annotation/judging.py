"""What an annotator is shown, and the one function that stores what he judged."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import (
    Assignment,
    Draft,
    Judgement,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
    Submission,
    Translation,
    User,
)
from annotation.models.texts import split_tokens
from annotation.preparation.tokens import detokenize, highlight
from annotation.queue import may_go_on
from annotation.writing import writing


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
class Card:
    """Candidates that look alike; `key` is the place where they stand: "<segment>-<position>".

    Ids of candidates never leave the server: they are in the order of the systems.
    """

    key: str
    text: str


@dataclass(frozen=True)
class SegmentSheet:
    """One segment as shown: `pieces` of the source text (True = of the segment) and its cards."""

    segment_id: int
    pieces: list[tuple[str, bool]]
    cards: list[Card]

    @property
    def ranks(self) -> range:
        return range(1, len(self.cards) + 1)


@dataclass(frozen=True)
class Sheet:
    """Everything on the screen of one assignment; nothing in it tells a system's name.

    `before` and `after` are the neighbouring sentences, "" where they are not shown.
    """

    assignment_id: int
    token: str
    source: str
    reference: str
    before: str
    after: str
    segments: list[SegmentSheet]


@dataclass(frozen=True)
class Handed:
    """`created` is False where the very same submission had been stored before."""

    submission: Submission
    created: bool


def sheet(assignment: Assignment) -> Sheet:
    """Return what to show for the assignment, with a fresh submission token. Five queries."""
    sentence, project = assignment.sentence, assignment.project
    segments: list[SegmentSheet] = []
    for key, shown in cards_of(assignment).items():
        candidate = shown[0].candidate
        if not segments or segments[-1].segment_id != candidate.segment_id:
            indices = candidate.segment.indices
            pieces = highlight(sentence.token_list, indices, project.source_language)
            segments.append(SegmentSheet(candidate.segment_id, pieces, []))
        text = detokenize(split_tokens(candidate.text), project.target_language)
        segments[-1].cards.append(Card(key, text))
    before, after = _neighbours(sentence, project)
    return Sheet(
        assignment_id=assignment.pk,
        token=str(uuid4()),
        source=detokenize(sentence.token_list, project.source_language),
        reference=_reference(sentence, project),
        before=before,
        after=after,
        segments=segments,
    )


def _reference(sentence: Sentence, project: Project) -> str:
    if not project.show_reference:
        return ""
    reference = Translation.objects.filter(sentence=sentence, system=None).first()
    return detokenize(reference.token_list, project.target_language) if reference else ""


def _neighbours(sentence: Sentence, project: Project) -> tuple[str, str]:
    if not project.show_neighbours:
        return "", ""
    numbers = (sentence.number - 1, sentence.number + 1)
    rows = {row.number: row for row in project.sentences.filter(number__in=numbers)}
    before, after = (
        detokenize(rows[number].token_list, project.source_language) if number in rows else ""
        for number in numbers
    )
    return before, after


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
        assignment.submitted = now = timezone.now()
        assignment.state = Assignment.State.SUBMITTED
        assignment.lease_until = None
        assignment.save(update_fields=["state", "slot", "submitted", "lease_until"])
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
        Draft.objects.filter(assignment=assignment).delete()
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


def placed(assignment: Assignment) -> dict[str, int | None]:
    """Return where the latest submission put each card; empty where there is none."""
    ranks = dict(
        Placement.objects.filter(
            judgement__submission__assignment=assignment, judgement__submission__current=True
        ).values_list("candidate_id", "rank")
    )
    return {
        key: ranks[shown[0].candidate_id]
        for key, shown in cards_of(assignment).items()
        if shown[0].candidate_id in ranks
    }


def locked_assignment(annotator: User, project: Project, assignment_id: int) -> Assignment:
    """Return the assignment of a member, held until the transaction ends. Raise NotYours."""
    assignment = (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("project")
        .filter(
            pk=assignment_id,
            annotator=annotator,
            project=project,
            project__memberships__user=annotator,
        )
        .first()
    )
    if assignment is None:
        raise NotYours(_("This sentence is not assigned to you."))
    return assignment


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
    if not may_go_on(assignment, assignment.project):
        raise Gone(
            _(
                "You were away for so long that this sentence went to somebody else. Your work is "
                "kept here; it can be handed in if the sentence becomes free again."
            )
        )


def _parse_token(token: str) -> UUID:
    try:
        return UUID(token)
    except ValueError:
        raise Invalid(_("The form is incomplete: please reload the page.")) from None


def _store(
    submission: Submission,
    cards: Mapping[str, list[ShownCandidate]],
    choices: Mapping[str, int | None],
    seconds: float | None,
) -> None:
    _check_cover(set(cards), set(choices))
    sizes, now = _sizes(cards), submission.created
    submission.save(force_insert=True)
    judgements = Judgement.objects.bulk_create(
        Judgement(submission=submission, segment_id=segment_id, created=now, seconds=seconds)
        for segment_id in sizes
    )
    judgement_of = {judgement.segment_id: judgement for judgement in judgements}
    Placement.objects.bulk_create(
        Placement(
            judgement=judgement_of[shown.candidate.segment_id],
            candidate_id=shown.candidate_id,
            rank=_checked_rank(choices[key], sizes[shown.candidate.segment_id]),
            ranks_offered=sizes[shown.candidate.segment_id],
        )
        for key, card in cards.items()
        for shown in card
    )


def _sizes(cards: Mapping[str, list[ShownCandidate]]) -> Counter[int]:
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


def cards_of(assignment: Assignment) -> dict[str, list[ShownCandidate]]:
    """Return what was shown, by the keys of the cards, in the order of the screen. One query."""
    rows = (
        ShownCandidate.objects.filter(assignment=assignment)
        .select_related("candidate__segment")
        .order_by("candidate__segment_id", "position", "candidate_id")
    )
    cards: dict[str, list[ShownCandidate]] = {}
    numbers: dict[int, int] = {}
    for shown in rows:
        number = numbers.setdefault(shown.candidate.segment_id, len(numbers) + 1)
        cards.setdefault(f"{number}-{shown.position}", []).append(shown)
    return cards
