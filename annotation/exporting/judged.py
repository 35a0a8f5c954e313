"""The judgements of a page of sentences, with what each candidate got."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from annotation.models import Assignment, Judgement, Placement
from annotation.sentence_pages import LoadedSegment, LoadedSentence


@dataclass(frozen=True, slots=True)
class LoadedJudgement:
    """`ranks` are by candidate id in the order of ids; None is the garbage bin."""

    id: int
    assignment_id: int
    annotator_id: int
    kind: str
    submitted: datetime | None
    seconds: float | None
    ranks: dict[int, int | None] = field(default_factory=dict)


def load_judgements(page: Collection[LoadedSentence]) -> dict[int, list[LoadedJudgement]]:
    """Return the submitted judgements by segment id, in order of time. Two queries a page."""
    of_page = {
        "assignment__sentence__in": [sentence.id for sentence in page],
        "assignment__state": Assignment.State.SUBMITTED,
    }
    judgements: dict[int, LoadedJudgement] = {}
    by_segment: dict[int, list[LoadedJudgement]] = {}
    for row in (
        Judgement.objects.filter(**of_page)
        .order_by("created", "assignment_id", "pk")
        .values_list(
            "segment_id",
            "pk",
            "assignment_id",
            "assignment__annotator_id",
            "assignment__kind",
            "assignment__submitted",
            "seconds",
        )
    ):
        judgement = LoadedJudgement(*row[1:])
        judgements[judgement.id] = judgement
        by_segment.setdefault(row[0], []).append(judgement)
    for judgement_id, candidate_id, rank in (
        Placement.objects.filter(**{f"judgement__{key}": value for key, value in of_page.items()})
        .order_by("candidate_id")
        .values_list("judgement_id", "candidate_id", "rank")
    ):
        judgements[judgement_id].ranks[candidate_id] = rank
    return by_segment


def ranks_by_text(judgement: LoadedJudgement, segment: LoadedSegment) -> dict[str, int | None]:
    """Return what the candidates got, by their texts."""
    return {
        segment.candidates[candidate_id]: rank for candidate_id, rank in judgement.ranks.items()
    }
