"""Batches of direct assessment: stored with the project, and judged by one annotator each."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F, Q

from annotation.formats.errors import InputError, Template
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import release, skip
from annotation.judging.batches import batch_progress
from annotation.judging.control_items import make_controls
from annotation.judging.discarding import (
    discard_judgements,
    restore_judgements,
    return_to_judging,
)
from annotation.judging.drafts import save_draft
from annotation.models import (
    AssessmentBatch,
    Assignment,
    BatchItem,
    BatchTurn,
    Candidate,
    Project,
    ProjectCounts,
    Sentence,
    User,
)
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.project_copy import new_copy
from annotation.process import clock
from tests.annotation.kinds.assessed_project import (
    assess,
    assess_all,
    exclude_outside_batches,
    new_job,
    prepared,
    shorten_batches,
)
from tests.factories import assign_next, make_annotator, next_assignment
from tests.jobs import run_job
from tests.transactions import undone

pytestmark = pytest.mark.django_db
# Where the queries could differ: constraints, order, and what conditional updates take over.
databases = pytest.mark.databases
one_batch_only = pytest.mark.usefixtures("one_batch")
Kind = Assignment.Kind
Role = BatchItem.Role


@pytest.fixture(scope="module")
def prepared_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    folder = tmp_path_factory.mktemp("texts")
    with django_db_blocker.unblock(), undone():
        project = prepared(folder, sentences=35, batches=True, seed=7)
        # Some tests prepare another one.
        Project.objects.update(name="Batches")
        yield project


@pytest.fixture
def whole(prepared_once: Project, db: None) -> Project:
    """Two batches of 105 different outputs: the second one is filled up with the first ones."""
    return Project.objects.get(pk=prepared_once.pk)


@pytest.fixture
def project(whole: Project) -> Project:
    """Two batches of twenty items, 14 of them outputs; seven outputs are in both batches."""
    shorten_batches(whole)
    return whole


@pytest.fixture
def one_batch(project: Project) -> None:
    """Leave only the first batch and its outputs."""
    BatchItem.objects.filter(batch__number=2).delete()
    AssessmentBatch.objects.filter(number=2).delete()
    exclude_outside_batches(project)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def petr(project: Project) -> User:
    return make_annotator(project, "petr")


# Items that an annotator judges before they stop.
EARLY = 4


def leave(annotator: User, project: Project) -> None:
    """Let the annotator's work be as old as two leases."""
    passed = timedelta(minutes=2 * project.lease_minutes)
    assignments = Assignment.objects.filter(annotator=annotator)
    assignments.update(created=F("created") - passed, submitted=F("submitted") - passed)
    BatchTurn.objects.filter(annotator=annotator).update(created=F("created") - passed)


@databases
def test_batches_are_stored_with_their_control_items(whole: Project) -> None:
    assert whole.provenance["batches"] == 2
    for batch in AssessmentBatch.objects.filter(project=whole):
        items = list(batch.items.order_by("position").select_related("original"))
        assert [item.position for item in items] == list(range(1, 101))
        roles = Counter(item.role for item in items)
        assert roles == {Role.OUTPUT: 70, Role.REPEAT: 10, Role.REFERENCE: 10, Role.DEGRADED: 10}
        for item in items:
            shown = Candidate.objects.get(segment__sentence=item.sentence, excluded=False)
            if item.original is None:
                continue
            output = Candidate.objects.get(segment__sentence=item.original.sentence)
            reference = item.sentence.translations.get(system=None).text
            assert (shown.text == output.text) == (item.role == Role.REPEAT)
            assert (shown.text == reference) == (item.role == Role.REFERENCE)
            copied = item.sentence.copy_of or item.sentence
            assert copied == item.original.sentence


def test_the_seed_decides_the_batches(tmp_path: Path) -> None:
    plans = []
    for seed in (1, 1, 2):
        project = prepared(tmp_path, batches=True, seed=seed)
        items = BatchItem.objects.filter(batch__project=project).order_by("batch", "position")
        plans.append(list(items.values_list("role", "sentence__number")))
        Project.objects.filter(pk=project.pk).update(name=f"{len(plans)}")
    assert plans[0] == plans[1] != plans[2]


def test_batches_need_direct_assessment_and_a_reference(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="Only direct assessment and error spans have batches"
    ) as refusal:
        new_job(tmp_path, kind="sentence_ranking", batches=True)
    assert isinstance(refusal.value.template, Template)
    with pytest.raises(InputError, match="add a reference") as refusal:
        new_job(tmp_path, kind="direct_assessment_source", batches=True, with_reference=False)
    assert isinstance(refusal.value.template, Template)


