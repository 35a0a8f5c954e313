"""Scores of a candidate on scales that the project names, all of them given at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from django.utils.translation import gettext as _

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.score_scales import Scale, parse_scales, parse_scores, write_scores
from annotation.kinds.answer_options import SCALES_ASKED, OptionsAsked
from annotation.kinds.answer_words import OF_SEVERAL_SCORES, AnswerWords
from annotation.kinds.answers import Detailed, InvalidAnswer, JudgedText, Score
from annotation.kinds.practice_words import PracticeWords, of_several_scores

# As many as steps of a scale: 0 to 10.
MOST_BUTTONS: Final = 11

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement


@dataclass(frozen=True)
class AskedScore:
    """A scale on a card: its number, from 1, and the score that it has; None if there is none."""

    number: int
    scale: Scale
    score: int | None

    @property
    def has_buttons(self) -> bool:
        """Whether the card shows all scores; more are chosen by a number or a slider."""
        return len(self.scale.scores) <= MOST_BUTTONS


@dataclass(frozen=True)
class SeveralScores(Detailed, Score):
    """The score of the first scale is the rank; the detail has the scores of all scales.

    It is in the notation of `annotation.formats.score_scales`. A draft may lack some of them: then
    it has no rank yet.
    """

    folder: ClassVar[str] = "annotation/answers/several_scores"
    words: ClassVar[AnswerWords] = OF_SEVERAL_SCORES
    scripts: ClassVar[tuple[str, ...]] = ("annotation/kinds/several_scores.js",)
    styles: ClassVar[tuple[str, ...]] = ("annotation/kinds/several_scores.css",)
    options_asked: ClassVar[OptionsAsked | None] = SCALES_ASKED

    # `kind_of` returns the kind with those of the project.
    scales: tuple[Scale, ...] = ()

    # --- scales ---

    @property
    def own_options(self) -> tuple[Any, ...]:
        return tuple(map(str, self.scales))

    def with_options(self, options: tuple[str, ...]) -> Self:
        scales = parse_scales(options)
        first = scales[0]
        return replace(self, scales=scales, highest=first.most, lowest=first.least, step=first.step)

    def joined_options(self, options: Sequence[str]) -> str:
        return "\n".join(map(str, parse_scales([line for line in options if line.strip()])))

    def has_answers_of(self, other: Self) -> bool:
        return [replace(scale, labels=()) for scale in self.scales] == [
            replace(scale, labels=()) for scale in other.scales
        ]

    # --- fields of forms ---

    def parts_of(self, detail: str) -> tuple[AskedScore, ...]:
        """Return the scales with the scores of a detail; what cannot be read is left out."""
        try:
            scores = parse_scores(detail, self.scales)
        except InputError:
            scores = {}
        return tuple(
            AskedScore(number, scale, scores.get(scale.name))
            for number, scale in enumerate(self.scales, start=1)
        )

    def read_parts(self, parts: Mapping[int, str]) -> tuple[int | None, str]:
        scores: dict[str, int] = {}
        for number, scale in enumerate(self.scales, start=1):
            if written := parts.get(number, "").strip():
                scores |= self.read_scores(f"{scale.name} {written}")
        rank = None
        if len(scores) == len(self.scales):
            rank = self.rank_of(scores[self.scales[0].name])
        return rank, write_scores(scores, self.scales)

    # --- details ---

    def read_scores(self, detail: str) -> dict[str, int]:
        """Return the scores by the names of their scales. Raise InvalidAnswer for wrong ones."""
        try:
            return parse_scores(detail, self.scales)
        except InputError as problem:
            raise InvalidAnswer(localize_error(problem).words) from None

    def check_detail(self, detail: str, *, of: JudgedText, rank: int | None) -> None:
        scores = self.read_scores(detail)
        first, *further = self.scales
        for scale in further:
            if scale.name not in scores:
                raise InvalidAnswer(_("A score is missing: %(scale)s.") % {"scale": scale.name})
        if rank is not None and scores.get(first.name, first.score_of(rank)) != first.score_of(
            rank
        ):
            raise InvalidAnswer(
                _("There are two scores on the scale %(scale)s.") % {"scale": first.name}
            )

    def kept_detail(self, detail: str, rank: int | None) -> str:
        """Return the scores of all scales, in their order."""
        scores = self.read_scores(detail)
        if rank is not None:
            scores[self.scales[0].name] = self.scales[0].score_of(rank)
        return write_scores(scores, self.scales)

    def columns_of(self, detail: str) -> dict[str, Any]:
        """Return the score on each scale, None where there is none."""
        return {f"score {part.scale.name}": part.score for part in self.parts_of(detail)}

    def store_details(self, details: Mapping[int, str]) -> None:
        from annotation.models import FurtherScore

        further = list(enumerate(self.scales, start=1))[1:]
        FurtherScore.objects.bulk_create(
            FurtherScore(
                placement_id=placement,
                scale=number,
                rank=scale.rank_of(scores[scale.name]),
                ranks_offered=len(scale.scores),
            )
            for placement, detail in details.items()
            for scores in (self.read_scores(detail),)
            for number, scale in further
        )

    def read_details(self, placements: QuerySet[Placement]) -> dict[int, str]:
        from annotation.models import Placement

        rows = Placement.objects.filter(pk__in=placements.order_by().values("pk"))
        found: dict[int, dict[str, int]] = {}
        for placement, rank, number, further in rows.values_list(
            "pk", "rank", "further_scores__scale", "further_scores__rank"
        ):
            scores = found.setdefault(placement, {})
            if rank is not None:
                scores[self.scales[0].name] = self.scales[0].score_of(rank)
            if number is not None:
                scale = self.scales[number - 1]
                scores[scale.name] = scale.score_of(further)
        return {placement: write_scores(scores, self.scales) for placement, scores in found.items()}

    # --- practice ---

    def tolerance_of(self, scale: Scale) -> int:
        """Return how far a score in practice may be from the gold one."""
        return (scale.most - scale.least) // (10 * scale.step) * scale.step

    @property
    def practice(self) -> PracticeWords:
        return of_several_scores()
