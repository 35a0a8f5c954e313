"""Batches of direct assessment: one annotator judges the items of a batch in their order.

The first free batch is the annotator's until everything in it is judged or skipped. A batch that
its annotator has left for longer than a lease is given to another one when no free batch is left,
without the outputs that are judged and their control items. When the judgements of an annotator are
discarded, all their batches become free.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import NamedTuple, cast

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.common.caching import CACHE_SECONDS, project_key
from annotation.common.transactions import locked_by_id
from annotation.judging.annotator import History, ProjectAnnotator, load_histories
from annotation.judging.judged_units import judged_unit
from annotation.judging.queue import (
    BatchProgress,
    Choice,
    locked_with_slots,
    lowest_free,
    with_something_to_judge,
)
from annotation.judging.repeats import without_practice_originals
from annotation.kinds import kind_of
from annotation.models import (
    AssessmentBatch,
    Assignment,
    BatchItem,
    BatchTurn,
    Project,
    Sentence,
    User,
)
from annotation.models.project_counts import stored_counts
from annotation.process import clock

TAKEN = (BatchTurn.State.OPEN, BatchTurn.State.FINISHED)
# Free batches that are tried; so many annotators rarely begin at the same moment.
LOOKED_AT = 10
CONTROLS = (BatchItem.Role.REFERENCE, BatchItem.Role.DEGRADED)


def has_batches(project: Project) -> bool:
    """Return whether the sheets of the project are divided into batches. Cached once it is open.

    Batches are made before a project opens, and are never added to or removed from an open one.
    """
    unit = judged_unit(kind_of(project).unit)
    if not unit.unit.has_batches or project.state != Project.State.OPEN:
        return unit.has_batches(project)
    key = project_key("has-batches", project)
    return cast(bool, cache.get_or_set(key, lambda: unit.has_batches(project), CACHE_SECONDS))


def choose_in_batch(annotator: ProjectAnnotator) -> Choice | None:
    """Return what follows in the annotator's batch, or begins another one; None if none is left.

    The caller is in a transaction.
    """
    user, project = annotator.user, annotator.project
    turn = judged_unit(kind_of(project).unit).open_turn(user, project)
    while turn or (turn := _take_batch(user, project)):
        if choice := _next_item(turn, annotator.history, project):
            return choice
        # It may have been released meanwhile.
        still_open = BatchTurn.objects.filter(pk=turn.pk, state=BatchTurn.State.OPEN)
        still_open.update(state=BatchTurn.State.FINISHED)
        turn = None
    return None


def batch_progress(annotator: ProjectAnnotator, current: Assignment) -> BatchProgress | None:
    """Return the progress of the batch that the open assignment is in; None if it is in none.

    Skipped items and their control items do not count, nor does what an annotator before this one
    has judged. No query for an item that was assigned in this request, and none in a project that
    cannot have batches; four at most.
    """
    if current.just_in_batch:
        return cast(BatchProgress, current.just_in_batch)
    project = annotator.project
    if not has_batches(project):
        return None
    turn = judged_unit(kind_of(project).unit).open_turn(annotator.user, project)
    if turn is None or current.created < turn.created:
        return None
    items = _items(turn)
    if current.sentence_id not in {item.sentence_id for item in items}:
        return None
    assigned = _assigned(turn, items, annotator.history)
    left = sum(1 for _item in _left(turn, items, assigned))
    # One that was assigned in this request is among those that are left.
    is_open = Assignment.State.OPEN
    is_known = any(row.pk == current.pk and row.state == is_open for row in annotator.history.rows)
    return BatchProgress(assigned.submitted, left + is_known)


def release_turns(project: Project, annotator: User) -> None:
    """Release the annotator's turns, so that their batches are free."""
    turns = BatchTurn.objects.filter(batch__project=project, annotator=annotator, state__in=TAKEN)
    turns.update(state=BatchTurn.State.RELEASED)


def lock_batches(project: Project, annotator: User) -> None:
    """Lock the batches that the annotator has or had, until the transaction ends."""
    own = BatchTurn.objects.filter(annotator=annotator).values("batch")
    locked_by_id(AssessmentBatch.objects.filter(project=project, pk__in=own))


