"""The references of sentences, numbered from 1 in a project; a sentence may lack some of them."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Max

from annotation.models import Project, Sentence, Translation


class ReferenceText(NamedTuple):
    """A reference as pages show it; the number is that in the project."""

    number: int
    text: str


def references_of(sentences: Collection[int]) -> dict[int, list[Translation]]:
    """Return the references by the id of their sentence, in the order of numbers. One query."""
    rows = Translation.objects.filter(sentence__in=sentences, reference__isnull=False)
    found: dict[int, list[Translation]] = {}
    for row in rows.order_by("reference"):
        found.setdefault(row.sentence_id, []).append(row)
    return found


def copy_references(copies: Iterable[tuple[Sentence, int]]) -> None:
    """Store for each new sentence the references of an original, given by its id. Two queries."""
    copies = list(copies)
    references = references_of({original for _sentence, original in copies})
    Translation.objects.bulk_create(
        Translation(
            sentence=sentence,
            reference=reference.reference,
            text=reference.text,
            tokens=reference.tokens,
        )
        for sentence, original in copies
        for reference in references.get(original, ())
    )


def last_reference(project: Project) -> int:
    """Return the highest number of a reference of the project, 0 if it has none. One query."""
    rows = Translation.objects.filter(sentence__project=project, reference__isnull=False)
    return rows.aggregate(last=Max("reference"))["last"] or 0
