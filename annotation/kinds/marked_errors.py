"""Errors that the annotator marks in a candidate, and a score (Kocmi et al. 2024)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.span_notation import (
    MAJOR,
    MISSING,
    SEVERITIES,
    SOURCE,
    Span,
    parse_spans,
    write_spans,
)
from annotation.kinds.answer_words import DETAILS_TAKE_LONGER, OF_SCORES, AnswerWords
from annotation.kinds.answers import Detailed, InvalidAnswer, Score
from annotation.kinds.practice_words import PracticeWords, of_marked_errors

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement

# What the severities of other protocols are here; "" for those that are no errors.
_SEVERITIES: Final[Mapping[str, str]] = {"critical": MAJOR, "neutral": ""}


@dataclass(frozen=True)
class MarkedErrors(Detailed, Score):
    """The detail is the marked errors, in the notation of `annotation.formats.span_notation`."""

    folder: ClassVar[str] = "annotation/answers/marked_errors"
    words: ClassVar[AnswerWords] = replace(OF_SCORES, takes_longer=DETAILS_TAKE_LONGER)
    scripts: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.js",)
    styles: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.css",)
    takes_given_errors: ClassVar[bool] = True

    def check_detail(self, detail: str, *, candidate: str, rank: int | None) -> None:
        try:
            parse_spans(detail, len(candidate))
        except InputError as problem:
            raise InvalidAnswer(localize_error(problem)) from None

    def kept_detail(self, detail: str, rank: int | None) -> str:
        """Return the spans in their order."""
        return write_spans(parse_spans(detail))

    def given_detail(self, spans: Iterable[Span], *, candidate: str) -> str:
        """Return the errors as annotators could have marked them.

        A critical error is a major one, and a neutral one is none. What is marked in the source is
        missing from the candidate, and what is wrong as a whole is marked from its beginning to its
        end. Errors that overlap become one, which is as severe as the worst of them.
        """
        missing: list[str] = []
        places: list[tuple[int, int, str]] = []
        for span in spans:
            severity = _SEVERITIES.get(span.severity, span.severity)
            if not severity:
                continue
            if severity not in SEVERITIES:
                raise InputError(
                    _("the severity %(severity)r is unknown; known are %(known)s."),
                    severity=severity[:40],
                    known=", ".join(SEVERITIES),
                )
            if span.side in (SOURCE, MISSING):
                missing.append(severity)
            elif span.start is None or span.end is None:
                places.append((0, len(candidate), severity))
            else:
                places.append((span.start, span.end, severity))
        marked: list[Span] = []
        for start, end, severity in sorted(places):
            before = marked[-1] if marked else None
            if before and before.end is not None and start < before.end:
                worst = max(before.severity, severity, key=SEVERITIES.index)
                marked[-1] = before._replace(end=max(before.end, end), severity=worst)
            else:
                marked.append(Span(start, end, severity))
        if missing:
            marked.append(Span(None, None, max(missing, key=SEVERITIES.index), MISSING))
        return write_spans(parse_spans(write_spans(marked), len(candidate)))

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
