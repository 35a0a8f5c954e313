"""The judgements of a page of sentences, with what each candidate got."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from annotation.import_export.sentence_pages import LoadedSegment, LoadedSentence
from annotation.models import Judgement, Placement


@dataclass(frozen=True, slots=True)
class LoadedJudgement:
    """`ranks` are by candidate id in the order of ids; None is the garbage bin."""

    id: int
    assignment_id: int
    annotator_id: int
    kind: str
    submitted: datetime
    seconds: float | None
    ranks: dict[int, int | None] = field(default_factory=dict)


def load_judgements(page: Collection[LoadedSentence]) -> dict[int, list[LoadedJudgement]]:
    """Return the judgements that hold by segment id, in order of time. Two queries a page.

    Of a sentence that its annotator revised, only the last submission holds.
    """
    of_page = {
        "submission__assignment__sentence__in": [sentence.id for sentence in page],
        "submission__current": True,
    }
    judgements: dict[int, LoadedJudgement] = {}
    by_segment: dict[int, list[LoadedJudgement]] = {}
    for row in (
        Judgement.objects.filter(**of_page)
        .order_by("created", "submission__assignment_id", "pk")
        .values_list(
            "segment_id",
            "pk",
            "submission__assignment_id",
            "submission__assignment__annotator_id",
            "submission__assignment__kind",
            "submission__created",
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
