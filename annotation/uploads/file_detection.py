"""Detection of what an uploaded file is: its kind by its bytes, its role by its name, its language.

All of it is a first guess, which the administrator can correct.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from annotation.formats.file_roles import (
    DOCUMENTS,
    GIVEN,
    LINKS,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.formats.problems import Refused

# --- kinds -----------------------------------------------------------------------------------

TEXT, CONLLU = "text", "conllu"
ZIP_MAGIC, GZIP_MAGIC = b"PK\x03\x04", b"\x1f\x8b"
EMPTY_ZIP = b"PK\x05\x06"
_HEAD = 64_000
# Lines that are looked at.
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
    """Raise Refused if these first bytes are not those of a plain text, which may not be UTF-8."""
    if head.startswith(_UTF16):
        raise Refused("utf16", name)
    # A gzip file inside another could be a decompression bomb.
    if head.startswith(_DOCUMENTS) or is_gzip(head) or b"\0" in head:
        raise Refused("no-text", name)


def detect_kind(path: Path) -> str:
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
    """Return whether at least four of five are true: a broken line must not change the kind."""
    answers = [bool(fit) for fit in fits]
    return sum(answers) >= 0.8 * len(answers)


# --- roles ---

LONGEST_SHOWN = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENDING = re.compile(r"\.(?:txt|text|tok|gz|out|hyp|snt|lc|tc|conllu|tsv|ptb|mrg|align)$", re.I)
_LANGUAGE = r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
_PAIR = rf"{_LANGUAGE}[-_]?{_LANGUAGE}"
# newstest2014.NAME.1234.cs-en, as WMT named submissions.
_WMT = re.compile(rf"^(?:newstest|newsdev|wmt)[^.]*\.(?P<name>.+?)\.\d+\.{_PAIR}$", re.I)
# newstest2021.en-cs.hyp.NAME.cs and generaltest2023.en-cs.hyp.NAME, as it does now.
_HYPOTHESIS = re.compile(rf"^.+?\.{_PAIR}\.hyp\.(?P<name>.+?)(?:\.{_LANGUAGE})?$", re.I)
_WORDS = {
    SOURCE: {"source", "src", "sources", "input", "zdroj"},
    REFERENCE: {"reference", "ref", "references", "refa", "refb", "gold"},
    TREES: {"trees", "tree", "parses", "parse", "conllu", "ptb", "mrg"},
    LINKS: {"links", "alignment", "alignments", "align", "aligned", "pharaoh"},
    SEGMENTS: {"segments"},
    DOCUMENTS: {"documents", "docs", "docids"},
}
_FOLDERS = {
    SYSTEM: {"systems", "system", "hyp", "hyps", "outputs", "system-outputs", "translations"},
    SOURCE: {"source", "sources", "src"},
    REFERENCE: {"reference", "references", "ref"},
    LINKS: {"alignments", "alignment", "links", "align"},
}


@dataclass(frozen=True)
class Guess:
    """The probable role of a file; `system` is "" if it belongs to none."""

    role: str
    system: str = ""


def shown_name(name: str) -> str:
    """Return the name as it is shown: on one line, without invisible characters, shortened."""
    name = _CONTROL.sub("\ufffd", name.replace("\\", "/")).strip()
    name = name.encode("utf-8", "replace").decode("utf-8")
    return name if len(name) <= LONGEST_SHOWN else "…" + name[-LONGEST_SHOWN + 1 :]


def guess(name: str, kind: str = "text") -> Guess:
    """Return the role of a file with this name (its path, in a zip) and kind of content.

    The content counts first: word links are never a source.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    stem = _stem(path.name)
    folder = path.parent.name.lower()
    if kind in {TREES, "conllu"}:
        return Guess(TREES)
    if kind in {SEGMENTS, SYSTEMS, GIVEN}:
        return Guess(kind)
    if kind == LINKS:
        reference = bool(_name_words(stem) & _WORDS[REFERENCE])
        return Guess(LINKS, REFERENCE if reference else _system(stem, LINKS))
    return _guess_text(stem, folder)


def _guess_text(stem: str, folder: str) -> Guess:
    if folder in _FOLDERS[SYSTEM]:
        return Guess(SYSTEM, _system(stem, SYSTEM))
    for pattern in (_WMT, _HYPOTHESIS):
        if match := pattern.match(stem):
            return Guess(SYSTEM, match["name"])
    # "source.docs" has the documents of the source.
    if _name_words(stem) & _WORDS[DOCUMENTS]:
        return Guess(DOCUMENTS)
    for role in (SOURCE, REFERENCE):
        if folder in _FOLDERS[role] or _name_words(stem) & _WORDS[role]:
            return Guess(role)
    return Guess(SYSTEM, _system(stem, SYSTEM))


def _stem(name: str) -> str:
    while ending := _ENDING.search(name):
        name = name[: ending.start()]
    return name


def _name_words(stem: str) -> set[str]:
    return {word.lower() for word in re.split(r"[^A-Za-z]+", stem) if word}


def _system(stem: str, role: str) -> str:
    """Return the name of the system, for links without words such as "alignment"."""
    if role == LINKS:
        parts = [part for part in re.split(r"[._]", stem) if part.lower() not in _WORDS[LINKS]]
        stem = ".".join(parts) or stem
    return stem


# --- languages ---

# More text does not make the detection more reliable.
_LANGUAGE_LINES, _LANGUAGE_CHARACTERS = 100, 6000
# Probability below which no language is suggested.
_SURE = 0.7
_NO_LANGUAGE = "zxx"


def detect_language(lines: Iterable[str | None]) -> str:
    """Return the code of the language of a text, as "en", or "" where that is not clear.

    The first call loads a model of five megabytes, which takes most of a second.
    """
    text = " ".join(line for line in islice(lines, _LANGUAGE_LINES) if line)[:_LANGUAGE_CHARACTERS]
    if not any(character.isalpha() for character in text):
        return ""
    code, probability = _identifier().classify(text)
    return str(code) if probability >= _SURE and code != _NO_LANGUAGE else ""


@cache
def _identifier() -> Any:
    # Imported here: it costs time and memory, and most processes never need it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
