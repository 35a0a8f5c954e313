"""Extra parallel text, from which the aligner learns words; it is not judged."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_parallel
from annotation.models import ParallelPage, Project
from annotation.projects.unfinished import UnfinishedProject

# Pairs of lines in a row of the table: memory does not grow with the text.
LINES_PER_PAGE = 1000
SOURCE, TARGET = "parallel source", "parallel target"


def store_parallel_text(unfinished: UnfinishedProject, source: Path, target: Path) -> None:
    """Store a text and its translation with a project, page by page.

    Pairs with an empty line are left out. Raises InputError where the files cannot be read, have
    different numbers of lines, or contain no pair.
    """
    lines = (
        (row[SOURCE].strip(), row[TARGET].strip())
        for row in read_parallel({SOURCE: source, TARGET: target})
    )
    pairs = (pair for pair in lines if all(pair))
    number = 0
    while page := list(islice(pairs, LINES_PER_PAGE)):
        sources, targets = zip(*page, strict=True)
        with unfinished.page():
            ParallelPage.objects.create(
                project=unfinished.project,
                number=number,
                sources=_pack(sources),
                targets=_pack(targets),
            )
        number += 1
    if not number:
        raise InputError(
            f"--parallel {source} {target}: no line has text in both files: there is nothing to "
            "learn from."
        )


def read_parallel_text(project: Project) -> Iterator[tuple[str, str]]:
    """Yield the pairs of lines that `store_parallel_text` stored, in order."""
    pages = ParallelPage.objects.filter(project=project)
    # A page at a time, without a cursor: it would be one outside a transaction, which a pool of
    # connections in transaction mode does not keep.
    for number in pages.order_by("number").values_list("number", flat=True):
        page = pages.get(number=number)
        yield from zip(_unpack(page.sources), _unpack(page.targets), strict=True)


def delete_parallel_text(project: Project) -> None:
    """Delete the extra parallel text of the project."""
    ParallelPage.objects.filter(project=project).delete()


def _pack(lines: Iterable[str]) -> bytes:
    return zlib.compress("\n".join(lines).encode())


def _unpack(packed: bytes | memoryview) -> list[str]:
    return zlib.decompress(packed).decode().split("\n")
