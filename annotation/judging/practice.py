"""The practice round: sentences with known answers, made by a project's administrator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.common.transactions import writing
from annotation.judging.queue import candidates_of, sentences_to_judge
from annotation.judging.sentence_copies import copy_sentence
from annotation.judging.sheet import (
    Cards,
    Sheet,
    by_key,
    cards_of,
    placed,
    sheet,
    sheet_of,
    shuffled,
)
from annotation.judging.submission import Invalid, Refused, checked_placements
from annotation.models import (
    Answer,
    Assignment,
    ExpectedPlacement,
    Project,
    Sentence,
    ShownCandidate,
    User,
)

LONGEST_EXPLANATION = 2000


class NotForPractice(Refused):
    """The sentence cannot serve for practice; the message is for the administrator."""


@dataclass(frozen=True)
class Row:
    """One card of a practised segment: where it was put and where it belongs; None = garbage."""

    text: str
    yours: int | None
    right: int | None


@dataclass(frozen=True)
class SegmentFeedback:
    """How a segment was judged: of its `pairs` of cards, `agreed` are in the right order.

    Only order matters, so ranks may differ where everything is right. `rows` are best first.
    """

    pieces: list[tuple[str, bool]]
    rows: list[Row]
    agreed: int
    pairs: int
    explanation: str

    @property
    def all_right(self) -> bool:
        return self.agreed == self.pairs


@dataclass(frozen=True)
class Feedback:
    """How a practice sentence was judged."""

    sheet: Sheet
    segments: list[SegmentFeedback]

    @property
    def agreed(self) -> int:
        return sum(segment.agreed for segment in self.segments)

    @property
    def pairs(self) -> int:
        return sum(segment.pairs for segment in self.segments)


def practice_sentences(project: Project) -> QuerySet[Sentence]:
    """Return the practice sentences, retired ones too, each with `practised`: by how many."""
    done = Q(
        assignments__kind=Assignment.Kind.PRACTICE,
        assignments__state=Assignment.State.SUBMITTED,
    )
    return (
        project.sentences.filter(purpose=Sentence.Purpose.PRACTICE)
        .select_related("copy_of")
        .annotate(practised=Count("assignments", filter=done))
        .order_by("retired", "number")
    )


def may_serve(project: Project) -> QuerySet[Sentence]:
    """Return the sentences that can be made ones for practice: those nobody has or has judged."""
    touched = Assignment.objects.filter(
        sentence=OuterRef("pk"), state__in=(Assignment.State.OPEN, Assignment.State.SUBMITTED)
    )
    return sentences_to_judge(project).filter(~Exists(touched)).order_by("number")


def sentence_to_serve(project: Project, number: int) -> Sentence:
    """Return the sentence with this number that is to serve for practice. Raise NotForPractice."""
    sentence = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number=number).first()
    if sentence is None:
        raise NotForPractice(
            _("There is no sentence %(number)d in this project.") % {"number": number}
        )
    if not may_serve(project).filter(pk=sentence.pk).exists():
        raise NotForPractice(
            _(
                "Sentence %(number)d cannot serve for practice: somebody has or has judged it, "
                "it serves already, or there is nothing to judge in it. Choose another one."
            )
            % {"number": number}
        )
    return sentence


def answer_sheet(sentence: Sentence, project: Project) -> Sheet:
    """Return what the administrator is shown to give the answers of the sentence."""
    return sheet_of(sentence, project, _cards(sentence, project))


def answers(sentence: Sentence, project: Project) -> tuple[dict[str, int | None], list[str]]:
    """Return what the answers of a practice sentence are: by cards, and explanations in order."""
    given = Answer.objects.filter(segment__sentence=sentence)
    right = dict(
        ExpectedPlacement.objects.filter(answer__in=given).values_list("candidate", "rank")
    )
    choices = {key: right[card[0].candidate_id] for key, card in _cards(sentence, project).items()}
    explanations = given.order_by("segment").values_list("explanation", flat=True)
    return choices, list(explanations)


def make_practice(
    *,
    project: Project,
    number: int,
    choices: Mapping[str, int | None],
    explanations: Mapping[int, str],
) -> Sentence:
    """Store a copy of the sentence for practice; the sentence itself is given to nobody any more.

    `choices` are by the keys of `answer_sheet`'s cards, `explanations` by the place of the
    segment, from 0. Raises NotForPractice and Invalid; then nothing is stored.
    """
    with writing():
        # Only this: whoever is given a sentence meanwhile refers to the project too.
        held = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if held.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise NotForPractice(_("The project is not prepared: there is nothing to copy yet."))
        # Held, so that it is given to nobody between the question and the answer.
        project.sentences.select_for_update().filter(
            purpose=Sentence.Purpose.JUDGE, number=number
        ).first()
        original = sentence_to_serve(project, number)
        shown = _cards(original, project)
        copied = copy_sentence(original, Sentence.Purpose.PRACTICE)
        # The copy's cards stand where those of the original were seen.
        cards = {
            key: [
                ShownCandidate(candidate=copied.candidates[one.candidate_id], position=one.position)
                for one in card
            ]
            for key, card in shown.items()
        }
        _store_answers(copied.sentence, cards, choices, explanations)
    return copied.sentence


def change_answers(
    *,
    project: Project,
    sentence: Sentence,
    choices: Mapping[str, int | None],
    explanations: Mapping[int, str],
) -> None:
    """Store other answers of a practice sentence. Raise Invalid; then nothing is stored."""
    with writing():
        Sentence.objects.select_for_update().get(pk=sentence.pk)
        cards = _cards(sentence, project)
        ExpectedPlacement.objects.filter(answer__segment__sentence=sentence).delete()
        Answer.objects.filter(segment__sentence=sentence).delete()
        _store_answers(sentence, cards, choices, explanations)


def retire(*, project: Project, purpose: Sentence.Purpose, number: int, retired: bool) -> bool:
    """Take a sentence for practice or control out, or back in; tell whether there is one."""
    copies = project.sentences.filter(purpose=purpose, number=number, copy_of__isnull=False)
    return copies.update(retired=retired) > 0


def feedback(assignment: Assignment) -> Feedback:
    """Return how a submitted practice sentence was judged, against its answers as they are now."""
    shown, cards, yours = sheet(assignment), cards_of(assignment), placed(assignment)
    given = Answer.objects.filter(segment__sentence=assignment.sentence_id)
    explanations = dict(given.values_list("segment", "explanation"))
    right = dict(
        ExpectedPlacement.objects.filter(answer__in=given).values_list("candidate", "rank")
    )
    segments = []
    for segment in shown.segments:
        rows = [
            Row(card.text, yours[card.key], right[cards[card.key][0].candidate_id])
            for card in segment.cards
            if card.key in yours
        ]
        agreed, pairs = pairs_in_order([(row.yours, row.right) for row in rows])
        segments.append(
            SegmentFeedback(
                pieces=segment.pieces,
                rows=sorted(rows, key=lambda row: _place(row.right)),
                agreed=agreed,
                pairs=pairs,
                explanation=explanations.get(segment.segment_id, ""),
            )
        )
    return Feedback(shown, segments)


def pairs_in_order(cards: Sequence[tuple[int | None, int | None]]) -> tuple[int, int]:
    """Return how many pairs of a segment's cards are in the right order, and how many there are.

    Each card comes as where it was put and where it belongs; None is the garbage bin.
    """
    pairs = list(combinations(cards, 2))
    agreed = sum(
        order(yours, other_yours) == order(right, other_right)
        for (yours, right), (other_yours, other_right) in pairs
    )
    return agreed, len(pairs)


def practised(annotator: User, project: Project) -> QuerySet[Assignment]:
    """Return the practice sentences that the annotator has submitted, the first one first."""
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


def _cards(sentence: Sentence, project: Project) -> Cards:
    """Return the cards of a sentence that nobody was assigned, in an order that stays the same."""
    source = sentence.copy_of_id or sentence.pk
    candidates = candidates_of(sentence.segments.all())
    return by_key(shuffled(candidates, project.target_language, Random(source)))  # noqa: S311


def _store_answers(
    sentence: Sentence,
    cards: Cards,
    choices: Mapping[str, int | None],
    explanations: Mapping[int, str],
) -> None:
    placements = checked_placements(cards, choices)
    for explanation in explanations.values():
        if len(explanation) > LONGEST_EXPLANATION:
            raise Invalid(
                _("An explanation is too long: %(limit)d characters are allowed.")
                % {"limit": LONGEST_EXPLANATION}
            )
    segments = list(sentence.segments.filter(candidates__isnull=False).distinct().order_by("pk"))
    stored = Answer.objects.bulk_create(
        Answer(segment=segment, explanation=explanations.get(place, "").strip())
        for place, segment in enumerate(segments)
    )
    answer_of = {answer.segment_id: answer for answer in stored}
    ExpectedPlacement.objects.bulk_create(
        ExpectedPlacement(
            answer=answer_of[shown.candidate.segment_id],
            candidate=shown.candidate,
            rank=rank,
            ranks_offered=ranks,
        )
        for shown, rank, ranks in placements
    )


def order(a: int | None, b: int | None) -> int:
    """Return 1 where a is worse than b, -1 where it is better, 0 for a tie; garbage is worst."""
    return (_place(a) > _place(b)) - (_place(a) < _place(b))


def _place(rank: int | None) -> float:
    return float("inf") if rank is None else rank
