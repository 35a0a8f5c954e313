"""What an annotator is shown of a sentence. Nothing in it tells the name of a system."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple
from uuid import uuid4

from django.core.cache import cache

from annotation.common.caching import project_key
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

# Texts and layouts never change, so this only limits how much memory is used.
CACHE_SECONDS: Final = 3600


@dataclass(frozen=True)
class Card:
    """Candidates that look alike; `key` is "<segment>-<position>", both from 1.

    Candidate ids never leave the server, because they are in the order of the systems.
    """

    key: str
    text: str


@dataclass(frozen=True)
class SegmentSheet:
    """One segment as shown: `pieces` of the source text (True = in the segment) and its cards."""

    segment_id: int
    pieces: list[tuple[str, bool]]
    cards: list[Card]

    @property
    def ranks(self) -> range:
        return range(1, len(self.cards) + 1)


@dataclass(frozen=True)
class Sheet:
    """Everything on the screen for one assignment.

    `before` and `after` are the neighbouring sentences, "" where they are not shown.
    """

    assignment_id: int
    token: str
    source: str
    reference: str
    before: str
    after: str
    segments: list[SegmentSheet]


class CardCandidates(NamedTuple):
    """The candidates on one card, which look alike, and their segment."""

    segment_id: int
    candidate_ids: list[int]


Cards = Mapping[str, CardCandidates]


@dataclass(frozen=True)
class Layout:
    """What saving a draft must know of an assignment.

    `cards` are by key, in the order of the screen. The lease may have been renewed since.
    """

    annotator_id: int
    project_id: int
    cards: dict[str, CardCandidates]
    lease: timedelta
    lease_until: datetime | None


@dataclass(frozen=True)
class _Texts:
    source: str
    reference: str
    before: str
    after: str


def sheet(assignment: Assignment) -> Sheet:
    """Return what to show for the assignment, with a fresh submission token."""
    rows = shown_candidates(assignment)
    # Drafts and the submission follow, and need only the layout.
    cache_layout(assignment, cards_from(rows))
    return build_sheet(assignment.sentence, assignment.project, rows, assignment_id=assignment.pk)


def build_sheet(
    sentence: Sentence,
    project: Project,
    rows: Iterable[ShownCandidate],
    *,
    assignment_id: int = 0,
) -> Sheet:
    """Return the sheet of the sentence with these candidates, by segment and position."""
    tokens = sentence.token_list
    segments: list[SegmentSheet] = []
    for key, candidates in group_by_card(rows).items():
        candidate = candidates[0].candidate
        if not segments or segments[-1].segment_id != candidate.segment_id:
            pieces = highlight(tokens, candidate.segment.indices, project.source_language)
            segments.append(SegmentSheet(candidate.segment_id, pieces, []))
        text = _as_written(candidate.text, project.target_language)
        segments[-1].cards.append(Card(key, text))
    texts = _texts(sentence, project)
    return Sheet(
        assignment_id=assignment_id,
        token=str(uuid4()),
        source=texts.source,
        reference=texts.reference,
        before=texts.before,
        after=texts.after,
        segments=segments,
    )


def shown_candidates(assignment: Assignment) -> list[ShownCandidate]:
    """Return what the assignment shows, by segment and position. One query unless just made."""
    if assignment.just_shown is not None:
        return assignment.just_shown
    rows = ShownCandidate.objects.filter(assignment=assignment)
    return list(
        rows.select_related("candidate__segment").order_by(
            "candidate__segment_id", "position", "candidate_id"
        )
    )


def layout_of(assignment_id: int) -> Layout | None:
    """Return the layout of the assignment, None if it shows nothing. Cached, else one query."""
    layout: Layout | None = cache.get(_layout_key(assignment_id))
    if layout is None:
        rows = list(
            ShownCandidate.objects.filter(assignment=assignment_id)
            .select_related("candidate", "assignment__project")
            .order_by("candidate__segment_id", "position", "candidate_id")
        )
        if not rows:
            return None
        layout = cache_layout(rows[0].assignment, cards_from(rows))
    return layout


def cache_layout(assignment: Assignment, cards: dict[str, CardCandidates]) -> Layout:
    layout = Layout(
        annotator_id=assignment.annotator_id,
        project_id=assignment.project_id,
        cards=cards,
        lease=timedelta(minutes=assignment.project.lease_minutes),
        lease_until=assignment.lease_until,
    )
    cache.set(_layout_key(assignment.pk), layout, CACHE_SECONDS)
    return layout


def cards_of(assignment_id: int) -> dict[str, CardCandidates]:
    """Return the cards of the assignment by their keys."""
    layout = layout_of(assignment_id)
    return layout.cards if layout else {}


def current_ranks(assignment: Assignment) -> dict[str, int | None]:
    """Return the rank of each card in the current submission; empty where there is none."""
    ranks = dict(
        Placement.objects.filter(
            judgement__submission__assignment=assignment, judgement__submission__current=True
        ).values_list("candidate_id", "rank")
    )
    return {
        key: ranks[card.candidate_ids[0]]
        for key, card in cards_of(assignment.pk).items()
        if card.candidate_ids[0] in ranks
    }


def build_shown_candidates(
    candidates: Iterable[Candidate],
    language: str,
    order: Random,
    assignment: Assignment | None = None,
) -> list[ShownCandidate]:
    """Return unsaved rows for candidates, which come by segment and id, in random order.

    Candidates that look alike share a position. A duplicate for control has its own, because it
    is there to be compared with its original.
    """
    groups: dict[int, dict[tuple[str, bool], list[Candidate]]] = {}
    for candidate in candidates:
        look = _as_written(candidate.text, language), candidate.is_duplicate
        groups.setdefault(candidate.segment_id, {}).setdefault(look, []).append(candidate)
    rows = []
    for of_segment in groups.values():
        cards = list(of_segment.values())
        order.shuffle(cards)
        rows += [
            ShownCandidate(assignment=assignment, candidate=candidate, position=position)
            for position, card in enumerate(cards, start=1)
            for candidate in card
        ]
    return rows


def group_by_card(rows: Iterable[ShownCandidate]) -> dict[str, list[ShownCandidate]]:
    """Return rows, which come by segment and position, by the keys of their cards."""
    cards: dict[str, list[ShownCandidate]] = {}
    numbers: dict[int, int] = {}
    for shown in rows:
        number = numbers.setdefault(shown.candidate.segment_id, len(numbers) + 1)
        cards.setdefault(f"{number}-{shown.position}", []).append(shown)
    return cards


def cards_from(rows: Iterable[ShownCandidate]) -> dict[str, CardCandidates]:
    """Return the cards of rows, which come by segment and position, by their keys."""
    return {
        key: CardCandidates(card[0].candidate.segment_id, [one.candidate_id for one in card])
        for key, card in group_by_card(rows).items()
    }


def segment_sizes(cards: Cards) -> Counter[int]:
    """Return N, the number of candidates shown, by segment id."""
    sizes: Counter[int] = Counter()
    for card in cards.values():
        sizes[card.segment_id] += len(card.candidate_ids)
    return sizes


def _texts(sentence: Sentence, project: Project) -> _Texts:
    """Return the texts around the cards, the same for all annotators. Cached."""
    shown = f"{project.show_reference:d}{project.show_neighbours:d}"
    key = project_key(f"texts-{sentence.pk}-{shown}", project)
    texts: _Texts | None = cache.get(key)
    if texts is None:
        reference, before, after = None, "", ""
        if project.show_reference:
            original = sentence.copy_of_id or sentence.pk
            references = Translation.objects.filter(sentence=original, system=None)
            reference = references.values_list("tokens", flat=True).first()
        if project.show_neighbours:
            number = sentence.source_number
            neighbours = project.sentences.filter(
                purpose=Sentence.Purpose.JUDGE, number__in=(number - 1, number + 1)
            )
            tokens = dict(neighbours.values_list("number", "tokens"))
            before, after = tokens.get(number - 1, ""), tokens.get(number + 1, "")
        texts = _Texts(
            source=_as_written(sentence.tokens, project.source_language),
            reference=_as_written(reference or "", project.target_language),
            before=_as_written(before, project.source_language),
            after=_as_written(after, project.source_language),
        )
        cache.set(key, texts, CACHE_SECONDS)
    return texts


@lru_cache(maxsize=20_000)
def _as_written(tokens: str, language: str) -> str:
    """Return stored tokens as people write them."""
    return detokenize(split_tokens(tokens), language)


def _layout_key(assignment_id: int) -> str:
    return f"layout:{assignment_id}"
