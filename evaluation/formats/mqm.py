"""Error points of the ratings in a file of MQM."""

from collections.abc import Iterable

from annotation.formats.error_points import ErrorWeights
from annotation.formats.mqm_lines import Rating
from evaluation.formats.metric_scores import IN_DOCUMENT
from evaluation.stats.error_spans import ErrorPoints, score_errors


def score_ratings(ratings: Iterable[Rating], weights: ErrorWeights) -> ErrorPoints:
    """Return the error points of segments and systems.

    Segments have the names of the file, or "DOCUMENT::SEGMENT" if two documents have a segment of
    the same name."""
    rows = list(ratings)
    documents: dict[str, str] = {}
    doubled = any(documents.setdefault(row.segment, row.document) != row.document for row in rows)
    return score_errors(
        systems=[row.system for row in rows],
        segments=[
            f"{row.document}{IN_DOCUMENT}{row.segment}" if doubled else row.segment for row in rows
        ],
        raters=[row.rater for row in rows],
        points=[
            0.0 if row.error is None else weights.of(row.error.category, row.error.severity)
            for row in rows
        ],
        weights=weights,
    )
