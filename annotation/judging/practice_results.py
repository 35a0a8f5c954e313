"""How practice sentences were judged, compared with their gold answers as they are now.

Of ranks, only the order counts: a pair of cards is right if it has the same order in the judgement
and in the gold answer, and if each of the two is garbage in both or in none. Where cards are put
on steps of a scale, and where single translations get scores, each card counts as one: it is right
if its step or score is near the gold one (`Kind.tolerance`). So does an edited text, which is right
if it is near the gold one (`post_editing.edits`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db.models import QuerySet

from annotation.judging.practised_errors import MarkedCard, compare_marks
from annotation.judging.sheet import (
    Card,
    Sheet,
    cards_of,
    current_details,
    current_ranks,
    sheet,
)
from annotation.kinds import DEFAULT, Kind, kind_of
from annotation.kinds.edited_text import is_as_expected, made_of
from annotation.models import (
    Answer,
    Assignment,
    ExpectedPlacement,
    Membership,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
    User,
)
from annotation.projects.annotator_names import account_names

# --- scores -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreed:
    """How many pairs of cards are in the right order, or how many steps, scores or edits right."""

    agreed: int = 0
    pairs: int = 0

    @property
    def all_right(self) -> bool:
        return self.agreed == self.pairs

    def __add__(self, other: "Agreed") -> "Agreed":
        return Agreed(self.agreed + other.agreed, self.pairs + other.pairs)


@dataclass(frozen=True)
class AnnotatorPractice:
    """One annotator: sentences practised, and pairs of their cards in the right order."""

    annotator: str
    done: int
    agreed: int
    pairs: int

    @property
    def share(self) -> float | None:
        """Pairs in the right order / all pairs; None without pairs."""
        return self.agreed / self.pairs if self.pairs else None


@dataclass(frozen=True)
class PracticeResults:
    """The number of practice sentences, and the results of each annotator by id."""

    sentences: int
    annotators: list[AnnotatorPractice]


def practice_results(project: Project) -> PracticeResults:
    """Return the results of the project's annotators and of other members who practised.

    Retired sentences do not count, nor former tries. A fixed number of queries, one without
    practice.
    """
    sentences = list(_in_use(project).values_list("pk", flat=True))
    if not sentences:
        return PracticeResults(0, [])
    submitted = Assignment.objects.filter(
        sentence__in=sentences, kind=Assignment.Kind.PRACTICE, state=Assignment.State.SUBMITTED
    )
    annotators = dict(submitted.values_list("pk", "annotator"))
    # An annotator practises a sentence only once in a try.
    done = Counter(annotators.values())
    results: dict[int, Agreed] = {}
    for assignment, agreed in agreed_pairs(submitted, kind_of(project)).items():
        annotator = annotators[assignment]
        results[annotator] = results.get(annotator, Agreed()) + agreed
    members = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    people = {*members.values_list("user", flat=True), *done}
    return PracticeResults(
        len(sentences),
        [
            AnnotatorPractice(name, done[pk], result.agreed, result.pairs)
            for pk, name in account_names(project).items()
            if pk in people
            for result in (results.get(pk, Agreed()),)
        ],
    )


def practice_result(annotator: User, project: Project) -> Agreed:
    """Return the result of one annotator as `practice_results` does. Three or four queries."""
    counted = practised(annotator, project).filter(sentence__in=_in_use(project).values("pk"))
    return sum(agreed_pairs(counted, kind_of(project)).values(), Agreed())


def _in_use(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.PRACTICE, retired=False)


def practised(annotator: User, project: Project) -> QuerySet[Assignment]:
    """Return the practice sentences that the annotator has submitted in this try, in order."""
    return (
        Assignment.objects.filter(
            annotator=annotator,
            project=project,
            kind=Assignment.Kind.PRACTICE,
            state=Assignment.State.SUBMITTED,
        )
        .select_related("project", "sentence__copy_of")
        .order_by("submitted", "pk")
    )


def agreed_pairs(assignments: QuerySet[Assignment], kind: Kind) -> dict[int, Agreed]:
    """Return the score of each submitted practice assignment by id. Three or four queries."""
    if kind.edits_texts:
        return _agreed_edits(assignments, kind)
    scores: dict[int, Agreed] = {}
    for assignment, cards in _judged_cards(assignments.order_by()):
        scores[assignment] = scores.get(assignment, Agreed()) + _agreed(cards, kind)
    return scores


def _agreed_edits(assignments: QuerySet[Assignment], kind: Kind) -> dict[int, Agreed]:
    assert kind.detail is not None, "edits are details"
    of_assignment = "judgement__submission__assignment"
    placed = Placement.objects.filter(
        judgement__submission__current=True, **{f"{of_assignment}__in": assignments.order_by()}
    ).order_by("candidate")
    edits = kind.detail.read(placed)
    gold = {
        candidate: (rank, detail)
        for candidate, rank, detail in ExpectedPlacement.objects.filter(
            answer__segment__sentence__in=assignments.order_by().values("sentence")
        ).values_list("candidate", "rank", "detail")
    }
    # Candidates that look alike are one card.
    cards: dict[tuple[int, str], bool] = {}
    for pk, assignment, candidate, text, rank in placed.values_list(
        "pk", of_assignment, "candidate", "candidate__text", "rank"
    ):
        cards[assignment, text] = is_as_expected(
            text, made_of(text, rank, edits.get(pk, "")), made_of(text, *gold[candidate])
        )
    scores: dict[int, Agreed] = {}
    for (assignment, _text), right in cards.items():
        scores[assignment] = scores.get(assignment, Agreed()) + Agreed(int(right), 1)
    return scores


def _agreed(cards: Sequence[tuple[int | None, int | None]], kind: Kind) -> Agreed:
    if kind.tolerance is None:
        return pairs_in_order(cards)
    return Agreed(sum(_is_near(*ranks, kind.tolerance) for ranks in cards), len(cards))


def _is_near(yours: int | None, gold: int | None, tolerance: int) -> bool:
    return yours is not None and gold is not None and abs(yours - gold) <= tolerance


def pairs_in_order(cards: Sequence[tuple[int | None, int | None]]) -> Agreed:
    """Return how many pairs of a segment's cards are in the right order.

    Each card is its rank in the judgement and in the gold answer; None is garbage.
    """
    pairs = list(combinations(cards, 2))
    agreed = sum(
        _order(yours, other_yours) == _order(gold, other_gold)
        and not (_is_binned_wrongly(yours, gold) or _is_binned_wrongly(other_yours, other_gold))
        for (yours, gold), (other_yours, other_gold) in pairs
    )
    return Agreed(agreed, len(pairs))


def _judged_cards(
    submitted: QuerySet[Assignment],
) -> Iterator[tuple[int, list[tuple[int | None, int | None]]]]:
    """Yield, segment by segment, the assignment and its cards: their ranks and gold ranks."""
    ranks = {
        (assignment, candidate): rank
        for assignment, candidate, rank in Placement.objects.filter(
            judgement__submission__assignment__in=submitted, judgement__submission__current=True
        ).values_list("judgement__submission__assignment", "candidate", "rank")
    }
    gold = dict(
        ExpectedPlacement.objects.filter(
            answer__segment__sentence__in=submitted.values("sentence")
        ).values_list("candidate", "rank")
    )
    # Candidates that look alike share a position: they are one card.
    segments: dict[tuple[int, int], dict[int, tuple[int | None, int | None]]] = {}
    for assignment, segment, position, candidate in (
        ShownCandidate.objects.filter(assignment__in=submitted)
        .order_by("candidate")
        .values_list("assignment", "candidate__segment", "position", "candidate")
    ):
        if (assignment, candidate) in ranks:
            cards = segments.setdefault((assignment, segment), {})
            cards.setdefault(position, (ranks[assignment, candidate], gold[candidate]))
    for (assignment, _segment), cards in segments.items():
        yield assignment, list(cards.values())


# --- feedback ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class PractisedCard:
    """One card with its rank in the judgement and in the gold answer; None is garbage."""

    text: str
    yours: int | None
    gold: int | None


@dataclass(frozen=True)
class ComparedCard:
    """A card and where it has to move for the order to be right.

    `moved` is "higher", "lower", "elsewhere", "into garbage", "out of garbage", or "" if it can
    stay.
    """

    text: str
    moved: str


@dataclass(frozen=True)
class Level:
    """Cards of the same quality: `number` counts from 1, None is garbage."""

    number: int | None
    cards: list[ComparedCard]


@dataclass(frozen=True)
class ComparedScore:
    """The score of a single translation beside the gold one; it may be `tolerance` away."""

    text: str
    yours: int
    gold: int
    tolerance: int


@dataclass(frozen=True)
class ComparedStep:
    """The label of the step on which a card is beside that of the gold step."""

    text: str
    yours: Any
    gold: Any
    is_right: bool


@dataclass(frozen=True)
class ComparedEdit:
    """What the annotator made of an output beside the expected text; None is unable.

    "" is an expected edit whose text is unknown.
    """

    text: str
    yours: str | None
    gold: str | None

    @property
    def is_right(self) -> bool:
        return is_as_expected(self.text, self.yours, self.gold)


@dataclass(frozen=True)
class SegmentFeedback:
    """The judgement of a practised segment (`yours`) beside the gold answer (`gold`).

    `scores` are those of single translations, and `steps` those of a scale, which are compared in
    place of the order. `same` is True where both have
    the same cards on the same levels. Empty ranks are left out, so ranks may differ where
    everything is right. `marked` are the cards with the errors marked in them, where annotators
    mark errors, and `edits` the texts where they edit them.
    """

    pieces: list[tuple[str, bool]]
    score: Agreed
    explanation: str
    yours: list[Level]
    gold: list[Level]
    scores: tuple[ComparedScore, ...] = ()
    marked: list[MarkedCard] = field(default_factory=list)
    edits: tuple[ComparedEdit, ...] = ()
    steps: tuple[ComparedStep, ...] = ()

    @property
    def same(self) -> bool:
        return self._levels(self.yours) == self._levels(self.gold)

    @staticmethod
    def _levels(levels: Iterable[Level]) -> list[tuple[int | None, list[str]]]:
        return [(level.number, sorted(card.text for card in level.cards)) for level in levels]


@dataclass(frozen=True)
class Feedback:
    """How a practice sentence was judged."""

    sheet: Sheet
    segments: list[SegmentFeedback]

    @property
    def score(self) -> Agreed:
        return sum((segment.score for segment in self.segments), Agreed())

    @property
    def errors(self) -> Agreed:
        """How many of the gold errors the annotator found."""
        cards = [card for segment in self.segments for card in segment.marked]
        return Agreed(sum(card.found for card in cards), sum(card.expected for card in cards))


def feedback(assignment: Assignment) -> Feedback:
    """Return how a submitted practice sentence was judged."""
    shown, cards, yours = sheet(assignment), cards_of(assignment.pk), current_ranks(assignment)
    answers = Answer.objects.filter(segment__sentence=assignment.sentence_id)
    explanations = dict(answers.values_list("segment", "explanation"))
    gold: dict[int, int | None] = {}
    gold_details: dict[int, str] = {}
    for candidate, rank, detail in ExpectedPlacement.objects.filter(answer__in=answers).values_list(
        "candidate", "rank", "detail"
    ):
        gold[candidate], gold_details[candidate] = rank, detail
    kind = kind_of(assignment.project)
    details = current_details(assignment)

    def marked(card: Card) -> MarkedCard:
        candidate = cards[card.key].candidate_ids[0]
        return compare_marks(
            card.text,
            details.get(card.key, ""),
            gold_details[candidate],
            kind.score_of(yours[card.key]),
            kind.score_of(gold[candidate]),
        )

    def edited(card: Card) -> ComparedEdit:
        candidate = cards[card.key].candidate_ids[0]
        return ComparedEdit(
            card.text,
            made_of(card.text, yours[card.key], details.get(card.key, "")),
            made_of(card.text, gold[candidate], gold_details[candidate]),
        )

    if kind.edits_texts:
        return Feedback(
            shown,
            [
                _feedback_on_edits(
                    [edited(card) for card in segment.cards if card.key in yours],
                    pieces=segment.pieces,
                    explanation=explanations.get(segment.segment_id, ""),
                )
                for segment in shown.segments
            ],
        )
    return Feedback(
        shown,
        [
            segment_feedback(
                [
                    PractisedCard(
                        card.text, yours[card.key], gold[cards[card.key].candidate_ids[0]]
                    )
                    for card in segment.cards
                    if card.key in yours
                ],
                pieces=segment.pieces,
                explanation=explanations.get(segment.segment_id, ""),
                marked=[marked(card) for card in segment.cards if card.key in yours]
                if kind.marks_errors
                else [],
                kind=segment.kind,
            )
            for segment in shown.segments
        ],
    )


def _feedback_on_edits(
    edits: Sequence[ComparedEdit], *, pieces: list[tuple[str, bool]], explanation: str
) -> SegmentFeedback:
    score = Agreed(sum(edit.is_right for edit in edits), len(edits))
    return SegmentFeedback(pieces, score, explanation, [], [], edits=tuple(edits))


def segment_feedback(
    cards: Iterable[PractisedCard],
    *,
    pieces: list[tuple[str, bool]],
    explanation: str = "",
    marked: Iterable[MarkedCard] = (),
    kind: Kind = DEFAULT,
) -> SegmentFeedback:
    """Return both orders of the cards, with marks at those that the annotator has to move.

    Of single translations, return the scores, and of a scale the steps.
    """
    cards = list(cards)
    if kind.tolerance is not None:
        ranks = [(card.yours, card.gold) for card in cards]
        scores = [
            ComparedScore(card.text, yours, gold, kind.tolerance)
            for card in cards
            if (yours := kind.score_of(card.yours)) is not None
            and (gold := kind.score_of(card.gold)) is not None
        ]
        return SegmentFeedback(
            pieces=pieces,
            score=_agreed(ranks, kind),
            explanation=explanation,
            yours=[],
            gold=[],
            scores=tuple(scores),
            marked=list(marked),
            steps=tuple(
                ComparedStep(
                    card.text,
                    kind.scale[card.yours - 1],
                    kind.scale[card.gold - 1],
                    _is_near(card.yours, card.gold, kind.tolerance),
                )
                for card in cards
                if kind.scale and card.yours is not None and card.gold is not None
            ),
        )
    best_first = sorted(cards, key=lambda card: _place(card.gold))
    marks = _moves(best_first)
    return SegmentFeedback(
        pieces=pieces,
        score=pairs_in_order([(card.yours, card.gold) for card in best_first]),
        explanation=explanation,
        yours=_levels(
            (card.yours, ComparedCard(card.text, marks.get(at, "")))
            for at, card in enumerate(best_first)
        ),
        gold=_levels((card.gold, ComparedCard(card.text, "")) for card in best_first),
        marked=list(marked),
    )


def _levels(placed: Iterable[tuple[int | None, ComparedCard]]) -> list[Level]:
    by_rank: dict[int | None, list[ComparedCard]] = {}
    for rank, card in placed:
        by_rank.setdefault(rank, []).append(card)
    ranks = sorted(rank for rank in by_rank if rank is not None)
    levels = [Level(number, by_rank[rank]) for number, rank in enumerate(ranks, start=1)]
    return levels + ([Level(None, by_rank[None])] if None in by_rank else [])


def _moves(cards: Sequence[PractisedCard]) -> dict[int, str]:
    """Return by place where cards have to move: as few cards as explain all wrong pairs.

    Cards that are garbage in one of both only are marked first, then the cards in most of the wrong
    pairs, until no wrong pair is left.
    """
    marks = {
        place: "into garbage" if card.gold is None else "out of garbage"
        for place, card in enumerate(cards)
        if _is_binned_wrongly(card.yours, card.gold)
    }
    # By pair of places: 1 where the first card has to go below the second, else -1.
    wrong: dict[tuple[int, int], int] = {}
    others = [(place, card) for place, card in enumerate(cards) if place not in marks]
    for (a, one), (b, other) in combinations(others, 2):
        difference = _order(one.gold, other.gold) - _order(one.yours, other.yours)
        if difference:
            wrong[a, b] = 1 if difference > 0 else -1
    while wrong:
        involved = Counter(place for pair in wrong for place in pair)
        most = max(involved.values())
        # By how many more of the wrong pairs each has to go down than up.
        down = {
            place: sum(
                way if pair[0] == place else -way for pair, way in wrong.items() if place in pair
            )
            for place, count in involved.items()
            if count == most
        }
        # In a reversed list the middle can stay: the ends show what is wrong.
        moving = {place for place in down if down[place]} or set(down)
        for place in moving:
            marks[place] = (
                "lower" if down[place] > 0 else "higher" if down[place] < 0 else "elsewhere"
            )
        wrong = {pair: way for pair, way in wrong.items() if not moving & set(pair)}
    return marks


def _is_binned_wrongly(yours: int | None, gold: int | None) -> bool:
    """Return whether a card is garbage in the judgement or in the gold answer, but not in both."""
    return (yours is None) != (gold is None)


def _order(a: int | None, b: int | None) -> int:
    """Return 1 where a is worse than b, -1 where it is better, 0 for a tie."""
    return (_place(a) > _place(b)) - (_place(a) < _place(b))


def _place(rank: int | None) -> float:
    return float("inf") if rank is None else rank
