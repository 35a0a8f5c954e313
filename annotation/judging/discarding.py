"""Judgements that an administrator discards: they stay stored, count nowhere, and can be restored.

The sentences need a judge again, and so do the annotator's batches. Practice is left alone.
Control sentences are, so that their annotators cannot tell them from others, but they still test
the annotator and are never counted in what these functions return. An assignment that was discarded
with its annotator and with its sentence counts again when both are restored.
"""

from collections import defaultdict
from datetime import datetime
from logging import getLogger
from typing import Literal

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.common.batches import update_rows
from annotation.common.transactions import locked_by_id, retried, writing
from annotation.judging.batches import lock_batches, release_turns, restore_turns
from annotation.judging.queue import lowest_free
from annotation.models import Assignment, Project, Sentence, User
from annotation.models.texts import look_at_again
from annotation.process import clock
from annotation.projects.exclusion import NotOfProject

log = getLogger(__name__)

Mark = Literal["discarded_with_annotator", "discarded_with_sentence"]
# Of a first assignment: its sentence and its sentence's version.
Version = tuple[int, int]


@retried
def discard_judgements(*, project: Project, by: User, annotator: User) -> int:
    """Discard all judgements of the annotator in the project; return how many assignments had them.

    Open assignments stay open. The annotator's batches are judged by others.
    """
    with writing():
        _mark_changed(project)
        of_annotator = Assignment.objects.filter(annotator=annotator)
        discarded = _discard(project, of_annotator, "discarded_with_annotator")
        release_turns(project, annotator)
    log.info("User %s discarded %s assignments of user %s.", by.pk, discarded, annotator.pk)
    return discarded


@retried
def return_to_judging(*, project: Project, by: User, sentence: int) -> int:
    """Discard all judgements of the sentence with this id, so that it is judged again.

    So are the other rows of its sheet.

    Returns how many assignments had them. The same annotators can get the sentence again; open
    assignments stay open. Raises NotOfProject.
    """
    with writing():
        head = _head_of(project, sentence)
        _mark_changed(project)
        discarded = _discard(project, _of_sentence(head), "discarded_with_sentence")
    log.info("User %s returned sentence %s: %s assignments.", by.pk, sentence, discarded)
    return discarded


@retried
def restore_judgements(*, project: Project, by: User, annotator: User) -> int:
    """Let the annotator's discarded judgements count again; return of how many assignments.

    Those of sentences that were returned to judging stay discarded, and so do those of sentences
    that the annotator has or has judged again. Where others have judged a sentence meanwhile, it
    has one more judge. The annotator has their batches again, except those that an annotator has
    taken since: there the restored judgements count beside the new ones, and what is restored
    before the other one gets to it is not asked again.
    """
    with writing():
        _mark_changed(project)
        lock_batches(project, annotator)
        of_annotator = Assignment.objects.filter(annotator=annotator)
        restored = _restore(project, of_annotator, "discarded_with_annotator")
        if restored:
            restore_turns(project, annotator)
    log.info("User %s restored %s assignments of user %s.", by.pk, restored, annotator.pk)
    return restored


@retried
def restore_sentence(*, project: Project, by: User, sentence: int) -> int:
    """Undo `return_to_judging`; return of how many assignments.

    Those whose annotators have or have judged the sentence again stay discarded, and so do those
    of annotators whose judgements were discarded. Raises NotOfProject.
    """
    with writing():
        head = _head_of(project, sentence)
        _mark_changed(project)
        restored = _restore(project, _of_sentence(head), "discarded_with_sentence")
    log.info("User %s restored %s assignments of sentence %s.", by.pk, restored, sentence)
    return restored


def _head_of(project: Project, sentence: int) -> int:
    """Return the id of the head of the sentence's sheet. Raises NotOfProject."""
    row = project.sentences.filter(pk=sentence, purpose=Sentence.Purpose.JUDGE).first()
    if row is None:
        raise NotOfProject(_("The project has no such line."))
    return row.sheet_id or row.pk


def _of_sentence(sentence: int) -> QuerySet[Assignment]:
    """Return the assignments of the sentence, and of its copies for control."""
    # No join, whose rows would be locked too.
    shown = Sentence.objects.filter(Q(pk=sentence) | Q(copy_of=sentence))
    return Assignment.objects.filter(sentence__in=shown)


def _discard(project: Project, assignments: QuerySet[Assignment], mark: Mark) -> int:
    """Discard and mark the submitted assignments; mark those that are discarded already too."""
    submitted = assignments.filter(project=project, state__in=Assignment.SUBMITTED_STATES).exclude(
        kind=Assignment.Kind.PRACTICE
    )
    # One that is being revised is discarded with the revision.
    locked = locked_by_id(submitted)
    counted = submitted.filter(
        state=Assignment.State.SUBMITTED, kind__in=Assignment.COUNTED
    ).count()
    submitted.update(state=Assignment.State.DISCARDED, **{mark: True})
    look_at_again(locked)
    return counted


def _restore(project: Project, assignments: QuerySet[Assignment], mark: Mark) -> int:
    """Remove the mark, and restore the assignments that do not have the other one.

    Those that the annotator has or has judged again keep the mark, and so do tries at practice.
    """
    marked = assignments.filter(project=project, **{mark: True}).exclude(
        kind=Assignment.Kind.PRACTICE
    )
    # What was submitted last comes first: of several judgements of a sentence it is restored.
    locked = list(marked.select_for_update(no_key=True, of=("self",)).order_by("-submitted", "-pk"))
    sentences = Sentence.objects.filter(pk__in=marked.values("sentence"))
    # Locked, so that no slot is taken meanwhile.
    locked_by_id(sentences)
    slots: defaultdict[Version, set[int | None]] = defaultdict(set)
    # The latest version that an annotator has or has judged again.
    again: defaultdict[tuple[int, int], int] = defaultdict(int)
    active = Assignment.objects.filter(
        sentence__in=sentences, kind=Assignment.Kind.FIRST, state__in=Assignment.ACTIVE_STATES
    )
    for sentence, number, annotator, slot in active.values_list(
        "sentence", "candidate_version", "annotator", "slot"
    ):
        slots[sentence, number].add(slot)
        again[sentence, annotator] = max(again[sentence, annotator], number)
    # When the first assignments that are restored were assigned.
    firsts: dict[tuple[Version, int], datetime] = {}
    changed, counted = [], 0
    for assignment in locked:
        version = assignment.sentence_id, assignment.candidate_version
        annotator = assignment.annotator_id
        first = firsts.get((version, annotator))
        is_first = assignment.kind == Assignment.Kind.FIRST
        if again[assignment.sentence_id, annotator] >= assignment.candidate_version:
            continue
        # A repeat that came before it repeats one that stays discarded.
        if first and assignment.submitted and (is_first or assignment.submitted < first):
            continue
        setattr(assignment, mark, False)
        changed.append(assignment)
        if assignment.discarded_with_annotator or assignment.discarded_with_sentence:
            continue
        assignment.state = Assignment.State.SUBMITTED
        counted += assignment.kind in Assignment.COUNTED
        if is_first:
            firsts[version, annotator] = assignment.created
            if assignment.slot in slots[version]:
                assignment.slot = lowest_free(slots[version])
            slots[version].add(assignment.slot)
    update_rows(changed, "state", "slot", mark)
    return counted


def _mark_changed(project: Project) -> None:
    """Lock the project until the transaction ends, and mark what was computed as out of date."""
    project.counts_changed = clock.now()
    Project.objects.filter(pk=project.pk).update(counts_changed=project.counts_changed)
