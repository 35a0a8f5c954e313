"""What kind of file it is, by its bytes: what its name says of that counts for nothing."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from annotation.formats.file_roles import GIVEN, LINKS, SEGMENTS, SYSTEMS, TREES
from annotation.formats.problems import Refused

TEXT, CONLLU = "text", "conllu"
ZIP_MAGIC, GZIP_MAGIC = b"PK\x03\x04", b"\x1f\x8b"
EMPTY_ZIP = b"PK\x05\x06"
_HEAD = 64_000
# Lines that decide.
_LINES = 50
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_DOCUMENTS = (b"%PDF", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"7z\xbc\xaf")
_LINK_LINE = re.compile(r"\s*(?:\d{1,6}-\d{1,6}(?:\s+|$))*")
_GIVEN_LINE = re.compile(r"\d{1,10}\t[^\t]+\t\d{1,9}(?: \d{1,9})*")
_CONLLU_LINE = re.compile(r"\d{1,6}(?:[-.]\d{1,6})?\t(?:[^\t]*\t){8}[^\t]*")


def is_zip(head: bytes) -> bool:
    return head.startswith((ZIP_MAGIC, EMPTY_ZIP))


def is_gzip(head: bytes) -> bool:
    return head.startswith(GZIP_MAGIC)


def refuse_other_than_text(head: bytes, name: str) -> None:
    """Raise Refused for the first bytes of what is no text; one that is not UTF-8 may pass."""
    if head.startswith(_UTF16):
        raise Refused("utf16", name)
    if head.startswith(_DOCUMENTS) or b"\0" in head:
        raise Refused("no-text", name)


def kind_of(path: Path) -> str:
    """Return "trees" (bracketed), "conllu", "links", "segments", "systems", "given" or "text"."""
    with path.open("rb") as file:
        text = file.read(_HEAD).decode("utf-8-sig", "replace")
    lines = text.split("\n")
    # The last one may be cut off.
    lines = [line.rstrip("\r") for line in (lines[:-1] or lines)][:_LINES]
    filled = [line for line in lines if line.strip()]
    if not filled:
        return TEXT
    kinds: dict[str, Callable[[str], object]] = {
        CONLLU: lambda line: line.startswith("#") or _CONLLU_LINE.fullmatch(line),
        TREES: lambda line: line.lstrip().startswith("(") and line.rstrip().endswith(")"),
        LINKS: _LINK_LINE.fullmatch,
        SEGMENTS: lambda line: line.count("\t") == 5,
        SYSTEMS: lambda line: line.count("\t") == 4,
        GIVEN: _GIVEN_LINE.fullmatch,
    }
    return next((kind for kind, fits in kinds.items() if _most(map(fits, filled))), TEXT)


def _most(fits: Iterable[object]) -> bool:
    """Say whether nearly all do: a broken line must not make it another kind of file."""
    answers = [bool(fit) for fit in fits]
    return sum(answers) >= 0.8 * len(answers)
