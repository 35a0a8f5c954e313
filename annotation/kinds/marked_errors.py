"""Errors that the annotator marks in a candidate: with a score (ESA), or alone (MQM).

Sources: Kocmi et al. (2024), "Error Span Annotation"; Freitag et al. (2021), "Experts, Errors, and
Context".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as gettext_noop
from annotation.formats.span_notation import (
    MISSING,
    SEVERITIES,
    TARGET,
    Span,
    parse_spans,
    plain_spans,
    write_spans,
    written_span,
)
from annotation.kinds.answer_options import TYPOLOGY_ASKED, OptionsAsked
from annotation.kinds.answer_words import DETAILS_TAKE_LONGER, OF_POINTS, OF_SCORES, AnswerWords
from annotation.kinds.answers import Detailed, InvalidAnswer, JudgedText, Score
from annotation.kinds.practice_words import PracticeWords, of_errors_alone, of_marked_errors
from annotation.kinds.typology import FREITAG, Typology, parse_typology

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement

# As ranks, points are whole numbers of tenths; this many ranks are more than any page has room for.
RANKS_OF_POINTS: Final = 10_000
# Along the scores of ESA (Kocmi et al. 2024).
FOUR_LABELS: Final = (
    gettext_lazy("0: No meaning preserved"),
    gettext_lazy("33: Some meaning preserved"),
    gettext_lazy("66: Most meaning preserved"),
    gettext_lazy("100: Perfect"),
)


@dataclass(frozen=True)
class Marking(Detailed):
    """The detail is the marked errors, in the notation of `annotation.formats.span_notation`.

    Without a typology, errors are minor or major and do not overlap, and one says that something is
    missing. With one, they have its severities and categories, and may overlap.
    """

    folder: ClassVar[str] = "annotation/answers/marked_errors"
    scripts: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.js",)
    styles: ClassVar[tuple[str, ...]] = ("annotation/kinds/error_spans.css",)
    parts: ClassVar[str] = "annotation/answers/marked_errors/parts.html"
    takes_given_errors: ClassVar[bool] = True

    # Whether the annotator gives a score too.
    asks_score: ClassVar[bool] = False

    typology: Typology | None = None

    @property
    def severities(self) -> tuple[str, ...]:
        """The severities of errors, the mildest first."""
        return SEVERITIES if self.typology is None else self.typology.severities

    def check_detail(self, detail: str, *, of: JudgedText, rank: int | None) -> None:
        self.check_given(detail, of=of)

    def check_given(self, detail: str, *, of: JudgedText) -> None:
        try:
            spans = parse_spans(detail, len(of.candidate), len(of.source))
            if self.typology is None:
                _check_plain(spans)
            else:
                self.typology.check(spans)
        except InputError as problem:
            raise InvalidAnswer(localize_error(problem).words) from None

    def kept_detail(self, detail: str, rank: int | None) -> str:
        """Return the spans in their order."""
        return write_spans(parse_spans(detail))

    def given_detail(self, spans: Iterable[Span], *, candidate: str) -> str:
        if self.typology is None:
            return write_spans(plain_spans(spans, len(candidate)))
        kept = parse_spans(write_spans(spans), len(candidate))
        self.typology.check(kept)
        return write_spans(kept)

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


@dataclass(frozen=True)
class MarkedErrors(Marking, Score):
    """Each candidate gets a score beside its marked errors."""

    asks_score: ClassVar[bool] = True
    words: ClassVar[AnswerWords] = replace(OF_SCORES, takes_longer=DETAILS_TAKE_LONGER)

    ticks: tuple[Any, ...] = FOUR_LABELS

    @property
    def practice(self) -> PracticeWords:
        return of_marked_errors(self.tolerance)


@dataclass(frozen=True)
class ErrorsAlone(Marking):
    """The marked errors are all of the answer; a candidate without any is said to have none.

    The rank follows from the errors: it is 1 without points by the weights of Freitag et al.
    (2021), and one more for each tenth of a point, up to `RANKS_OF_POINTS`. Forms have `card-KEY`
    with the rank 1 for "no errors", and nothing for a candidate that has some.
    """

    words: ClassVar[AnswerWords] = replace(OF_POINTS, takes_longer=DETAILS_TAKE_LONGER)
    formats_of_ranks: ClassVar[tuple[str, ...]] = ()
    options_asked: ClassVar[OptionsAsked | None] = TYPOLOGY_ASKED

    typology: Typology = FREITAG

    def ranks(self, cards: int) -> int:
        return RANKS_OF_POINTS

    @property
    def worst(self) -> int:
        return RANKS_OF_POINTS

    @property
    def own_options(self) -> tuple[str, ...]:
        return self.typology.lines

    def with_options(self, options: tuple[str, ...]) -> Self:
        return replace(self, typology=parse_typology(options))

    def joined_options(self, options: Sequence[str]) -> str:
        chosen = parse_typology(options) if any(map(str.strip, options)) else FREITAG
        return "\n".join(chosen.lines)

    def meaning(self, rank: int) -> float:
        """Return the points."""
        return (rank - 1) / 10

    def rank_of_detail(self, detail: str) -> int:
        """Return the rank that follows from marked errors. Raise InputError for wrong ones."""
        spans = parse_spans(detail)
        self.typology.check(spans)
        return min(1 + round(10 * self.typology.points(spans)), RANKS_OF_POINTS)

    def ranks_given(
        self, choices: Mapping[str, int | None], details: Mapping[str, str]
    ) -> Mapping[str, int | None]:
        ranks = dict(choices)
        for key, detail in details.items():
            if not detail.strip():
                continue
            try:
                ranks[key] = self.rank_of_detail(detail)
            except InputError as problem:
                raise InvalidAnswer(localize_error(problem).words) from None
            if choices.get(key, ranks[key]) != ranks[key]:
                raise InvalidAnswer(
                    _(
                        "You marked errors in a translation that you say has none: remove the "
                        "marks, or take back “No errors”."
                    )
                )
        return ranks

    def is_judged(self, detail: str, *, is_chosen: bool) -> bool:
        return is_chosen or bool(detail.strip())

    def check_detail(self, detail: str, *, of: JudgedText, rank: int | None) -> None:
        super().check_detail(detail, of=of, rank=rank)
        expected = self.rank_of_detail(detail)
        if rank != expected:
            raise InvalidAnswer(
                _("The marked errors have the rank %(expected)d, not %(rank)s.")
                % {"expected": expected, "rank": rank}
            )

    @property
    def practice(self) -> PracticeWords:
        return of_errors_alone()


def _check_plain(spans: Sequence[Span]) -> None:
    """Raise InputError for spans with what only a typology has, and for those that overlap."""
    for span in spans:
        if span.severity not in SEVERITIES or span.category or span.side not in (TARGET, MISSING):
            raise InputError(
                gettext_noop(
                    "The marked error “%(text)s” is not such as “0-12 minor”, “20-31 major” or "
                    "“missing major”."
                ),
                text=written_span(span),
            )
    places = [span for span in spans if span.side == TARGET]
    for one, other in pairwise(places):
        if one.end is not None and other.start is not None and other.start < one.end:
            raise InputError(
                gettext_noop("The marked error %(span)s overlaps another one."),
                span=written_span(other),
            )
