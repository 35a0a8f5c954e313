"""Which sentences have a document."""

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.judging.project_counts import IN_RESULTS
from annotation.kinds import kind_of
from annotation.models import Assignment, Project, Projection, Sentence


def documents_of_sentences(project: Project) -> dict[int, str]:
    """Return the documents by the numbers of the sentences to judge that have one."""
    return dict(_with_document(project).values_list("number", "document").iterator(CHUNK))


def sampled_documents(project: Project) -> dict[int, str]:
    """Return the same for statistics that sample documents.

    Where documents are judged, a line without one is a document by itself. Its name begins with a
    line break, as no name that people give does.
    """
    named = documents_of_sentences(project)
    if not kind_of(project).unit.is_document:
        return named
    lines = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE, document="")
    return named | {number: f"\n{number}" for number in lines.values_list("number", flat=True)}


def item_ids(project: Project) -> dict[int, str]:
    """Return what the file of another program calls lines, by their numbers, where it has ids."""
    lines = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, source_line=None, item_id__gt=""
    )
    return dict(lines.values_list("number", "item_id").iterator(CHUNK))


def sheets_of_documents(project: Project) -> list[tuple[list[int], list[str]]]:
    """Return the numbers of the lines and the names of the systems of each sheet, in their order.

    What is excluded is in it. One query.
    """
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=False,
    ).order_by("segment__sentence__number", "system__name")
    found: dict[int, tuple[list[int], list[str]]] = {}
    for head, number, line, system in rows.values_list(
        Coalesce("segment__sentence__sheet", "segment__sentence"),
        "segment__sentence__number",
        "segment__sentence__source_line",
        "system__name",
    ).iterator(CHUNK):
        lines, systems = found.setdefault(head, ([], []))
        if (line or number) not in lines[-1:]:
            lines.append(line or number)
        if system not in systems:
            systems.append(system)
    return sorted(found.values())


def judged_without_document(project: Project) -> tuple[int, int]:
    """Return how many sentences are judged, and how many of these have no document."""
    judged = _judged(project)
    if kind_of(project).unit.is_document:
        return judged.count(), 0
    return judged.count(), judged.filter(document="").count()


def documents_are_known(project: Project) -> bool:
    """Tell whether there are documents, and each judged sentence has one."""
    if kind_of(project).unit.is_document:
        return True
    if not _with_document(project).exists():
        return False
    return not _judged(project).filter(document="").exists()


def _with_document(project: Project) -> QuerySet[Sentence]:
    # Only sentences to judge have one. By this condition, an index has just these.
    return Sentence.objects.filter(project=project, document__gt="").order_by()


def _judged(project: Project) -> QuerySet[Sentence]:
    assigned = Assignment.objects.filter(IN_RESULTS, project=project).order_by()
    return Sentence.objects.filter(pk__in=assigned.values("sentence")).order_by()