def restore_turns(project: Project, annotator: User) -> None:
    """Give the annotator the released batches again that no annotator has taken since.

    A batch in which nothing is left is finished. The caller has locked the batches, and restored
    the annotator's judgements.
    """
    since = BatchTurn.objects.filter(
        Q(slot=OuterRef("slot")) | Q(annotator=annotator),
        batch=OuterRef("batch"),
        pk__gt=OuterRef("pk"),
    )
    released = BatchTurn.objects.filter(
        ~Exists(since),
        batch__project=project,
        annotator=annotator,
        state=BatchTurn.State.RELEASED,
    )
    history = load_histories(annotator, [project.pk], with_times=True)[project.pk]
    for turn in released.order_by("pk"):
        is_left = _next_item(turn, history, project) is not None
        turn.state = BatchTurn.State.OPEN if is_left else BatchTurn.State.FINISHED
        turn.save(update_fields=["state"])


def _take_batch(user: User, project: Project) -> BatchTurn | None:
    """Begin the first batch that is free for the annotator, else one that another one has left."""
    own = BatchTurn.objects.filter(batch=OuterRef("pk"), annotator=user, state__in=TAKEN)
    batches = free_batches(project).filter(~Exists(own)).order_by("number")
    free = batches.values_list("pk", flat=True)
    counts = stored_counts(project)
    first = counts.free_batch if counts else None
    # What has become free before the first one that was counted comes where nothing else is left.
    found = chain(free.filter(number__gte=first)[:LOOKED_AT] if first else (), free[:LOOKED_AT])
    for pk in found:
        # Locked, so that no other annotator takes the same slot; one may have done so meanwhile.
        batch = AssessmentBatch.objects.select_for_update(no_key=True).get(pk=pk)
        slots = set(batch.turns.filter(state__in=TAKEN).values_list("slot", flat=True))
        if len(slots) < project.judges_per_sentence:
            return _begin(batch, user, lowest_free(slots))
    others = AssessmentBatch.objects.filter(~Exists(own), project=project)
    for turn in _abandoned(project).filter(batch__in=others).order_by("batch__number")[:1]:
        open_turn = BatchTurn.objects.filter(pk=turn.pk, state=BatchTurn.State.OPEN)
        if open_turn.update(state=BatchTurn.State.RELEASED):
            return _begin(turn.batch, user, turn.slot)
    return None


def free_batches(project: Project) -> QuerySet[AssessmentBatch]:
    """Return the batches of the project with fewer annotators than it has judges."""
    turns = BatchTurn.objects.filter(batch=OuterRef("pk"), state__in=TAKEN)
    is_taken = Exists(turns[project.judges_per_sentence - 1 :])
    return AssessmentBatch.objects.filter(~is_taken, project=project)


def _begin(batch: AssessmentBatch, user: User, slot: int) -> BatchTurn:
    return BatchTurn.objects.create(batch=batch, annotator=user, slot=slot, created=clock.now())


def _abandoned(project: Project) -> QuerySet[BatchTurn]:
    """Return the open turns whose annotators have done nothing for the time of a lease."""
    long_ago = clock.now() - timedelta(minutes=project.lease_minutes)
    recent = Assignment.objects.filter(
        Q(created__gte=long_ago) | Q(submitted__gte=long_ago) | Q(state=Assignment.State.OPEN),
        project=project,
        annotator=OuterRef("annotator"),
    )
    return BatchTurn.objects.filter(
        ~Exists(recent),
        batch__project=project,
        state=BatchTurn.State.OPEN,
        created__lt=long_ago,
    ).select_related("batch")


def _next_item(turn: BatchTurn, history: History, project: Project) -> Choice | None:
    """Return the first item of the batch that the annotator has neither judged nor skipped."""
    items = _items(turn)
    assigned = _assigned(turn, items, history)
    left = list(_left(turn, items, assigned))
    for item in left:
        if choice := _choice(item, history, project):
            return choice._replace(in_batch=BatchProgress(assigned.submitted, len(left)))
    return None


class _Item(NamedTuple):
    """An item of a batch; `output` is the sentence that it is, or is made of."""

    sentence_id: int
    role: str
    output: int
    is_original: bool


