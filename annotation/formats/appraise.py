"""What exports of Appraise have in common: batch information and the names of documents.

`ExportSystemScoresToCSV --batch-info` adds two columns at the end: the number of the batch, and
that of the item. Programs that make batches write after the name of a document the system, and
which copy of the document it is: `talk#A`, `talk#A#bad1`, `talk#A#duplicate2`, `talk#incomplete`.
"""

import re
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

BATCH_COLUMNS: Final = ("batch", "item")
AFTER_DOCUMENT: Final = "#"
COPY: Final = re.compile(r"(?:bad|dup|duplicate|incomplete)[0-9]*")
# Between the systems of one text, which are a row each.
JOINED_BY: Final = "+"


def document_of(name: str, system: str) -> str:
    """Return the name of a document without what says its system and its copy.

    Other `#` are part of the name (WMT25: `en-cs_CZ_#_news_#_1`). The file may write the system
    with more around it, after or before a full stop (`wmt23.A`, `A.txt`).
    """
    while True:
        document, _mark, last = name.rpartition(AFTER_DOCUMENT)
        if not document or not (COPY.fullmatch(last) or _is_system(last, system)):
            return name
        name = document


def _is_system(text: str, system: str) -> bool:
    return any(one and f".{one}." in f".{system}." for one in (text, *text.split(JOINED_BY)))


class Place(NamedTuple):
    """Where an item stands: in a copy of a document, which one user judged of one system."""

    document: tuple[str, str]
    user: str
    copy: Hashable
    number: int


def segments_in_documents(places: Sequence[Place]) -> list[str]:
    """Return names of the segments by which copies of a document share them.

    They are their numbers, unless users have the numbers of items in their batches: then each user
    has a number once, and whole copies of a document, the longest, have other numbers than each
    other. In these, segments are 1, 2, … in their order. Shorter copies are parts of the document,
    and which ones is unknown, so that their segments are no other copy's.
    """
    documents: dict[tuple[str, str], dict[tuple[str, Hashable], set[int]]] = {}
    users: dict[str, dict[int, set[Hashable]]] = {}
    for one in places:
        copies = documents.setdefault(one.document, {})
        copies.setdefault((one.user, one.copy), set()).add(one.number)
        users.setdefault(one.user, {}).setdefault(one.number, set()).add(one.copy)
    if any(len(copies) > 1 for numbers in users.values() for copies in numbers.values()):
        return [str(one.number) for one in places]
    longest: dict[tuple[str, str], int] = {}
    for document, copies in documents.items():
        longest[document] = max(map(len, copies.values()))
        whole = [one for one in copies.values() if len(one) == longest[document]]
        in_order = all(max(one) - min(one) + 1 == len(one) for one in whole)
        if not in_order or all(one == whole[0] for one in whole):
            del longest[document]

    def name(one: Place) -> str:
        numbers = documents[one.document][one.user, one.copy]
        if one.document not in longest:
            return str(one.number)
        if len(numbers) < longest[one.document]:
            return f"{one.number} ({one.user})"
        return str(one.number - min(numbers) + 1)

    return list(map(name, places))
