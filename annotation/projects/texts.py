"""Sentences with all that belongs to them: read as records of an archive, stored and deleted."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import Model, QuerySet
from msgspec import Struct

from annotation.common.transactions import Writing, let_others_write
from annotation.formats.archive_records import (
    AnswerPart,
    ControlPart,
    SegmentPart,
    SentenceRecord,
    TranslationPart,
)
from annotation.formats.judgement_lines import GARBAGE
from annotation.formats.tokens import TokenizedText
from annotation.kinds import kind_of
from annotation.models import (
    Answer,
    Candidate,
    ChosenSystem,
    Control,
    ExpectedPlacement,
    GivenErrors,
    GivenOrigin,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)

# Originals before their copies, which refer to them.
PURPOSES: Final = (Sentence.Purpose.JUDGE, Sentence.Purpose.PRACTICE, Sentence.Purpose.CONTROL)


def _shared(table: type[Model], record: type[Struct]) -> tuple[str, ...]:
    """Return the columns that the record has by the same name; references are none."""
    fields = table._meta.concrete_fields
    plain = {each.name for each in fields if not each.is_relation and not each.primary_key}
    return tuple(name for name in record.__struct_fields__ if name in plain)


# A new column of one of these tables is a field of its record; nothing else here needs it.
OF_SENTENCES: Final = _shared(Sentence, SentenceRecord)
OF_TRANSLATIONS: Final = _shared(Translation, TranslationPart)
OF_SEGMENTS: Final = _shared(Segment, SegmentPart)


def _values(given: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(given, name) for name in names}


# --- reading -----------------------------------------------------------------------------------

# A page as a query: for a database to find its sentences again takes less time than to send it
# their ids.
SentencesPage = QuerySet[Sentence]


def sentence_pages(sentences: SentencesPage, *, size: int) -> Iterator[list[SentenceRecord]]:
    """Yield the sentences by purpose and number, at most `size` at a time."""
    for purpose in PURPOSES:
        of_purpose = sentences.filter(purpose=purpose)
        rows = of_purpose.select_related("copy_of", "sheet").order_by("number")
        last = 0
        while found := list(rows.filter(number__gt=last)[:size]):
            page = of_purpose.filter(number__gt=last, number__lte=found[-1].number)
            last = found[-1].number
            translations, segments, chosen = _translations(page), _segments(page), _chosen(page)
            yield [
                SentenceRecord(
                    **_values(row, OF_SENTENCES),
                    copy_of=row.copy_of.number if row.copy_of else None,
                    sheet=row.sheet.number if row.sheet else None,
                    translations=translations.get(row.pk, []),
                    segments=segments.get(row.pk, []),
                    chosen_systems=chosen.get(row.pk, []),
                )
                for row in found
            ]


def _translations(page: SentencesPage) -> dict[int, list[TranslationPart]]:
    rows = Translation.objects.filter(sentence__in=page).order_by("pk")
    found: dict[int, list[TranslationPart]] = {}
    # To read whole rows takes longer.
    columns: Any = rows.values_list("sentence_id", "system__name", *OF_TRANSLATIONS)
    for sentence_id, system, *values in columns:
        part = TranslationPart(system=system, **dict(zip(OF_TRANSLATIONS, values, strict=True)))
        found.setdefault(sentence_id, []).append(part)
    return found


def _chosen(page: SentencesPage) -> dict[int, list[tuple[str, float]]]:
    """Return by sentence id the systems that were chosen for its sheet, with probabilities."""
    found: dict[int, list[tuple[str, float]]] = {}
    rows = ChosenSystem.objects.filter(sheet__in=page).order_by("place")
    for sheet, name, probability in rows.values_list("sheet_id", "system__name", "probability"):
        found.setdefault(sheet, []).append((name, probability))
    return found


def _segments(page: SentencesPage) -> dict[int, list[SegmentPart]]:
    """Return by sentence id what was cut from it."""
    candidates: dict[int, list[Candidate]] = {}
    positions: dict[int | None, int] = {}
    for candidate in Candidate.objects.filter(segment__sentence__in=page).order_by("pk"):
        of_segment = candidates.setdefault(candidate.segment_id, [])
        positions[candidate.pk] = len(of_segment)
        of_segment.append(candidate)

    projections: dict[int, list[tuple[str, int | None]]] = {}
    projected = Projection.objects.filter(segment__sentence__in=page).order_by("pk")
    for segment_id, system, candidate_id in projected.values_list(
        "segment_id", "system__name", "candidate_id"
    ):
        projections.setdefault(segment_id, []).append((system, positions.get(candidate_id)))

    given: dict[int, dict[str, dict[int, str]]] = {}
    marked = GivenErrors.objects.filter(candidate__segment__sentence__in=page)
    for segment_id, origin, candidate_id, detail in marked.order_by("pk").values_list(
        "candidate__segment_id", "origin__name", "candidate_id", "detail"
    ):
        of_origin = given.setdefault(segment_id, {}).setdefault(origin, {})
        of_origin[positions[candidate_id]] = detail

    answers = _answers(page)
    controls = {
        row.segment_id: ControlPart(
            row.kind,  # type: ignore[arg-type]
            positions[row.original_id],
            positions[row.changed_id],
            row.message,
        )
        for row in Control.objects.filter(segment__sentence__in=page)
    }

    found: dict[int, list[SegmentPart]] = {}
    for row in Segment.objects.filter(sentence__in=page).order_by("pk"):
        texts = candidates.get(row.pk, [])
        found.setdefault(row.sentence_id, []).append(
            SegmentPart(
                **_values(row, OF_SEGMENTS),
                indices=row.indices,
                candidates=[each.text for each in texts],
                duplicates=[place for place, each in enumerate(texts) if each.is_duplicate],
                projections=projections.get(row.pk, []),
                answer=answers.get(row.pk),
                control=controls.get(row.pk),
                excluded_candidates=[place for place, each in enumerate(texts) if each.excluded],
                given_errors=given.get(row.pk, {}),
            )
        )
    return found


def _answers(page: SentencesPage) -> dict[int, AnswerPart]:
    """Return gold answers by segment id; their ranks are in the order of the candidates."""
    answers = {
        row.segment_id: AnswerPart(row.explanation, [], {}, {}, {})
        for row in Answer.objects.filter(segment__sentence__in=page)
    }
    expected = ExpectedPlacement.objects.filter(answer__segment__sentence__in=page)
    for segment_id, rank, detail, last_rank, reasons in expected.order_by("candidate").values_list(
        "answer__segment", "rank", "detail", "last_rank", "reasons"
    ):
        answer = answers[segment_id]
        if detail:
            answer.details[len(answer.ranks)] = detail
        if last_rank is not None:
            answer.last_ranks[len(answer.ranks)] = last_rank
        if reasons:
            answer.reasons[len(answer.ranks)] = reasons
        answer.ranks.append("garbage" if rank is None else rank)
    return answers


# --- making ------------------------------------------------------------------------------------


def new_sentence(
    number: int,
    text: TokenizedText,
    *,
    document: str = "",
    translations: Sequence[TranslationPart] = (),
    segments: Sequence[SegmentPart] = (),
) -> SentenceRecord:
    """Return a sentence to be judged, which no annotator has been assigned."""
    return SentenceRecord(
        purpose="judge",
        number=number,
        copy_of=None,
        retired=False,
        candidate_version=1,
        text=text.text,
        tokens=text.places,
        tree="",
        translations=list(translations),
        segments=list(segments),
        document=document,
    )


def new_segment(
    indices: Iterable[int], candidates: Sequence[str], projections: Sequence[tuple[str, int | None]]
) -> SegmentPart:
    """Return a segment; projections are systems and the positions of their candidates."""
    return SegmentPart(
        indices=list(indices),
        candidate_version=1,
        candidates=list(candidates),
        duplicates=[],
        projections=list(projections),
        answer=None,
        control=None,
    )


# --- storing -----------------------------------------------------------------------------------


def store_sentences(
    project: Project, page: Iterable[SentenceRecord], systems: Mapping[str, System]
) -> list[Sentence]:
    """Store the sentences with all that belongs to them; the caller opens a transaction.

    They are copies of sentences that are stored already, or of none. The heads of their sheets are
    among them or stored already.
    """
    page = list(page)
    numbers = {record.copy_of for record in page if record.copy_of is not None}
    rows = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
    originals = dict(rows.values_list("number", "pk"))
    sentences = Sentence.objects.bulk_create(
        Sentence(
            **_values(record, OF_SENTENCES),
            project=project,
            copy_of_id=None if record.copy_of is None else originals[record.copy_of],
        )
        for record in page
    )
    stored = list(zip(sentences, page, strict=True))
    _store_heads(project, stored)
    ChosenSystem.objects.bulk_create(
        ChosenSystem(sheet=sentence, system=systems[name], place=place, probability=probability)
        for sentence, record in stored
        for place, (name, probability) in enumerate(record.chosen_systems, start=1)
    )
    Translation.objects.bulk_create(
        Translation(
            **_values(translation, OF_TRANSLATIONS),
            sentence=sentence,
            system=None if translation.system is None else systems[translation.system],
        )
        for sentence, record in stored
        for translation in record.translations
    )
    segments = [
        (
            Segment(
                **_values(segment, OF_SEGMENTS),
                sentence=sentence,
                token_indices=" ".join(map(str, segment.indices)),
            ),
            segment,
        )
        for sentence, record in stored
        for segment in record.segments
    ]
    Segment.objects.bulk_create(row for row, _segment in segments)
    candidates = [
        [
            Candidate(
                segment=row,
                text=text,
                is_duplicate=position in segment.duplicates,
                excluded=position in segment.excluded_candidates,
            )
            for position, text in enumerate(segment.candidates)
        ]
        for row, segment in segments
    ]
    Candidate.objects.bulk_create(row for of_segment in candidates for row in of_segment)
    _store_uses(
        project, [(*both, rows) for both, rows in zip(segments, candidates, strict=True)], systems
    )
    return sentences


def _store_heads(project: Project, stored: Sequence[tuple[Sentence, SentenceRecord]]) -> None:
    """Store on whose sheets further rows stand. No query without any."""
    of_purposes: dict[str, list[tuple[Sentence, int]]] = {}
    for sentence, record in stored:
        if record.sheet is not None:
            of_purposes.setdefault(record.purpose, []).append((sentence, record.sheet))
    for purpose, further in of_purposes.items():
        rows = project.sentences.filter(
            purpose=purpose, number__in={head for _row, head in further}
        )
        heads = dict(rows.values_list("number", "pk"))
        for sentence, head in further:
            sentence.sheet_id = heads[head]
        Sentence.objects.bulk_update([row for row, _head in further], ["sheet"])


def _store_uses(
    project: Project,
    segments: list[tuple[Segment, SegmentPart, list[Candidate]]],
    systems: Mapping[str, System],
) -> None:
    """Store the projections, gold answers and controls, which refer to candidates."""
    Projection.objects.bulk_create(
        Projection(
            segment=row,
            system=systems[system],
            candidate=candidates[position] if position is not None else None,
        )
        for row, segment, candidates in segments
        for system, position in segment.projections
    )
    if any(segment.given_errors for _row, segment, _candidates in segments):
        origins = dict(project.given_origins.values_list("name", "pk"))
        GivenErrors.objects.bulk_create(
            GivenErrors(origin_id=origins[origin], candidate=candidates[place], detail=detail)
            for _row, segment, candidates in segments
            for origin, details in segment.given_errors.items()
            for place, detail in details.items()
        )
    answers = [
        (Answer(segment=row, explanation=segment.answer.explanation), segment.answer, candidates)
        for row, segment, candidates in segments
        if segment.answer
    ]
    Answer.objects.bulk_create(row for row, _answer, _candidates in answers)
    answer_of_kind = kind_of(project).answer
    ExpectedPlacement.objects.bulk_create(
        ExpectedPlacement(
            answer=row,
            candidate=candidate,
            rank=None if rank == GARBAGE else rank,
            ranks_offered=answer_of_kind.ranks(len(candidates)),
            detail=answer.details.get(place, ""),
            last_rank=answer.last_ranks.get(place),
            reasons=answer.reasons.get(place, []),
        )
        for row, answer, candidates in answers
        for place, (candidate, rank) in enumerate(zip(candidates, answer.ranks, strict=True))
    )
    Control.objects.bulk_create(
        Control(
            segment=row,
            kind=segment.control.kind,
            original=candidates[segment.control.original],
            changed=candidates[segment.control.changed],
            message=segment.control.message,
        )
        for row, segment, candidates in segments
        if segment.control
    )


# --- deleting ----------------------------------------------------------------------------------


def delete_sentences(page: Collection[int]) -> None:
    """Delete the sentences (ids) with their texts. None has copies or assignments."""
    for rows in (
        Control.objects.filter(segment__sentence__in=page),
        ExpectedPlacement.objects.filter(answer__segment__sentence__in=page),
        Answer.objects.filter(segment__sentence__in=page),
        Projection.objects.filter(segment__sentence__in=page),
        ChosenSystem.objects.filter(sheet__in=page),
        GivenErrors.objects.filter(candidate__segment__sentence__in=page),
        Candidate.objects.filter(segment__sentence__in=page),
        Segment.objects.filter(sentence__in=page),
        Translation.objects.filter(sentence__in=page),
        Sentence.objects.filter(pk__in=page),
    ):
        rows.delete()


def referring_first(sentences: QuerySet[Sentence]) -> Iterator[QuerySet[Sentence]]:
    """Yield all sentences, those that refer to others before these.

    Copies refer to their originals, and further rows of a sheet to its head.
    """
    for copied in (False, True):
        for is_head in (False, True):
            yield sentences.filter(copy_of__isnull=copied, sheet__isnull=is_head).order_by("pk")


def delete_texts(project: Project, *, size: int, writing: Writing) -> None:
    """Delete what an earlier try has stored, `size` sentences at a time, and what they name.

    These are systems, and origins of errors that were marked before.
    """
    for rows in referring_first(Sentence.objects.filter(project=project)):
        while page := list(rows.values_list("pk", flat=True)[:size]):
            with writing():
                delete_sentences(page)
            let_others_write()
    with writing():
        System.objects.filter(project=project).delete()
        GivenOrigin.objects.filter(project=project).delete()