def _items(turn: BatchTurn) -> list[_Item]:
    """Return the items of the turn's batch by position, without what is excluded or retired."""
    items = BatchItem.objects.filter(
        Q(original=None) | Q(original__sentence__excluded=False),
        batch=turn.batch_id,
        sentence__excluded=False,
        sentence__retired=False,
    )
    rows = items.order_by("position").values_list("sentence", "role", "original__sentence")
    return [
        _Item(sentence, role, original or sentence, original is None)
        for sentence, role, original in rows
    ]


@dataclass(frozen=True)
class _Assigned:
    """What the annotator has had in a turn: how often each sentence, and which they skipped.

    Control sentences, which an annotator gets once, are those of all turns. `submitted` is how many
    assignments of this turn are.
    """

    times: Counter[int]
    skipped: set[int]
    submitted: int


def _assigned(turn: BatchTurn, items: list[_Item], history: History) -> _Assigned:
    of_items = {item.sentence_id for item in items}
    times: Counter[int] = Counter()
    skipped, submitted = set(), 0
    for row in history.rows:
        is_control = row.kind == Assignment.Kind.CONTROL
        # A discarded control item would be recognised.
        ended = (Assignment.State.RETURNED,) if is_control else Assignment.ENDED_STATES
        if row.sentence not in of_items or row.state in ended:
            continue
        is_of_turn = row.created is not None and row.created >= turn.created
        times[row.sentence] += is_of_turn or is_control
        submitted += is_of_turn and row.state == Assignment.State.SUBMITTED
        if row.state == Assignment.State.SKIPPED:
            skipped.add(row.sentence)
    return _Assigned(times, skipped, submitted)


def _left(turn: BatchTurn, items: list[_Item], assigned: _Assigned) -> Iterator[_Item]:
    """Yield the items that the annotator has not had in this turn, in order."""
    left_out = _judged_before(turn, items) | assigned.skipped
    passed: Counter[int] = Counter()
    for item in items:
        passed[item.sentence_id] += 1
        is_left = passed[item.sentence_id] > assigned.times[item.sentence_id]
        if is_left and item.output not in left_out:
            yield item


def _judged_before(turn: BatchTurn, items: list[_Item]) -> set[int]:
    """Return the outputs that were judged in turns before this one. One query at most.

    These are released turns at the same slot, and the annotator's own, who may have come back.
    """
    if turn.is_first:
        return set()
    released = BatchTurn.objects.filter(
        Q(slot=turn.slot) | Q(annotator=turn.annotator_id),
        batch=turn.batch_id,
        state=BatchTurn.State.RELEASED,
    )
    judged = Assignment.objects.filter(
        annotator__in=released.values("annotator"),
        created__lt=turn.created,
        sentence__in=[item.sentence_id for item in items if item.is_original],
        kind__in=Assignment.COUNTED,
        state__in=Assignment.ACTIVE_STATES,
    )
    return set(judged.values_list("sentence", flat=True))


def _choice(item: _Item, history: History, project: Project) -> Choice | None:
    """Return how the item is assigned, None if it cannot be judged any more.

    Of an output and its repeat, the one that comes first is the first judgement. An output that has
    its judges already, in a batch that was filled up with the first outputs, is an inter repeat.
    """
    this = Sentence.objects.filter(pk=item.sentence_id)
    if item.role in CONTROLS:
        usable = without_practice_originals(this.filter(retired=False, copy_of__excluded=False))
        control = usable.first()
        return Choice(Assignment.Kind.CONTROL, control) if control else None
    to_judge = with_something_to_judge(this, [project])
    found = locked_with_slots(to_judge.select_for_update(of=("self",), no_key=True))
    if found is None:
        return None
    sentence, taken = found
    if any(
        row.sentence == sentence.pk
        and row.kind in Assignment.COUNTED
        and row.state in Assignment.ACTIVE_STATES
        for row in history.rows
    ):
        return Choice(Assignment.Kind.INTRA, sentence)
    if len(taken) < project.judges_per_sentence:
        return Choice(Assignment.Kind.FIRST, sentence, lowest_free(taken))
    return Choice(Assignment.Kind.INTER, sentence)
