"""What an annotator is shown, and the one function that stores what he judged."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import may_judge
from annotation.models import (
    Assignment,
    Judgement,
    Placement,
    Project,
    ShownCandidate,
    Translation,
    User,
)
from annotation.models.texts import split_tokens
from annotation.preparation.tokens import detokenize, highlight


class Refused(Exception):
    """A submission that is not stored; the message is for the annotator."""


class NotYours(Refused):
    """The assignment is unknown or somebody else's."""


class Invalid(Refused):
    """The placements do not cover exactly what was shown, or a rank does not exist."""


class AlreadySubmitted(Refused):
    """The assignment was submitted before, by another submission."""


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
    """Everything on the screen of one assignment; nothing in it tells a system's name."""

    assignment_id: int
    token: str
    source: str
    reference: str
    segments: list[SegmentSheet]


@dataclass(frozen=True)
class Submission:
    """`created` is False where the very same submission had been stored before."""

    assignment: Assignment
    created: bool


def sheet(assignment: Assignment) -> Sheet:
    """Return what to show for the assignment, with a fresh submission token. Four queries."""
    sentence, project = assignment.sentence, assignment.project
    reference = Translation.objects.filter(sentence=sentence, system=None).first()
    segments: list[SegmentSheet] = []
    for key, shown in _cards(assignment).items():
        candidate = shown[0].candidate
        if not segments or segments[-1].segment_id != candidate.segment_id:
            indices = candidate.segment.indices
            pieces = highlight(sentence.token_list, indices, project.source_language)
            segments.append(SegmentSheet(candidate.segment_id, pieces, []))
        text = detokenize(split_tokens(candidate.text), project.target_language)
        segments[-1].cards.append(Card(key, text))
    return Sheet(
        assignment_id=assignment.pk,
        token=str(uuid4()),
        source=detokenize(sentence.token_list, project.source_language),
        reference=detokenize(reference.token_list, project.target_language) if reference else "",
        segments=segments,
    )


def submit(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    token: str,
    choices: Mapping[str, int | None],
) -> Submission:
    """Store the annotator's judgements of all segments of a sentence at once.

    `choices` maps each card's key to a rank from 1, or None for the garbage bin. The same token
    again changes nothing. What is open may be handed in even where the project was closed
    meanwhile. Raises NotYours, Invalid and AlreadySubmitted; then nothing is stored.
    """
    submission_token = _parse_token(token)
    with transaction.atomic():
        assignment = (
            Assignment.objects.select_for_update()
            .filter(pk=assignment_id, annotator=annotator, project=project)
            .first()
        )
        if assignment is None or not may_judge(annotator, project):
            raise NotYours(_("This sentence is not assigned to you."))
        if assignment.state == Assignment.State.SUBMITTED:
            if assignment.submission_token == submission_token:
                return Submission(assignment=assignment, created=False)
            raise AlreadySubmitted(
                _("You have submitted this sentence before; nothing was changed.")
            )
        if Assignment.objects.filter(submission_token=submission_token).exists():
            raise Invalid(_("This form belongs to another sentence: please reload the page."))
        _store(assignment, submission_token, choices)
    return Submission(assignment=assignment, created=True)


def _parse_token(token: str) -> UUID:
    try:
        return UUID(token)
    except ValueError:
        raise Invalid(_("The form is incomplete: please reload the page.")) from None


def _store(assignment: Assignment, token: UUID, choices: Mapping[str, int | None]) -> None:
    cards = _cards(assignment)
    _check_cover(set(cards), set(choices))
    # N: how many candidates each segment has.
    sizes = Counter(shown.candidate.segment_id for card in cards.values() for shown in card)
    now = timezone.now()
    assignment.state = Assignment.State.SUBMITTED
    assignment.submitted = now
    assignment.submission_token = token
    assignment.save(update_fields=["state", "submitted", "submission_token"])
    seconds = max((now - (assignment.shown or now)).total_seconds(), 0.0) / len(sizes)
    judgements = Judgement.objects.bulk_create(
        Judgement(assignment=assignment, segment_id=segment_id, created=now, seconds=seconds)
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


def _cards(assignment: Assignment) -> dict[str, list[ShownCandidate]]:
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
