"""Computes the parts of a report and times each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, TypeVar

from evaluation.report.options import ReportOptions
from evaluation.stats.agreement.disputes import Contrast, Dispute, most_contrasting, most_disputed
from evaluation.stats.agreement.intervals import AgreementEstimates, agreement_with_intervals
from evaluation.stats.agreement.labels import (
    LabelAgreementReport,
    label_candidates,
    measure_labels,
)
from evaluation.stats.agreement.weighted_kappa import Disagreements, measure_disagreement
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.annotators.drift import Drift, drift
from evaluation.stats.annotators.effects import AnnotatorEffects, annotator_effects
from evaluation.stats.annotators.exclusion import LeftOut, leave_out
from evaluation.stats.annotators.sequence import SequenceEffects, sequence_effects
from evaluation.stats.annotators.statistics import Statistics, describe
from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.edit_rates import EditCounts, EditRates, measure_edit_rates
from evaluation.stats.ranking.learning_curve import LearningCurve, learning_curve
from evaluation.stats.ranking.marked_systems import scores_of_systems
from evaluation.stats.ranking.mean_grades import (
    METHOD,
    GradeDifferences,
    compare_grades,
    grades_of_systems,
    rank_by_mean_grade,
)
from evaluation.stats.ranking.power import Power, measure_power
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.ranking.scale_answers import ScaleAnswers, measure_answers
from evaluation.stats.ranking.significance import Significance, compare_pairs
from evaluation.stats.ranking.systems import EstimatedRanking, rank_all
from evaluation.stats.wins import CellWins, count_cells

T = TypeVar("T")

# The learning curve computes an interval for each of its points.
CURVE_RESAMPLES: Final = 300


@dataclass(frozen=True)
class Answers:
    """Answers on a scale of k steps, and agreement about candidates with P(E) = 1 / k.

    `ranking` and `pairs` are by mean grades. `decided` is the agreement without the step that says
    neither yes nor no, if there is one.
    """

    systems: ScaleAnswers
    ranking: EstimatedRanking
    pairs: GradeDifferences
    agreement: LabelAgreementReport
    decided: LabelAgreementReport | None


@dataclass(frozen=True, eq=False)
class Report:
    """All findings, computed from the judgements that are not excluded.

    `units` is the number of sampled units with such a judgement. `answers` is None of rankings. If
    there are answers, the ranking by mean grades is the first one.
    `edit_rates` is None unless candidates were edited.
    """

    options: ReportOptions
    left_out: LeftOut
    answers: Answers | None
    edit_rates: EditRates | None
    rankings: dict[str, EstimatedRanking]
    same_texts: SameTexts
    significance: Significance
    power: Power
    agreement: AgreementEstimates
    disagreement: Disagreements
    statistics: Statistics
    annotator_effects: AnnotatorEffects
    curve: LearningCurve
    sequence: SequenceEffects
    drift: Drift
    disputed: list[Dispute]
    contrasts: list[Contrast]
    units: int
    signature: Signature
    seconds: dict[str, float]


@dataclass
class Stopwatch:
    """Seconds by part, in the order of computation."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, part: str, work: Callable[[], T]) -> T:
        begun = perf_counter()
        done = work()
        self.seconds[part] = round(perf_counter() - begun, 4)
        return done


def compute(
    judgements: Judgements,
    controls: ControlTable,
    options: ReportOptions,
    *,
    grades: Sequence[float] = (),
    highest: int | None = None,
    undecided: int | None = None,
    edits: EditCounts | None = None,
) -> Report:
    """Compute the report; equal judgements and options give equal figures.

    `grades` are those of the steps on which candidates were judged, from the best, none if they
    were ranked, and `undecided` the step that says neither yes nor no. `highest` is the best score,
    from 0, if candidates got scores. `edits` are what annotators changed in the candidates. Raises
    InputError if documents are to be sampled, and a judged sentence has none.
    """
    watch = Stopwatch()
    sampled = judgements.sampled_by(options.sampled)
    kept, left_out = watch.time(
        "leaving_out", lambda: leave_out(sampled, controls, **options.filters)
    )
    times, seed = options.resamples, options.seed
    cells = watch.time("counting", lambda: count_cells(kept))
    answers = watch.time("answers", lambda: _answers(kept, grades, undecided, options, cells))
    by_wins = watch.time(
        "rankings", lambda: rank_all(kept, resamples=times, seed=seed, cells=cells)
    )
    means = None
    if grades:
        means = grades_of_systems(kept, grades)
    elif highest is not None:
        means = scores_of_systems(kept, highest)
    return Report(
        options=options,
        left_out=left_out,
        answers=answers,
        edit_rates=watch.time(
            "edit_rates",
            lambda: measure_edit_rates(kept, edits, resamples=times, seed=seed),
        )
        if edits
        else None,
        rankings={METHOD: answers.ranking, **by_wins} if answers else by_wins,
        same_texts=watch.time("same_texts", lambda: count_same_texts(kept)),
        significance=watch.time(
            "significance", lambda: compare_pairs(kept, draws=times, seed=seed, cells=cells)
        ),
        power=watch.time("power", lambda: measure_power(kept, cells=cells)),
        agreement=watch.time(
            "agreement", lambda: agreement_with_intervals(kept, resamples=times, seed=seed)
        ),
        disagreement=watch.time(
            "disagreement", lambda: measure_disagreement(kept, resamples=times, seed=seed)
        ),
        statistics=watch.time("annotators", lambda: describe(kept, controls)),
        annotator_effects=watch.time(
            "annotator_effects",
            lambda: annotator_effects(kept, seed=seed, cells=cells, means=means),
        ),
        curve=watch.time(
            "learning_curve",
            lambda: learning_curve(
                kept, resamples=min(times, CURVE_RESAMPLES), seed=seed, cells=cells, means=means
            ),
        ),
        sequence=watch.time("sequence", lambda: sequence_effects(kept, resamples=times, seed=seed)),
        drift=watch.time("drift", lambda: drift(kept, resamples=times, seed=seed)),
        disputed=watch.time("disputed", lambda: most_disputed(kept)),
        contrasts=watch.time("contrasts", lambda: most_contrasting(kept)),
        units=kept.units_judged,
        signature=Signature(
            "report",
            (
                f"{times} resamples of {kept.unit}",
                f"seed {seed}",
                *left_out.options,
            ),
            len(kept),
            kept.sentences_judged,
        ),
        seconds=watch.seconds,
    )


def _answers(
    judgements: Judgements,
    grades: Sequence[float],
    undecided: int | None,
    options: ReportOptions,
    cells: CellWins,
) -> Answers | None:
    if not grades:
        return None
    times, seed = options.resamples, options.seed
    judged, labels = label_candidates(judgements)

    def agreement(*left_out: int) -> LabelAgreementReport:
        return measure_labels(
            judged,
            labels,
            count=len(grades),
            left_out=left_out,
            resamples=times,
            seed=seed,
        )

    systems = measure_answers(judgements, grades, undecided=undecided, resamples=times, seed=seed)
    return Answers(
        systems=systems,
        ranking=rank_by_mean_grade(
            judgements, systems, grades, resamples=times, seed=seed, cells=cells
        ),
        pairs=compare_grades(judgements, grades, resamples=times, seed=seed),
        agreement=agreement(),
        decided=None if undecided is None else agreement(undecided - 1),
    )
