"""The roles of the files of a new project, and of the columns of a table."""

import re
from collections.abc import Iterable
from typing import Final

from annotation.formats.names import plain_name

SOURCE, REFERENCE, SYSTEM = "source", "reference", "system"
TREES, LINKS = "trees", "links"
# The name of the document of each sentence.
DOCUMENTS = "documents"
# The thesis' six-column file of segments and candidates, and the file of their systems.
SEGMENTS, SYSTEMS = "segments", "systems"
# Segments of the source in three columns, without candidates.
GIVEN = "given"
# Images, audio and video beside the source, and the table of their lines.
MEDIA, MEDIA_LINES = "media", "medialines"
UNUSED = "unused"

# Words in names of files.
WORDS: Final = {
    SOURCE: {"source", "src", "sources", "input", "zdroj"},
    REFERENCE: {"reference", "ref", "references", "refa", "refb", "gold"},
    TREES: {"trees", "tree", "parses", "parse", "conllu", "ptb", "mrg"},
    LINKS: {"links", "alignment", "alignments", "align", "aligned", "pharaoh"},
    SEGMENTS: {"segments"},
    DOCUMENTS: {"documents", "docs", "docids"},
}
_HEADINGS: Final = {
    role: re.compile(
        # "source", "Source text", "ref 1", "reference (cs)": nothing that begins a sentence.
        rf"(?:human )?(?:{'|'.join(sorted(WORDS[role]))})"
        r"(?:[ ._-](?:text|sentence|segment|translation|language))?"
        r"(?:[ ._-]\(?[a-z]{1,3}\)?)?[ ._-]?\d*",
        re.IGNORECASE,
    )
    for role in (SOURCE, REFERENCE)
} | {
    DOCUMENTS: re.compile(r"(?:document|doc)(?:s|[ ._-]?ids?|[ ._-]?names?)?", re.IGNORECASE),
    UNUSED: re.compile(
        r"#|n[or]\.?|(?:(?:sentence|segment|seg|line)[ ._-]?)?(?:id|number|index)|line",
        re.IGNORECASE,
    ),
}


def role_of_heading(heading: str) -> str:
    """Return the role of a column of a table: a system's, unless the heading names another."""
    found = (role for role, pattern in _HEADINGS.items() if pattern.fullmatch(heading))
    return next(found, SYSTEM)


def find_column(headings: Iterable[str], role: str, system: str = "") -> str | None:
    """Return the heading of the only column of a table with this role, or of this system."""
    found = [
        heading
        for heading in headings
        if role_of_heading(heading) == role and (role != SYSTEM or heading == plain_name(system))
    ]
    return found[0] if len(found) == 1 else None
