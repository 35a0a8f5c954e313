"""The report of a project, or of judgements in files: its findings, in the order of the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeVar

from evaluation.findings import (
    agreement,
    annotators,
    answers,
    assessments,
    columns,
    conclusions,
    edits,
    error_points,
    estimated,
    filters,
    given_errors,
    marked_errors,
    next_judgements,
    notable_cases,
    order,
    pairs,
    powered_means,
    prediction_powered,
    ranking,
    sample_size,
    scales,
    segment_length,
    undecided,
    whole_documents,
)
from evaluation.findings.annotators import AnnotatorWork
from evaluation.findings.answers import Answers
from evaluation.findings.assessments import AssessmentsFound
from evaluation.findings.columns import Columns
from evaluation.findings.conclusions import ConcludedFigure
from evaluation.findings.error_points import ErrorPointsFound
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.evidence import Evidence
from evaluation.findings.given_errors import GivenErrorsFound
from evaluation.findings.judged import Excluded, Judged, JudgedProject
from evaluation.findings.marked_errors import MarkedErrorsFound
from evaluation.findings.next_judgements import NextJudgements
from evaluation.findings.options import OTHERS, ReportOptions
from evaluation.findings.paragraphs import PARAGRAPHS
from evaluation.findings.sample_size import OF_SINGLE, DetectableDifferences, EnoughSentences
from evaluation.findings.scales import ScalesFound
from evaluation.findings.segment_length import SegmentLengths
from evaluation.findings.serialisation import as_stored
from evaluation.findings.undecided import UndecidedRanking
from evaluation.findings.whole_documents import WholeDocuments
from evaluation.rendering.figures import Figure
from evaluation.rendering.tables import Table
from evaluation.reuse.powered_means import PoweredMeans
from evaluation.reuse.prediction_powered import PoweredRanking
from evaluation.stats.agreement.disputes import Contrast, Dispute
from evaluation.stats.agreement.intervals import AgreementEstimates
from evaluation.stats.agreement.weighted_kappa import Disagreements
from evaluation.stats.annotators.drift import Drift
from evaluation.stats.annotators.effects import AnnotatorEffects
from evaluation.stats.annotators.exclusion import LeftOut
from evaluation.stats.annotators.sequence import SequenceEffects
from evaluation.stats.ranking.edit_rates import EditRates
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import EstimatedRanking

T = TypeVar("T")


@dataclass(frozen=True)
class Surroundings:
    """What a report says besides what is computed from its judgements.

    `sentences` have something to judge; `sentences_left` of them have no judgement at all, filters
    of the report aside. `powered` ranks judgements with predictions, if that is asked for, and
    `powered_means` returns means of scores with the help of metrics. The other parts are those of
    `Report`.
    """

    project: JudgedProject
    made: str
    sentences: int
    sentences_left: int
    narrowed: int = 0
    aids: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    excluded: Excluded | None = None
    powered: Callable[[Evidence], PoweredRanking] | None = None
    powered_means: Callable[[Evidence], PoweredMeans | None] | None = None
    assessments: Callable[[Evidence], AssessmentsFound | None] | None = None
    estimated: Callable[[Evidence], Sequence[EstimatedSystem]] | None = None
    undecided: Callable[[Evidence], UndecidedRanking | None] | None = None


@dataclass(frozen=True)
class Report:
    """The whole report of the judgements that are not excluded; `made` is the ISO time.

    `answers` is None if candidates were ranked; if there are answers, the ranking by mean grades is
    the first one. `edit_rates` is None unless candidates were edited, `assessments` unless single
    translations got scores, `marked_errors` unless systems are ranked by scores as they were given,
    `given_errors` unless sheets showed errors that were marked before, `error_points` unless errors
    were marked without any scores, `conclusions` has nothing unless documents of scores are known,
    `scales` unless the project names its own, `whole_documents`
    unless documents were judged as a whole, `columns` unless translations got scores side by side.
    `powered` and `powered_means` are None if they were not asked for, or if translations are not
    compared, or got no scores; `undecided` is None if annotators see the candidates of all
    systems, `excluded` of files, and `segment_length` if lengths are unknown or equal. `seconds`
    are those of each part.
    """

    project: JudgedProject
    made: str
    signature: str
    options: ReportOptions
    seconds: dict[str, float]
    judged: Judged
    left_out: LeftOut
    excluded: Excluded | None
    conclusions: tuple[ConcludedFigure, ...]
    marked_errors: MarkedErrorsFound | None
    given_errors: GivenErrorsFound | None
    error_points: ErrorPointsFound | None
    scales: ScalesFound | None
    assessments: AssessmentsFound | None
    whole_documents: WholeDocuments | None
    columns: Columns | None
    answers: Answers | None
    edit_rates: EditRates | None
    rankings: dict[str, EstimatedRanking]
    powered: PoweredRanking | None
    powered_means: PoweredMeans | None
    undecided: UndecidedRanking | None
    estimated: tuple[EstimatedSystem, ...]
    significance: Significance
    agreement: AgreementEstimates
    disagreement: Disagreements
    annotators: tuple[AnnotatorWork, ...]
    annotator_effects: AnnotatorEffects
    segment_length: SegmentLengths | None
    learning_curve: EnoughSentences
    next_judgements: NextJudgements
    power: DetectableDifferences
    sequence: SequenceEffects
    drift: Drift
    disputed: tuple[Dispute, ...]
    contrasts: tuple[Contrast, ...]

    @property
    def has_order(self) -> bool:
        """Whether systems are compared on a sheet: single translations have no order, and no tie.

        Projects of error spans have had several translations on a sheet.
        """
        single = (self.marked_errors, self.error_points, self.scales)
        if all(each is None for each in single):
            return self.assessments is None
        return any(
            row.wins or row.losses or row.ties_of_different_texts
            for each in self.rankings.values()
            for row in each.systems
        )

    @property
    def has_curve(self) -> bool:
        """Whether there is a learning curve: standardised scores have none."""
        return self.has_order or self.learning_curve.method in OF_SINGLE

    @property
    def ordered_rankings(self) -> list[EstimatedRanking]:
        """The rankings in the order of the page: PostgreSQL does not keep that of JSON's keys."""
        return [self.rankings[name] for name in ranking.SCORES if name in self.rankings]

    @property
    def best_first(self) -> list[str]:
        """The systems in the order of the first ranking, or else of the project."""
        for each in self.ordered_rankings:
            return [row.system for row in each.systems]
        return list(self.significance.systems)


