"""Plain texts, one sentence a line: strict UTF-8, gzipped or not."""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from io import BufferedReader
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from annotation.formats.encodings import UTF_8, codec_of, guess_encoding, has_nul_bytes
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Characters of a line that an error quotes.
EXCERPT = 60
# No sentence is this long.
MAX_LINE_BYTES = 1_000_000
EMPTY = _("the file is empty: give a text with one sentence a line.")


def read_lines(path: Path, *, longest: int = MAX_LINE_BYTES) -> Iterator[str]:
    """Yield the lines of a text without their ends. Raises InputError, with file and line.

    Otherwise as `read_lines_or_none`.
    """
    return cast(Iterator[str], read_lines_or_none(path, raise_error, longest=longest))


def read_lines_or_none(
    path: Path, on_error: OnError, empty: str = EMPTY, *, longest: int = MAX_LINE_BYTES
) -> Iterator[str | None]:
    r"""Yield the lines of a text without their ends, and None for one that is not readable.

    Gzipped files are detected by their content. Only \n (or \r\n) ends a line, never U+2028 or a
    form feed. Calls `on_error`, with file and line, for a line that is not UTF-8 or contains a NUL
    character, for one above `longest` bytes, which ends the reading, and for an empty file, with
    the words `empty`. Of a file in another encoding, it does so for the first such line only; the
    value `encoding` of the error is the probable one, if there is one. Raises InputError for a file
    that cannot be read.
    """
    number, encoding = 0, None
    with open_binary(path) as file:
        while line := file.readline(longest + 1):
            number += 1
            where = f"{path}, line {number}"
            if len(line) > longest:
                template = _(
                    "the line is longer than %(bytes)d bytes; give a text with one sentence a line."
                )
                on_error(InputError(template, where, bytes=longest))
                return
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
            text: str | None = None
            try:
                text = line.removesuffix(b"\n").removesuffix(b"\r").decode()
            except UnicodeDecodeError as problem:
                # Of another encoding, one error says it all.
                if encoding in (None, UTF_8):
                    encoding = encoding or probable_encoding(path)
                    on_error(_not_utf8(line, problem.start, encoding, where))
            if text is not None and "\0" in text:
                text = None
                on_error(InputError(_("there is a NUL character; remove it."), where))
            yield text
    if number == 0:
        on_error(InputError(empty, str(path)))


def probable_encoding(path: Path) -> str:
    """Return the encoding that a text probably has, as `guess_encoding` does."""
    with open_binary(path) as file:
        return guess_encoding(iter(lambda: file.readline(MAX_LINE_BYTES), b""))


def _not_utf8(line: bytes, place: int, encoding: str, where: str) -> InputError:
    # UTF-16 is not cut into lines like this one.
    if encoding not in ("", UTF_8) and not has_nul_bytes(encoding):
        text = line.decode(codec_of(encoding), "replace")
        first = next(number for number, letter in enumerate(text) if not letter.isascii())
        start = max(0, first - EXCERPT // 2)
        return InputError(
            _(
                "the file is not UTF-8 but probably %(encoding)s, in which this line has "
                "“%(excerpt)s”: save it as UTF-8."
            ),
            where,
            encoding=encoding,
            excerpt=text[start : start + EXCERPT].strip(),
        )
    return InputError(
        _("byte %(byte)d of the line (%(value)s) is not UTF-8; save the file as UTF-8."),
        where,
        byte=place + 1,
        value=f"0x{line[place]:02x}",
    )


def read_parallel(paths: Mapping[str, Path]) -> Iterator[dict[str, str]]:
    """Yield for every line number the line of each text, by the same labels.

    Holds one line of each text at a time. Raises InputError at the end if the texts have different
    numbers of lines, naming two of them.
    """
    texts = {label: read_lines(path) for label, path in paths.items()}
    for number, lines in enumerate(zip_longest(*texts.values()), start=1):
        if None in lines:
            raise _different_lengths(paths, texts, lines, number)
        yield dict(zip(texts, lines, strict=True))


def _different_lengths(
    paths: Mapping[str, Path],
    texts: Mapping[str, Iterator[str]],
    lines: tuple[str | None, ...],
    number: int,
) -> InputError:
    counts = {
        label: number - 1 if line is None else number + sum(1 for _ in texts[label])
        for label, line in zip(texts, lines, strict=True)
    }
    first, *others = counts
    other = next(label for label in others if counts[label] != counts[first])
    return different_lengths(paths[first], counts[first], paths[other], counts[other])


def different_lengths(path: Path, lines: int, other: Path, other_lines: int) -> InputError:
    """Return the error for two texts with different numbers of lines."""
    return InputError(
        _(
            "%(file)s ends with line %(lines)d but %(other)s with line %(other_lines)d: give texts "
            "in which the same line is the same sentence."
        ),
        file=str(path),
        lines=lines,
        other=str(other),
        other_lines=other_lines,
    )


@contextmanager
def open_binary(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, unpacked where gzipped; failures are InputErrors."""
    try:
        with path.open("rb") as raw, unpacked(raw, path) as file:
            yield file
    except OSError as problem:
        raise InputError(
            _("%(file)s cannot be read: %(reason)s."),
            file=str(path),
            reason=str(problem.strerror or problem),
        ) from problem


@contextmanager
def unpacked(raw: BufferedReader, name: Path | str) -> Iterator[IO[bytes]]:
    """Unpack an open file if it is gzipped. Raises InputError if it is damaged."""
    try:
        packed = raw.peek(len(_GZIP)).startswith(_GZIP)
        with gzip.open(raw) if packed else nullcontext(raw) as file:
            yield cast(IO[bytes], file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise InputError(
            _("%(file)s is a damaged gzip file (%(reason)s): pack it again."),
            file=str(name),
            reason=str(problem),
        ) from problem
