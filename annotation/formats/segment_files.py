"""The thesis' six-column file of segments, and the file of the systems that produced them."""

import errno
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.names import Spellings, find_text
from annotation.formats.sentence_limits import (
    check_candidates,
    check_segments,
    check_sentence,
)
from annotation.formats.tab_separated import (
    check_inside,
    join_columns,
    parse_indices,
    parse_sentence_id,
    read_columns,
)
from annotation.formats.tokens import Tokenize, TokenizedText, split_at_spaces

SEGMENT_COLUMNS = ("sentence id", "source", "reference", "segment", "candidate", "token indices")
SYSTEM_COLUMNS = ("sentence id", "segment", "system", "candidate", "token indices")
MOST_SYSTEMS = 1000
_TABLES = ("of_segments", "of_systems")

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
    """The rows of one sentence; `line` is the first of them, `document` is from another file.

    `readings` are the tokens of the source that fit all rows: those between single spaces, as in
    files of the thesis, before those of our tokeniser, as in files that SegRanks exports.
    """

    line: int
    source: str
    reference: str
    readings: list[TokenizedText]
    segments: dict[Indices, SegmentRows] = field(default_factory=dict)
    document: str = ""

    @property
    def tokens(self) -> TokenizedText:
        return self.readings[0]


@dataclass(slots=True)
class SegmentFiles:
    """The sentences by id, and how many rows each of the two files has."""

    sentences: dict[int, SentenceRows] = field(default_factory=dict)
    segment_rows: int = 0
    system_rows: int = 0


def read_segment_files(
    segments: Path,
    systems: Path | None = None,
    on_error: OnError = raise_error,
    tokenize: Tokenize | None = None,
) -> SegmentFiles:
    """Return the whole content of the six-column file and of the file of systems, if any.

    Without `tokenize`, the tokens of sources stay unknown, and the words of segments are taken as
    they stand. Otherwise as `staged_segments`, which needs little memory.
    """
    with staged_segments(segments, systems, on_error, tokenize=tokenize) as staged:
        return SegmentFiles(
            dict(staged.sentences(on_error)), staged.segment_rows, staged.system_rows
        )


@contextmanager
def staged_segments(
    segments: Path,
    systems: Path | None = None,
    on_error: OnError = raise_error,
    folder: Path | None = None,
    *,
    tokenize: Tokenize | None,
) -> Iterator["StagedSegments"]:
    """Sort the rows of both files, which may stand in any order, into a temporary database.

    The tokens of a source are what is between single spaces, or else what `tokenize` cuts. The
    database is in `folder`, by default that of temporary files, and about as large as the files;
    memory does not grow with them. Calls `on_error`, with file and line, for a row that has not the
    right columns or no sentence id, and leaves it out. Raises OSError where the disk is full.
    """
    with (
        TemporaryDirectory(dir=folder, prefix="segments-", ignore_cleanup_errors=True) as scratch,
        closing(sqlite3.connect(Path(scratch) / "rows")) as database,
        _full_disk_as_oserror(),
    ):
        # What a crash leaves is of no use, so nothing is written twice.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -16000"):
            database.execute(f"PRAGMA {pragma}")
        staged = StagedSegments(database, segments, systems, tokenize)
        staged.segment_rows = staged.add("of_segments", segments, SEGMENT_COLUMNS, on_error)
        if systems:
            staged.system_rows = staged.add("of_systems", systems, SYSTEM_COLUMNS, on_error)
        yield staged


@contextmanager
def _full_disk_as_oserror() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, str(problem)) from problem
        raise


