"""Batches of direct assessment as records of an archive."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.formats.archive_records import BatchItemPart, BatchRecord, BatchTurnPart
from annotation.formats.errors import InputError
from annotation.import_export.archive_parts import Page
from annotation.models import (
    AssessmentBatch,
    BatchItem,
    BatchTurn,
    Control,
    Project,
    Sentence,
    User,
)

OF_CONTROLS = ("reference", "degraded")
SHOWN = {"repeat": "a repeat", "reference": "the reference", "degraded": "a degraded copy"}


def batch_records(project: Project, names: Mapping[int, str]) -> Iterator[BatchRecord]:
    """Yield the batches by number; turns are those of accounts that the archive has."""
    for batch in AssessmentBatch.objects.filter(project=project).order_by("number"):
        items: QuerySet[BatchItem, Any] = batch.items.order_by("position").values_list(
            "position", "role", "sentence__number", "original__position"
        )
        turns = batch.turns.filter(annotator__in=names).order_by("pk")
        yield BatchRecord(
            number=batch.number,
            items=[BatchItemPart(*row) for row in items],
            turns=[
                BatchTurnPart(names[turn.annotator_id], turn.slot, turn.state, turn.created)  # type: ignore[arg-type]
                for turn in turns
            ],
        )


def restore_batches(project: Project, page: Page, users: Mapping[str, User]) -> None:
    """Store the batches of a page. Raise InputError for one that the archive contradicts."""
    for where, record in page:
        if AssessmentBatch.objects.filter(project=project, number=record.number).exists():
            raise InputError(f"{where}: there are two batches {record.number}.")
        _check_turns(where, record, users)
        batch = AssessmentBatch.objects.create(project=project, number=record.number)
        _store_items(where, batch, record)
        BatchTurn.objects.bulk_create(
            BatchTurn(
                batch=batch,
                annotator=users[turn.annotator],
                slot=turn.slot,
                state=turn.state,
                created=turn.created,
            )
            for turn in record.turns
        )


def _check_turns(where: str, record: BatchRecord, users: Mapping[str, User]) -> None:
    """Raise InputError unless each slot is one annotator's, and each annotator has one slot."""
    annotators: set[str] = set()
    slots: set[int] = set()
    for turn in record.turns:
        if turn.annotator not in users:
            raise InputError(f"{where}: there is no account {turn.annotator!r} in the archive.")
        if turn.state == "released":
            continue
        if turn.annotator in annotators:
            raise InputError(f"{where}: the annotator {turn.annotator!r} has two turns.")
        if turn.slot in slots:
            raise InputError(f"{where}: two annotators have turns at slot {turn.slot}.")
        annotators.add(turn.annotator)
        slots.add(turn.slot)


def _store_items(where: str, batch: AssessmentBatch, record: BatchRecord) -> None:
    """Store the items of a batch, outputs first. Raise InputError."""
    sentences = _sentences(batch.project, record.items)
    outputs: dict[int, BatchItem] = {}
    controls: list[BatchItem] = []
    positions: set[int] = set()
    for item in sorted(record.items, key=lambda item: item.role != "output"):
        if item.position in positions:
            raise InputError(f"{where}: there are two items at position {item.position}.")
        positions.add(item.position)
        sentence = sentences.get((item.role in OF_CONTROLS, item.sentence))
        if sentence is None:
            raise InputError(f"{where}: there is no sentence {item.sentence} in the archive.")
        row = BatchItem(
            batch=batch, position=item.position, role=item.role, sentence_id=sentence.pk
        )
        if item.role == "output":
            if item.original is not None:
                raise InputError(
                    f"{where}: item {item.position} is an output, which is of no other."
                )
            outputs[item.position] = row
            continue
        row.original = None if item.original is None else outputs.get(item.original)
        if row.original is None:
            raise InputError(f"{where}: item {item.position} is not of an output of the batch.")
        if (sentence.shows, sentence.of) != (item.role, row.original.sentence_id):
            raise InputError(
                f"{where}: item {item.position} is not {SHOWN[item.role]} of the output at "
                f"position {item.original}."
            )
        controls.append(row)
    BatchItem.objects.bulk_create(outputs.values())
    BatchItem.objects.bulk_create(controls)


class _Shown(NamedTuple):
    """A sentence that an item can show: its role as a control item, and the sentence it copies."""

    pk: int
    shows: str
    of: int | None


def _sentences(project: Project, items: list[BatchItemPart]) -> dict[tuple[bool, int], _Shown]:
    """Return the sentences by whether they are for control, and by number."""
    numbers: dict[bool, set[int]] = {True: set(), False: set()}
    for item in items:
        numbers[item.role in OF_CONTROLS].add(item.sentence)
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers[False])
    controls = Control.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.CONTROL,
        segment__sentence__number__in=numbers[True],
    )
    sentence = "segment__sentence"
    rows = controls.values_list(f"{sentence}__number", sentence, "kind", f"{sentence}__copy_of")
    found = {(True, number): _Shown(*of_control) for number, *of_control in rows}
    for number, pk in judged.values_list("number", "pk"):
        found[False, number] = _Shown(pk, BatchItem.Role.REPEAT, pk)
    return found