def test_an_annotator_judges_a_batch_in_its_order(project: Project, jana: User) -> None:
    items = list(BatchItem.objects.filter(batch__number=1).order_by("position"))
    judged = [assess(jana, project) for _item in items]
    assert [one.sentence_id for one in judged] == [item.sentence_id for item in items]
    seen: set[int] = set()
    for assignment, item in zip(judged, items, strict=True):
        again = Kind.INTRA if item.sentence_id in seen else Kind.FIRST
        is_control = item.role in (Role.REFERENCE, Role.DEGRADED)
        assert assignment.kind == (Kind.CONTROL if is_control else again)
        seen.add(item.sentence_id)


@databases
def test_the_last_batch_repeats_first_outputs(project: Project, jana: User, petr: User) -> None:
    first, second = assess(jana, project), assess(petr, project)
    turns = dict(BatchTurn.objects.values_list("batch__number", "annotator"))
    assert turns == {1: jana.pk, 2: petr.pk}
    of_jana = [first, *assess_all(jana, project)]
    of_petr = [second, *assess_all(petr, project)]
    assert Counter(one.kind for one in of_jana) == {
        Kind.FIRST: 14,
        Kind.INTRA: 2,
        Kind.CONTROL: 4,
    }
    assert Counter(one.kind for one in of_petr) == {
        Kind.FIRST: 7,
        Kind.INTER: 7,
        Kind.INTRA: 2,
        Kind.CONTROL: 4,
    }
    assert set(BatchTurn.objects.values_list("state", flat=True)) == {"finished"}


@databases
def test_each_judge_of_a_sentence_has_a_turn(project: Project, jana: User, petr: User) -> None:
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    assert assess(jana, project).sentence == assess(petr, project).sentence
    slots = BatchTurn.objects.order_by("slot").values_list("slot", "annotator", "batch__number")
    assert list(slots) == [(1, jana.pk, 1), (2, petr.pk, 1)]


def test_a_batch_that_has_become_free_since_the_last_count_is_begun(
    project: Project, jana: User
) -> None:
    now = clock.now()
    ProjectCounts.objects.create(project=project, begun=now, counted=now, free_batch=None)
    assign_next(jana, project)
    assert BatchTurn.objects.get().annotator == jana


@one_batch_only
def test_a_batch_that_is_not_finished_is_not_shared(
    project: Project, jana: User, petr: User
) -> None:
    assess(jana, project)
    assert next_assignment(annotator=petr, project=project) is None


@databases
@one_batch_only
def test_another_annotator_takes_over_the_rest_of_an_abandoned_batch(
    project: Project, jana: User, petr: User
) -> None:
    left = [assess(jana, project) for _item in range(EARLY)]
    assert next_assignment(annotator=petr, project=project) is None
    leave(jana, project)
    judged = assess_all(petr, project)
    by_jana = {one.sentence_id for one in left if one.kind != Kind.CONTROL}
    own = {one.sentence_id for one in judged if one.kind == Kind.FIRST}
    originals = {one.sentence.copy_of_id for one in judged if one.kind == Kind.CONTROL}
    assert own.isdisjoint(by_jana)
    assert len(own | by_jana) == 14
    assert originals <= own
    turns = BatchTurn.objects.filter(batch__number=1).order_by("pk")
    assert list(turns.values_list("annotator", "state")) == [
        (jana.pk, "released"),
        (petr.pk, "finished"),
    ]
    # Jana has nothing left.
    assert next_assignment(annotator=jana, project=project) is None


@one_batch_only
def test_an_annotator_comes_back_to_a_batch_that_the_next_one_left(
    project: Project, jana: User, petr: User
) -> None:
    before = [assess(jana, project) for _item in range(EARLY)]
    leave(jana, project)
    before += [assess(petr, project) for _item in range(2)]
    leave(petr, project)
    judged = assess_all(jana, project)
    outputs = {one.sentence_id for one in before if one.kind == Kind.FIRST}
    own = {one.sentence_id for one in judged if one.kind == Kind.FIRST}
    assert own.isdisjoint(outputs)
    assert len(own | outputs) == 14
    repeats = BatchItem.objects.filter(role=Role.REPEAT, sentence__in=own)
    assert Counter(one.kind for one in judged)[Kind.INTRA] == repeats.count() > 0
    states = BatchTurn.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["released", "released", "finished"]


