"""What a text file has, by its lines: trees, links, segments, or sentences."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from annotation.formats.file_roles import GIVEN, LINKS, MEDIA_LINES, SEGMENTS, SYSTEMS, TREES
from annotation.formats.plain_text import open_binary

TEXT, CONLLU = "text", "conllu"
# Files whose columns are separated by tabs, under any name.
TAB_SEPARATED: Final = (SEGMENTS, SYSTEMS, GIVEN, MEDIA_LINES)
# Lines that are looked at.
LINES: Final = 50
_HEAD = 64_000
_LINK_LINE = re.compile(r"\s*(?:\d{1,6}-\d{1,6}(?:\s+|$))*")
_CONLLU_LINE = re.compile(r"\d{1,6}(?:[-.]\d{1,6})?\t(?:[^\t]*\t){8}[^\t]*")
_ROWS: Final = {
    # A sentence first, and token positions last.
    SEGMENTS: re.compile(r"\d{1,10}\t(?:[^\t]*\t){4}\d{1,9}(?: \d{1,9})*"),
    SYSTEMS: re.compile(r"\d{1,10}\t(?:[^\t]*\t){3}\d{1,9}(?: \d{1,9})*"),
    GIVEN: re.compile(r"\d{1,10}\t[^\t]+\t\d{1,9}(?: \d{1,9})*"),
    # The number of a line, and a name with a usual ending.
    MEDIA_LINES: re.compile(
        r"\s*\d{1,9}\s*\t[^\t]+\."
        r"(?:png|jpe?g|webp|gif|mp3|wav|og[ga]|opus|m4a|m4v|mp4|webm)\s*",
        re.IGNORECASE,
    ),
}


def detect_kind(path: Path) -> str:
    """Return the kind: "trees" (bracketed), "conllu", "links", one of TAB_SEPARATED, or "text".

    Raises InputError for a file that cannot be read.
    """
    with open_binary(path) as file:
        text = file.read(_HEAD).decode("utf-8-sig", "replace")
    lines = text.split("\n")
    # The last one may be cut off.
    lines = [line.rstrip("\r") for line in (lines[:-1] or lines)][:LINES]
    filled = [line for line in lines if line.strip()]
    if not filled:
        return TEXT
    kinds: dict[str, Callable[[str], object]] = {
        CONLLU: lambda line: line.startswith("#") or _CONLLU_LINE.fullmatch(line),
        TREES: lambda line: line.lstrip().startswith("(") and line.rstrip().endswith(")"),
        LINKS: _LINK_LINE.fullmatch,
        SEGMENTS: lambda line: line.count("\t") == 5,
        SYSTEMS: lambda line: line.count("\t") == 4,
        GIVEN: _ROWS[GIVEN].fullmatch,
        MEDIA_LINES: _ROWS[MEDIA_LINES].fullmatch,
    }
    return next((kind for kind, fits in kinds.items() if _most(map(fits, filled))), TEXT)


def are_segments(lines: Sequence[str]) -> bool:
    """Return whether these are rows of segments or of media, with numbers of lines, not texts."""
    return any(_most(map(pattern.fullmatch, lines)) for pattern in _ROWS.values())


def _most(fits: Iterable[object]) -> bool:
    """Return whether at least four of five are true: a broken line must not change the kind."""
    answers = [bool(fit) for fit in fits]
    return sum(answers) >= 0.8 * len(answers)