class StagedSegments:
    """The sorted rows of both files, and how many rows each has."""

    segment_rows = system_rows = 0

    def __init__(
        self,
        database: sqlite3.Connection,
        segments: Path,
        systems: Path | None,
        tokenize: Tokenize | None,
    ) -> None:
        self._database = database
        self._tokenize = tokenize
        self._segments, self._systems = segments, systems
        for table in _TABLES:
            database.execute(
                f"CREATE TABLE {table} (sentence INT, line INT, cells TEXT,"
                " PRIMARY KEY (sentence, line)) WITHOUT ROWID"
            )

    def add(self, table: str, path: Path, columns: Sequence[str], on_error: OnError) -> int:
        """Add the rows of a file; return how many it has."""
        last = 0

        def rows() -> Iterator[tuple[int, int, str]]:
            nonlocal last
            for last, (sentence, *cells) in read_columns(path, columns, on_error):
                try:
                    number = parse_sentence_id(sentence, f"{path}, line {last}")
                except InputError as problem:
                    on_error(problem)
                else:
                    yield number, last, "\t".join(cells)

        self._database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows())  # noqa: S608
        return last

    def count(self) -> int:
        """Return how many sentences have rows of segments."""
        found = self._database.execute("SELECT COUNT(DISTINCT sentence) FROM of_segments")
        return int(found.fetchone()[0])

    def sentences(
        self, on_error: OnError = raise_error, only: Collection[int] = ()
    ) -> Iterator[tuple[int, SentenceRows]]:
        """Yield the sentences by number, one at a time; with `only`, those of these numbers.

        A row that stands twice counts once. Calls `on_error`, with file and line, for a row that
        contradicts others or is malformed, and leaves it out; of a sentence that is too large, it
        leaves out the rest.
        """
        of_systems = self._by_sentence("of_systems", only)
        names: set[str] = set()
        spellings = Spellings()
        waiting = next(of_systems, None)
        for number, rows in self._by_sentence("of_segments", only):
            sentence = self._sentence(number, rows, on_error)
            while waiting and waiting[0] <= number:
                # Those of a lower number have no sentence.
                of_sentence = sentence if waiting[0] == number else None
                self._add_systems(of_sentence, waiting, names, spellings, on_error)
                waiting = next(of_systems, None)
            if sentence:
                yield number, sentence
        while waiting:
            self._add_systems(None, waiting, names, spellings, on_error)
            waiting = next(of_systems, None)

    def _by_sentence(
        self, table: str, only: Collection[int]
    ) -> Iterator[tuple[int, Iterator[tuple[int, list[str]]]]]:
        """Yield the number of each sentence with its rows, (line, cells)."""
        numbers = f"WHERE sentence IN ({', '.join(map(str, only))})" if only else ""
        found = self._database.execute(
            f"SELECT sentence, line, cells FROM {table} {numbers} ORDER BY sentence, line"  # noqa: S608
        )
        for number, rows in groupby(found, key=itemgetter(0)):
            yield number, ((line, cells.split("\t")) for _number, line, cells in rows)

    def _sentence(
        self, number: int, rows: Iterator[tuple[int, list[str]]], on_error: OnError
    ) -> SentenceRows | None:
        """Return the sentence; None if no row of it can be used."""
        sentence = None
        candidates = 0
        for line, cells in rows:
            where = f"{self._segments}, line {line}"
            try:
                if sentence is None:
                    sentence = _new_sentence(number, line, cells, self._tokenize, where)
                segment = _segment_of_row(number, sentence, cells, where)
            except InputError as problem:
                on_error(problem)
                continue
            candidates += cells[3] not in segment.candidates
            segment.candidates.setdefault(cells[3], line)
            try:
                check_segments(len(sentence.segments), number, where)
                check_candidates(candidates, number, where)
            except InputError as problem:
                on_error(problem)
                break
        return sentence

    def _add_systems(
        self,
        sentence: SentenceRows | None,
        rows: tuple[int, Iterator[tuple[int, list[str]]]],
        names: set[str],
        spellings: Spellings,
        on_error: OnError,
    ) -> None:
        for line, cells in rows[1]:
            where = f"{self._systems}, line {line}"
            try:
                name = _add_system_row(rows[0], sentence, cells, line, where, spellings)
                names.add(name)
                if len(names) > MOST_SYSTEMS:
                    raise InputError(
                        _("there are more than %(most)d systems."), where, most=MOST_SYSTEMS
                    )
            except InputError as problem:
                on_error(problem)
                if len(names) > MOST_SYSTEMS:
                    names.remove(name)
                    return


def _new_sentence(
    number: int, line: int, cells: list[str], tokenize: Tokenize | None, where: str
) -> SentenceRows:
    """Return the sentence of its first row, without segments. Raise InputError."""
    source, reference, *_more = cells
    if not source.strip():
        raise InputError(_("the source of sentence %(sentence)d is empty."), where, sentence=number)
    for text in (source, reference):
        check_sentence(text, split_at_spaces, where)
    readings = [split_at_spaces(source), tokenize(source)] if tokenize else []
    return SentenceRows(line, source, reference, readings)


def _segment_of_row(
    number: int, sentence: SentenceRows, cells: list[str], where: str
) -> SegmentRows:
    """Return the segment of a row of the six-column file, which may be new. Raise InputError."""
    source, reference, words, candidate, indices_text = cells
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
    if segment and find_text(words, [segment.words]) is None:
        raise _other_words(words, segment.words, where)
    if segment is None and sentence.readings:
        fitting = [
            tokens
            for tokens in sentence.readings
            if indices[-1] < len(tokens) and tokens.are_words(words, indices)
        ]
        if not fitting:
            check_inside(sentence.tokens, indices, where)
            raise _other_words(words, sentence.tokens.slice(indices), where)
        sentence.readings = fitting
    if not candidate.strip():
        raise InputError(_("the candidate is empty: leave out the row."), where)
    check_sentence(candidate, split_at_spaces, where)
    return sentence.segments.setdefault(indices, segment or SegmentRows(words))


def _other_words(words: str, found: str, where: str) -> InputError:
    return InputError(
        _("the segment %(words)r is not what its token indices select: %(found)r."),
        where,
        words=words,
        found=found,
    )


def _add_system_row(
    number: int,
    sentence: SentenceRows | None,
    cells: list[str],
    line: int,
    where: str,
    spellings: Spellings,
) -> str:
    """Add a row of the file of systems, and return its system.

    Raise InputError, after which the row is not there.
    """
    words, system, candidate, indices_text = cells
    indices = parse_indices(indices_text, where)
    segment = sentence.segments.get(indices) if sentence else None
    if segment is None or find_text(words, [segment.words]) is None:
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
    system = spellings.system(system, where)
    meant = find_text(candidate, segment.candidates)
    if meant is None:
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
    known, known_line = segment.systems.setdefault(system, (meant, line))
    if known != meant:
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
    return system


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
