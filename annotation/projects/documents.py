"""The documents of the sentences of a project that exists already."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from django.db.models import Count, Max, Q, QuerySet

from annotation.common.batches import CHUNK
from annotation.common.transactions import retried, writing
from annotation.formats.documents import pair_with_documents
from annotation.formats.errors import InputError
from annotation.formats.fingerprints import NO_COPIES, Originals, fingerprint
from annotation.formats.plain_text import read_lines
from annotation.models import Project, Sentence
from annotation.projects.provenance import record_files


@retried
def set_documents(
    *, project: Project, path: Path, originals: Originals = NO_COPIES
) -> tuple[int, int]:
    """Give the sentences the documents of a file, one name for each line of the source.

    Replaces former documents. Returns the number of sentences and of documents. Raises InputError,
    with file and line; then nothing is changed.
    """
    added = {"documents": fingerprint(path, originals)}
    rows = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE)
    sentences = rows.filter(source_line=None)
    named = list(_names(sentences.order_by("number"), path))
    with writing():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        rows.exclude(document="").update(document="")
        # Neighbouring sentences are mostly of one document.
        for name, of_document in groupby(named, key=itemgetter(1)):
            numbers = [number for number, _name in of_document]
            lines = (numbers[0], numbers[-1])
            of_lines = Q(source_line=None, number__range=lines) | Q(source_line__range=lines)
            rows.filter(of_lines).update(document=name)
        record_files(locked, added)
        locked.save(update_fields=["provenance"])
    return len(named), len({name for _number, name in named})


def _names(sentences: QuerySet[Sentence], path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and document of each sentence with text. Raise InputError."""
    numbers = sentences.aggregate(count=Count("pk"), last=Max("number"))
    lines, last = sum(1 for _line in read_lines(path)), numbers["last"] or 0
    # Of imported segments, the last lines of the source may have no sentence.
    if lines < last or (lines > last == numbers["count"]):
        raise InputError(
            f"{path} has {lines} lines, but the source has {last}: give a line for each sentence."
        )
    filled = sentences.exclude(text="").values_list("number", flat=True)
    rows = ((number, None) for number in filled.iterator(CHUNK))
    for number, _row, name in pair_with_documents(path, rows):
        yield number, name
