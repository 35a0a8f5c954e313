"""Which sentence an annotator is to judge next: a new one, or one that comes again."""

import functools
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import Exists, F, Max, OuterRef, QuerySet

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.common.stale_cache import LARGE, REMEMBERED, key_of, recall
from annotation.judging import repeats
from annotation.judging.repeats import History
from annotation.judging.sampling import draw, last_number
from annotation.models import Assignment, Candidate, Project, Segment, Sentence, User

# Sentences that are drawn, of which one is free as long as not most are taken; and then again, of
# which one is as long as not nearly all are.
DRAWN: Final = (8, 60)
# Those that are avoided for a control sentence that came a moment ago.
SPARED: Final = repeats.INTRA_DISTANCE


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
    history = History.of(annotator, project)
    if history.is_due(Assignment.Kind.CONTROL) and free_sentences(annotator, project).exists():
        sentence = repeats.sentence_for_control(history)
        if sentence:
            return Assignment.Kind.CONTROL, sentence, None
    if history.is_due(Assignment.Kind.INTRA):
        sentence = repeats.sentence_judged_before(history)
        if sentence:
            return Assignment.Kind.INTRA, sentence, None
    if history.is_due(Assignment.Kind.INTER):
        sentence = repeats.sentence_judged_by_others(history)
        if sentence:
            return Assignment.Kind.INTER, sentence, None
    sentence = _free_sentence(annotator, project, history.recent_controls)
    if sentence and project.judges_per_sentence == 1:
        return Assignment.Kind.FIRST, sentence, 1
    slot = free_slot(sentence, project.judges_per_sentence, sentence.round) if sentence else None
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
    practice = repeats.not_had(annotator, project, Sentence.Purpose.PRACTICE)
    return practice.order_by("number")


