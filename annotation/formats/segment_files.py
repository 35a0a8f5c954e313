"""The thesis' six-column file of segments, and the file of the systems that produced them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.tab_separated import (
    join_columns,
    parse_indices,
    parse_sentence_id,
    read_columns,
    segment_words,
)

SEGMENT_COLUMNS = ("sentence id", "source", "reference", "segment", "candidate", "token indices")
SYSTEM_COLUMNS = ("sentence id", "segment", "system", "candidate", "token indices")
LONGEST_SYSTEM_NAME = 200
# In bytes of UTF-8: PostgreSQL indexes no longer text, and the index keeps candidates unique.
LONGEST_CANDIDATE = 2600

Indices = tuple[int, ...]


@dataclass(slots=True)
class SegmentRows:
    """The rows of one segment, in the order of the files.

    `candidates` maps each text to the line that first had it, `systems` each system to its
    candidate and the line.
    """

    words: str
    candidates: dict[str, int] = field(default_factory=dict)
    systems: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class SentenceRows:
    """The rows of one sentence; `line` is the first of them."""

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


def read_segment_files(
    segments: Path, systems: Path | None = None, on_error: OnError = raise_error
) -> SegmentFiles:
    """Return the content of the six-column file and of the file of systems, if any.

    Rows may stand in any order; a row that stands twice counts once. Holds the texts in memory,
    each sentence once. Calls `on_error`, with file and line, for a row that contradicts others or
    is malformed, and leaves it out.
    """
    files = SegmentFiles()
    for line, columns in read_columns(segments, SEGMENT_COLUMNS, on_error):
        try:
            _add_segment_row(files, segments, line, columns)
        except InputError as problem:
            on_error(problem)
        files.segment_rows = line
    if systems:
        for line, columns in read_columns(systems, SYSTEM_COLUMNS, on_error):
            try:
                _add_system_row(files, systems, line, columns)
            except InputError as problem:
                on_error(problem)
            files.system_rows = line
    return files


def _add_segment_row(files: SegmentFiles, path: Path, line: int, columns: list[str]) -> None:
    """Add a row of the six-column file. Raise InputError, after which the row is not there."""
    sentence_id, source, reference, words, candidate, indices_text = columns
    where = f"{path}, line {line}"
    number = parse_sentence_id(sentence_id, where)
    sentence = files.sentences.get(number)
    if sentence is None:
        if not source.strip():
            raise InputError(
                _("the source of sentence %(sentence)d is empty."), where, sentence=number
            )
        sentence = SentenceRows(line, source, reference, source.split(" "))
        files.sentences[number] = sentence
    if source != sentence.source:
        raise InputError(
            _(
                "the source of sentence %(sentence)d differs from that in line %(first)d: all "
                "rows of a sentence need the same."
            ),
            where,
            sentence=number,
            first=sentence.line,
        )
    if reference != sentence.reference:
        raise InputError(
            _(
                "the reference of sentence %(sentence)d differs from that in line %(first)d: all "
                "rows of a sentence need the same."
            ),
            where,
            sentence=number,
            first=sentence.line,
        )
    indices = parse_indices(indices_text, where)
    segment = sentence.segments.get(indices)
    if segment is None:
        segment = SegmentRows(segment_words(sentence.tokens, indices, where))
        sentence.segments[indices] = segment
    if words != segment.words:
        raise InputError(
            _("the segment %(words)r is not what its token indices select: %(found)r."),
            where,
            words=words,
            found=segment.words,
        )
    _check_candidate(candidate, where)
    segment.candidates.setdefault(candidate, line)


def _check_candidate(candidate: str, where: str) -> None:
    if not candidate.strip():
        raise InputError(_("the candidate is empty: leave out the row."), where)
    if len(candidate.encode()) > LONGEST_CANDIDATE:
        raise InputError(
            _("the candidate has more than %(most)d bytes; give candidates of segments."),
            where,
            most=LONGEST_CANDIDATE,
        )


def _add_system_row(files: SegmentFiles, path: Path, line: int, columns: list[str]) -> None:
    """Add a row of the file of systems. Raise InputError, after which the row is not there."""
    sentence_id, words, system, candidate, indices_text = columns
    where = f"{path}, line {line}"
    number = parse_sentence_id(sentence_id, where)
    sentence = files.sentences.get(number)
    indices = parse_indices(indices_text, where)
    segment = sentence.segments.get(indices) if sentence else None
    if segment is None or words != segment.words:
        raise InputError(
            _(
                "sentence %(sentence)d has no segment %(words)r at the token indices %(indices)r "
                "in the file of segments."
            ),
            where,
            sentence=number,
            words=words,
            indices=indices_text,
        )
    check_system_name(system, where)
    if candidate not in segment.candidates:
        raise InputError(
            _(
                "the segment %(words)r of sentence %(sentence)d has no candidate %(candidate)r in "
                "the file of segments."
            ),
            where,
            words=words,
            sentence=number,
            candidate=candidate,
        )
    known, known_line = segment.systems.setdefault(system, (candidate, line))
    if known != candidate:
        raise InputError(
            _(
                "%(system)r has a second candidate for the segment %(words)r of sentence "
                "%(sentence)d; the first is in line %(first)d."
            ),
            where,
            system=system,
            words=words,
            sentence=number,
            first=known_line,
        )


def check_system_name(name: str, where: str) -> None:
    """Raise InputError for a name that no system can have."""
    if not name.strip() or len(name) > LONGEST_SYSTEM_NAME or not name.isprintable():
        raise InputError(
            _("the system name %(name)r cannot be used: give 1 to %(most)d printable characters."),
            where,
            name=name[:60],
            most=LONGEST_SYSTEM_NAME,
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
    """Return one line of the file of systems."""
    return join_columns((str(number), words, system, candidate, indices))


def source_segment_line(number: int, words: str, indices: str) -> str:
    """Return one line of the file of extracted segments: sentence, segment, indices."""
    return join_columns((str(number), words, indices))
