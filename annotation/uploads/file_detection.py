"""Detection of what an uploaded file is: its role by its name, its language by its text.

All of it is a first guess, which the administrator can correct.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import PurePosixPath

from annotation.formats.encodings import has_nul_bytes, marked_encoding
from annotation.formats.file_kinds import CONLLU, TAB_SEPARATED, TEXT
from annotation.formats.file_roles import (
    DOCUMENTS,
    LINKS,
    MEDIA,
    REFERENCE,
    SOURCE,
    SYSTEM,
    TREES,
    WORDS,
    role_of_heading,
)
from annotation.formats.language_detection import language_probabilities
from annotation.formats.languages import parse_language
from annotation.formats.media_files import MEDIA_TYPES
from annotation.formats.names import reference_name
from annotation.formats.problems import Refused
from annotation.formats.segment_files import SEGMENT_COLUMNS

# --- content ---------------------------------------------------------------------------------

ZIP_MAGIC, GZIP_MAGIC = b"PK\x03\x04", b"\x1f\x8b"
EMPTY_ZIP = b"PK\x05\x06"
_DOCUMENTS = (b"%PDF", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"7z\xbc\xaf")


# Texts with markup, by the name of their file or its first bytes: they have many lines, too, but a
# line is no sentence.
_MARKUP_NAME = re.compile(r"\.(?:sgml?|xml|tmx|xlf|xliff|html?|jsonl?|ndjson)(?:\.gz)?$", re.I)
_MARKUP = re.compile(
    rb"<(?:\?xml\b|!doctype\b|(?:tmx|xliff|mteval|srcset|refset|tstset|dataset|html)[\s>])", re.I
)
_JSON_LINE = re.compile(rb'\{\s*"[^"\n]*"\s*:.*\}\s*')


def is_zip(head: bytes) -> bool:
    return head.startswith((ZIP_MAGIC, EMPTY_ZIP))


def is_gzip(head: bytes) -> bool:
    return head.startswith(GZIP_MAGIC)


def refuse_other_than_text(head: bytes, name: str, encoding: str) -> None:
    """Raise Refused if these first bytes are not those of a plain text, which may not be UTF-8.

    Texts with markup (SGML, TMX and other XML, JSON) are refused by their names, too.
    """
    # A gzip file inside another could be a decompression bomb.
    is_other = head.startswith(_DOCUMENTS) or is_gzip(head)
    if is_other or (b"\0" in head and not has_nul_bytes(marked_encoding(head) or encoding)):
        raise Refused("no-text", name)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")) and b'"campaign_id"' in start:
        raise Refused("campaign", name)
    if (
        _MARKUP_NAME.search(name)
        or _MARKUP.match(start)
        or _JSON_LINE.fullmatch(start.partition(b"\n")[0])
    ):
        raise Refused("markup", name)


# --- roles ---

LONGEST_SHOWN = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENDING = re.compile(
    r"\.(?:txt|text|tok|gz|out|hyp|snt|lc|tc|conllu|csv|tsv|tab|xlsx|ptb|mrg|align)$", re.I
)
_LANGUAGE = r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
_PAIR = rf"{_LANGUAGE}[-_]?{_LANGUAGE}"
# "reference 2" and "ref2" in the name of a file of links.
_REFERENCE_NUMBER = re.compile(r"(?<![A-Za-z])ref(?:erence)?[ ._-]?([1-9]\d?)(?!\d)", re.I)
# newstest2014.NAME.1234.cs-en, as WMT named submissions.
_WMT = re.compile(rf"^(?:newstest|newsdev|wmt)[^.]*\.(?P<name>.+?)\.\d+\.{_PAIR}$", re.I)
# newstest2021.en-cs.hyp.NAME.cs and generaltest2023.en-cs.hyp.NAME, as it does now.
_HYPOTHESIS = re.compile(rf"^.+?\.{_PAIR}\.hyp\.(?P<name>.+?)(?:\.{_LANGUAGE})?$", re.I)
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


def guess(name: str, kind: str = TEXT, heading: str = "") -> Guess:
    """Return the role of a file with this name (its path, in a zip) and kind of content.

    Of a medium, its type is the kind. The content counts first: word links are never a source. The
    `heading` is that of a column of a table.
    """
    if heading:
        role = role_of_heading(heading)
        return Guess(role, heading if role == SYSTEM else "")
    path = PurePosixPath(name.replace("\\", "/"))
    stem = _stem(path.name)
    folder = path.parent.name.lower()
    if kind in MEDIA_TYPES:
        return Guess(MEDIA)
    if kind in {TREES, CONLLU}:
        return Guess(TREES)
    if kind in TAB_SEPARATED:
        return Guess(kind)
    if kind == LINKS:
        if _name_words(stem) & WORDS[REFERENCE]:
            number = _REFERENCE_NUMBER.search(stem)
            return Guess(LINKS, reference_name(int(number[1]) if number else 1))
        return Guess(LINKS, _system(stem, LINKS))
    return _guess_text(stem, folder)


def _guess_text(stem: str, folder: str) -> Guess:
    if folder in _FOLDERS[SYSTEM]:
        if role_of_heading(stem) == REFERENCE:
            return Guess(REFERENCE)
        return Guess(SYSTEM, _system(stem, SYSTEM))
    for pattern in (_WMT, _HYPOTHESIS):
        if match := pattern.match(stem):
            return Guess(SYSTEM, match["name"])
    # "source.docs" has the documents of the source.
    if _name_words(stem) & WORDS[DOCUMENTS]:
        return Guess(DOCUMENTS)
    for role in (SOURCE, REFERENCE):
        if folder in _FOLDERS[role] or _name_words(stem) & WORDS[role]:
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
        parts = [part for part in re.split(r"[._]", stem) if part.lower() not in WORDS[LINKS]]
        stem = ".".join(parts) or stem
    return stem


# --- languages ---

# More text does not make the detection more reliable.
_LANGUAGE_LINES, _LANGUAGE_CHARACTERS = 100, 6000
_SEGMENT_LINES = 5000
# Probability below which no language is suggested.
_SURE = 0.7
_NO_LANGUAGE = "zxx"


def detect_language(lines: Iterable[str | None]) -> str:
    """Return the code of the language of a text, as "en", or "" where that is not clear."""
    text = " ".join(line for line in islice(lines, _LANGUAGE_LINES) if line)[:_LANGUAGE_CHARACTERS]
    if not any(character.isalpha() for character in text):
        return ""
    code, probability = max(language_probabilities(text).items(), key=itemgetter(1))
    return parse_language(code) if probability >= _SURE and code != _NO_LANGUAGE else ""


def detect_languages_of_segments(lines: Iterable[str | None]) -> tuple[str, str]:
    """Return the codes of the languages of the source and the candidates, "" where not clear.

    The lines are those of the six-column file.
    """
    # A sentence has the same source and reference in all its lines.
    rows = (line.split("\t") for line in islice(lines, _SEGMENT_LINES) if line)
    sentences: dict[str, str] = {}
    for row in rows:
        if len(row) == len(SEGMENT_COLUMNS):
            _number, source, reference, _words, candidate, _indices = row
            sentences.setdefault(source, reference or candidate)
    return detect_language(sentences), detect_language(sentences.values())
