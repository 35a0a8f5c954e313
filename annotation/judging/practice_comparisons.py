"""How practised cards are compared with their gold answers: a table by the class of the answer.

Of ranks, only the order counts: a pair of cards is right if it has the same order in the judgement
and in the gold answer, and if each of the two is garbage in both or in none. Of steps and scores,
each card counts as one, and of several scores each score: it is right if it is near the gold one
(`tolerance`), or in the range of the gold answer. An edited text is right if it is near the gold
one too (`annotation.kinds.edited_text`). Of marked errors without a score, each error counts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import combinations
from typing import Any

from django.db.models import QuerySet

from annotation.formats.languages import UNDETERMINED
from annotation.judging.practised_errors import MarkedCard, compare_marks
from annotation.judging.sheet import Pieces
from annotation.kinds.answers import Answer, Detailed, Ranking, Score, Steps
from annotation.kinds.edited_text import EditedText, is_as_expected, made_of
from annotation.kinds.marked_errors import ErrorsAlone, Marking
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Assignment, ExpectedPlacement, Placement, ShownCandidate
from annotation.preparation.tokens import tokenizer


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
class PractisedCard:
    """One card with its rank in the judgement and in the gold answer; None is garbage.

    The details are in the notation of the answer, "" for none. `source` is what the annotator saw
    of the source. `last` is the worst rank of a range that begins with the gold one, None without
    a range. `reasons` are in the reader's language: of the card, then of each gold error. `number`
    is that of the card in its segment, and `language` that of the text.
    """

    text: str
    yours: int | None
    gold: int | None
    your_detail: str = ""
    gold_detail: str = ""
    source: str = ""
    last: int | None = None
    reasons: Sequence[str] = ()
    number: int = 1
    language: str = UNDETERMINED

    @property
    def is_binned_wrongly(self) -> bool:
        """Whether it is garbage in the judgement or in the gold answer, but not in both."""
        return (self.yours is None) != (self.gold is None)


# --- cards ------------------------------------------------------------------------------------

# Segment by segment, the assignment and its cards.
PractisedSegments = Iterator[tuple[int, list[PractisedCard]]]


@singledispatch
def practised_cards(answer: Answer, submitted: QuerySet[Assignment]) -> PractisedSegments:
    """Yield the cards of submitted practice, with what `agreement` compares. Three queries."""
    raise NotImplementedError(answer)


@practised_cards.register(Ranking)
@practised_cards.register(Steps)
@practised_cards.register(Score)
def _placed_cards(answer: Answer, submitted: QuerySet[Assignment]) -> PractisedSegments:
    ranks = {
        (assignment, candidate): rank
        for assignment, candidate, rank in Placement.objects.filter(
            judgement__submission__assignment__in=submitted, judgement__submission__current=True
        ).values_list("judgement__submission__assignment", "candidate", "rank")
    }
    shown = ShownCandidate.objects.filter(assignment__in=submitted)
    expected = ExpectedPlacement.objects.filter(candidate__in=shown.values("candidate"))
    gold = {
        candidate: (rank, last)
        for candidate, rank, last in expected.values_list("candidate", "rank", "last_rank")
    }
    # Candidates that look alike share a position: they are one card.
    segments: dict[tuple[int, int], dict[int, PractisedCard]] = {}
    for assignment, segment, position, candidate, text in shown.order_by("candidate").values_list(
        "assignment", "candidate__segment", "position", "candidate", "candidate__text"
    ):
        if (assignment, candidate) in ranks:
            cards = segments.setdefault((assignment, segment), {})
            gold_rank, last = gold[candidate]
            card = PractisedCard(text, ranks[assignment, candidate], gold_rank, last=last)
            cards.setdefault(position, card)
    for (assignment, _segment), cards in segments.items():
        yield assignment, list(cards.values())


@practised_cards.register(EditedText)
@practised_cards.register(ErrorsAlone)
@practised_cards.register(SeveralScores)
def _detailed_cards(answer: Detailed, submitted: QuerySet[Assignment]) -> PractisedSegments:
    of_assignment = "judgement__submission__assignment"
    placed = Placement.objects.filter(
        judgement__submission__current=True, **{f"{of_assignment}__in": submitted}
    ).order_by("candidate")
    details = answer.read_details(placed)
    gold = {
        candidate: (rank, detail)
        for candidate, rank, detail in ExpectedPlacement.objects.filter(
            candidate__in=placed.order_by().values("candidate")
        ).values_list("candidate", "rank", "detail")
    }
    # Candidates with the same text are one card.
    segments: dict[tuple[int, int], dict[str, PractisedCard]] = {}
    for pk, assignment, segment, candidate, text, rank, language in placed.values_list(
        "pk",
        of_assignment,
        "candidate__segment",
        "candidate",
        "candidate__text",
        "rank",
        f"{of_assignment}__project__target_language",
    ):
        gold_rank, gold_detail = gold[candidate]
        card = PractisedCard(
            text, rank, gold_rank, details.get(pk, ""), gold_detail, language=language
        )
        segments.setdefault((assignment, segment), {})[text] = card
    for (assignment, _segment), cards in segments.items():
        yield assignment, list(cards.values())


# --- scores -----------------------------------------------------------------------------------


@singledispatch
def agreement(answer: Answer, cards: Sequence[PractisedCard]) -> Agreed:
    """Return the score of the cards of a segment."""
    raise NotImplementedError(answer)


@agreement.register
def _agreed_pairs(answer: Ranking, cards: Sequence[PractisedCard]) -> Agreed:
    pairs = list(combinations(cards, 2))
    in_order = sum(
        _order(one.yours, other.yours) == _order(one.gold, other.gold)
        and not (one.is_binned_wrongly or other.is_binned_wrongly)
        for one, other in pairs
    )
    return Agreed(in_order, len(pairs))


@agreement.register(Steps)
@agreement.register(Score)
def _agreed_ranks(answer: Steps | Score, cards: Sequence[PractisedCard]) -> Agreed:
    return Agreed(sum(_is_near(answer, card) for card in cards), len(cards))


@agreement.register
def _agreed_edits(answer: EditedText, cards: Sequence[PractisedCard]) -> Agreed:
    edits = [_compared_edit(card) for card in cards]
    return Agreed(sum(edit.is_right for edit in edits), len(edits))


@agreement.register
def _agreed_scores(answer: SeveralScores, cards: Sequence[PractisedCard]) -> Agreed:
    compared = [one.is_right for card in cards for one in _scores_of_card(answer, card)]
    return Agreed(sum(compared), len(compared))


@agreement.register
def _agreed_errors(answer: ErrorsAlone, cards: Sequence[PractisedCard]) -> Agreed:
    """Return how many of the errors are right that are expected, or marked and not expected.

    Of a translation without any, the answer that there is none is right.
    """
    marked = [_compared_marks_of(answer, card) for card in cards]
    found = [(card.found, card.expected + card.besides) for card in marked]
    return sum((Agreed(*each) if each[1] else Agreed(1, 1) for each in found), Agreed())


def _is_near(answer: Steps | Score, card: PractisedCard) -> bool:
    if card.yours is None or card.gold is None:
        return False
    if card.last is not None:
        return card.gold <= card.yours <= card.last
    return abs(card.yours - card.gold) <= answer.tolerance


# --- feedback ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class SegmentFeedback:
    """How a practised segment was judged: each answer has a class of its own, and a template.

    `heading` and `source` are above it on the page; `source` is empty where the segment is all of
    the text. `errors` is how many of the gold errors the annotator found.
    """

    score: Agreed
    heading: str = field(default="", kw_only=True)
    source: Pieces = field(default_factory=list, kw_only=True)
    explanation: str = field(default="", kw_only=True)

    @property
    def errors(self) -> Agreed:
        return Agreed()


@singledispatch
def segment_feedback(answer: Answer, cards: Sequence[PractisedCard]) -> SegmentFeedback:
    """Return how the cards of a segment were judged, without what is around them."""
    raise NotImplementedError(answer)


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
class ComparedOrder(SegmentFeedback):
    """Both orders of the cards, with marks at those of `yours` that the annotator has to move.

    `same` is True where both have the same cards on the same levels. Empty ranks are left out, so
    ranks may differ where everything is right.
    """

    yours: list[Level]
    gold: list[Level]

    @property
    def same(self) -> bool:
        return self._levels(self.yours) == self._levels(self.gold)

    @staticmethod
    def _levels(levels: Iterable[Level]) -> list[tuple[int | None, list[str]]]:
        return [(level.number, sorted(card.text for card in level.cards)) for level in levels]


@segment_feedback.register
def _compared_order(answer: Ranking, cards: Sequence[PractisedCard]) -> ComparedOrder:
    best_first = sorted(cards, key=lambda card: _place(card.gold))
    marks = _moves(best_first)
    return ComparedOrder(
        agreement(answer, best_first),
        yours=_levels(
            (card.yours, ComparedCard(card.text, marks.get(at, "")))
            for at, card in enumerate(best_first)
        ),
        gold=_levels((card.gold, ComparedCard(card.text, "")) for card in best_first),
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
        if card.is_binned_wrongly
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


def _order(a: int | None, b: int | None) -> int:
    """Return 1 where a is worse than b, -1 where it is better, 0 for a tie."""
    return (_place(a) > _place(b)) - (_place(a) < _place(b))


def _place(rank: int | None) -> float:
    return float("inf") if rank is None else rank


@dataclass(frozen=True)
class ComparedStep:
    """The label of the step on which a card is beside that of the gold step."""

    text: str
    yours: Any
    gold: Any
    is_right: bool


@dataclass(frozen=True)
class ComparedSteps(SegmentFeedback):
    steps: tuple[ComparedStep, ...]


@segment_feedback.register
def _compared_steps(answer: Steps, cards: Sequence[PractisedCard]) -> ComparedSteps:
    return ComparedSteps(
        agreement(answer, cards),
        tuple(
            ComparedStep(
                card.text,
                answer.meaning(card.yours),
                answer.meaning(card.gold),
                _is_near(answer, card),
            )
            for card in cards
            if card.yours is not None and card.gold is not None
        ),
    )


@dataclass(frozen=True)
class ComparedScore:
    """The score of a single translation beside the gold one; it may be `tolerance` away."""

    text: str
    yours: int
    gold: int
    tolerance: int


@dataclass(frozen=True)
class ComparedScores(SegmentFeedback):
    scores: tuple[ComparedScore, ...]


@segment_feedback.register
def _compared_scores(answer: Score, cards: Sequence[PractisedCard]) -> ComparedScores:
    return ComparedScores(
        agreement(answer, cards),
        tuple(
            ComparedScore(card.text, yours, gold, answer.tolerance)
            for card in cards
            if (yours := answer.score_of(card.yours)) is not None
            and (gold := answer.score_of(card.gold)) is not None
        ),
    )


@dataclass(frozen=True)
class ComparedMarks(SegmentFeedback):
    """The cards with the errors marked in them."""

    marked: list[MarkedCard]

    @property
    def errors(self) -> Agreed:
        found = sum(card.found for card in self.marked)
        return Agreed(found, sum(card.expected for card in self.marked))


@segment_feedback.register
def _compared_marks(answer: Marking, cards: Sequence[PractisedCard]) -> ComparedMarks:
    return ComparedMarks(
        agreement(answer, cards), [_compared_marks_of(answer, card) for card in cards]
    )


def _compared_marks_of(answer: Marking, card: PractisedCard) -> MarkedCard:
    return compare_marks(
        card.text,
        card.your_detail,
        card.gold_detail,
        answer.severities,
        answer.score_of(card.yours),
        answer.score_of(card.gold),
        card.source,
        answer.score_of(card.last),
        card.reasons,
        card.number,
    )


@dataclass(frozen=True)
class ComparedEdit:
    """What the annotator made of an output beside the expected text; None is unable.

    "" is an expected edit whose text is unknown. `language` is that of the texts.
    """

    text: str
    yours: str | None
    gold: str | None
    language: str

    @property
    def is_right(self) -> bool:
        return is_as_expected(self.text, self.yours, self.gold, tokenizer(self.language))


@dataclass(frozen=True)
class ComparedEdits(SegmentFeedback):
    edits: list[ComparedEdit]


@segment_feedback.register
def _compared_edits(answer: EditedText, cards: Sequence[PractisedCard]) -> ComparedEdits:
    return ComparedEdits(agreement(answer, cards), [_compared_edit(card) for card in cards])


def _compared_edit(card: PractisedCard) -> ComparedEdit:
    return ComparedEdit(
        card.text,
        made_of(card.text, card.yours, card.your_detail),
        made_of(card.text, card.gold, card.gold_detail),
        card.language,
    )


@dataclass(frozen=True)
class ScoreOnScale:
    """The score of a card on one of several scales beside the gold one."""

    scale: str
    yours: int
    gold: int
    is_right: bool


@dataclass(frozen=True)
class ScoredCard:
    text: str
    scores: tuple[ScoreOnScale, ...]


@dataclass(frozen=True)
class ComparedSeveralScores(SegmentFeedback):
    cards: tuple[ScoredCard, ...]


@segment_feedback.register
def _compared_several_scores(
    answer: SeveralScores, cards: Sequence[PractisedCard]
) -> ComparedSeveralScores:
    return ComparedSeveralScores(
        agreement(answer, cards),
        tuple(ScoredCard(card.text, _scores_of_card(answer, card)) for card in cards),
    )


def _scores_of_card(answer: SeveralScores, card: PractisedCard) -> tuple[ScoreOnScale, ...]:
    yours, gold = answer.parts_of(card.your_detail), answer.parts_of(card.gold_detail)
    return tuple(
        ScoreOnScale(
            mine.scale.name,
            mine.score,
            expected.score,
            abs(mine.score - expected.score) <= answer.tolerance_of(mine.scale),
        )
        for mine, expected in zip(yours, gold, strict=True)
        if mine.score is not None and expected.score is not None
    )
