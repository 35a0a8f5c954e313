"""The practice round: sentences with gold answers, which an administrator creates."""

from collections.abc import Mapping
from random import Random

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.common.transactions import retried, writing
from annotation.judging import submission
from annotation.judging.errors import InvalidJudgement, JudgingError
from annotation.judging.queue import on_sheet, sentences_with_candidates, to_judge
from annotation.judging.sheet import (
    Arrangement,
    CardCandidates,
    Cards,
    Sheet,
    arrange,
    build_sheet,
    candidate_texts,
    cards_from,
)
from annotation.kinds import kind_of
from annotation.models import (
    Answer,
    Assignment,
    ExpectedPlacement,
    Project,
    Sentence,
)
from annotation.models.texts import rows_of_sheet
from annotation.projects.sentence_copies import copy_sentence

LONGEST_EXPLANATION = 2000


class NotForPractice(JudgingError):
    """The sentence cannot be used for practice; the message is for the administrator."""


def practice_sentences(project: Project) -> QuerySet[Sentence]:
    """Return the practice sentences, retired ones last, with `practised`: by how many."""
    done = Q(
        assignments__kind=Assignment.Kind.PRACTICE,
        assignments__state=Assignment.State.SUBMITTED,
    )
    return (
        project.sentences.filter(purpose=Sentence.Purpose.PRACTICE, sheet=None)
        .select_related("copy_of")
        .annotate(practised=Count("assignments", filter=done))
        .order_by("retired", "number")
    )


def may_serve(project: Project) -> QuerySet[Sentence]:
    """Return the sentences that can be used for practice: no annotator has or has judged them."""
    touched = Assignment.objects.filter(
        sentence=OuterRef("pk"), state__in=(Assignment.State.OPEN, *Assignment.SUBMITTED_STATES)
    )
    return sentences_with_candidates(project).filter(~Exists(touched)).order_by("number")


def sentence_to_serve(project: Project, number: int) -> Sentence:
    """Return the sentence with this number to use for practice. Raise NotForPractice."""
    sentence = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number=number).first()
    if sentence is None:
        raise NotForPractice(_("There is no line %(number)d in this project.") % {"number": number})
    if not may_serve(project).filter(pk=sentence.pk).exists():
        raise NotForPractice(
            _(
                "Line %(number)d cannot be used for practice: an annotator has it or has "
                "judged it, it is used already, or it has no candidates. Choose another line."
            )
            % {"number": number}
        )
    return sentence


def answer_sheet(sentence: Sentence, project: Project) -> Sheet:
    """Return what the administrator is shown to give the gold answers of the sentence."""
    return build_sheet(sentence, project, _fixed_candidates(sentence, project))


def answers(sentence: Sentence, project: Project) -> tuple[dict[str, int | None], list[str]]:
    """Return the gold answers of a practice sentence by card, and its explanations in order."""
    answered = Answer.objects.filter(_on_sheet("segment", sentence))
    gold = dict(
        ExpectedPlacement.objects.filter(answer__in=answered).values_list("candidate", "rank")
    )
    cards = cards_from(_fixed_candidates(sentence, project).shown)
    choices = {key: gold[card.candidate_ids[0]] for key, card in cards.items()}
    explanations = dict(answered.values_list("segment", "explanation"))
    shown = dict.fromkeys(card.segment_id for card in cards.values())
    return choices, [explanations.get(segment_id, "") for segment_id in shown]


def gold_details(sentence: Sentence, project: Project) -> dict[str, str]:
    """Return the details of the gold answers of a practice sentence by card, without empty ones."""
    if not kind_of(project).answer.has_details:
        return {}
    expected = ExpectedPlacement.objects.filter(_on_sheet("answer__segment", sentence)).exclude(
        detail=""
    )
    details = dict(expected.values_list("candidate", "detail"))
    return {
        key: details[card.candidate_ids[0]]
        for key, card in cards_from(_fixed_candidates(sentence, project).shown).items()
        if card.candidate_ids[0] in details
    }


