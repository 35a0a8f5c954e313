"""Judgements from the thesis' JSON, which says neither who made them nor when."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.thesis import ThesisEntry, read_thesis_json
from annotation.import_export.imports.accounts import ImportedAccounts
from annotation.import_export.imports.bulk_insert import (
    Resolved,
    SubmittedSentence,
    store_judgements,
    store_submissions,
)
from annotation.import_export.imports.segment_matching import (
    Placements,
    find_by_candidates,
    unknown_sentence,
)
from annotation.import_export.sentence_pages import LoadedSentence, load_sentences
from annotation.models import Project

PAGE = 200


@dataclass(frozen=True, slots=True)
class Found:
    """A judgement and its position, from 0, among those of its segment."""

    sentence: tuple[int, int]
    position: int
    segment_id: int
    placements: Placements


def import_thesis(
    project: Project, path: Path, accounts: ImportedAccounts, now: datetime
) -> tuple[int, set[int]]:
    """Store the judgements; return how many, and the ids of their annotators. Raise InputError.

    Those at the same position of a sentence's segments are one assignment, by the account that
    stands for whoever judged at this position. They are created at the time of the import.
    """
    found = list(_find(project, read_thesis_json(path)))
    assignments = sorted({(judgement.sentence, judgement.position) for judgement in found})
    annotators = {
        position: accounts.unidentified(position)
        for position in sorted({position for _sentence, position in assignments})
    }
    ids = store_submissions(
        project,
        (
            SubmittedSentence(sentence_id, annotators[position], now)
            for (_number, sentence_id), position in assignments
        ),
    )
    id_of = dict(zip(assignments, ids, strict=True))
    judgements = (
        Resolved(
            submission_id=id_of[judgement.sentence, judgement.position],
            segment_id=judgement.segment_id,
            created=now,
            seconds=None,
            placements=judgement.placements,
        )
        for judgement in found
    )
    while page := list(islice(judgements, PAGE)):
        store_judgements(page)
    return len(found), {user.pk for user in annotators.values()}


def _find(project: Project, entries: Iterable[ThesisEntry]) -> Iterator[Found]:
    counted: Counter[int] = Counter()
    remaining = iter(entries)
    while page := list(islice(remaining, PAGE)):
        sentences = load_sentences(project, {entry.sentence for entry in page})
        for entry in page:
            yield from _find_entry(entry, sentences.get(entry.sentence), counted)


def _find_entry(
    entry: ThesisEntry, sentence: LoadedSentence | None, counted: Counter[int]
) -> Iterator[Found]:
    if sentence is None:
        raise unknown_sentence(entry.sentence, entry.where)
    segments = [segment for segment in sentence.segments if segment.words == entry.segment]
    if not segments:
        raise InputError(
            f"{entry.where}: sentence {sentence.number} has no segment {entry.segment!r}."
        )
    for ranks in entry.judgements:
        segment, placements = find_by_candidates(segments, ranks, entry.where)
        yield Found((sentence.number, sentence.id), counted[segment.id], segment.id, placements)
        counted[segment.id] += 1
