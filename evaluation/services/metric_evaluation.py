"""How far automatic metrics agree with the annotators of a project: loads and computes."""

from dataclasses import replace
from time import perf_counter
from typing import Literal

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import primary_language
from annotation.models import Project
from annotation.process import clock
from annotation.selectors.judged_sentences import last_submission
from annotation.selectors.project_texts import whole_translations_exist
from evaluation.findings.metrics import (
    EvaluatedProject,
    MetricsReport,
    MetricsSurroundings,
    ScoredTexts,
    evaluate_metrics,
)
from evaluation.findings.options import MetricsOptions
from evaluation.formats.score_files import ScoreFiles
from evaluation.formats.system_names import SystemNames
from evaluation.metrics.catalogue import Resources
from evaluation.report.imported_scores import ImportedScores, import_scores
from evaluation.services.findings import provenance
from evaluation.services.human_scores import load_besides, mean_scores_of
from evaluation.services.kinds import compares_candidates
from evaluation.services.metric_scores import (
    Progress,
    load_scored_judgements,
    load_whole_texts,
    score_project_candidates,
    score_texts,
)
from evaluation.services.project_texts import load_texts


def evaluate_project_metrics(
    project: Project,
    options: MetricsOptions,
    *,
    imported: ScoreFiles | None = None,
    names: SystemNames | None = None,
    resources: Resources | None = None,
    progress: Progress = lambda done, total: None,
) -> MetricsReport:
    """Score the outputs of the judged systems by metrics and compare with people: up to minutes.

    Judgements of sentences without a reference are left out. `imported` has scores of further
    metrics, for systems and sentence numbers of the project; `names` maps its names of systems to
    the project's; `progress` is that of `score_texts`. Raises InputError without references,
    outputs or judgements, and for unknown names.
    """
    begun = perf_counter()
    with snapshot():
        whole = load_whole_texts(project)
        judgements = load_scored_judgements(project, whole)
        texts = load_texts(project).without_systems(whole.without_outputs)
        besides = load_besides(project, options.gold)
    if not len(judgements) or len(judgements.system_names) < 2:
        raise InputError(
            _(
                "The project %(project)r has no judgements of two systems with whole outputs: "
                "metrics are compared with judgements."
            ),
            project=project.name,
        )
    _check_outliers(options, judgements.system_names)
    loaded = perf_counter()
    metrics = score_texts(
        whole,
        project.target_language,
        options.metrics,
        systems=judgements.system_names,
        sentence_numbers=judgements.sentence_numbers.tolist(),
        resources=resources,
        with_statistics=True,
        progress=progress,
    )
    further = ImportedScores((), ())
    if imported is not None:
        further = import_scores(
            imported,
            pair=language_pair(project),
            systems=judgements.system_names,
            all_systems=(*whole.systems, *whole.without_outputs),
            sentence_numbers=judgements.sentence_numbers.tolist(),
            all_sentence_numbers=texts.sentence_numbers.tolist(),
            taken=options.metrics,
            names=names,
        )
    compares = compares_candidates(project)
    candidates = score_project_candidates(judgements, texts) if compares else None
    scored = perf_counter()
    report = evaluate_metrics(
        judgements,
        [*metrics, *further.metrics],
        candidates,
        MetricsSurroundings(
            project=EvaluatedProject(
                name=project.name,
                source_language=project.source_language,
                target_language=project.target_language,
                prepared=tuple(provenance(project)),
            ),
            texts=ScoredTexts(
                sentences=len(whole.sentence_numbers),
                all_sentences=whole.all_sentences,
                references=whole.references.most,
                without_outputs=tuple(whole.without_outputs),
            ),
            made=clock.now().isoformat(timespec="seconds"),
            options=options,
            problems=tuple(str(problem) for problem in (*whole.problems, *further.problems)),
        ),
        mean_scores_of(project, options.gold, judgements, besides),
    )
    seconds = {
        "loading": round(loaded - begun, 4),
        "metrics": round(scored - loaded, 4),
        "total": round(perf_counter() - begun, 4),
    }
    return replace(report, seconds=seconds)


def language_pair(project: Project) -> str:
    """Return the languages of the project as files of scores write them, such as "en-cs"."""
    return "-".join(map(primary_language, (project.source_language, project.target_language)))


Missing = Literal["reference", "outputs", "judgements"]


def missing_for_metrics(project: Project) -> Missing | None:
    """Return what the project lacks to be evaluated, the first thing; None if nothing. 3 queries.

    Cheap, and so not exact: `evaluate_project_metrics` can still refuse the project.
    """
    reference, outputs = whole_translations_exist(project)
    if not reference:
        return "reference"
    if not outputs:
        return "outputs"
    return None if last_submission(project) else "judgements"


def _check_outliers(options: MetricsOptions, systems: tuple[str, ...]) -> None:
    for name in options.outliers or ():
        if name not in systems:
            raise InputError(
                _("There is no judged system %(name)r to leave out; there are %(known)s."),
                name=name,
                known=", ".join(systems),
            )
