"""The file of extracted segments: sentence, segment, token indices, separated by tabs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.sentence_limits import check_segments
from annotation.formats.tab_separated import (
    check_inside,
    parse_indices,
    parse_sentence_id,
    read_columns,
)
from annotation.formats.tokens import TokenizedText

COLUMNS = ("sentence id", "segment", "token indices")


@dataclass(frozen=True, slots=True)
class SourceSegment:
    """One row: the words of a segment and their 0-based positions, from a line of the file."""

    line: int
    words: str
    indices: tuple[int, ...]


def read_source_segments(
    path: Path, on_error: OnError = raise_error
) -> dict[int, list[SourceSegment]]:
    """Return the segments by the number of their sentence.

    Rows may stand in any order; a row that stands twice counts once. Calls `on_error`, with file
    and line, for a row that is malformed or contradicts another, and leaves it out.
    """
    found: dict[int, dict[tuple[int, ...], SourceSegment]] = {}
    for line, (sentence_id, words, indices_text) in read_columns(path, COLUMNS, on_error):
        where = f"{path}, line {line}"
        try:
            number = parse_sentence_id(sentence_id, where)
            row = SourceSegment(line, words, parse_indices(indices_text, where))
            of_sentence = found.setdefault(number, {})
            if row.indices not in of_sentence:
                check_segments(len(of_sentence) + 1, number, where)
            first = of_sentence.setdefault(row.indices, row)
            if first.words != words:
                raise InputError(
                    _("the segment %(words)r has the token indices of %(other)r, line %(first)d."),
                    where,
                    words=words,
                    other=first.words,
                    first=first.line,
                )
        except InputError as problem:
            on_error(problem)
    return {number: list(rows.values()) for number, rows in found.items()}


def pair_with_lines(path: Path, lines: Iterator[str], source: Path) -> Iterator[str]:
    """Yield for each line of the source the text of its segments (see `to_text`).

    Raises InputError, with file and line, for a segment of a sentence beyond the source.
    """
    segments = read_source_segments(path)
    number = 0
    for number, _line in enumerate(lines, start=1):
        yield to_text(segments.pop(number, []))
    for beyond, rows in segments.items():
        raise beyond_source(beyond, rows, path, source, number)


def beyond_source(
    number: int, rows: Sequence[SourceSegment], path: Path, source: Path, last: int
) -> InputError:
    """Return the error for segments of a sentence beyond the last line of the source."""
    return InputError(
        _("there is no sentence %(sentence)d: %(source)s ends with line %(last)d."),
        f"{path}, line {min(row.line for row in rows)}",
        sentence=number,
        source=str(source),
        last=last,
    )


def to_text(rows: Sequence[SourceSegment]) -> str:
    """Return the rows of one sentence as a text, for `from_text`."""
    return "\n".join(f"{row.line}\t{row.words}\t{' '.join(map(str, row.indices))}" for row in rows)


def from_text(text: str) -> list[SourceSegment]:
    """Return the rows that `to_text` wrote."""
    columns = [line.split("\t") for line in text.split("\n") if line]
    return [
        SourceSegment(int(line), words, tuple(map(int, indices.split(" "))))
        for line, words, indices in columns
    ]


def check_words(row: SourceSegment, tokens: TokenizedText, file: str) -> None:
    """Raise InputError, with the line, unless the segment is those tokens of its sentence."""
    where = f"{file}, line {row.line}"
    check_inside(tokens, row.indices, where)
    if not tokens.are_words(row.words, row.indices):
        raise InputError(
            _(
                "the segment %(words)r is not what its token indices select: %(found)r. If the "
                "source is already tokenized, say so (--source-tokenized)."
            ),
            where,
            words=row.words,
            found=tokens.slice(row.indices),
        )
