"""Plain texts, one sentence a line: strict UTF-8, gzipped or not."""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from annotation.formats.errors import InputError

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
        raise InputError(f"{path} is empty: give a text with one sentence a line.")


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
        f"{paths[first]} has {_count(counts[first])} but {paths[other]} has "
        f"{_count(counts[other])}: give texts in which the same line is the same sentence."
    )


def _count(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"


@contextmanager
def open_binary(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, unpacked where gzipped; failures are InputErrors."""
    try:
        with path.open("rb") as raw:
            packed = raw.peek(len(_GZIP)).startswith(_GZIP)
            with gzip.open(raw) if packed else raw as file:
                yield cast(IO[bytes], file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise InputError(f"{path} is a damaged gzip file ({problem}): pack it again.") from problem
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror or problem}.") from problem


def _bounded_lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InputError(
                f"{path}, line {number}: the line is longer than {MAX_LINE_BYTES:,} bytes; "
                "give a text with one sentence a line."
            )
        yield line


def _decode(line: bytes, path: Path, number: int) -> str:
    try:
        text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{path}, line {number}: byte {problem.start + 1} of the line "
            f"(0x{line[problem.start]:02x}) is not UTF-8; save the file as UTF-8."
        ) from problem
    if "\0" in text:
        raise InputError(f"{path}, line {number}: there is a NUL character; remove it.")
    return text
