"""Sets of references: any number for each sentence, in one file.

Compact sets have thousands of references of a sentence. Source: Bojar et al. (2013), Scratching the
Surface of Possible Translations.
"""

import re
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from annotation.formats.file_roles import REFERENCE, SOURCE, role_of_heading
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines, read_lines_or_none
from annotation.formats.spreadsheets import name_end
from annotation.formats.strict_json import decode

# The references of one sentence in a line.
LONGEST_LINE: Final = 1_000_000_000
_ARRAY: Final = re.compile(r'\s*\[\s*["\]]')
_DECODER: Final = msgspec.json.Decoder(list[str])


def read_reference_sets(path: Path) -> list[list[str]] | None:
    """Return the references of each line of a set; None if the file is a text of one reference.

    A set has in each line a JSON array of texts, or texts separated by tabs; a sentence with an
    empty array or a blank line has no reference. It is recognised by its first array, by tabs in at
    least half of the lines that are not blank, or by a name that ends with .tsv or .tab, unless the
    first line has headings of columns. Raises InputError, with file and line.
    """
    # Its readers report lines that are not readable.
    lines = read_lines_or_none(path, lambda _problem: None, longest=LONGEST_LINE)
    present = (line for line in lines if line and line.strip())
    first = next(present, "")
    if _ARRAY.match(first):
        return [
            decode(line.encode(), _DECODER, f"{path}, line {number}")
            for number, line in enumerate(read_lines(path, longest=LONGEST_LINE), start=1)
        ]
    with_tabs = ["\t" in line for line in chain([first], present)]
    wanted = 1 if name_end(path.name) in (".tsv", ".tab") else max(1, len(with_tabs) / 2)
    if sum(with_tabs) < wanted or _are_headings(first.split("\t")):
        return None
    return [
        [text for text in line.split("\t") if text.strip()]
        for line in read_lines(path, longest=LONGEST_LINE)
    ]


def _are_headings(cells: list[str]) -> bool:
    roles = {role_of_heading(plain_name(cell)) for cell in cells}
    return len(cells) > 1 and not roles.isdisjoint({SOURCE, REFERENCE})
