"""Sentences of an archive, with all that was cut from them."""

from annotation.formats.archive_records import SegmentRecord, SentenceRecord
from annotation.formats.errors import InputError
from annotation.models import (
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.models.texts import split_tokens

Systems = dict[str, System]


def restore_sentences(
    project: Project, page: list[tuple[str, SentenceRecord]], systems: Systems
) -> None:
    """Store the sentences of a page. Raise InputError for what refers to nothing."""
    for where, record in page:
        _check(where, record, systems)
    sentences = Sentence.objects.bulk_create(
        Sentence(
            project=project,
            number=record.number,
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
        (Segment(sentence=sentence, token_indices=" ".join(map(str, segment.indices))), segment)
        for sentence, record in of_page
        for segment in record.segments
    ]
    Segment.objects.bulk_create(row for row, _segment in segments)
    candidates = [
        [Candidate(segment=row, text=text) for text in segment.candidates]
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


def _check(where: str, record: SentenceRecord, systems: Systems) -> None:
    tokens = len(split_tokens(record.tokens))
    for translation in record.translations:
        if translation.system is not None:
            _check_system(where, translation.system, systems)
    for segment in record.segments:
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
