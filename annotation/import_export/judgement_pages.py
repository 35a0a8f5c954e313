"""The judgements of a page of sentences, for exports."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models.functions import Coalesce

from annotation.formats.media_files import Play
from annotation.import_export.media_plays import plays_of
from annotation.import_export.sentence_pages import LoadedSentence
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.models import (
    Assignment,
    ChosenSystem,
    Judgement,
    MediaPlay,
    Placement,
    Project,
    Projection,
    Sentence,
    SettledPlacement,
    ShownCandidate,
)
from annotation.models.results import candidate_counts
from annotation.projects.document_sheets import design_of


@dataclass(frozen=True, slots=True)
class LoadedJudgement:
    """`ranks` are by candidate id in the order of ids; None is garbage.

    `details` are by candidate id, in the notation of the project's kind. `created` is the time of
    the judgement, which identifies it in files; that of its submission may be later.
    """

    id: int
    assignment_id: int
    annotator_id: int
    kind: str
    decision: int | None
    submitted: datetime
    created: datetime
    seconds: float | None
    comment: str = ""
    aids: dict[str, Any] = field(default_factory=dict)
    # What was played before the submission that it belongs to.
    media: list[Play] = field(default_factory=list)
    ranks: dict[int, int | None] = field(default_factory=dict)
    details: dict[int, str] = field(default_factory=dict)


def load_judgements(
    page: Collection[LoadedSentence], answer: Answer | None = None
) -> dict[int, list[LoadedJudgement]]:
    """Return the current judgements by segment id, in order of time. Three queries a page.

    With the `answer` of the project's kind they have details, by one more if there can be any.

    Of a sentence that its annotator revised, only the last submission is current. Discarded
    judgements are left out, and candidates that are excluded.
    """
    of_page = {
        "segment__sentence__in": [sentence.id for sentence in page],
        "submission__assignment__state": Assignment.State.SUBMITTED,
        "submission__current": True,
    }
    rows = Judgement.objects.filter(**of_page)
    plays = plays_of(MediaPlay.objects.filter(submission__in=rows.values("submission")))
    judgements: dict[int, LoadedJudgement] = {}
    by_segment: dict[int, list[LoadedJudgement]] = {}
    for row in rows.order_by("created", "submission__assignment_id", "pk").values_list(
        "segment_id",
        "pk",
        "submission_id",
        "submission__assignment_id",
        "submission__assignment__annotator_id",
        "submission__assignment__kind",
        "submission__assignment__decision",
        "submission__created",
        "created",
        "seconds",
        "comment",
        "submission__assignment__aids",
    ):
        judgement = LoadedJudgement(row[1], *row[3:], media=plays.get(row[2], []))
        judgements[judgement.id] = judgement
        by_segment.setdefault(row[0], []).append(judgement)
    placed = Placement.objects.filter(
        candidate_counts(), **{f"judgement__{key}": value for key, value in of_page.items()}
    ).order_by("candidate_id")
    details = answer.read_details(placed) if answer else {}
    for pk, judgement_id, candidate_id, rank in placed.values_list(
        "pk", "judgement_id", "candidate_id", "rank"
    ):
        judgements[judgement_id].ranks[candidate_id] = rank
        if pk in details:
            judgements[judgement_id].details[candidate_id] = details[pk]
    return by_segment


def load_projections(page: list[LoadedSentence]) -> dict[int, list[tuple[str, int]]]:
    """Return by segment id the (system, candidate id) pairs, in the order of the rows."""
    found: dict[int, list[tuple[str, int]]] = {}
    for segment_id, system, candidate_id in (
        Projection.objects.filter(
            candidate_counts(), segment__sentence__in=ids(page), candidate__isnull=False
        )
        .order_by("pk")
        .values_list("segment_id", "system__name", "candidate_id")
    ):
        # The filter leaves out null, which the type does not know.
        assert candidate_id is not None
        found.setdefault(segment_id, []).append((system, candidate_id))
    return found


def by_candidate(produced: Iterable[tuple[str, int]]) -> dict[int, list[str]]:
    """Return the systems by candidate id, from the pairs of a segment in `load_projections`."""
    found: dict[int, list[str]] = {}
    for system, candidate in produced:
        found.setdefault(candidate, []).append(system)
    return found


@dataclass(frozen=True)
class SheetChoice:
    """The probability of the systems of a sheet together with its document, and of each system."""

    together: float | None
    systems: dict[str, float]


def load_choices(page: list[LoadedSentence], project: Project) -> dict[int, SheetChoice]:
    """Return by sentence id how the systems of its sheet were chosen.

    Two queries, none where every system is on a sheet of each document.
    """
    if not design_of(project).chooses:
        return {}
    rows = Sentence.objects.filter(pk__in=ids(page))
    heads = dict(rows.values_list("pk", Coalesce("sheet", "pk")))
    found: dict[int, SheetChoice] = {}
    chosen = ChosenSystem.objects.filter(sheet__in=set(heads.values())).order_by("place")
    for head, together, system, probability in chosen.values_list(
        "sheet_id", "sheet__sheet_probability", "system__name", "probability"
    ):
        found.setdefault(head, SheetChoice(together, {})).systems[system] = probability
    return {pk: found[head] for pk, head in heads.items() if head in found}


def load_settled(page: list[LoadedSentence], project: Project) -> dict[int, int | None]:
    """Return by candidate id the rank by which a curator settled its sheet; None is garbage.

    One query, none where sheets are no documents.
    """
    if not kind_of(project).unit.is_document:
        return {}
    rows = SettledPlacement.objects.filter(candidate__segment__sentence__in=ids(page))
    return dict(rows.values_list("candidate", "rank"))


def load_positions(page: list[LoadedSentence]) -> dict[tuple[int, int], int]:
    """Return the places on the screen by assignment id and candidate id."""
    rows = ShownCandidate.objects.filter(candidate__segment__sentence__in=ids(page))
    return {
        (assignment_id, candidate_id): position
        for assignment_id, candidate_id, position in rows.values_list(
            "assignment_id", "candidate_id", "position"
        )
    }


def is_repeat(judgement: LoadedJudgement, candidate: int, seen: set[tuple[int, int]]) -> bool:
    """Tell whether the annotator has judged the candidate before, and add it to what was `seen`.

    Ask in the order of time.
    """
    key = judgement.annotator_id, candidate
    before = key in seen or judgement.kind == Assignment.Kind.INTRA
    seen.add(key)
    return before


def ids(page: list[LoadedSentence]) -> list[int]:
    return [sentence.id for sentence in page]
