"""The thesis' six-column file of segments, and the file of the systems that made the candidates."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.tab_separated import (
    join_columns,
    parse_indices,
    parse_sentence_id,
    read_columns,
    segment_words,
)
from annotation.preparation.projection import LONGEST_CANDIDATE

SEGMENT_COLUMNS = ("sentence id", "source", "reference", "segment", "candidate", "token indices")
SYSTEM_COLUMNS = ("sentence id", "segment", "system", "candidate", "token indices")
LONGEST_SYSTEM_NAME = 200

Indices = tuple[int, ...]


@dataclass(slots=True)
class SegmentRows:
    """What the files say of one segment, in their order.

    `candidates` maps each text to the line that first had it, `systems` each system to its
    candidate and the line.
    """

    words: str
    candidates: dict[str, int] = field(default_factory=dict)
    systems: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class SentenceRows:
    """What the files say of one sentence; `line` is the first that has it."""

    line: int
    source: str
    reference: str
    tokens: list[str]
    segments: dict[Indices, SegmentRows] = field(default_factory=dict)


@dataclass(slots=True)
class SegmentFiles:
    """The sentences by id, and how many rows each of the two files has."""

    sentences: dict[int, SentenceRows] = field(default_factory=dict)
    segment_rows: int = 0
    system_rows: int = 0


def read_segment_files(segments: Path, systems: Path | None = None) -> SegmentFiles:
    """Return what the six-column file, and the file of systems if any, say.

    Rows may stand in any order; a row that stands twice counts once. Holds the texts in memory,
    each sentence once. Raises InputError, with file and line, for anything doubtful.
    """
    files = SegmentFiles()
    for line, columns in read_columns(segments, SEGMENT_COLUMNS):
        add_segment_row(files, segments, line, columns)
        files.segment_rows = line
    if systems:
        for line, columns in read_columns(systems, SYSTEM_COLUMNS):
            add_system_row(files, systems, line, columns)
            files.system_rows = line
    return files


def add_segment_row(files: SegmentFiles, path: Path, line: int, columns: list[str]) -> None:
    """Add a row of the six-column file. Raise InputError, after which the row is not there."""
    sentence_id, source, reference, words, candidate, indices_text = columns
    where = f"{path}, line {line}"
    number = parse_sentence_id(sentence_id, where)
    sentence = files.sentences.get(number)
    if sentence is None:
        if not source.strip():
            raise InputError(f"{where}: the source of sentence {number} is empty.")
        sentence = SentenceRows(line, source, reference, source.split(" "))
        files.sentences[number] = sentence
    _check_same(where, number, "source", source, sentence.source, sentence.line)
    _check_same(where, number, "reference", reference, sentence.reference, sentence.line)
    indices = parse_indices(indices_text, where)
    segment = sentence.segments.get(indices)
    if segment is None:
        segment = SegmentRows(segment_words(sentence.tokens, indices, where))
        sentence.segments[indices] = segment
    if words != segment.words:
        raise InputError(
            f"{where}: the segment {words!r} is not what stands at its token indices: "
            f"{segment.words!r}."
        )
    _check_candidate(candidate, where)
    segment.candidates.setdefault(candidate, line)


def _check_same(
    where: str, number: int, column: str, text: str, first: str, first_line: int
) -> None:
    if text != first:
        raise InputError(
            f"{where}: the {column} of sentence {number} is not the one of line {first_line}: all "
            "rows of a sentence need the same."
        )


def _check_candidate(candidate: str, where: str) -> None:
    if not candidate.strip():
        raise InputError(f"{where}: the candidate is empty: leave out the row.")
    if len(candidate.encode()) > LONGEST_CANDIDATE:
        raise InputError(
            f"{where}: the candidate has more than {LONGEST_CANDIDATE} bytes; is it a segment's?"
        )


def add_system_row(files: SegmentFiles, path: Path, line: int, columns: list[str]) -> None:
    """Add a row of the file of systems. Raise InputError, after which the row is not there."""
    sentence_id, words, system, candidate, indices_text = columns
    where = f"{path}, line {line}"
    number = parse_sentence_id(sentence_id, where)
    sentence = files.sentences.get(number)
    indices = parse_indices(indices_text, where)
    segment = sentence.segments.get(indices) if sentence else None
    if segment is None or words != segment.words:
        raise InputError(
            f"{where}: sentence {number} has no segment {words!r} at the token indices "
            f"{indices_text!r} in the file of segments."
        )
    check_system_name(system, where)
    if candidate not in segment.candidates:
        raise InputError(
            f"{where}: the segment {words!r} of sentence {number} has no candidate {candidate!r} "
            "in the file of segments."
        )
    known, known_line = segment.systems.setdefault(system, (candidate, line))
    if known != candidate:
        raise InputError(
            f"{where}: {system!r} has a second candidate for the segment {words!r} of sentence "
            f"{number}; the first is in line {known_line}."
        )


def check_system_name(name: str, where: str) -> None:
    """Raise InputError where a system cannot be called so."""
    if not name.strip() or len(name) > LONGEST_SYSTEM_NAME or not name.isprintable():
        raise InputError(
            f"{where}: the system name {name[:60]!r} cannot be used: give 1 to "
            f"{LONGEST_SYSTEM_NAME} printable characters."
        )


def segment_lines(
    number: int,
    source: str,
    reference: str,
    segments: Iterator[tuple[str, str, list[str]]],
) -> Iterator[str]:
    """Yield a sentence's lines of the six-column file, from (words, indices, candidates)."""
    for words, indices, candidates in segments:
        for candidate in candidates:
            yield join_columns((str(number), source, reference, words, candidate, indices))


def system_line(number: int, words: str, system: str, candidate: str, indices: str) -> str:
    """Return one line of the file that says which system made which candidate."""
    return join_columns((str(number), words, system, candidate, indices))


def source_segment_line(number: int, words: str, indices: str) -> str:
    """Return one line of the file of extracted segments: sentence, segment, indices."""
    return join_columns((str(number), words, indices))
