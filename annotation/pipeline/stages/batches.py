"""Batches of direct assessment, with their control items, for a project that is being prepared."""

from random import Random

from annotation.formats.tokens import TokenizedText
from annotation.models import (
    AssessmentBatch,
    BatchItem,
    Candidate,
    Control,
    Project,
    Segment,
    Sentence,
    Translation,
)
from annotation.pipeline.stages import Part, StageResult
from annotation.preparation.assessment_batches import BatchItem as PlannedItem
from annotation.preparation.assessment_batches import Kind, make_batches
from annotation.projects.single_controls import changed_text, outputs_of, store_controls

# Texts that supply words for degraded outputs.
POOL = 2000
ROLES = {
    Kind.OUTPUT: BatchItem.Role.OUTPUT,
    Kind.REPEAT: BatchItem.Role.REPEAT,
    Kind.REFERENCE: BatchItem.Role.REFERENCE,
    Kind.DEGRADED: BatchItem.Role.DEGRADED,
}
CONTROLS = {
    Kind.REFERENCE: Control.Kind.REFERENCE,
    Kind.DEGRADED: Control.Kind.DEGRADED,
}


def store_batches(part: Part) -> StageResult:
    """Divide the outputs of the whole project into batches; the seed is that of the options."""
    project, seed = part.project, part.options.seed
    rng = Random(seed)  # noqa: S311 - a sample that can be repeated, not a secret
    with part.writing():
        delete_batches(project)
    outputs = [(0, pk) for pk in _judged(project)]
    pool = _pool(project, rng)
    batches = make_batches(outputs, rng)
    for number, items in enumerate(batches, start=1):
        with part.writing():
            _store_batch(project, number, items, pool, rng)
        part.progress(number, len(batches))
    return {"batches": len(batches), "seed": seed}


def _judged(project: Project) -> list[int]:
    """Return the sentences that have a candidate, by number."""
    sentences = project.sentences.filter(
        purpose=Sentence.Purpose.JUDGE, segments__candidates__isnull=False
    )
    return list(sentences.order_by("number").values_list("pk", flat=True))


def _pool(project: Project, rng: Random) -> list[TokenizedText]:
    """Return references whose words degrade outputs."""
    lines = Translation.objects.filter(
        sentence__project=project,
        sentence__purpose=Sentence.Purpose.JUDGE,
        sentence__source_line=None,
        system=None,
    )
    references = list(lines.order_by("sentence__number", "reference").values_list("text", "tokens"))
    sample = rng.sample(references, min(POOL, len(references)))
    return [TokenizedText.stored(*reference) for reference in sample]


def _store_batch(
    project: Project,
    number: int,
    items: list[PlannedItem],
    pool: list[TokenizedText],
    rng: Random,
) -> None:
    """Store the batch. A control item that is impossible, for want of words, is left out."""
    wanted = {item.sentence for item in items}
    outputs = outputs_of(list(Sentence.objects.filter(pk__in=wanted).order_by("pk")))
    controls = {
        place: (output, kind, text)
        for place, item in enumerate(items)
        if (kind := CONTROLS.get(item.kind))
        for output in [outputs[item.sentence]]
        if (text := changed_text(project, output, kind, pool, rng))
    }
    stored = store_controls(project, list(controls.values()))
    copies = dict(zip(controls, stored, strict=True))
    batch = AssessmentBatch.objects.create(project=project, number=number)
    originals = {
        place: BatchItem(
            batch=batch, position=place + 1, role=ROLES[item.kind], sentence_id=item.sentence
        )
        for place, item in enumerate(items)
        if item.kind is Kind.OUTPUT
    }
    BatchItem.objects.bulk_create(originals.values())
    BatchItem.objects.bulk_create(
        BatchItem(
            batch=batch,
            position=place + 1,
            role=ROLES[item.kind],
            sentence_id=item.sentence if item.kind is Kind.REPEAT else copies[place].pk,
            original=originals[item.original],
        )
        for place, item in enumerate(items)
        if item.kind is Kind.REPEAT or place in copies
    )


def delete_batches(project: Project) -> None:
    """Delete the batches that an earlier try has stored, with their control sentences."""
    items = BatchItem.objects.filter(batch__project=project)
    items.exclude(original=None).delete()
    items.delete()
    AssessmentBatch.objects.filter(project=project).delete()
    controls = project.sentences.filter(purpose=Sentence.Purpose.CONTROL)
    Control.objects.filter(segment__sentence__in=controls).delete()
    Candidate.objects.filter(segment__sentence__in=controls).delete()
    Segment.objects.filter(sentence__in=controls).delete()
    Translation.objects.filter(sentence__in=controls).delete()
    controls.delete()
