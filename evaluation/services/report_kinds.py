"""The kinds of reports: what each is asked for by, what it finds, and how that is computed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

from django.utils.translation import override

from annotation.common.transactions import snapshot
from annotation.kinds import kind_of as kind_of_judgement
from annotation.models import Project
from annotation.process import clock
from annotation.projects.undecided_systems import decisions
from annotation.selectors import judgements as selectors
from annotation.selectors.exclusion import excluded_of
from annotation.selectors.judged_sentences import (
    judged_since,
    last_submission,
    segment_lengths,
    segment_words,
)
from annotation.selectors.submitted_work import judged_sentences
from evaluation.findings.annotator_models import AnnotatorModels
from evaluation.findings.assessments import AssessmentsFound
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.evidence import AskedScale, Evidence
from evaluation.findings.judged import Excluded, JudgedProject
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.options import (
    AnnotatorModelOptions,
    MetricsOptions,
    ReportOptions,
)
from evaluation.findings.report import Report, Surroundings
from evaluation.findings.report import compute as compute_report
from evaluation.findings.serialisation import from_json, shape_of
from evaluation.findings.undecided import UndecidedRanking
from evaluation.models import StoredReport
from evaluation.reuse.powered_means import PoweredMeans
from evaluation.reuse.prediction_powered import PoweredRanking
from evaluation.services.annotator_models import annotator_models
from evaluation.services.edit_counts import count_edits
from evaluation.services.estimated_systems import estimated_systems
from evaluation.services.findings import provenance
from evaluation.services.kinds import answer_of, compares_candidates, has_assessments, unit_of
from evaluation.services.loading import load, load_assignments, load_controls
from evaluation.services.powered_means import powered_means
from evaluation.services.powered_ranking import powered_ranking
from evaluation.services.project_assessments import (
    assessments_of,
    report_of_assessments,
    standardised_scores,
)
from evaluation.services.score_files import evaluate_with_score_files
from evaluation.services.undecided_systems import undecided_ranking

Kind = StoredReport.Kind
Options = ReportOptions | MetricsOptions | AnnotatorModelOptions


Data = TypeVar("Data", Report, MetricsReport, AnnotatorModels)


@dataclass(frozen=True)
class MadeReport(Generic[Data]):
    """A report with the number of judgements and the id of the last submission that are in it."""

    data: Data
    judgements: int
    last_submission: int


# The options are those of the report's kind.
Make = Callable[[Project, Any], MadeReport[Any]]


def make_report(project: Project, options: ReportOptions) -> MadeReport[Report]:
    """Load the judgements, of one moment, and compute the report: seconds to minutes.

    Raises Project.DoesNotExist where the project was deleted, and InputError if documents are to be
    sampled, and a judged sentence has none.
    """
    begun = perf_counter()
    # Scores are compared by a model of documents, also where other units are sampled.
    with_documents = options.unit == "document" or answer_of(project).values is not None
    with snapshot():
        # What counts may have changed since the caller has read the project.
        project.refresh_from_db(fields=["counts_changed"])
        summary = selectors.project_summary(project)
        sentences = judged_sentences(project)
        assignments = load_assignments(project)
        latest = last_submission(project)
        judgements = load(project, with_documents=with_documents)
        judgements = replace(judgements, provenance=tuple(provenance(project)))
        controls = load_controls(project)
        edited = answer_of(project).load_edits(project)
        marked = answer_of(project).load_marked_errors(project)
        given = answer_of(project).load_given_errors(project)
        scales = answer_of(project).load_scales(project)
        assessed = assessments_of(project, with_documents=with_documents)
        lines = unit_of(project).count_lines(project)
        documents = unit_of(project).load_documents(project, with_documents=with_documents)
        columns = unit_of(project).load_columns(project)
        narrowed = selectors.narrowed_judgements(project) if decisions(project) else 0
        aids = selectors.aided_judgements(project)
        excluded = excluded_of(project)
    loaded = perf_counter()
    evidence = Evidence(
        judgements,
        options,
        controls,
        asked_scale(project),
        edits=None if edited is None else count_edits(project, judgements, edited),
        marked=marked,
        given_errors=given or (),
        scales=scales,
        documents=documents,
        columns=columns or {},
        assignments=assignments,
        words=segment_words,
        lengths=lambda: segment_lengths(project),
    )

    def powered(found: Evidence) -> PoweredRanking:
        return powered_ranking(project, found.judgements, **found.again)

    def means(found: Evidence) -> PoweredMeans | None:
        names, lower_is_better = found.judgements.system_names, False
        if assessed:
            names = assessed.items.system_names
            scores, lines = standardised_scores(assessed, found.left_out, options)
        elif given := found.given_scores:
            scores, lower_is_better = given
            lines = found.judgements.sentence_numbers[scores.segments]
        else:
            return None
        return powered_means(
            project,
            scores,
            lines,
            names,
            lower_is_better=lower_is_better,
            provenance=[*found.left_out.options, *judgements.provenance],
            **found.again,
        )

    def estimated(_found: Evidence) -> list[EstimatedSystem]:
        return estimated_systems(project, judgements.provenance, options.filters)

    def undecided(_found: Evidence) -> UndecidedRanking | None:
        return undecided_ranking(
            project,
            judgements.provenance,
            resamples=options.resamples,
            seed=options.seed,
            unit=options.sampled,
            filters=options.filters,
        )

    def assessments(found: Evidence) -> AssessmentsFound | None:
        assert assessed is not None
        return report_of_assessments(project, assessed, found.left_out, options)

    report = compute_report(
        evidence,
        Surroundings(
            project=JudgedProject(
                name=summary.name,
                source_language=summary.source_language,
                target_language=summary.target_language,
                systems=summary.systems,
                sentences=summary.sentences,
                segments=summary.segments,
                candidates=summary.candidates,
                prepared=judgements.provenance,
                has_paragraphs=kind_of_judgement(project).unit.is_document,
                question=question_of(project),
            ),
            made=clock.now().isoformat(timespec="seconds"),
            sentences=sentences.all if lines is None else lines,
            sentences_left=sentences.left,
            narrowed=narrowed,
            aids=aids,
            excluded=Excluded(
                sentences=excluded.sentences,
                segments=excluded.segments,
                candidates=excluded.candidates,
                discarded=excluded.discarded,
            ),
            powered=powered if options.predictions and compares_candidates(project) else None,
            powered_means=means if options.predictions else None,
            assessments=assessments if assessed else None,
            estimated=estimated,
            undecided=undecided,
        ),
    )
    seconds = {
        "loading": round(loaded - begun, 4),
        **report.seconds,
        "total": round(perf_counter() - begun, 4),
    }
    # With those that the options leave out.
    return MadeReport(replace(report, seconds=seconds), report.left_out.of, latest)


def question_of(project: Project) -> str:
    """Return what annotators answer, in English, as files are."""
    with override(None):
        return str(kind_of_judgement(project).question)


def asked_scale(project: Project) -> AskedScale:
    """Return the scale of the project's kind, with labels that pages translate."""
    scale = answer_of(project).scale
    # Scores of single translations are standardised first: see `report_of_assessments`.
    return replace(scale, standardised=has_assessments(project))


