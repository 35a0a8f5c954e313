"""Scores of single translations as plain rows, with the control items among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    BatchItem,
    BatchTurn,
    Control,
    Placement,
    Project,
    Projection,
    Sentence,
)
from annotation.models.results import candidate_counts, segment_counts

ASSIGNMENT = "judgement__submission__assignment"
ROLES = {
    Control.Kind.DEGRADED.value: BatchItem.Role.DEGRADED,
    Control.Kind.REFERENCE.value: BatchItem.Role.REFERENCE,
}


@dataclass(frozen=True, slots=True)
class AssessmentRow:
    """A score of the translation `sentence`, or of a control item that belongs to it.

    `line` is that of the source. `turn` is the id of the annotator's turn at a batch, 0 without
    batches. `assigned` orders what an annotator judged; `seconds` are None if they are unknown.
    """

    annotator: int
    turn: int
    sentence: int
    line: int
    role: BatchItem.Role
    score: int
    assigned: datetime
    seconds: float | None


def assessments(project: Project) -> Iterator[AssessmentRow]:
    """Stream the current scores that count, in the order in which they were assigned.

    Of control items there are degraded outputs and references. What is excluded or discarded is
    left out. An inter repeat is an output like others. Three queries.
    """
    answer = kind_of(project).answer
    turns: dict[int, list[tuple[datetime, int]]] = {}
    latest_first = BatchTurn.objects.filter(batch__project=project).order_by("-created", "-pk")
    for annotator, created, pk in latest_first.values_list("annotator", "created", "pk"):
        turns.setdefault(annotator, []).append((created, pk))
    excluded = set(
        Sentence.objects.filter(project=project, excluded=True).values_list("pk", flat=True)
    )
    for annotator, of_kind, own, copied, line, control, rank, assigned, seconds in _placed(
        project
    ).iterator(CHUNK):
        sentence = copied or own
        role = ROLES.get(control) if control else BatchItem.Role.OUTPUT
        if of_kind == Assignment.Kind.CONTROL and not control:
            # The other paragraphs of a control document are judged where they belong, too.
            continue
        if of_kind == Assignment.Kind.INTRA:
            role = BatchItem.Role.REPEAT
        score = answer.score_of(rank)
        if sentence in excluded or role is None or score is None:
            continue
        began = (pk for created, pk in turns.get(annotator, ()) if created <= assigned)
        yield AssessmentRow(
            annotator, next(began, 0), sentence, line, role, score, assigned, seconds
        )


def count_lines(project: Project) -> int:
    """Return how many lines of the source have a translation to judge."""
    sentences = Sentence.objects.filter(
        project=project,
        purpose=Sentence.Purpose.JUDGE,
        excluded=False,
        segments__candidates__isnull=False,
    )
    return int(sentences.aggregate(lines=Count(Sentence.LINE, distinct=True))["lines"])


def whole_turns(project: Project) -> set[int]:
    """Return the ids of the turns in which the annotator scored everything in the batch.

    Turns that took over the rest of another one, and those with a skipped sentence, are not whole.
    One query.
    """
    skipped = Assignment.objects.filter(
        state=Assignment.State.SKIPPED,
        annotator=OuterRef("annotator"),
        sentence__batch_items__batch=OuterRef("batch"),
    )
    before = BatchTurn.objects.filter(
        Q(slot=OuterRef("slot")) | Q(annotator=OuterRef("annotator")),
        batch=OuterRef("batch"),
        state=BatchTurn.State.RELEASED,
    )
    whole = BatchTurn.objects.filter(
        ~Exists(skipped),
        ~Exists(before),
        batch__project=project,
        state=BatchTurn.State.FINISHED,
    )
    return set(whole.values_list("pk", flat=True))


def systems_of_translations(project: Project) -> dict[int, list[int]]:
    """Return the systems that produced the translation of each sentence, by id. One query."""
    found: dict[int, list[int]] = {}
    rows = Projection.objects.filter(
        candidate_counts(),
        segment_counts(),
        segment__sentence__project=project,
        candidate__isnull=False,
    ).order_by("system")
    for sentence, system in rows.values_list("segment__sentence", "system").iterator(CHUNK):
        found.setdefault(sentence, []).append(system)
    return found


def _placed(project: Project) -> QuerySet[Placement, Any]:
    kinds = (*Assignment.COUNTED, Assignment.Kind.CONTROL)
    rows = Placement.objects.filter(
        Q(**{f"{ASSIGNMENT}__state": Assignment.State.SUBMITTED, f"{ASSIGNMENT}__kind__in": kinds}),
        segment_counts("judgement__segment"),
        candidate_counts(),
        judgement__submission__current=True,
        **{f"{ASSIGNMENT}__project": project},
    ).order_by(f"{ASSIGNMENT}__created", "pk")
    source = "judgement__segment__sentence"
    return rows.values_list(
        f"{ASSIGNMENT}__annotator",
        f"{ASSIGNMENT}__kind",
        source,
        f"{source}__copy_of",
        Coalesce(
            f"{source}__copy_of__source_line",
            f"{source}__copy_of__number",
            f"{source}__source_line",
            f"{source}__number",
        ),
        "judgement__segment__control__kind",
        "rank",
        f"{ASSIGNMENT}__created",
        "judgement__seconds",
    )
