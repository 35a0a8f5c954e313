"""What an annotator is shown of a sentence; nothing of it tells a system's name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from uuid import uuid4

from django.db.models import QuerySet

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.formats.tokens import split_tokens
from annotation.models import (
    Assignment,
    Candidate,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
    Translation,
)
from annotation.preparation.tokens import detokenize, highlight

# What was shown, by the keys of the cards, in the order of the screen.
Cards = Mapping[str, list[ShownCandidate]]


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


def sheet(assignment: Assignment) -> Sheet:
    """Return what to show for the assignment, with a fresh submission token."""
    return sheet_of(
        assignment.sentence, assignment.project, cards_of(assignment), assignment_id=assignment.pk
    )


def sheet_of(
    sentence: Sentence, project: Project, cards: Cards, *, assignment_id: int = 0
) -> Sheet:
    """Return what to show of the sentence with these cards: 0 is no assignment."""
    segments: list[SegmentSheet] = []
    for key, shown in cards.items():
        candidate = shown[0].candidate
        if not segments or segments[-1].segment_id != candidate.segment_id:
            indices = candidate.segment.indices
            pieces = highlight(sentence.token_list, indices, project.source_language)
            segments.append(SegmentSheet(candidate.segment_id, pieces, []))
        text = detokenize(split_tokens(candidate.text), project.target_language)
        segments[-1].cards.append(Card(key, text))
    before, after = _neighbours(sentence, project)
    return Sheet(
        assignment_id=assignment_id,
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
    reference = _references.first(sentence)
    return detokenize(reference.token_list, project.target_language) if reference else ""


@ReadyMadeRead
def _references(sentence: Sentence) -> QuerySet[Translation]:
    return Translation.objects.filter(sentence=sentence, system=None).order_by("pk")[:1]


def _neighbours(sentence: Sentence, project: Project) -> tuple[str, str]:
    if not project.show_neighbours:
        return "", ""
    number = sentence.source_number
    numbers = (number - 1, number + 1)
    around = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
    rows = {row.number: row for row in around}
    before, after = (
        detokenize(rows[number].token_list, project.source_language) if number in rows else ""
        for number in numbers
    )
    return before, after


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


def cards_of(assignment: Assignment) -> dict[str, list[ShownCandidate]]:
    """Return what the assignment shows, by the keys of the cards. One query at most."""
    if assignment.just_shown is not None:
        return by_key(assignment.just_shown)
    return by_key(_shown(assignment))


@ReadyMadeRead
def _shown(assignment: Assignment) -> QuerySet[ShownCandidate]:
    shown = ShownCandidate.objects.filter(assignment=assignment)
    return shown.select_related("candidate__segment").order_by(
        "candidate__segment_id", "position", "candidate_id"
    )


def keys_by_place(places: Iterable[tuple[int, int]]) -> set[str]:
    """Return the keys of cards by their segments and positions, which come in this order."""
    numbers: dict[int, int] = {}
    return {
        f"{numbers.setdefault(segment_id, len(numbers) + 1)}-{position}"
        for segment_id, position in places
    }


def shuffled(
    candidates: Iterable[Candidate],
    language: str,
    draw: Random,
    assignment: Assignment | None = None,
) -> list[ShownCandidate]:
    """Return the candidates, which come by segment and id, in a random order in each segment.

    They are not stored. Those that look alike share one position, but for a twin: it is there to
    be seen beside its like.
    """
    groups: dict[int, dict[tuple[str, bool], list[Candidate]]] = {}
    for candidate in candidates:
        look = detokenize(split_tokens(candidate.text), language), candidate.twin
        groups.setdefault(candidate.segment_id, {}).setdefault(look, []).append(candidate)
    rows = []
    for of_segment in groups.values():
        cards = list(of_segment.values())
        draw.shuffle(cards)
        rows += [
            ShownCandidate(assignment=assignment, candidate=candidate, position=position)
            for position, card in enumerate(cards, start=1)
            for candidate in card
        ]
    return rows


def by_key(rows: Iterable[ShownCandidate]) -> dict[str, list[ShownCandidate]]:
    """Return rows, which come by segment and position, by the keys of their cards."""
    cards: dict[str, list[ShownCandidate]] = {}
    numbers: dict[int, int] = {}
    for shown in rows:
        number = numbers.setdefault(shown.candidate.segment_id, len(numbers) + 1)
        cards.setdefault(f"{number}-{shown.position}", []).append(shown)
    return cards
