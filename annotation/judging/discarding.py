"""Judgements that an administrator discards: they stay stored, count nowhere, and can be restored.

The sentences need a judge again. Practice and control sentences are not discarded: they test the
annotator, and say why judgements were discarded.
"""

from collections import defaultdict
from logging import getLogger

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.batches import update_rows
from annotation.common.transactions import locked_by_id, retried, writing
from annotation.judging.queue import lowest_free
from annotation.models import Assignment, Project, Sentence, User
from annotation.projects.exclusion import NotOfProject

log = getLogger(__name__)

# Of an active first assignment: its sentence and its sentence's version.
Version = tuple[int, int]


@retried
def discard_judgements(*, project: Project, by: User, annotator: User) -> int:
    """Discard all judgements of the annotator in the project; return how many assignments had them.

    Open assignments stay open.
    """
    with writing():
        discarded = _discard(project, Assignment.objects.filter(annotator=annotator))
    log.info("User %s discarded %s assignments of user %s.", by.pk, discarded, annotator.pk)
    return discarded


@retried
def return_to_judging(*, project: Project, by: User, sentence: int) -> int:
    """Discard all judgements of the sentence with this id, so that it is judged again.

    Returns how many assignments had them. The same annotators can get the sentence again; open
    assignments stay open. Raises NotOfProject.
    """
    with writing():
        _require_sentence(project, sentence)
        of_sentence = Assignment.objects.filter(sentence=sentence)
        discarded = _discard(project, of_sentence, with_sentence=True)
    log.info("User %s returned sentence %s: %s assignments.", by.pk, sentence, discarded)
    return discarded


@retried
def restore_judgements(*, project: Project, by: User, annotator: User) -> int:
    """Let the annotator's discarded judgements count again; return of how many assignments.

    Those of sentences that were returned to judging stay discarded, and so do those of sentences
    that the annotator has or has judged again. Where others have judged a sentence meanwhile, it
    has one more judge.
    """
    with writing():
        restored = _restore(
            project, Assignment.objects.filter(annotator=annotator, discarded_with_sentence=False)
        )
    log.info("User %s restored %s assignments of user %s.", by.pk, restored, annotator.pk)
    return restored


@retried
def restore_sentence(*, project: Project, by: User, sentence: int) -> int:
    """Undo `return_to_judging`, as `restore_judgements` does; return of how many assignments.

    Raises NotOfProject.
    """
    with writing():
        _require_sentence(project, sentence)
        restored = _restore(
            project, Assignment.objects.filter(sentence=sentence, discarded_with_sentence=True)
        )
    log.info("User %s restored %s assignments of sentence %s.", by.pk, restored, sentence)
    return restored


def _require_sentence(project: Project, sentence: int) -> None:
    if not project.sentences.filter(pk=sentence, purpose=Sentence.Purpose.JUDGE).exists():
        raise NotOfProject(_("The project has no such sentence."))


def _discard(
    project: Project, assignments: QuerySet[Assignment], *, with_sentence: bool = False
) -> int:
    submitted = assignments.filter(
        project=project, state=Assignment.State.SUBMITTED, kind__in=Assignment.COUNTED
    )
    _mark_changed(project)
    # One that is being revised is discarded with the revision.
    locked_by_id(submitted)
    return submitted.update(state=Assignment.State.DISCARDED, discarded_with_sentence=with_sentence)


def _restore(project: Project, assignments: QuerySet[Assignment]) -> int:
    discarded = assignments.filter(project=project, state=Assignment.State.DISCARDED)
    _mark_changed(project)
    # What was submitted last comes first: of several judgements of a sentence it is restored.
    locked = list(
        discarded.select_for_update(no_key=True, of=("self",)).order_by("-submitted", "-pk")
    )
    sentences = Sentence.objects.filter(pk__in=discarded.values("sentence"))
    # Locked, so that no slot is taken meanwhile.
    locked_by_id(sentences)
    slots: defaultdict[Version, set[int | None]] = defaultdict(set)
    judges: set[tuple[Version, int]] = set()
    active = Assignment.objects.filter(
        sentence__in=sentences, kind=Assignment.Kind.FIRST, state__in=Assignment.ACTIVE_STATES
    )
    for sentence, number, annotator, slot in active.values_list(
        "sentence", "candidate_version", "annotator", "slot"
    ):
        slots[sentence, number].add(slot)
        judges.add(((sentence, number), annotator))
    restored = []
    for assignment in locked:
        if assignment.kind == Assignment.Kind.FIRST:
            version = assignment.sentence_id, assignment.candidate_version
            if (version, assignment.annotator_id) in judges:
                continue
            judges.add((version, assignment.annotator_id))
            if assignment.slot in slots[version]:
                assignment.slot = lowest_free(slots[version])
            slots[version].add(assignment.slot)
        assignment.state = Assignment.State.SUBMITTED
        assignment.discarded_with_sentence = False
        restored.append(assignment)
    update_rows(restored, "state", "slot", "discarded_with_sentence")
    return len(restored)


def _mark_changed(project: Project) -> None:
    """Lock the project until the transaction ends, and mark what was computed as out of date."""
    project.counts_changed = timezone.now()
    Project.objects.filter(pk=project.pk).update(counts_changed=project.counts_changed)
