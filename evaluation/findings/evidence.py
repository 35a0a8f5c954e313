"""What findings are computed from: judgements that are not excluded, and what is counted of them.

Everything is computed at most once, when the first finding asks for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.formats.error_points import KNOWN_SEVERITIES, WEIGHTS, ErrorWeights
from annotation.formats.errors import InputError
from evaluation.findings.options import ReportOptions
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.annotators.exclusion import LeftOut, leave_out
from evaluation.stats.annotators.given_errors import GivenCase
from evaluation.stats.annotators.statistics import Statistics, describe
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.conclusions import FittedModel, Sheets, fit
from evaluation.stats.ranking.edit_rates import EditCounts
from evaluation.stats.ranking.learning_curve import ScoredUnits, scored_units
from evaluation.stats.ranking.marked_systems import (
    points_below_zero,
    points_of_systems,
    scores_of_systems,
)
from evaluation.stats.ranking.mean_grades import grades_of_systems
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts, systems_asked
from evaluation.stats.ranking.scale_answers import ScaleAnswers, measure_answers
from evaluation.stats.scales import JudgedScales
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit
from evaluation.stats.wins import CellWins, count_cells

Figure = Literal["score", "points", "scale"]
DOCUMENTS: Final = Unit("document")


@dataclass(frozen=True, eq=False)
class ModelledFigure:
    """What systems are compared by, in the model of documents; `scale` names one of several.

    `given` (N) are numbers in the order in which the scores were given.
    """

    figure: Figure
    scale: str
    fitted: FittedModel
    given: NDArray[np.int64]

    @property
    def lower_is_better(self) -> bool:
        return self.figure == "points"


@dataclass(frozen=True)
class AskedScale:
    """How candidates were judged by themselves: on steps, from the best, or by scores.

    `steps` are the labels and `grades` what they count as; both are empty if candidates were
    ranked. `undecided` is the step that says neither yes nor no. `highest` is the best score,
    from 0, if candidates got scores; systems are not ranked by these if they are `standardised`.
    `weights` are those of marked errors, the default ones first, if these are all of an answer.
    """

    steps: Sequence[str] = ()
    grades: Sequence[float] = ()
    own_labels: bool = False
    undecided: int | None = None
    highest: int | None = None
    weights: Sequence[ErrorWeights] = ()
    standardised: bool = False


def _no_words(_segments: Sequence[int]) -> Mapping[int, str]:
    return {}


def _no_lengths() -> Mapping[int, int]:
    return {}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Judgements of a project or of files, and what else is known of them.

    `documents` are judgements of documents as a whole, and `columns` where sheets show systems
    beside each other, by the number of the sheet and the system.
    `edits` are what annotators changed in the candidates, `marked` the errors that they marked,
    `given_errors` what they made of errors that were marked before, `scales` the project's own:
    the ranks of the judgements are on the first one.
    Files of WMT name no systems without a translation: then `knows_missing` is False.
    `assignments` are those of each annotator, filters aside; None if they are unknown. `words`
    returns the source tokens of segments by their ids, and `lengths` the numbers of source tokens
    of all segments by id, none if they are unknown. Raises InputError, when it is used, if
    documents are to be sampled, and a judged sentence has none.
    """

    given: Judgements
    options: ReportOptions
    controls: ControlTable = field(default_factory=ControlTable)
    scale: AskedScale = field(default_factory=AskedScale)
    edits: EditCounts | None = None
    marked: MarkedErrors | None = None
    given_errors: Sequence[GivenCase] = ()
    scales: JudgedScales | None = None
    documents: Judgements | None = None
    columns: Mapping[tuple[int, str], int] = field(default_factory=dict)
    knows_missing: bool = True
    assignments: Mapping[str, int] | None = None
    words: Callable[[Sequence[int]], Mapping[int, str]] = _no_words
    lengths: Callable[[], Mapping[int, int]] = _no_lengths

    @cached_property
    def _filtered(self) -> tuple[Judgements, LeftOut]:
        sampled = self.given.sampled_by(self.options.sampled)
        return leave_out(sampled, self.controls, **self.options.filters)

    @property
    def judgements(self) -> Judgements:
        return self._filtered[0]

    @property
    def left_out(self) -> LeftOut:
        return self._filtered[1]

    @cached_property
    def whole_documents(self) -> Judgements | None:
        """The judgements of documents as a whole on the sheets that are not excluded."""
        if self.documents is None:
            return None
        sampled = self.documents.sampled_by(self.options.sampled)
        kept = sampled.select(np.isin(sampled.sheets, self.judgements.sheets))
        return replace(kept, provenance=self.judgements.provenance)

    @property
    def again(self) -> dict[str, Any]:
        """The arguments of what is resampled."""
        return {"resamples": self.options.resamples, "seed": self.options.seed}

    @cached_property
    def cells(self) -> CellWins:
        return count_cells(self.judgements)

    @cached_property
    def same_texts(self) -> SameTexts:
        found = count_same_texts(self.judgements, systems_asked(self.judgements, self.columns))
        if self.knows_missing:
            return found
        return replace(found, missing=np.full_like(found.missing, np.nan))

    @cached_property
    def means(self) -> SystemScores | None:
        """Numbers of single candidates, the higher the better; None of ranks.

        They are grades, scores, or error points below 0.
        """
        if self.scale.grades:
            return grades_of_systems(self.judgements, self.scale.grades)
        if self.scales is not None:
            first = self.scales.scales[0]
            return scores_of_systems(self.judgements, first.most, first.least, first.step)
        if self.scale.weights and self.marked is not None:
            return points_below_zero(self.judgements, self.marked, self.scale.weights[0])
        highest = self.scale.highest
        return (
            None
            if highest is None or self.scale.standardised
            else scores_of_systems(self.judgements, highest)
        )

    @property
    def given_scores(self) -> tuple[SystemScores, bool] | None:
        """Scores of whole translations as they were given, and whether lower is better.

        None of ranks, grades and standardised scores. Of several scales, they are on the first one.
        """
        if self.scale.weights and self.marked is not None:
            return points_of_systems(self.judgements, self.marked, self.scale.weights[0]), True
        means = None if self.scale.grades else self.means
        return None if means is None else (means, False)

    @cached_property
    def modelled(self) -> tuple[ModelledFigure, ...]:
        """The models of scores and of error points; none if documents are unknown.

        Scores of single translations are as they were given: the model has the annotators.
        """
        try:
            kept = self.judgements.sampled_by(DOCUMENTS)
        except InputError:
            return ()
        if self.scales is not None:
            return tuple(
                self._modelled(
                    "scale",
                    judged := self.scales.on(place, kept),
                    scores_of_systems(judged, scale.most, scale.least, scale.step),
                    scale.name,
                )
                for place, scale in enumerate(self.scales.scales)
            )
        found, marked, weights = [], self.marked, self.scale.weights
        if self.scale.highest is not None:
            scores = scores_of_systems(kept, self.scale.highest)
            found.append(self._modelled("score", kept, scores))
            weights = [WEIGHTS[next(iter(WEIGHTS))]]
        if marked is not None and weights and set(marked.severities) <= set(KNOWN_SEVERITIES):
            points = points_of_systems(kept, marked, weights[0])
            found.append(self._modelled("points", kept, points))
        return tuple(found)

    def _modelled(
        self, figure: Figure, judged: Judgements, scores: SystemScores, scale: str = ""
    ) -> ModelledFigure:
        rows, systems = np.nonzero(judged.system_ranks)
        sheets = None
        if self.columns:
            numbers, names = judged.sheets[rows], judged.system_names
            shown = zip(numbers.tolist(), systems.tolist(), strict=True)
            columns = [self.columns.get((sheet, names[system]), 0) for sheet, system in shown]
            # Equal translations, which are judged once, have no column of their own.
            cards = rows * judged.candidate_ranks.shape[1] + judged.system_candidates[rows, systems]
            _cards, places, times = np.unique(cards, return_inverse=True, return_counts=True)
            own = np.where(times[places] == 1, np.array(columns, dtype=np.int32), np.int32(0))
            sheets = Sheets(numbers, own.astype(np.int32))
        return ModelledFigure(figure, scale, fit(scores, sheets), judged.ids[rows])

    @cached_property
    def scored(self) -> ScoredUnits:
        """The judgements by which systems are scored: by means if there are any, or else wins."""
        return scored_units(self.judgements, cells=self.cells, means=self.means)

    @cached_property
    def answers(self) -> ScaleAnswers | None:
        """The answers on the scale; None if candidates were ranked or got scores."""
        scale = self.scale
        if not scale.grades:
            return None
        return measure_answers(
            self.judgements, scale.grades, undecided=scale.undecided, **self.again
        )

    @cached_property
    def statistics(self) -> Statistics:
        return describe(self.judgements, self.controls)

    @property
    def seconds_per_sentence(self) -> float | None:
        """How long annotators work on a sentence, repeats included; None if unknown."""
        found = self.statistics
        per_segment = found.together.seconds_per_segment
        if per_segment is None or not found.sentences_judged:
            return None
        return per_segment * found.judgements / found.sentences_judged
