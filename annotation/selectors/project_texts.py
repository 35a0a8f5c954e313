"""Streams of the texts of a project as plain rows: sentences, translations, segments, candidates.

Sentences for practice and control are left out, and what is excluded. Where one translation is
judged at a time, the sentences are the lines of the source, and further translations of a line are
left out as segments and candidates. So are documents as a whole.
"""

from collections.abc import Iterator
from typing import Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.models import Candidate, Project, Projection, Segment, Sentence, Translation
from annotation.models.results import candidate_counts

# Of a row that belongs to a sentence.
OF_SENTENCE: Final = {
    "sentence__purpose": Sentence.Purpose.JUDGE,
    "sentence__excluded": False,
    "sentence__source_line": None,
}
# Of a row that belongs to a segment.
OF_SEGMENT: Final = {
    "segment__excluded": False,
    "segment__of_document": False,
    **{f"segment__{name}": value for name, value in OF_SENTENCE.items()},
}


def sentences(project: Project) -> Iterator[tuple[int, int, str, str]]:
    """Stream id, number, text and places of tokens of the sentences, by number."""
    rows = _sentences(project).order_by("number")
    return rows.values_list("pk", "number", "text", "tokens").iterator(CHUNK)


def source_texts(project: Project) -> Iterator[tuple[int, str]]:
    """Stream number and text as given of the sentences, in no particular order."""
    rows = _sentences(project)
    return rows.values_list("number", "text").iterator(CHUNK)


def outputs(project: Project) -> Iterator[tuple[int, int, str, str]]:
    """Stream sentence id, system id, text and places of tokens of systems' outputs, unordered."""
    rows = _translations(project).filter(system__isnull=False)
    return rows.values_list("sentence", "system", "text", "tokens").iterator(CHUNK)


def references(project: Project) -> Iterator[tuple[int, int, str, str]]:
    """Stream sentence id, number, text and places of tokens of the references, by number."""
    rows = _translations(project).filter(reference__isnull=False).order_by("reference")
    columns = rows.values_list("sentence", "reference", "text", "tokens")
    return columns.iterator(CHUNK)  # type: ignore[return-value]  # the number is never null


def excluded_outputs(project: Project) -> set[tuple[int, int]]:
    """Return line of the source and system id of the whole translations that are excluded."""
    rows = Projection.objects.filter(
        Q(candidate__excluded=True)
        | Q(segment__excluded=True)
        | Q(segment__sentence__excluded=True),
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=False,
        candidate__isnull=False,
    )
    line = Coalesce("segment__sentence__source_line", "segment__sentence__number")
    return set(rows.annotate(line=line).values_list("line", "system"))


def whole_translations_exist(project: Project) -> tuple[bool, bool]:
    """Return whether any sentence has a reference, and whether any has a system's translation."""
    rows = _translations(project).exclude(text="")
    return rows.filter(system=None).exists(), rows.exclude(system=None).exists()


def segments(project: Project) -> Iterator[tuple[int, int, str]]:
    """Stream id, sentence id and token positions (joined by spaces) of the segments, by id."""
    rows = Segment.objects.filter(
        **OF_SENTENCE, sentence__project=project, excluded=False, of_document=False
    )
    return rows.order_by("pk").values_list("pk", "sentence", "token_indices").iterator(CHUNK)


def candidates(project: Project) -> Iterator[tuple[int, int, str]]:
    """Stream id, segment id and text of the candidates, by id."""
    rows = Candidate.objects.filter(
        **OF_SEGMENT, segment__sentence__project=project, excluded=False
    )
    return rows.order_by("pk").values_list("pk", "segment", "text").iterator(CHUNK)


def projections(project: Project) -> Iterator[tuple[int, int, int]]:
    """Stream segment id, system id and candidate id where the system has a candidate."""
    rows = Projection.objects.filter(
        candidate_counts(),
        **OF_SEGMENT,
        segment__sentence__project=project,
        candidate__isnull=False,
    )
    return rows.values_list("segment", "system", "candidate").iterator(CHUNK)


def _translations(project: Project) -> QuerySet[Translation]:
    return Translation.objects.filter(**OF_SENTENCE, sentence__project=project)


def _sentences(project: Project) -> QuerySet[Sentence]:
    return Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, excluded=False, source_line=None
    )
