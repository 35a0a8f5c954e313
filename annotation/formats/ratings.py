"""Ratings of translations with their errors, as mt-metrics-eval has them, version 2.

In JSON lines, a rating has the texts; in the `.seg.rating` files of a test set, it stands behind
the name of the system. Characters are numbered from 0 in the uploaded text, as Python does, and the
end is behind the last one. What is missing is an error without characters at the end of the
translation, what is wrong as a whole one of all its characters.
Source: `ratings.py` and `standalone_ratings.py` of mt-metrics-eval.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.error_points import ErrorWeights
from annotation.formats.span_notation import MISSING, SOURCE, Span


@dataclass(frozen=True, slots=True)
class Rating:
    """What one annotator, by number from 1, says of a system's translation of a line.

    `scores` are by the names of the project's own scales. `weights` are the points of errors, None
    where they have none. `document` and `domain` are "" if they are unknown.
    """

    line: int
    document: str
    domain: str
    source: str
    references: Sequence[str]
    system: str
    translation: str
    annotator: int
    score: float | None
    spans: Sequence[Span]
    scores: Mapping[str, float] = field(default_factory=dict)
    weights: ErrorWeights | None = None

    @property
    def errors(self) -> list[dict[str, Any]]:
        return [_error(span, len(self.translation), self.weights) for span in self.spans]


def rater(number: int) -> str:
    """Return what files call an annotator."""
    return f"rater{number}"


def rating_line(rating: Rating, source_language: str, target_language: str) -> str:
    """Return the line of JSON; keys that mt-metrics-eval does not know follow those it reads."""
    entry = {
        "source": rating.source,
        "hypothesis": rating.translation,
        "errors": rating.errors,
        "document_id": rating.document or None,
        "segment_id": rating.line - 1,
        "system_id": rating.system,
        "rater_id": rater(rating.annotator),
        "src_lang": source_language,
        "tgt_lang": target_language,
        "score": rating.score,
        **({"scores": rating.scores} if rating.scores else {}),
        "domain": rating.domain or None,
        "references": list(rating.references),
    }
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _error(span: Span, length: int, weights: ErrorWeights | None) -> dict[str, Any]:
    start, end = span.start, span.end
    if start is None or end is None:
        start, end = (length if span.side == MISSING else 0), length
    return {
        "start": start,
        "end": end,
        "category": span.category or (MISSING if span.is_omission else None),
        "severity": span.severity,
        "score": None if weights is None else weights.of(span.category, span.severity),
        "is_source_error": span.side == SOURCE,
    }


def seg_rating_lines(systems: Iterable[tuple[str, Sequence[Rating | None]]]) -> str:
    """Return a `.seg.rating` file of one annotator: a line for each segment of each system."""
    return "".join(
        f"{system}\tNone\n"
        if rating is None
        else f"{system}\t{json.dumps({'errors': rating.errors}, ensure_ascii=False)}\t"
        f"{rater(rating.annotator)}\n"
        for system, ratings in systems
        for rating in ratings
    )
