"""Uploaded files with scores of metrics: ESIM, COMET, BEER and others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db.models import QuerySet

from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.selectors import judgements as rows
from evaluation.findings.metric_scores import ScoredMetric
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.options import MetricsOptions
from evaluation.formats.score_files import ScoreFiles, read_scores
from evaluation.models import ScoreFile
from evaluation.report.imported_scores import import_scores
from evaluation.services.metric_evaluation import evaluate_project_metrics, language_pair


def score_files(project: Project) -> QuerySet[ScoreFile]:
    """Return the project's files without their contents, in the order of upload."""
    return ScoreFile.objects.filter(project=project).defer("content").order_by("pk")


def evaluate_with_score_files(project: Project, options: MetricsOptions) -> MetricsReport:
    """Evaluate the project's metrics, and those of its files; see `evaluate_project_metrics`."""
    with on_disk(list(ScoreFile.objects.filter(project=project).order_by("pk"))) as paths:
        if not paths:
            return evaluate_project_metrics(project, options)
        imported = read_together(paths)
        report = evaluate_project_metrics(project, options, imported=imported)
        folder = f"{next(iter(paths)).parent}/"
        problems = tuple(problem.replace(folder, "") for problem in report.problems)
        return replace(report, problems=problems)


def scores_of_texts(
    project: Project, *, systems: Sequence[str], sentence_numbers: Sequence[int]
) -> list[ScoredMetric]:
    """Return what the project's files have of these systems and sentences; [] without files.

    Raises InputError for files that cannot be read together.
    """
    with on_disk(list(ScoreFile.objects.filter(project=project).order_by("pk"))) as paths:
        if not paths:
            return []
        imported = import_scores(
            read_together(paths),
            pair=language_pair(project),
            systems=systems,
            all_systems=[name for _pk, name in rows.systems(project)],
            sentence_numbers=sentence_numbers,
            all_sentence_numbers=list(rows.sentence_ids(project)),
        )
        return list(imported.metrics)


@contextmanager
def on_disk(files: Sequence[ScoreFile]) -> Iterator[dict[Path, ScoreFile]]:
    """Write the files for readers, and leave the folder out of the errors that they raise."""
    with TemporaryDirectory(prefix="scores-") as folder:
        paths = {Path(folder, file.name): file for file in files}
        for path, file in paths.items():
            path.write_bytes(file.content)
        try:
            yield paths
        except InputError as problem:
            raise problem.with_names({f"{folder}/": ""}) from problem


def read_together(paths: dict[Path, ScoreFile]) -> ScoreFiles:
    """Read all files. If a metric is better when lower in one file, it is in all files."""
    lower = {name for file in paths.values() if file.lower_is_better for name in file.metrics}
    return read_scores(list(paths), lower_is_better=sorted(lower))
