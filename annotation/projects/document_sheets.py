"""What systems have on a sheet of a document: stored when texts are prepared, or as it is assigned.

A sheet whose systems are chosen has rows before it has candidates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.kinds import kind_of
from annotation.models import (
    Candidate,
    ChosenSystem,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.models.texts import rows_of_sheet
from annotation.preparation.projection import merge, visible
from annotation.preparation.system_choice import ChosenSystems
from annotation.projects.provenance import SheetDesign, provenance_of

# The texts of a line by system, "" for none.
Texts = Mapping[str, str]


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet with what the systems of the sheet have for its line."""

    sentence: Sentence
    segment: Segment
    texts: Texts


def design_of(project: Project) -> SheetDesign:
    """Return how documents become sheets; the default for kinds without documents. No query."""
    if not kind_of(project).unit.is_document:
        return SheetDesign()
    return provenance_of(project).sheets


def not_chosen_yet(projects: Iterable[Project]) -> Q | None:
    """Return the condition on the head of a sheet that its systems are still to be chosen.

    None where the systems of all sheets of these projects are known.
    """
    dynamic = [project.pk for project in projects if design_of(project).is_dynamic]
    return Q(project__in=dynamic, sheet_probability=None) if dynamic else None


def store_systems(
    rows: Sequence[SheetRow], whole: Segment | None, systems: Mapping[str, System]
) -> None:
    """Store the candidates of a sheet, and which of its `systems`, by name, produced them.

    `whole` is the segment of the document itself, None where it is not judged. The caller is in a
    transaction.
    """
    asked = [(row.segment, {name: row.texts.get(name, "") for name in systems}) for row in rows]
    if whole:
        paragraphs = [texts for _segment, texts in asked]
        joined = {
            name: "\n".join(filter(None, (texts[name] for texts in paragraphs))) for name in systems
        }
        asked.append((whole, joined))
    candidates: list[Candidate] = []
    projections: list[Projection] = []
    for segment, texts in asked:
        for text, names in merge(texts).items():
            candidates.append(Candidate(segment=segment, text=text))
            projections += [
                Projection(segment=segment, system=systems[name], candidate=candidates[-1])
                for name in names
            ]
        projections += [
            Projection(segment=segment, system=systems[name])
            for name, text in texts.items()
            if not text
        ]
    Candidate.objects.bulk_create(candidates)
    Projection.objects.bulk_create(projections)


def store_choice(head: Sentence, chosen: ChosenSystems, *, of_document: float = 1.0) -> None:
    """Store which systems were chosen for a sheet, with their probabilities.

    `of_document` is the probability of the document once the systems were chosen. Raises
    IntegrityError where another process has chosen some. The caller is in a transaction.
    """
    ChosenSystem.objects.bulk_create(
        ChosenSystem(sheet=head, system_id=system, place=place, probability=probability)
        for place, (system, probability) in enumerate(
            zip(chosen.systems, chosen.each, strict=True), start=1
        )
    )
    head.sheet_probability = chosen.together * of_document
    Sentence.objects.filter(pk=head.pk).update(sheet_probability=head.sheet_probability)


def fill_sheet(head: Sentence, chosen: ChosenSystems, *, of_document: float = 1.0) -> None:
    """Store the systems of a sheet that has none yet, with their candidates.

    The same is stored as when texts are prepared. The caller is in a transaction, and has locked
    the head.
    """
    store_choice(head, chosen, of_document=of_document)
    systems = {one.name: one for one in System.objects.filter(pk__in=chosen.systems)}
    rows = list(Sentence.objects.filter(pk__in=rows_of_sheet(head.pk)).order_by("number"))
    texts: dict[int, dict[str, str]] = {}
    for line, name, text in _translations(head.project_id, rows, systems).values_list(
        "sentence__number", "system__name", "text"
    ):
        texts.setdefault(line, {})[name] = visible(text)
    segments = list(Segment.objects.filter(sentence__in=[row.pk for row in rows]).order_by("pk"))
    of_row = {one.sentence_id: one for one in segments if not one.of_document}
    store_systems(
        [SheetRow(row, of_row[row.pk], texts.get(row.source_number, {})) for row in rows],
        next((one for one in segments if one.of_document), None),
        systems,
    )


def _translations(
    project: int, rows: Sequence[Sentence], systems: Mapping[str, System]
) -> QuerySet[Translation, Any]:
    return Translation.objects.filter(
        sentence__project=project,
        sentence__purpose=Sentence.Purpose.JUDGE,
        sentence__number__in=[row.source_line or row.number for row in rows],
        system__in=[one.pk for one in systems.values()],
    )
