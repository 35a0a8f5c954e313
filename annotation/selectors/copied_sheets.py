"""What control and practice sheets have besides the sheets that they copy, by line and system."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.models import Control, ExpectedPlacement, Project, Projection, Sentence


@dataclass(frozen=True, slots=True)
class WorseCopy:
    """A degraded copy of a system's output for a line; `beside` are all systems of the sheet."""

    line: int
    system: str
    beside: frozenset[str]
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class GoldOutput:
    """The gold answer for a system's output in practice; `beside` are all systems of the sheet.

    `rank` is None for garbage, and `sheet` identifies the practice sheet.
    """

    sheet: int
    line: int
    system: str
    beside: frozenset[str]
    rank: int | None
    detail: str
    explanation: str


def worse_copies(project: Project) -> list[WorseCopy]:
    """Return the degraded copies of control sheets that are in use. Two queries."""
    rows = list(
        Control.objects.filter(
            segment__sentence__project=project,
            segment__sentence__retired=False,
            kind=Control.Kind.DEGRADED,
        )
        .select_related("segment__sentence__copy_of", "original", "changed")
        .order_by("segment")
    )
    produced = _produced(one.segment.sentence.copy_of_id for one in rows)
    return [
        WorseCopy(
            one.segment.sentence.source_number,
            system,
            frozenset(name for names in of_row.values() for name in names),
            one.changed.text,
            one.message,
        )
        for one in rows
        for of_row in [produced.get(one.segment.sentence.copy_of_id or 0, {})]
        for system in of_row.get(one.original.text, [])
    ]


def gold_outputs(project: Project) -> list[GoldOutput]:
    """Return the gold answers of practice sheets that are in use, sheet by sheet. Two queries."""
    rows = list(
        ExpectedPlacement.objects.filter(
            answer__segment__sentence__project=project,
            answer__segment__sentence__retired=False,
            answer__segment__of_document=False,
        )
        .select_related("answer__segment__sentence__copy_of", "candidate")
        .order_by("answer__segment__sentence__number", "candidate")
    )
    produced = _produced(one.answer.segment.sentence.copy_of_id for one in rows)
    return [
        GoldOutput(
            sentence.sheet_id or sentence.pk,
            sentence.source_number,
            system,
            frozenset(name for names in of_row.values() for name in names),
            one.rank,
            one.detail,
            one.answer.explanation,
        )
        for one in rows
        for sentence in [one.answer.segment.sentence]
        for of_row in [produced.get(sentence.copy_of_id or 0, {})]
        for system in of_row.get(one.candidate.text, [])
    ]


def _produced(rows: Iterable[int | None]) -> Mapping[int, Mapping[str, list[str]]]:
    """Return the systems by text, of each of these rows to judge."""
    found: dict[int, dict[str, list[str]]] = {}
    projections = Projection.objects.filter(
        segment__sentence__in=Sentence.objects.filter(pk__in=set(rows)),
        segment__of_document=False,
        candidate__isnull=False,
    ).order_by("pk")
    for sentence, text, system in projections.values_list(
        "segment__sentence", "candidate__text", "system__name"
    ):
        found.setdefault(sentence, {}).setdefault(text or "", []).append(system)
    return found
