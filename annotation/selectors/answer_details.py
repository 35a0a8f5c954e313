"""What annotators added to their answers: the texts that they made, the errors that they marked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import singledispatch

from annotation.kinds.answers import Answer, Ranking, Score, Steps
from annotation.kinds.edited_text import EditedText
from annotation.kinds.marked_errors import Marking
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Edit, ErrorSpan, Placement


@dataclass(frozen=True)
class MarkedError:
    """An error by the columns of ErrorSpan: one without a place is something that is missing."""

    side: str
    start: int | None
    end: int | None
    severity: str
    category: str


@dataclass(frozen=True)
class Details:
    """What an annotator wrote of a candidate, "" for nothing, and the errors in order.

    They write an edited text, or several scores.
    """

    edit: str = ""
    errors: Sequence[MarkedError] = ()


@singledispatch
def details_of(answer: Answer, placements: Collection[int]) -> dict[int, Details]:
    """Return what was added to these placements by their ids. One query at most."""
    raise NotImplementedError(answer)


@details_of.register(Ranking)
@details_of.register(Steps)
@details_of.register(Score)
def _nothing(answer: Answer, placements: Collection[int]) -> dict[int, Details]:
    return {}


@details_of.register
def _edits(answer: EditedText, placements: Collection[int]) -> dict[int, Details]:
    rows = Edit.objects.filter(placement__in=placements)
    return {pk: Details(edit=text) for pk, text in rows.values_list("placement", "text")}


@details_of.register
def _errors(answer: Marking, placements: Collection[int]) -> dict[int, Details]:
    found: dict[int, list[MarkedError]] = {}
    spans = ErrorSpan.objects.filter(placement__in=placements).order_by("start", "end", "pk")
    for pk, side, start, end, severity, category in spans.values_list(
        "placement", "side", "start", "end", "severity", "category"
    ):
        found.setdefault(pk, []).append(MarkedError(side, start, end, severity, category))
    return {pk: Details(errors=errors) for pk, errors in found.items()}


@details_of.register
def _scores(answer: SeveralScores, placements: Collection[int]) -> dict[int, Details]:
    scores = answer.read_details(Placement.objects.filter(pk__in=placements))
    return {pk: Details(edit=written) for pk, written in scores.items()}