@retried
def make_practice(
    *,
    project: Project,
    number: int,
    choices: Mapping[str, int | None],
    explanations: Mapping[int, str],
    details: Mapping[str, str] | None = None,
) -> Sentence:
    """Store a copy of the sentence for practice; the original is not assigned any more.

    `choices` and `details` are by the keys of `answer_sheet`'s cards, `explanations` by the place
    of the segment, from 0. Raises NotForPractice and InvalidJudgement; then nothing is stored.
    """
    with writing():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if locked.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise NotForPractice(_("The project is not prepared: there is nothing to copy yet."))
        # Locked, so that it is not assigned between the check and the copy.
        project.sentences.select_for_update(no_key=True).filter(
            purpose=Sentence.Purpose.JUDGE, number=number
        ).first()
        original = sentence_to_serve(project, number)
        copied = copy_sentence(original, Sentence.Purpose.PRACTICE)
        # The copy's cards are where the administrator saw those of the original.
        cards = {
            key: CardCandidates(
                copied.segments[card.segment_id].pk,
                [copied.candidates[pk].pk for pk in card.candidate_ids],
            )
            for key, card in cards_from(_fixed_candidates(original, project).shown).items()
        }
        given = submission.Submitted(choices, {}, details or {})
        _store_answers(project, cards, given, explanations)
    return copied.sentence


@retried
def change_answers(
    *,
    project: Project,
    sentence: Sentence,
    choices: Mapping[str, int | None],
    explanations: Mapping[int, str],
    details: Mapping[str, str] | None = None,
) -> None:
    """Replace the gold answers. Raise InvalidJudgement; then nothing is stored.

    Those of a tutorial, with their ranges and reasons, are changed in its file.
    """
    if sentence.is_of_tutorial:
        raise InvalidJudgement(
            _("This belongs to a tutorial: change its file, and add the tutorial again.")
        )
    with writing():
        Sentence.objects.select_for_update(no_key=True).get(pk=sentence.pk)
        cards = cards_from(_fixed_candidates(sentence, project).shown)
        ExpectedPlacement.objects.filter(_on_sheet("answer__segment", sentence)).delete()
        Answer.objects.filter(_on_sheet("segment", sentence)).delete()
        given = submission.Submitted(choices, {}, details or {})
        _store_answers(project, cards, given, explanations)


def retire(*, project: Project, purpose: Sentence.Purpose, number: int, retired: bool) -> bool:
    """Retire a practice or control sentence, or use it again; return False if there is none."""
    on_sheet = Q(number=number, sheet=None) | Q(sheet__number=number, sheet__purpose=purpose)
    others = project.sentences.exclude(purpose=Sentence.Purpose.JUDGE)
    return others.filter(on_sheet, purpose=purpose).update(retired=retired) > 0


def _fixed_candidates(sentence: Sentence, project: Project) -> Arrangement:
    """Return the candidates of a sentence, unassigned, in an order that is always the same."""
    order = Random(sentence.copy_of_id or sentence.pk)  # noqa: S311
    candidates = candidate_texts(to_judge(on_sheet(sentence, project), [project]))
    return arrange(candidates, kind_of(project), sentence, order)


def _on_sheet(segment: str, head: Sentence) -> Q:
    """Return the condition that a segment, at this path, is of the sentence or of its sheet."""
    return Q(**{f"{segment}__sentence__in": rows_of_sheet(head.pk).values("pk")})


def _store_answers(
    project: Project,
    cards: Cards,
    given: submission.Submitted,
    explanations: Mapping[int, str],
) -> None:
    answer = kind_of(project).answer
    placements, details = submission.checked_answers(answer, cards, given)
    for explanation in explanations.values():
        if len(explanation) > LONGEST_EXPLANATION:
            raise InvalidJudgement(
                _("An explanation is too long: %(limit)d characters are allowed.")
                % {"limit": LONGEST_EXPLANATION}
            )
    segments = dict.fromkeys(card.segment_id for card in cards.values())
    stored = Answer.objects.bulk_create(
        Answer(segment_id=segment_id, explanation=explanations.get(place, "").strip())
        for place, segment_id in enumerate(segments)
    )
    answer_of = {one.segment_id: one for one in stored}
    ExpectedPlacement.objects.bulk_create(
        ExpectedPlacement(
            answer=answer_of[one.segment_id],
            candidate_id=one.candidate_id,
            rank=one.rank,
            ranks_offered=one.ranks,
            detail=answer.kept_detail(details.get(one.candidate_id, ""), one.rank),
        )
        for one in placements
    )