def make_metrics(project: Project, options: MetricsOptions) -> MadeReport[MetricsReport]:
    """Evaluate the metrics of the project and of its score files: up to minutes.

    Raises Project.DoesNotExist, and InputError as `evaluate_project_metrics` does.
    """
    # Before the judgements are loaded: what is submitted meanwhile counts as newer.
    latest = last_submission(project)
    data = evaluate_with_score_files(project, options)
    return MadeReport(data, data.judgements, latest)


def make_annotator_models(
    project: Project, options: AnnotatorModelOptions
) -> MadeReport[AnnotatorModels]:
    """Fit the models of the project's annotators: seconds to minutes.

    Raises InputError as `annotator_models` does.
    """
    # Before the judgements are loaded: what is submitted meanwhile counts as newer.
    latest, judgements = last_submission(project), judged_since(project, 0)
    return MadeReport(annotator_models(project, options), judgements, latest)


@dataclass(frozen=True)
class ReportKind:
    """What a kind of report is asked for by, what it finds, and how that is computed."""

    options: type[Options]
    data: Any
    make: Make

    @property
    def shape(self) -> str:
        """The shape that the data have now."""
        return shape_of(self.data)


KINDS: Final = {
    Kind.REPORT: ReportKind(ReportOptions, Report, make_report),
    Kind.METRICS: ReportKind(MetricsOptions, MetricsReport, make_metrics),
    Kind.ANNOTATORS: ReportKind(AnnotatorModelOptions, AnnotatorModels, make_annotator_models),
}


def kind_of(options: Options) -> Kind:
    """Return the kind of report that has such options."""
    return next(kind for kind, each in KINDS.items() if isinstance(options, each.options))


def shape_of_data(kind: str) -> str:
    """Return the shape that the data of reports of this kind have now."""
    return KINDS[Kind(kind)].shape


def data_of(report: StoredReport) -> Any | None:
    """Return what was computed, as the type of its kind.

    None if nothing was, or if a former version made it in another shape: then it is outdated.
    """
    kind = KINDS[Kind(report.kind)]
    if report.data is None or report.shape != kind.shape:
        return None
    return from_json(report.data, kind.data)
