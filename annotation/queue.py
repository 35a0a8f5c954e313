"""Which sentence an annotator is to judge next: a new one, or one that comes again."""

import math
import random
from collections import Counter
from collections.abc import Iterable

from django.db.models import (
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Candidate, Project, Sentence, User

# An intra repeat comes after at least so many other sentences, when it can be helped.
INTRA_DISTANCE = 20
# Those that hold a slot of their sentence.
HOLDING = (Assignment.State.OPEN, Assignment.State.SUBMITTED)


def choose(
    annotator: User, project: Project, *, practise: bool = False
) -> tuple[Assignment.Kind, Sentence, int | None] | None:
    """Return the kind of the next assignment, its sentence, and its slot where it is a first one.

    With `practise`, or where the project requires it, practice comes first; with `practise`
    nothing comes after it. None when nothing is left for this annotator.
    """
    if practise or project.practice_required:
        sentence = sentences_to_practise(annotator, project).first()
        if sentence:
            return Assignment.Kind.PRACTICE, sentence, None
    if practise:
        return None
    own = Assignment.objects.filter(annotator=annotator, project=project, state__in=HOLDING)
    given = dict.fromkeys(Assignment.Kind.values, 0)
    given.update(
        own.exclude(kind=Assignment.Kind.PRACTICE).values_list("kind").annotate(Count("pk"))
    )
    total = sum(given.values())
    if _is_due(given["control"], total, project.control_rate):
        sentence = _sentence_for_control(annotator, project)
        if sentence:
            return Assignment.Kind.CONTROL, sentence, None
    if _is_due(given["intra"], total, project.intra_rate):
        sentence = _sentence_judged_before(own)
        if sentence:
            return Assignment.Kind.INTRA, sentence, None
    if _is_due(given["inter"], total, project.inter_rate):
        sentence = _sentence_judged_by_others(annotator, project)
        if sentence:
            return Assignment.Kind.INTER, sentence, None
    sentence = _free_sentence(annotator, project)
    if sentence and project.judges_per_sentence == 1:
        return Assignment.Kind.FIRST, sentence, 1
    slot = free_slot(sentence, project.judges_per_sentence) if sentence else None
    return (Assignment.Kind.FIRST, sentence, slot) if sentence and slot else None


def sentences_to_judge(project: Project) -> QuerySet[Sentence]:
    """Return the sentences of the project that have something to judge."""
    return with_something_to_judge(project.sentences.all())


def with_something_to_judge(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Return those of the sentences, of any project, that have something to judge.

    What serves for practice is not among them: annotators have been told its answers.
    """
    candidates = Candidate.objects.filter(segment__sentence=OuterRef("pk"))
    practised = Sentence.objects.filter(copy_of=OuterRef("pk"), purpose=Sentence.Purpose.PRACTICE)
    return sentences.filter(Exists(candidates), ~Exists(practised), purpose=Sentence.Purpose.JUDGE)


def sentences_to_practise(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the practice sentences that the annotator has neither judged nor skipped, in order."""
    return _not_had(annotator, project, Sentence.Purpose.PRACTICE).order_by("number")


def free_sentences(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the sentences that still need a judge, and that this annotator can be one of.

    Never those he has or had, but for what went back to the others without his saying so.
    """
    mine = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=annotator).exclude(
        state=Assignment.State.RETURNED
    )
    return (
        sentences_to_judge(project)
        .annotate(judges=_judges())
        .filter(~Exists(mine), judges__lt=project.judges_per_sentence)
    )


def free_slot(sentence: Sentence, slots: int) -> int | None:
    """Return the lowest slot of the sentence that nobody holds, from 1; None when all are held."""
    held = set(
        Assignment.objects.filter(
            sentence=sentence, kind=Assignment.Kind.FIRST, state__in=HOLDING
        ).values_list("slot", flat=True)
    )
    return next((slot for slot in range(1, slots + 1) if slot not in held), None)


def may_go_on(assignment: Assignment, project: Project) -> bool:
    """Tell whether an assignment that was given back can be its annotator's again.

    A first one gets a free slot of its sentence, which is held until the transaction ends. Nobody
    else may have all slots, nor the annotator another assignment that holds one.
    """
    if assignment.kind != Assignment.Kind.FIRST:
        return True
    sentence = Sentence.objects.select_for_update().get(pk=assignment.sentence_id)
    holding = Assignment.objects.filter(
        sentence=sentence, annotator=assignment.annotator_id, state__in=HOLDING
    )
    slot = None if holding.exists() else free_slot(sentence, project.judges_per_sentence)
    if slot is not None:
        assignment.slot = slot
    return slot is not None


def _judges() -> Coalesce:
    held = Assignment.objects.filter(
        sentence=OuterRef("pk"), kind=Assignment.Kind.FIRST, state__in=HOLDING
    )
    counted = held.order_by().values("sentence").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _is_due(repeats: int, total: int, rate: float) -> bool:
    """Draw whether to give a repeat to an annotator who had `repeats` among `total` sentences.

    Each block of 1/rate sentences has one, at any place with the same probability: nobody can
    tell which sentence it is, and the share is the rate after every block.
    """
    if not rate:
        return False
    block = int(total * rate) + 1
    if repeats >= block:
        return False
    left_in_block = max(math.ceil(block / rate - total), 1)
    late = repeats < block - 1
    return late or random.random() * left_in_block < 1  # noqa: S311


def not_told(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Leave out the copies of sentences that serve for practice: their answers are told there."""
    told = Sentence.objects.filter(copy_of=OuterRef("copy_of"), purpose=Sentence.Purpose.PRACTICE)
    return sentences.filter(~Exists(told))


def _not_had(annotator: User, project: Project, purpose: Sentence.Purpose) -> QuerySet[Sentence]:
    had = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=annotator).exclude(
        state=Assignment.State.RETURNED
    )
    return project.sentences.filter(~Exists(had), purpose=purpose, retired=False)


def _sentence_for_control(annotator: User, project: Project) -> Sentence | None:
    """Return a control sentence that is new to the annotator.

    If it can be helped, one whose original does not lie just behind him: he would remember.
    """
    recent = (
        Assignment.objects.filter(annotator=annotator, project=project, state__in=HOLDING)
        .order_by("-created", "-pk")
        .values_list("sentence_id", flat=True)[:INTRA_DISTANCE]
    )
    unseen = _not_had(annotator, project, Sentence.Purpose.CONTROL)
    controls = not_told(unseen).order_by("?")
    return controls.exclude(copy_of__in=list(recent)).first() or controls.first()


def _sentence_judged_before(own: QuerySet[Assignment]) -> Sentence | None:
    """Return one that lies as far back as the rule asks, the least repeated of them."""
    own = own.filter(kind__in=Assignment.COUNTED)
    judged = list(own.order_by("-created", "-pk").values_list("sentence_id", flat=True))
    recent = set(judged[: min(INTRA_DISTANCE, (len(judged) + 1) // 2)])
    times = Counter(judged)
    eligible = [sentence_id for sentence_id in times if sentence_id not in recent]
    if not eligible:
        return None
    fewest = min(times[sentence_id] for sentence_id in eligible)
    chosen = random.choice([s for s in eligible if times[s] == fewest])  # noqa: S311
    return Sentence.objects.get(pk=chosen)


def _sentence_judged_by_others(annotator: User, project: Project) -> Sentence | None:
    """Return a sentence that has all its judges, none of them this annotator."""
    had = Assignment.objects.filter(annotator=annotator, sentence=OuterRef("sentence"))
    judged = (
        Assignment.objects.filter(
            project=project, state=Assignment.State.SUBMITTED, kind__in=Assignment.COUNTED
        )
        .filter(~Exists(had))
        .values("sentence")
        .annotate(
            times=Count("pk"),
            firsts=Count("pk", filter=Q(kind=Assignment.Kind.FIRST)),
        )
        .filter(firsts__gte=project.judges_per_sentence)
        .order_by("times", "?")
        .first()
    )
    return Sentence.objects.get(pk=judged["sentence"]) if judged else None


def _free_sentence(annotator: User, project: Project) -> Sentence | None:
    # Locked rows are being given to somebody else at this moment (PostgreSQL).
    free = free_sentences(annotator, project).select_for_update(skip_locked=True, of=("self",))
    if project.queue_order == Project.QueueOrder.RANDOM:
        return free.order_by("?").first()
    if project.queue_order == Project.QueueOrder.DOCUMENT:
        return free.order_by("number").first()
    number = _number_in_blocks(annotator, project)
    return free.filter(number__gte=number).order_by("number").first() if number else None


def _number_in_blocks(annotator: User, project: Project) -> int | None:
    """Return the number of the next sentence where annotators work through blocks.

    The annotator goes on in his block; then he begins a block that nobody is in, as long as there
    is one; then he helps with what is left.
    """
    size = project.block_size
    free = list(
        free_sentences(annotator, project).order_by("number").values_list("number", flat=True)
    )
    holding = Assignment.objects.filter(
        project=project, kind=Assignment.Kind.FIRST, state__in=HOLDING
    )
    last = (
        holding.filter(annotator=annotator)
        .order_by("-created", "-pk")
        .values_list("sentence__number", flat=True)
        .first()
    )
    blocks = _blocks(holding.values_list("sentence__number", flat=True).iterator(), size)
    in_own = (n for n in free if last is not None and (n - 1) // size == (last - 1) // size)
    in_new = (n for n in free if (n - 1) // size not in blocks)
    return next(in_own, None) or next(in_new, None) or next(iter(free), None)


def _blocks(numbers: Iterable[int], size: int) -> set[int]:
    return {(number - 1) // size for number in numbers}
