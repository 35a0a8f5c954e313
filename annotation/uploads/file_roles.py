"""What a file is for, as its name tells: a first guess, which people can correct."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from annotation.formats.file_roles import (
    GIVEN,
    LINKS,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)

LONGEST_SHOWN = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENDING = re.compile(r"\.(?:txt|text|tok|gz|out|hyp|snt|lc|tc|conllu|tsv|ptb|mrg|align)$", re.I)
_LANGUAGE = r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
_PAIR = rf"{_LANGUAGE}[-_]?{_LANGUAGE}"
# newstest2014.NAME.1234.cs-en, as WMT named what it was sent.
_WMT = re.compile(rf"^(?:newstest|newsdev|wmt)[^.]*\.(?P<name>.+?)\.\d+\.{_PAIR}$", re.I)
# newstest2021.en-cs.hyp.NAME.cs and generaltest2023.en-cs.hyp.NAME, as it does now.
_HYPOTHESIS = re.compile(rf"^.+?\.{_PAIR}\.hyp\.(?P<name>.+?)(?:\.{_LANGUAGE})?$", re.I)
_WORDS = {
    SOURCE: {"source", "src", "sources", "input", "zdroj"},
    REFERENCE: {"reference", "ref", "references", "refa", "refb", "gold"},
    TREES: {"trees", "tree", "parses", "parse", "conllu", "ptb", "mrg"},
    LINKS: {"links", "alignment", "alignments", "align", "aligned", "pharaoh"},
    SEGMENTS: {"segments"},
}
_FOLDERS = {
    SYSTEM: {"systems", "system", "hyp", "hyps", "outputs", "system-outputs", "translations"},
    SOURCE: {"source", "sources", "src"},
    REFERENCE: {"reference", "references", "ref"},
    LINKS: {"alignments", "alignment", "links", "align"},
}


@dataclass(frozen=True)
class Guess:
    """What a file is probably for; `system` is "" where it belongs to none."""

    role: str
    system: str = ""


def shown_name(name: str) -> str:
    """Return the name as it can be shown: one line, nothing invisible, the end of a long one."""
    name = _CONTROL.sub("\ufffd", name.replace("\\", "/")).strip()
    name = name.encode("utf-8", "replace").decode("utf-8")
    return name if len(name) <= LONGEST_SHOWN else "…" + name[-LONGEST_SHOWN + 1 :]


def guess(name: str, kind: str = "text") -> Guess:
    """Return the role of a file with this name (of a zip: its path) and kind of content.

    What the content says counts first: nobody calls links of words a source.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    stem = _stem(path.name)
    folder = path.parent.name.lower()
    if kind in {TREES, "conllu"}:
        return Guess(TREES)
    if kind in {SEGMENTS, SYSTEMS, GIVEN}:
        return Guess(kind)
    if kind == LINKS:
        reference = bool(_words(stem) & _WORDS[REFERENCE])
        return Guess(LINKS, REFERENCE if reference else _system(stem, LINKS))
    # Lines of a text, whatever its name says of trees and links.
    return _guess_text(stem, folder)


def _guess_text(stem: str, folder: str) -> Guess:
    if folder in _FOLDERS[SYSTEM]:
        return Guess(SYSTEM, _system(stem, SYSTEM))
    for pattern in (_WMT, _HYPOTHESIS):
        if match := pattern.match(stem):
            return Guess(SYSTEM, match["name"])
    for role in (SOURCE, REFERENCE):
        if folder in _FOLDERS[role] or _words(stem) & _WORDS[role]:
            return Guess(role)
    return Guess(SYSTEM, _system(stem, SYSTEM))


def _stem(name: str) -> str:
    while ending := _ENDING.search(name):
        name = name[: ending.start()]
    return name


def _words(stem: str) -> set[str]:
    return {word.lower() for word in re.split(r"[^A-Za-z]+", stem) if word}


def _system(stem: str, role: str) -> str:
    """Return the name of the system: of links without what says that they are some."""
    if role == LINKS:
        parts = [part for part in re.split(r"[._]", stem) if part.lower() not in _WORDS[LINKS]]
        stem = ".".join(parts) or stem
    return stem