@dataclass
class Stopwatch:
    """Seconds by part, in the order of computation."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, part: str, work: Callable[[], T]) -> T:
        begun = perf_counter()
        done = work()
        self.seconds[part] = round(perf_counter() - begun, 4)
        return done


def compute(evidence: Evidence, around: Surroundings) -> Report:
    """Compute the report; equal judgements and options give equal figures.

    Raises InputError if documents are to be sampled, and a judged sentence has none.
    """
    watch = Stopwatch()

    def timed(part: str, work: Callable[[Evidence], T]) -> T:
        return watch.time(part, lambda: work(evidence))

    def asked(part: str, work: Callable[[Evidence], T] | None) -> T | None:
        return None if work is None else timed(part, work)

    kept = timed("leaving_out", lambda found: found.judgements)
    timed("counting", lambda found: found.cells)
    timed("same_texts", lambda found: found.same_texts)
    timed("describing", lambda found: found.statistics)
    options = evidence.options
    predicted = asked("powered", around.powered)
    helped = asked("powered_means", around.powered_means)
    report = Report(
        project=around.project,
        made=around.made,
        signature=kept.sign(
            "report", f"{options.resamples} resamples of {kept.unit}", f"seed {options.seed}"
        ),
        options=options,
        seconds=watch.seconds,
        judged=_judged(evidence, around),
        left_out=evidence.left_out,
        excluded=around.excluded,
        conclusions=timed("conclusions", conclusions.compute),
        marked_errors=timed("marked_errors", marked_errors.compute),
        given_errors=timed("given_errors", given_errors.compute),
        error_points=timed("error_points", error_points.compute),
        scales=timed("scales", scales.compute),
        assessments=asked("assessments", around.assessments),
        whole_documents=timed("whole_documents", whole_documents.compute),
        columns=timed("columns", columns.compute),
        answers=timed("answers", answers.compute),
        edit_rates=timed("edit_rates", edits.compute),
        rankings=timed("rankings", ranking.compute),
        powered=predicted,
        powered_means=helped,
        undecided=asked("undecided", around.undecided),
        estimated=tuple(asked("estimated", around.estimated) or ()),
        significance=timed("significance", pairs.compute),
        agreement=timed("agreement", agreement.compute),
        disagreement=timed("disagreement", agreement.compute_disagreement),
        annotators=timed("annotators", annotators.compute),
        annotator_effects=timed("annotator_effects", annotators.compute_effects),
        segment_length=timed("segment_length", segment_length.compute),
        learning_curve=timed(
            "learning_curve", lambda found: sample_size.compute_curve(found, helped or predicted)
        ),
        next_judgements=timed("next_judgements", next_judgements.compute),
        power=timed("power", sample_size.compute_power),
        sequence=timed("sequence", order.compute_sequence),
        drift=timed("drift", order.compute_drift),
        disputed=timed("disputed", notable_cases.compute_disputed),
        contrasts=timed("contrasts", notable_cases.compute_contrasts),
    )
    return as_stored(report)


def _judged(evidence: Evidence, around: Surroundings) -> Judged:
    found, per_sentence = evidence.statistics, evidence.seconds_per_sentence
    return Judged(
        sentences=around.sentences,
        sentences_judged=found.sentences_judged,
        sentences_left=around.sentences_left,
        segments=around.project.segments,
        segments_judged=found.segments_judged,
        judgements=found.judgements,
        narrowed=around.narrowed,
        unidentified=found.unidentified,
        seconds_per_segment=None if per_sentence is None else found.together.seconds_per_segment,
        seconds_per_sentence=per_sentence,
        aids=dict(around.aids),
        units=None if evidence.options.unit == "sentence" else evidence.judgements.units_judged,
    )


def tables(report: Report) -> list[Table]:
    """Return all tables, in the order of the page."""
    words = dict(OTHERS[report.options.unit])
    if report.project.has_paragraphs:
        words = {**PARAGRAPHS, **words}
    return [made.renamed(words) for made in _tables(report)]


def _tables(report: Report) -> list[Table]:
    biased = agreement.bias_notes(report.options, report.left_out)
    together = annotators.together(report.annotators, report.judged)
    work = [
        *annotators.tables(
            report.annotators, together, report.agreement, biased, has_order=report.has_order
        ),
        *annotators.effect_tables(report.annotator_effects),
        *segment_length.tables(report.segment_length),
    ]
    curve = []
    if report.has_curve:
        curve = [
            *sample_size.curve_tables(report.learning_curve),
            *next_judgements.tables(report.next_judgements),
        ]
    by_single = [
        *conclusions.tables(report.conclusions),
        *marked_errors.tables(report.marked_errors),
        *given_errors.tables(report.given_errors),
        *error_points.tables(report.error_points),
        *scales.tables(report.scales),
        *assessments.tables(report.assessments),
        *whole_documents.tables(report.whole_documents),
        *columns.tables(report.columns),
        *powered_means.tables(report.powered_means),
    ]
    excluded = filters.tables(report.left_out, report.signature)
    if not report.has_order:
        return [*by_single, *work, *curve, *excluded]
    return [
        *ranking.tables(report.ordered_rankings),
        *by_single,
        *answers.tables(report.answers),
        *edits.tables(report.edit_rates, report.answers),
        *prediction_powered.tables(report.powered),
        *estimated.tables(report.estimated),
        *undecided.tables(report.undecided),
        *pairs.tables(report.significance, report.power.detectable),
        *agreement.tables(report.agreement, biased),
        *agreement.disagreement_tables(report.disagreement, biased),
        *work,
        *agreement.pair_tables(report.agreement, biased),
        *curve,
        *sample_size.power_tables(report.power),
        *order.sequence_tables(report.sequence, has_garbage=report.answers is None),
        *order.drift_tables(report.drift),
        *notable_cases.disputed_tables(report.disputed, report.signature),
        *notable_cases.contrast_tables(report.contrasts, report.signature),
        *excluded,
    ]


def table(report: Report, name: str) -> Table | None:
    """Return the table of this name, or None."""
    return next((each for each in tables(report) if each.name == name), None)


def figures(report: Report) -> list[Figure]:
    """Return all figures, in the order of the page; some may have no data."""
    scored = marked_errors.figures(report.marked_errors)
    curve = sample_size.curve_figures(report.learning_curve) if report.has_curve else []
    if not report.has_order:
        return [*scored, *curve]
    return [
        *scored,
        *ranking.figures(report.ordered_rankings),
        *pairs.figures(report.significance, report.best_first),
        *agreement.figures(report.agreement),
        *curve,
        *order.drift_figures(report.drift),
    ]
