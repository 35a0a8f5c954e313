"""Sentences of an archive, with all that was cut from them."""

from annotation.formats.archive_records import SegmentRecord, SentenceRecord
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import GARBAGE
from annotation.formats.tokens import split_tokens
from annotation.import_export.imports.archive_answers import check_known
from annotation.models import (
    Answer,
    Candidate,
    Control,
    ExpectedPlacement,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)

Systems = dict[str, System]


def restore_sentences(
    project: Project, page: list[tuple[str, SentenceRecord]], systems: Systems
) -> None:
    """Store the sentences of a page, which has copies of earlier pages only.

    Raises InputError for what refers to nothing or is at odds with itself.
    """
    originals = _originals(project, page)
    for where, record in page:
        _check(where, record, systems)
        check_known(where, record)
        if record.copy_of is not None and record.copy_of not in originals:
            raise InputError(
                f"{where}: there is no sentence {record.copy_of} before it that it is a copy of."
            )
    sentences = Sentence.objects.bulk_create(
        Sentence(
            project=project,
            purpose=record.purpose,
            number=record.number,
            copy_of_id=None if record.copy_of is None else originals[record.copy_of],
            retired=record.retired,
            round=record.round,
            text=record.text,
            tokens=record.tokens,
            tree=record.tree,
        )
        for _where, record in page
    )
    of_page = [
        (sentence, record) for sentence, (_where, record) in zip(sentences, page, strict=True)
    ]
    Translation.objects.bulk_create(
        Translation(
            sentence=sentence,
            system=systems[translation.system] if translation.system is not None else None,
            text=translation.text,
            tokens=translation.tokens,
            alignment=translation.alignment,
        )
        for sentence, record in of_page
        for translation in record.translations
    )
    _restore_segments(of_page, systems)


def _restore_segments(of_page: list[tuple[Sentence, SentenceRecord]], systems: Systems) -> None:
    segments = [
        (
            Segment(
                sentence=sentence,
                token_indices=" ".join(map(str, segment.indices)),
                round=segment.round,
            ),
            segment,
        )
        for sentence, record in of_page
        for segment in record.segments
    ]
    Segment.objects.bulk_create(row for row, _segment in segments)
    candidates = [
        [
            Candidate(segment=row, text=text, twin=position in segment.twins)
            for position, text in enumerate(segment.candidates)
        ]
        for row, segment in segments
    ]
    Candidate.objects.bulk_create(row for of_segment in candidates for row in of_segment)
    Projection.objects.bulk_create(
        Projection(
            segment=row,
            system=systems[system],
            candidate=of_segment[position] if position is not None else None,
        )
        for (row, segment), of_segment in zip(segments, candidates, strict=True)
        for system, position in segment.projections
    )
    _restore_answers(segments, candidates)
    Control.objects.bulk_create(
        Control(
            segment=row,
            kind=segment.control.kind,
            original=of_segment[segment.control.original],
            changed=of_segment[segment.control.changed],
        )
        for (row, segment), of_segment in zip(segments, candidates, strict=True)
        if segment.control
    )


def _restore_answers(
    segments: list[tuple[Segment, SegmentRecord]], candidates: list[list[Candidate]]
) -> None:
    answers = [
        (Answer(segment=row, explanation=segment.answer.explanation), segment.answer, of_segment)
        for (row, segment), of_segment in zip(segments, candidates, strict=True)
        if segment.answer
    ]
    Answer.objects.bulk_create(row for row, _answer, _candidates in answers)
    ExpectedPlacement.objects.bulk_create(
        ExpectedPlacement(
            answer=row,
            candidate=candidate,
            rank=None if rank == GARBAGE else rank,
            ranks_offered=len(of_segment),
        )
        for row, answer, of_segment in answers
        for candidate, rank in zip(of_segment, answer.ranks, strict=True)
    )


def _originals(project: Project, page: list[tuple[str, SentenceRecord]]) -> dict[int, int]:
    """Return the ids of what the sentences of the page are copies of, by number."""
    numbers = {record.copy_of for _where, record in page if record.copy_of is not None}
    rows = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
    return dict(rows.values_list("number", "pk"))


def _check(where: str, record: SentenceRecord, systems: Systems) -> None:
    tokens = len(split_tokens(record.tokens))
    for translation in record.translations:
        if translation.system is not None:
            _check_system(where, translation.system, systems)
    for segment in record.segments:
        if segment.round > record.round:
            raise InputError(f"{where}: a segment is in a later round than its sentence.")
        if segment.indices[-1] >= tokens:
            raise InputError(
                f"{where}: the token index {segment.indices[-1]} is beyond the sentence of "
                f"{tokens} tokens."
            )
        _check_projections(where, segment, systems)


def _check_projections(where: str, segment: SegmentRecord, systems: Systems) -> None:
    for system, position in segment.projections:
        _check_system(where, system, systems)
        if position is not None and position >= len(segment.candidates):
            raise InputError(f"{where}: {system!r} has a candidate that is not there.")


def _check_system(where: str, system: str, systems: Systems) -> None:
    if system not in systems:
        raise InputError(f"{where}: there is no system {system!r} in the archive.")
