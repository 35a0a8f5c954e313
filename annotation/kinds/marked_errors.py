"""Errors that the annotator marks in a candidate, and a score (Kocmi et al. 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.span_notation import SEVERITIES, Span, parse_spans, write_spans
from annotation.kinds.answer_words import DETAILS_TAKE_LONGER, OF_SCORES, AnswerWords
from annotation.kinds.answers import Detailed, InvalidAnswer, Score
from annotation.kinds.practice_words import PracticeWords, of_marked_errors
from annotation.kinds.typology import Typology

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement


@dataclass(frozen=True)
class MarkedErrors(Detailed, Score):
    """The detail is the marked errors, in the notation of `annotation.formats.span_notation`."""

    folder: ClassVar[str] = "annotation/answers/marked_errors"
    words: ClassVar[AnswerWords] = replace(OF_SCORES, takes_longer=DETAILS_TAKE_LONGER)
    scripts: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.js",)
    styles: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.css",)
    parts: ClassVar[str] = "annotation/answers/marked_errors/parts.html"

    typology: Typology | None = None

    @property
    def severities(self) -> tuple[str, ...]:
        """The severities of errors, the mildest first."""
        return SEVERITIES if self.typology is None else self.typology.severities

    def check_detail(self, detail: str, *, candidate: str, rank: int | None) -> None:
        try:
            parse_spans(detail, len(candidate))
        except InputError as problem:
            raise InvalidAnswer(localize_error(problem)) from None

    def kept_detail(self, detail: str, rank: int | None) -> str:
        """Return the spans in their order."""
        return write_spans(parse_spans(detail))

    def store_details(self, details: Mapping[int, str]) -> None:
        from annotation.models import ErrorSpan

        ErrorSpan.objects.bulk_create(
            ErrorSpan(
                placement_id=placement,
                side=span.side,
                start=span.start,
                end=span.end,
                severity=span.severity,
                category=span.category,
            )
            for placement, detail in details.items()
            for span in parse_spans(detail)
        )

    def read_details(self, placements: QuerySet[Placement]) -> dict[int, str]:
        from annotation.models import ErrorSpan

        rows = ErrorSpan.objects.filter(placement__in=placements.order_by().values("pk"))
        found: dict[int, list[Span]] = {}
        columns = "placement", "start", "end", "severity", "side", "category"
        for placement, *columns_of_span in rows.values_list(*columns):
            found.setdefault(placement, []).append(Span(*columns_of_span))
        return {placement: write_spans(spans) for placement, spans in found.items()}

    @property
    def practice(self) -> PracticeWords:
        return of_marked_errors(self.tolerance)
