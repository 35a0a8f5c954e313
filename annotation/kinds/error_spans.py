"""Error spans with a score: marked minor and major errors, then 0 to 100 (Kocmi et al. 2024)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.span_notation import Span, parse_spans, write_spans
from annotation.kinds.detail import InvalidDetail
from annotation.kinds.kind import MARK, Kind
from annotation.kinds.sentence_ranking import AT_ONCE

if TYPE_CHECKING:
    # The preview of a new project asks about kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement


class MarkedErrors:
    """The detail of this kind, a `Detail`: the notation of `annotation.formats.span_notation`."""

    def check(self, detail: str, *, candidate: str, rank: int) -> None:
        """Raise InvalidDetail unless the spans are within the candidate and do not overlap."""
        try:
            parse_spans(detail, len(candidate))
        except InputError as problem:
            raise InvalidDetail(localize_error(problem)) from None

    def normalised(self, detail: str, rank: int) -> str:
        """Return the spans in their order."""
        return write_spans(parse_spans(detail))

    def store(self, details: Mapping[int, str]) -> None:
        from annotation.models import ErrorSpan

        ErrorSpan.objects.bulk_create(
            ErrorSpan(placement_id=placement, start=start, end=end, severity=severity)
            for placement, detail in details.items()
            for start, end, severity in parse_spans(detail)
        )

    def read(self, placements: "QuerySet[Placement]") -> dict[int, str]:
        from annotation.models import ErrorSpan

        rows = ErrorSpan.objects.filter(placement__in=placements.order_by().values("pk"))
        found: dict[int, list[Span]] = {}
        for placement, start, end, severity in rows.values_list(
            "placement", "start", "end", "severity"
        ):
            found.setdefault(placement, []).append(Span(start, end, severity))
        return {placement: write_spans(spans) for placement, spans in found.items()}


KIND: Final = Kind(
    name="error_spans",
    label=_("Error spans with a score"),
    question=_(
        "Annotators mark minor and major errors in each whole translation, then give it a score "
        "from 0 to 100."
    ),
    group=MARK,
    answers=_("How good is a system, and what is wrong with its sentences?"),
    known_as="ESA",
    whole_sentences=True,
    single_translations=True,
    # Projects from before that have several translations on a sheet, and keep them.
    most_candidates=AT_ONCE,
    highest_score=100,
    detail=MarkedErrors(),
    marks_errors=True,
    exports=("esa", "pearmut", "da"),
    pearmut_protocol="ESA",
    own_card=True,
    own_keys=True,
    script="annotation/kinds/error_spans.js",
    style="annotation/kinds/error_spans.css",
)