def free_sentences(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the sentences that still need a judge, and that this annotator can be one of.

    Never those he has or had, but for what went back to the others without his saying so, and
    where a system has brought something new since.
    """
    return _needing(annotator, project, Assignment.ACTIVE_STATES)


def unjudged_sentences(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the free sentences, and those that may come free: others have them in hand."""
    return _needing(annotator, project, (Assignment.State.SUBMITTED,))


def _needing(
    annotator: User, project: Project, states: Iterable[Assignment.State]
) -> QuerySet[Sentence]:
    """Return what this annotator can be a judge of, counting as judges those in these states."""
    mine = Assignment.objects.filter(
        sentence=OuterRef("pk"), annotator=annotator, round__gte=OuterRef("round")
    ).exclude(state=Assignment.State.RETURNED)
    return _needing_a_judge(project, states).filter(~Exists(mine))


def free_at(project: Project, when: datetime) -> QuerySet[Sentence]:
    """Return the sentences that nobody's, or too few, assignments until then were for."""
    return _needing_a_judge(project, Assignment.ACTIVE_STATES, created__lte=when)


def free_slot(sentence: Sentence, slots: int, in_round: int) -> int | None:
    """Return the lowest slot that nobody holds in this round or after it, from 1, or None."""
    held = set(_slots(sentence, in_round))
    return next((slot for slot in range(1, slots + 1) if slot not in held), None)


@ReadyMadeRead
def _slots(sentence: Sentence, in_round: int) -> QuerySet[Assignment, int | None]:
    return Assignment.objects.filter(
        sentence=sentence,
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
        round__gte=in_round,
    ).values_list("slot", flat=True)


def new_candidates(sentence: Sentence, slot: int | None) -> Iterable[Candidate]:
    """Return the candidates that whoever had this slot before has not seen as they are now.

    All of them where nobody had it, and for repeats, practice and control, which have no slot. They
    come with their segments, by segment and id.
    """
    if slot is None or sentence.round == 1:
        return _candidates(sentence)
    earlier = Assignment.objects.filter(
        sentence=sentence,
        slot=slot,
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
        round__lt=sentence.round,
    )
    seen = earlier.aggregate(latest=Max("round"))["latest"] or 0
    return candidates_of(Segment.objects.filter(sentence=sentence, round__gt=seen))


def candidates_of(segments: QuerySet[Segment]) -> QuerySet[Candidate]:
    """Return the candidates of these segments with them, by segment and id."""
    candidates = Candidate.objects.filter(segment__in=segments)
    return candidates.select_related("segment").order_by("segment_id", "pk")


@ReadyMadeRead
def _candidates(sentence: Sentence) -> QuerySet[Candidate]:
    candidates = Candidate.objects.filter(segment__sentence=sentence)
    return candidates.select_related("segment").order_by("segment_id", "pk")


def may_go_on(assignment: Assignment, project: Project) -> bool:
    """Tell whether an assignment that was given back can be its annotator's again.

    A first one gets a free slot of its sentence, which is held until the transaction ends. Nobody
    else may have all slots, nor the annotator another assignment that holds one; and nobody may
    judge what he could have been told the answers of.
    """
    sentence = Sentence.objects.select_for_update().get(pk=assignment.sentence_id)
    others = Assignment.objects.filter(
        sentence=sentence, annotator=assignment.annotator_id
    ).exclude(pk=assignment.pk)
    if assignment.kind in (Assignment.Kind.PRACTICE, Assignment.Kind.CONTROL):
        had = others.exclude(state=Assignment.State.RETURNED).exists()
        copies = Sentence.objects.filter(pk=sentence.pk)
        is_practice = assignment.kind == Assignment.Kind.PRACTICE
        return not had and (is_practice or repeats.not_told(copies).exists())
    if not sentences_to_judge(project).filter(pk=sentence.pk).exists():
        return False
    if assignment.kind != Assignment.Kind.FIRST:
        return True
    holding = others.filter(state__in=Assignment.ACTIVE_STATES, round__gte=assignment.round)
    slots = project.judges_per_sentence
    slot = None if holding.exists() else free_slot(sentence, slots, assignment.round)
    if slot is not None:
        assignment.slot = slot
    return slot is not None


def _needing_a_judge(
    project: Project, states: Iterable[Assignment.State], **which: datetime
) -> QuerySet[Sentence]:
    """Return the sentences with fewer judges than they are to have, by these assignments."""
    held = Assignment.objects.filter(
        sentence=OuterRef("pk"),
        kind=Assignment.Kind.FIRST,
        state__in=states,
        round__gte=OuterRef("round"),
        **which,
    )
    the_last_one = held[project.judges_per_sentence - 1 :]
    return sentences_to_judge(project).filter(~Exists(the_last_one))


def _free_sentence(annotator: User, project: Project, avoid: list[int]) -> Sentence | None:
    """Return the next one in the project's order; those to avoid only where no other is left."""
    is_random = project.queue_order == Project.QueueOrder.RANDOM
    if is_random:
        # As many to avoid in each query: id 0 is nobody's.
        spared = (avoid + [0] * SPARED)[:SPARED]
        last = last_number(project)
        for count in DRAWN:
            drawn = _one_drawn(project.judges_per_sentence, count)
            sentence = drawn.first(annotator, project, *spared, *draw(last, count))
            if sentence:
                return sentence
            if count >= last:
                break
    free = _unlocked(free_sentences(annotator, project)).order_by("?" if is_random else "number")
    first = 0 if is_random else _first_number(annotator, project)
    wanted = free.exclude(pk__in=avoid) if avoid else free
    found = wanted.filter(number__gte=first).first() or (wanted.first() if first else None)
    return found or (free.first() if avoid else None)


def _unlocked(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Leave out rows that are being given to somebody else at this moment (PostgreSQL)."""
    return sentences.select_for_update(skip_locked=True, of=("self",))


@functools.cache
def _one_drawn(judges: int, count: int) -> ReadyMadeRead[Sentence]:
    """Return what finds a free sentence among so many that are drawn, for so many judges.

    It takes the ids of those to avoid, and then the numbers of those drawn. One of these that is
    free is as random as one of all that are free, and those need not be found.
    """

    def one_drawn(annotator: User, project: Project, *numbers: int) -> QuerySet[Sentence]:
        project.judges_per_sentence = judges
        free = _unlocked(free_sentences(annotator, project)).exclude(pk__in=numbers[:SPARED])
        return free.filter(number__in=numbers[SPARED:]).order_by("?")[:1]

    return ReadyMadeRead(one_drawn, many=SPARED + count)


def _first_number(annotator: User, project: Project) -> int:
    """Return the number from which on the next sentence is looked for, 0 for the first."""
    if project.queue_order == Project.QueueOrder.BLOCKS:
        return _number_in_blocks(annotator, project) or 0
    if last_number(project) < LARGE:
        return 0
    # To look past thousands that are taken takes long. What comes free before this one meanwhile
    # waits for a minute, or until nothing else is left.
    key = key_of(f"first-free-{annotator.pk}", project)
    return recall(key, lambda: _numbers(annotator, project).first() or 0, REMEMBERED)


def _numbers(annotator: User, project: Project) -> QuerySet[Sentence, int]:
    """Return the numbers of the free sentences, in order."""
    free = free_sentences(annotator, project)
    return free.order_by("number").values_list("number", flat=True)


def _number_in_blocks(annotator: User, project: Project) -> int | None:
    """Return the number of the next sentence where annotators work through blocks.

    The annotator goes on in his block; then he begins a block that nobody is in, as long as there
    is one; then he helps with what is left.
    """
    size = project.block_size
    free = _numbers(annotator, project)
    holding = Assignment.objects.filter(
        project=project, kind=Assignment.Kind.FIRST, state__in=Assignment.ACTIVE_STATES
    )
    latest = holding.filter(annotator=annotator).order_by("-created", "-pk")
    last = latest.values_list("sentence__number", flat=True).first()
    if last is not None:
        first = last - (last - 1) % size
        own = free.filter(number__gte=first, number__lt=first + size).first()
        if own is not None:
            return own
    begun = holding.annotate(block=(F("sentence__number") - 1) / size).values("block")
    new = free.annotate(block=(F("number") - 1) / size).exclude(block__in=begun)
    return new.first() or free.first()
