"""Texts in which errors can be marked before, and what annotators submitted for them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.kinds import kind_of
from annotation.models import (
    GivenErrors,
    GivenOrigin,
    Placement,
    Project,
    Projection,
    Sentence,
)
from annotation.models.results import candidate_counts, judgement_counts


@dataclass(frozen=True, slots=True)
class GivenLists:
    """Origins by id, and what they marked by origin and candidate; "" for no error."""

    origins: Mapping[int, GivenOrigin]
    details: Mapping[tuple[int, int], str]
    # When a sheet could first show errors of the candidate.
    since: Mapping[int, datetime]


@dataclass(frozen=True, slots=True)
class JudgedWithList:
    """A judged candidate in which errors were marked before, in the notation of the kind.

    `origin` and `given` are "" where the sheet showed none.
    """

    judgement: int
    candidate: int
    origin: str
    given: str
    submitted: str


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A candidate that a system produced, with the line and the text of its source."""

    system: str
    line: int
    source: str
    candidate: int
    text: str


def translated_texts(project: Project) -> Iterator[TranslatedText]:
    """Yield what systems produced in the sentences to judge, excluded ones too. One query.

    Without whole documents, which have no line.
    """
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=False,
        candidate__isnull=False,
    ).order_by("pk")
    columns = (
        "system__name",
        Coalesce("segment__sentence__source_line", "segment__sentence__number"),
        *("segment__sentence__text", "candidate", "candidate__text"),
    )
    for row in rows.values_list(*columns).iterator(CHUNK):
        yield TranslatedText(*row)


@dataclass(frozen=True, slots=True)
class SubmittedErrors:
    """What an annotator (id) last submitted for a candidate, in the notation of the kind."""

    annotator: int
    candidate: int
    detail: str


def submitted_errors(project: Project) -> Iterator[SubmittedErrors]:
    """Yield what annotators marked in candidates, by time. Two queries."""
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        candidate_counts(),
        judgement__submission__assignment__project=project,
    ).order_by("judgement__created", "pk")
    details = kind_of(project).answer.read_details(rows)
    columns = "pk", "judgement__submission__assignment__annotator", "candidate"
    for pk, annotator, candidate in rows.values_list(*columns).iterator(CHUNK):
        yield SubmittedErrors(annotator, candidate, details.get(pk, ""))


def given_lists(project: Project) -> GivenLists | None:
    """Return all that was marked before; None, in one query, if there is no origin."""
    origins = {origin.pk: origin for origin in project.given_origins.order_by("-created")}
    if not origins:
        return None
    rows = GivenErrors.objects.filter(origin__project=project)
    details: dict[tuple[int, int], str] = {}
    since: dict[int, datetime] = {}
    for origin, candidate, detail in rows.values_list("origin", "candidate", "detail").iterator(
        CHUNK
    ):
        details[origin, candidate] = detail
        created = origins[origin].created
        since[candidate] = min(since.get(candidate, created), created)
    return GivenLists(origins, details, since)


def judged_with_lists(project: Project, given: GivenLists) -> Iterator[JudgedWithList]:
    """Yield the candidates of the judgements that count, in the order of their ids. Two queries.

    Left out are those that no origin has looked at, sheets that were assigned before, and imported
    judgements, which showed nothing here.
    """
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        candidate_counts(),
        judgement__submission__assignment__project=project,
        judgement__submission__assignment__decision=None,
    )
    details = kind_of(project).answer.read_details(rows)
    columns = (
        *("pk", "judgement", "candidate"),
        "judgement__submission__assignment__given",
        "judgement__submission__assignment__shown",
    )
    for pk, judgement, candidate, origin, assigned in (
        rows.order_by("pk").values_list(*columns).iterator(CHUNK)
    ):
        since = given.since.get(candidate)
        if since is None or assigned is None or assigned < since:
            continue
        shown = None if origin is None else given.details.get((origin, candidate))
        if origin is not None and shown is None:
            # The sheet showed what the origin marked in other candidates.
            continue
        yield JudgedWithList(
            judgement,
            candidate,
            "" if origin is None else given.origins[origin].name,
            shown or "",
            details.get(pk, ""),
        )
