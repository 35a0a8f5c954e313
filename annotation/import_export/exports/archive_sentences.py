"""The sentences of an archive, with all that was cut from them."""

from collections.abc import Iterator

from django.db.models import QuerySet

from annotation.formats.archive_records import (
    AnswerRecord,
    ControlRecord,
    SegmentRecord,
    SentenceRecord,
    TranslationRecord,
)
from annotation.formats.judgement_lines import GARBAGE
from annotation.models import (
    Answer,
    Candidate,
    Control,
    ExpectedPlacement,
    Project,
    Projection,
    Segment,
    Sentence,
    Translation,
)

# Sentences held at once.
PAGE = 200
# Those of a page as a query: the database finds them again sooner than their ids are sent.
Page = QuerySet[Sentence]
PURPOSES = (Sentence.Purpose.JUDGE, Sentence.Purpose.PRACTICE, Sentence.Purpose.CONTROL)


def sentence_records(project: Project) -> Iterator[SentenceRecord]:
    """Yield the project's sentences by purpose and number: originals before their copies."""
    for purpose in PURPOSES:
        sentences = Sentence.objects.filter(project=project, purpose=purpose)
        rows = sentences.select_related("copy_of").order_by("number")
        last = 0
        while found := list(rows.filter(number__gt=last)[:PAGE]):
            page = sentences.filter(number__gt=last, number__lte=found[-1].number)
            last = found[-1].number
            yield from _records(found, page)


def _records(found: list[Sentence], page: Page) -> Iterator[SentenceRecord]:
    translations = _translations(page)
    segments = _segments(page)
    for sentence in found:
        yield SentenceRecord(
            purpose=sentence.purpose,
            number=sentence.number,
            copy_of=sentence.copy_of.number if sentence.copy_of else None,
            retired=sentence.retired,
            round=sentence.round,
            text=sentence.text,
            tokens=sentence.tokens,
            tree=sentence.tree,
            translations=translations.get(sentence.pk, []),
            segments=segments.get(sentence.pk, []),
        )


def _translations(page: Page) -> dict[int, list[TranslationRecord]]:
    found: dict[int, list[TranslationRecord]] = {}
    rows = Translation.objects.filter(sentence__in=page).order_by("pk")
    for sentence_id, *values in rows.values_list(
        "sentence_id", "system__name", "text", "tokens", "alignment"
    ):
        found.setdefault(sentence_id, []).append(TranslationRecord(*values))
    return found


def _segments(page: Page) -> dict[int, list[SegmentRecord]]:
    answers, controls = _answers(page), _controls(page)
    candidates = _candidates(page)
    positions: dict[int | None, int] = {
        row.pk: position
        for of_segment in candidates.values()
        for position, row in enumerate(of_segment)
    }
    projections = _projections(page, positions)
    found: dict[int, list[SegmentRecord]] = {}
    rows = Segment.objects.filter(sentence__in=page).order_by("pk")
    for pk, sentence_id, indices, in_round in rows.values_list(
        "pk", "sentence_id", "token_indices", "round"
    ):
        of_segment = candidates.get(pk, [])
        control = controls.get(pk)
        found.setdefault(sentence_id, []).append(
            SegmentRecord(
                indices=[int(index) for index in indices.split()],
                round=in_round,
                candidates=[row.text for row in of_segment],
                twins=[position for position, row in enumerate(of_segment) if row.twin],
                projections=projections.get(pk, []),
                answer=answers.get(pk),
                control=ControlRecord(
                    control.kind, positions[control.original_id], positions[control.changed_id]
                )
                if control
                else None,
            )
        )
    return found


def _candidates(page: Page) -> dict[int, list[Candidate]]:
    found: dict[int, list[Candidate]] = {}
    for row in Candidate.objects.filter(segment__sentence__in=page).order_by("pk"):
        found.setdefault(row.segment_id, []).append(row)
    return found


def _projections(
    page: Page, positions: dict[int | None, int]
) -> dict[int, list[tuple[str, int | None]]]:
    found: dict[int, list[tuple[str, int | None]]] = {}
    rows = Projection.objects.filter(segment__sentence__in=page).order_by("pk")
    for segment_id, system, candidate_id in rows.values_list(
        "segment_id", "system__name", "candidate_id"
    ):
        found.setdefault(segment_id, []).append((system, positions.get(candidate_id)))
    return found


def _answers(page: Page) -> dict[int, AnswerRecord]:
    """Return by segment id; the ranks come in the order of the candidates, and are of all."""
    found = {
        row.segment_id: AnswerRecord(row.explanation, [])
        for row in Answer.objects.filter(segment__sentence__in=page)
    }
    rows = ExpectedPlacement.objects.filter(answer__segment__sentence__in=page)
    for segment_id, rank in rows.order_by("candidate").values_list("answer__segment", "rank"):
        found[segment_id].ranks.append(GARBAGE if rank is None else rank)
    return found


def _controls(page: Page) -> dict[int, Control]:
    rows = Control.objects.filter(segment__sentence__in=page)
    return {row.segment_id: row for row in rows}