@one_batch_only
def test_another_judge_has_the_whole_batch_when_the_first_one_left(
    project: Project, jana: User, petr: User
) -> None:
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    eva = make_annotator(project, "eva")
    for _item in range(EARLY):
        assess(jana, project)
    second = [assess(petr, project)]
    leave(jana, project)
    assess(eva, project)
    second += assess_all(petr, project)
    items = BatchItem.objects.filter(batch__number=1).order_by("position")
    assert [one.sentence_id for one in second] == list(items.values_list("sentence", flat=True))


def test_an_annotator_who_stopped_goes_on(project: Project, jana: User) -> None:
    assess(jana, project)
    opened = assign_next(jana, project)
    release(project=project, assignment_id=opened.pk)
    leave(jana, project)
    assert assign_next(jana, project).sentence == opened.sentence


def test_what_is_skipped_does_not_come_again(project: Project, jana: User) -> None:
    items = BatchItem.objects.filter(batch__number=1).select_related("original")
    repeat = items.filter(role=Role.REPEAT, original__position__lt=F("position")).first()
    assert repeat
    assert repeat.original
    output = repeat.original
    while (opened := assign_next(jana, project)).sentence_id != output.sentence_id:
        assess(jana, project)
    skip(annotator=jana, project=project, assignment_id=opened.pk, reason="other")
    related = {output.sentence_id, *output.control_items.values_list("sentence", flat=True)}
    judged = {one.sentence_id for one in assess_all(jana, project)}
    assert judged.isdisjoint(related)


# --- discarding -------------------------------------------------------------------------------


@one_batch_only
def test_another_annotator_judges_a_batch_that_was_discarded(
    project: Project, jana: User, petr: User
) -> None:
    by_jana = assess_all(jana, project)
    assert next_assignment(annotator=petr, project=project) is None

    discard_judgements(project=project, by=petr, annotator=jana)

    assert list(BatchTurn.objects.values_list("state", flat=True)) == ["released"]
    by_petr = assess_all(petr, project)
    assert [one.sentence_id for one in by_petr] == [one.sentence_id for one in by_jana]
    assert [one.kind for one in by_petr] == [one.kind for one in by_jana]


@databases
@pytest.mark.parametrize(("judged", "state"), [(EARLY, "open"), (20, "finished")])
@one_batch_only
def test_a_restored_annotator_has_the_batch_again(
    project: Project, jana: User, petr: User, *, judged: int, state: str
) -> None:
    items = BatchItem.objects.order_by("position").values_list("sentence", flat=True)
    for _item in range(judged):
        assess(jana, project)
    discard_judgements(project=project, by=petr, annotator=jana)

    restore_judgements(project=project, by=petr, annotator=jana)

    assert list(BatchTurn.objects.values_list("annotator", "state")) == [(jana.pk, state)]
    assert next_assignment(annotator=petr, project=project) is None
    assert [one.sentence_id for one in assess_all(jana, project)] == list(items)[judged:]


@one_batch_only
def test_restored_judgements_count_beside_those_of_the_one_who_took_the_batch(
    project: Project,
    jana: User,
    petr: User,
) -> None:
    before = [assess(jana, project) for _item in range(EARLY)]
    discard_judgements(project=project, by=petr, annotator=jana)
    again = [assess(petr, project) for _item in range(2)]

    restore_judgements(project=project, by=petr, annotator=jana)

    states = BatchTurn.objects.order_by("pk").values_list("annotator", "state")
    assert list(states) == [(jana.pk, "released"), (petr.pk, "open")]
    again += assess_all(petr, project)
    outputs = [{one.sentence_id for one in of if one.kind == Kind.FIRST} for of in (before, again)]
    assert len(outputs[0] | outputs[1]) == 14
    first_two = {one.sentence_id for one in before[:2] if one.kind == Kind.FIRST}
    assert outputs[0] & outputs[1] == first_two


@one_batch_only
def test_a_turn_before_that_of_a_discarded_annotator_is_not_restored(
    project: Project, jana: User, petr: User
) -> None:
    for _item in range(EARLY):
        assess(jana, project)
    leave(jana, project)
    assess_all(petr, project)
    for annotator in (jana, petr):
        discard_judgements(project=project, by=jana, annotator=annotator)

    for annotator in (jana, petr):
        restore_judgements(project=project, by=jana, annotator=annotator)

    states = BatchTurn.objects.order_by("pk").values_list("annotator", "state")
    assert list(states) == [(jana.pk, "released"), (petr.pk, "finished")]


