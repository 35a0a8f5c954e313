"""How practice sentences were judged, compared with their gold answers as they are now."""

from collections import Counter
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from annotation.common.languages import in_this_language, language_for_page, page_language
from annotation.judging.judged_units import judged_unit
from annotation.judging.practice_comparisons import (
    Agreed,
    PractisedCard,
    SegmentFeedback,
    agreement,
    practised_cards,
    segment_feedback,
)
from annotation.judging.sheet import (
    Card,
    Sheet,
    cards_of,
    current_details,
    current_ranks,
    sheet,
)
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer as AnswerOfKind
from annotation.models import (
    Answer,
    Assignment,
    ExpectedPlacement,
    Membership,
    Project,
    Sentence,
    User,
)
from annotation.projects.annotator_names import account_names

# --- scores -----------------------------------------------------------------------------------


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
    for assignment, score in agreed_pairs(submitted, kind_of(project).answer).items():
        annotator = annotators[assignment]
        results[annotator] = results.get(annotator, Agreed()) + score
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
    """Return the result of one annotator as `practice_results` does. Three queries."""
    counted = practised(annotator, project).filter(sentence__in=_in_use(project).values("pk"))
    return sum(agreed_pairs(counted, kind_of(project).answer).values(), Agreed())


def _in_use(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.PRACTICE, sheet=None, retired=False)


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


def agreed_pairs(assignments: QuerySet[Assignment], answer: AnswerOfKind) -> dict[int, Agreed]:
    """Return the score of each submitted practice assignment by id. Three queries."""
    scores: dict[int, Agreed] = {}
    for assignment, cards in practised_cards(answer, assignments.order_by()):
        scores[assignment] = scores.get(assignment, Agreed()) + agreement(answer, cards)
    return scores


# --- feedback ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Feedback:
    """How a practice sentence was judged.

    `reasons_language` is that of reasons that are not in the language of the page.
    """

    sheet: Sheet
    segments: list[SegmentFeedback]
    reasons_language: str = ""

    @property
    def score(self) -> Agreed:
        return sum((segment.score for segment in self.segments), Agreed())

    @property
    def errors(self) -> Agreed:
        """How many of the gold errors the annotator found."""
        return sum((segment.errors for segment in self.segments), Agreed())


def feedback(assignment: Assignment) -> Feedback:
    """Return how a submitted practice sentence was judged."""
    shown, cards, yours = sheet(assignment), cards_of(assignment.pk), current_ranks(assignment)
    answers = Answer.objects.filter(segment__in=[one.segment_id for one in shown.segments])
    explanations = dict(answers.values_list("segment", "explanation"))
    gold = {row.candidate_id: row for row in ExpectedPlacement.objects.filter(answer__in=answers)}
    kind = kind_of(assignment.project)
    unit = judged_unit(kind.unit)
    details = current_details(assignment)

    def practised_card(card: Card, source: str) -> PractisedCard:
        expected = gold[cards[card.key].candidate_ids[0]]
        return PractisedCard(
            card.text,
            yours[card.key],
            expected.rank,
            details.get(card.key, ""),
            expected.detail,
            source,
            expected.last_rank,
            [in_this_language(texts) for texts in expected.reasons],
            int(card.key.partition("-")[2]),
            assignment.project.target_language,
        )

    segments = [
        replace(
            segment_feedback(
                kind.answer,
                [
                    practised_card(
                        card, segment.paragraph.source if segment.paragraph else shown.source
                    )
                    for card in segment.cards
                    if card.key in yours
                ],
            ),
            heading=kind.unit.heading_among(number, shown.segments),
            source=[(segment.paragraph.source, False)]
            if segment.paragraph
            else unit.source_of(segment.pieces),
            explanation=explanations.get(segment.segment_id, ""),
        )
        for number, segment in enumerate(shown.segments, start=1)
    ]
    reasons = [texts for expected in gold.values() for texts in expected.reasons]
    languages = {language_for_page(texts) for texts in reasons} - {"", page_language()}
    return Feedback(shown, segments, min(languages, default=""))
