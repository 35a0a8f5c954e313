"""Batches of direct assessment as records of an archive."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.formats.archive_records import BatchItemPart, BatchRecord, BatchTurnPart
from annotation.formats.errors import InputError
from annotation.import_export.archive_parts import Page
from annotation.models import (
    AssessmentBatch,
    BatchItem,
    BatchTurn,
    Project,
    Sentence,
    User,
)

OF_CONTROLS = ("reference", "degraded")


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
        batch = AssessmentBatch.objects.create(project=project, number=record.number)
        outputs = _stored(where, batch, record, {}, controls=False)
        _stored(where, batch, record, outputs, controls=True)
        for turn in record.turns:
            if turn.annotator not in users:
                raise InputError(f"{where}: there is no account {turn.annotator!r} in the archive.")
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


def _stored(
    where: str,
    batch: AssessmentBatch,
    record: BatchRecord,
    outputs: Mapping[int, BatchItem],
    *,
    controls: bool,
) -> dict[int, BatchItem]:
    """Store the outputs or the control items of a batch; return them by position."""
    wanted = [item for item in record.items if (item.role != "output") == controls]
    sentences = _sentences(batch.project, wanted)
    items = {}
    for item in wanted:
        original = None if item.original is None else outputs.get(item.original)
        sentence = sentences.get((item.role in OF_CONTROLS, item.sentence))
        if sentence is None:
            raise InputError(f"{where}: there is no sentence {item.sentence} in the archive.")
        if controls and original is None:
            raise InputError(f"{where}: item {item.position} is not of an output of the batch.")
        if item.original is not None and not controls:
            raise InputError(f"{where}: item {item.position} is an output, which is of no other.")
        items[item.position] = BatchItem(
            batch=batch,
            position=item.position,
            role=item.role,
            sentence_id=sentence,
            original=original,
        )
    BatchItem.objects.bulk_create(items.values())
    return items


def _sentences(project: Project, items: list[BatchItemPart]) -> dict[tuple[bool, int], int]:
    """Return the ids of the sentences by whether they are for control, and by number."""
    found: dict[tuple[bool, int], int] = {}
    for is_control, purpose in (
        (False, Sentence.Purpose.JUDGE),
        (True, Sentence.Purpose.CONTROL),
    ):
        numbers = {item.sentence for item in items if (item.role in OF_CONTROLS) == is_control}
        rows = project.sentences.filter(purpose=purpose, number__in=numbers)
        found |= {(is_control, number): pk for number, pk in rows.values_list("number", "pk")}
    return found