@one_batch_only
def test_a_discarded_annotator_who_judges_the_batch_again_keeps_the_later_turn(
    project: Project,
    jana: User,
) -> None:
    assess(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)
    assess_all(jana, project)

    restore_judgements(project=project, by=jana, annotator=jana)

    assert list(BatchTurn.objects.order_by("pk").values_list("state", flat=True)) == [
        "released",
        "finished",
    ]


def test_an_output_that_was_returned_to_judging_comes_again_in_the_same_turn(
    project: Project, jana: User
) -> None:
    first, second = assess(jana, project), assess(jana, project)
    return_to_judging(project=project, by=jana, sentence=first.sentence_id)
    assert assess(jana, project).sentence == first.sentence
    assert assess(jana, project).sentence not in (first.sentence, second.sentence)


@one_batch_only
def test_what_another_annotator_took_over_is_not_reopened(
    project: Project, jana: User, petr: User
) -> None:
    begun = assign_next(jana, project)
    save_draft(annotator=jana, project=project, assignment_id=begun.pk, base=0, choices={"1-1": 7})
    release(project=project, assignment_id=begun.pk)
    leave(jana, project)
    # Petr skips the output that Jana began, which still needs a judge.
    other = assign_next(petr, project)
    skip(annotator=petr, project=project, assignment_id=other.pk, reason="other")
    assert assess(petr, project).sentence != begun.sentence

    assert next_assignment(annotator=jana, project=project) is None

    BatchTurn.objects.filter(annotator=petr).update(state="finished")
    assert next_assignment(annotator=jana, project=project) == begun


# --- progress ---------------------------------------------------------------------------------


def progress(annotator: User, project: Project) -> tuple[int, int] | None:
    """Return how many items of the batch are done and how many there are, on the next page."""
    current = assign_next(annotator, project)
    member = load_annotator(annotator, project.pk)
    assert member
    found = batch_progress(member, current)
    return (found.done, found.total) if found else None


def test_progress_is_that_of_the_batch(project: Project, jana: User) -> None:
    found = []
    for _item in range(20):
        found.append(progress(jana, project))
        assess(jana, project)
    assert found == [(done, 20) for done in range(20)]
    # The next batch.
    assert progress(jana, project) == (0, 20)


@databases
def test_progress_is_without_what_is_skipped_or_excluded(project: Project, jana: User) -> None:
    of_batch = BatchItem.objects.filter(batch__number=1)
    first, *others = [
        one.sentence_id for one in of_batch.filter(original=None).order_by("position")
    ]

    def of_output(sentence: int) -> int:
        return of_batch.filter(Q(sentence=sentence) | Q(original__sentence=sentence)).count()

    skipped = assign_next(jana, project)
    assert skipped.sentence_id == first
    skip(annotator=jana, project=project, assignment_id=skipped.pk, reason="other")
    total = 20 - of_output(first)
    assert progress(jana, project) == (0, total)
    Sentence.objects.filter(pk=others[-1]).update(excluded=True)
    assert progress(jana, project) == (0, total - of_output(others[-1]))


@one_batch_only
def test_progress_is_of_what_another_annotator_has_left(
    project: Project, jana: User, petr: User
) -> None:
    for _item in range(EARLY):
        assess(jana, project)
    leave(jana, project)
    found = progress(petr, project)
    assert found == (0, len(assess_all(petr, project)))


def test_what_no_batch_has_is_in_the_progress_of_the_project(project: Project, jana: User) -> None:
    first = assess(jana, project)
    assess_all(jana, project)
    return_to_judging(project=project, by=jana, sentence=first.sentence_id)
    assert progress(jana, project) is None


# --- control items ----------------------------------------------------------------------------


def test_other_outputs_replace_those_that_cannot_be_degraded(tmp_path: Path) -> None:
    # No other output has a word between its first and its last one, to degrade the first output.
    same = ["one two three", *(f"word{line}" for line in range(5))]
    project = prepared(tmp_path, **dict.fromkeys("ABCD", same))
    made = make_controls(project=project, count=5, seed=2)
    assert len(made) == 5


@databases
def test_a_copy_has_the_same_batches(whole: Project) -> None:
    jana = make_annotator(whole)
    assess(jana, whole)
    job = new_copy(project=whole, name="Copy", by=jana)
    assert run_job(job.pk) is Outcome.DONE
    rows = ("position", "role", "sentence__number", "sentence__purpose", "original__position")
    plans = [
        list(
            BatchItem.objects.filter(batch__project=one)
            .order_by("batch__number", "position")
            .values_list("batch__number", *rows)
        )
        for one in (whole, job.project)
    ]
    assert plans[0] == plans[1]
    assert not BatchTurn.objects.filter(batch__project=job.project).exists()
