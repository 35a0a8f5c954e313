"""How annotators did in the practice round."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.judging.practice import pairs_in_order
from annotation.models import (
    Assignment,
    ExpectedPlacement,
    Membership,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
)
from annotation.projects.annotator_names import account_names

# Where a card was put and where it belongs; None is the garbage bin.
Card = tuple[int | None, int | None]


@dataclass(frozen=True)
class Agreed:
    """How many pairs of cards of one sentence are in the right order."""

    agreed: int = 0
    pairs: int = 0

    @property
    def all_right(self) -> bool:
        return self.agreed == self.pairs


@dataclass(frozen=True)
class AnnotatorPractice:
    """Of one annotator: sentences practised, and pairs of their cards in the right order."""

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
    """How many sentences there are for practice, and how each annotator did, by id."""

    sentences: int
    annotators: list[AnnotatorPractice]


def practice_results(project: Project) -> PracticeResults:
    """Return how annotators, and others who practised, did against the answers as they are now.

    Retired sentences do not count. A fixed number of queries; one where there is no practice.
    """
    sentences = list(
        project.sentences.filter(purpose=Sentence.Purpose.PRACTICE, retired=False).values_list(
            "pk", flat=True
        )
    )
    if not sentences:
        return PracticeResults(0, [])
    submitted = _submitted(sentences)
    annotators = dict(submitted.values_list("pk", "annotator"))
    # Nobody is given a practice sentence twice.
    done = Counter(annotators.values())
    agreed: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    for assignment, of_sentence in agreed_pairs(submitted).items():
        agreed[annotators[assignment]] += of_sentence.agreed
        pairs[annotators[assignment]] += of_sentence.pairs
    asked = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    people = {*asked.values_list("user", flat=True), *done}
    return PracticeResults(
        len(sentences),
        [
            AnnotatorPractice(name, done[pk], agreed[pk], pairs[pk])
            for pk, name in account_names(project).items()
            if pk in people
        ],
    )


def agreed_pairs(assignments: QuerySet[Assignment]) -> dict[int, Agreed]:
    """Return how many pairs are in the right order, by the ids of the assignments.

    They are submitted ones for practice. Three queries, however many they are.
    """
    found: dict[int, Agreed] = {}
    for assignment, cards in _segments(assignments.order_by()):
        agreed, pairs = pairs_in_order(cards)
        before = found.get(assignment, Agreed())
        found[assignment] = Agreed(before.agreed + agreed, before.pairs + pairs)
    return found


def _submitted(sentences: list[int]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        sentence__in=sentences, kind=Assignment.Kind.PRACTICE, state=Assignment.State.SUBMITTED
    )


def _segments(submitted: QuerySet[Assignment]) -> Iterator[tuple[int, list[Card]]]:
    """Yield the assignment and the cards of each of its segments."""
    put = {
        (assignment, candidate): rank
        for assignment, candidate, rank in Placement.objects.filter(
            judgement__submission__assignment__in=submitted, judgement__submission__current=True
        ).values_list("judgement__submission__assignment", "candidate", "rank")
    }
    answered = submitted.values("sentence")
    right = dict(
        ExpectedPlacement.objects.filter(answer__segment__sentence__in=answered).values_list(
            "candidate", "rank"
        )
    )
    # Candidates that look alike share a position: they are one card.
    cards: dict[tuple[int, int], dict[int, Card]] = {}
    for assignment, segment, position, candidate in (
        ShownCandidate.objects.filter(assignment__in=submitted)
        .order_by("candidate")
        .values_list("assignment", "candidate__segment", "position", "candidate")
    ):
        if (assignment, candidate) in put:
            of_segment = cards.setdefault((assignment, segment), {})
            of_segment.setdefault(position, (put[assignment, candidate], right[candidate]))
    for (assignment, _segment), of_segment in cards.items():
        yield assignment, list(of_segment.values())
