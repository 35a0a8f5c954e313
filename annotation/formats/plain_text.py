"""Plain texts, one sentence a line: strict UTF-8, gzipped or not."""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from io import BufferedReader
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# No sentence is this long: whatever is, is not a text with one sentence a line.
MAX_LINE_BYTES = 1_000_000


def read_lines(path: Path) -> Iterator[str]:
    r"""Yield the lines of a text without their ends; what is gzipped is recognised by itself.

    Only \n (or \r\n) ends a line, never U+2028 or a form feed. Raises InputError, with file
    and line, for what cannot be read, is empty, is not UTF-8 or holds a NUL character.
    """
    number = 0
    with open_binary(path) as file:
        for number, line in enumerate(_bounded_lines(file, path), start=1):
            yield _decode(
                line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line, path, number
            )
    if number == 0:
        raise InputError(
            _("%(file)s is empty: give a text with one sentence a line."), file=str(path)
        )


def read_parallel(paths: Mapping[str, Path]) -> Iterator[dict[str, str]]:
    """Yield for every line number the line of each text, by the same labels.

    Only one line of each text is held at a time, so that a difference in length is found at
    the end: InputError then names two files and how many lines they have.
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
    return InputError(
        _(
            "%(file)s ends with line %(lines)d but %(other)s with line %(other_lines)d: give texts "
            "in which the same line is the same sentence."
        ),
        file=str(paths[first]),
        lines=counts[first],
        other=str(paths[other]),
        other_lines=counts[other],
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
    """Unpack an open file where it is gzipped; failures are InputErrors."""
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


def _bounded_lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InputError(
                _("the line is longer than a million bytes; give a text with one sentence a line."),
                f"{path}, line {number}",
            )
        yield line


def _decode(line: bytes, path: Path, number: int) -> str:
    try:
        text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(
            _("byte %(byte)d of the line (%(value)s) is not UTF-8; save the file as UTF-8."),
            f"{path}, line {number}",
            byte=problem.start + 1,
            value=f"0x{line[problem.start]:02x}",
        ) from problem
    if "\0" in text:
        raise InputError(_("there is a NUL character; remove it."), f"{path}, line {number}")
    return text
