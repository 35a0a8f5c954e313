"""Adding and removing files with scores of metrics, whose evaluation is then renewed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import open_binary
from annotation.formats.problems import ErrorList
from annotation.models import Project
from annotation.selectors import judgements as rows
from evaluation.formats.score_files import ScoreFiles, read_scores
from evaluation.models import ScoreFile
from evaluation.report.imported_scores import import_scores, of_metrics
from evaluation.services.metric_evaluation import language_pair
from evaluation.services.reports import renew_metrics
from evaluation.services.score_files import on_disk, read_together, score_files

# Of all files of a project together, unpacked.
MOST_BYTES: Final = 50_000_000
MOST_METRICS: Final = 50
# Of a file for a small project; others can have a line for each system, sentence and metric.
MANY_LINES: Final = 100_000


@retried
def add_score_files(
    *, project: Project, files: Sequence[tuple[str, bytes]], lower_is_better: bool = False
) -> list[ScoreFile]:
    """Store files by their names and contents, all of them or none, and return them.

    Workers then evaluate the metrics of the project again. The scores of a file with
    `lower_is_better` are negated when they are read. Raises one InputError for all that is wrong in
    the files.
    """
    before = list(ScoreFile.objects.filter(project=project).order_by("pk"))
    names = [file.name for file in before]
    new = []
    for name, content in files:
        if not name.isprintable() or len(name) > ScoreFile.LONGEST_NAME or len(name.encode()) > 250:
            raise InputError(
                _("The name of a file must have at most %(most)d printable characters."),
                most=ScoreFile.LONGEST_NAME,
            )
        if name in names:
            raise InputError(
                _("There is already a file %(name)s: remove it, or rename this one."), name=name
            )
        names.append(name)
        new.append(
            ScoreFile(project=project, name=name, content=content, lower_is_better=lower_is_better)
        )
    if not new:
        raise InputError(_("Choose at least one file with scores."))
    with on_disk([*before, *new]) as paths:
        left = MOST_BYTES - sum(file.size for file in before)
        most_lines = max(
            MANY_LINES,
            MOST_METRICS * project.systems.count() * len(list(rows.sentence_ids(project))),
        )
        errors = ErrorList()
        for path, file in list(paths.items())[len(before) :]:
            try:
                file.size = _unpacked_size(path, left, most_lines)
                left -= file.size
                file.metrics = _metrics_in(read_scores([path]), project)
            except InputError as problem:
                errors.add(problem)
        errors.raise_all()
        # One file was read above; this takes seconds.
        if len(paths) > 1:
            read_together(paths)
    count = len({name for file in (*before, *new) for name in file.metrics})
    if count > MOST_METRICS:
        raise InputError(
            _("The files have %(count)d metrics together, but a project can have %(most)d."),
            count=count,
            most=MOST_METRICS,
        )
    with writing():
        # A file that was stored meanwhile was not read together with these.
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if [file.pk for file in score_files(locked)] != [file.pk for file in before]:
            raise InputError(_("Another file was added or removed meanwhile: try again."))
        stored = ScoreFile.objects.bulk_create(new)
        renew_metrics(project)
    return stored


@retried
def remove_score_file(file: ScoreFile) -> None:
    """Delete the file; workers then evaluate the metrics of the project again, without it."""
    with writing():
        # The instance would lose its id, which a second try needs.
        ScoreFile.objects.filter(pk=file.pk).delete()
        renew_metrics(file.project)


def _unpacked_size(path: Path, most: int, most_lines: int) -> int:
    """Return the number of bytes, before any of them is parsed. Raise InputError for too many."""
    size = lines = 0
    with open_binary(path) as file:
        while size <= most and lines <= most_lines and (read := file.read(1_000_000)):
            size += len(read)
            lines += read.count(b"\n")
    if lines > most_lines:
        raise InputError(
            _("more than %(most)d lines: leave out the scores of other test sets and languages."),
            str(path),
            most=most_lines,
        )
    if size > most:
        raise InputError(
            _("The files with scores of a project can have %(most)d MB together, unpacked."),
            str(path),
            most=MOST_BYTES // 1_000_000,
        )
    if not size:
        raise InputError(_("the file is empty: give a text with one sentence a line."), str(path))
    return size


def _metrics_in(files: ScoreFiles, project: Project) -> list[str]:
    """Return the names of metrics; raise InputError if one cannot be compared with people."""
    systems = [name for _pk, name in rows.systems(project)]
    sentences = list(rows.sentence_ids(project))
    imported = import_scores(
        files,
        pair=language_pair(project),
        systems=systems,
        all_systems=systems,
        sentence_numbers=sentences,
        all_sentence_numbers=sentences,
    )
    for metric in imported.metrics:
        given = (metric.of_systems, metric.of_sentences)
        if not any(scores is not None and np.isfinite(scores).any() for scores in given):
            raise InputError(
                _(
                    "%(metric)s: there is no score of a system and sentence of this project; its "
                    "systems are %(systems)s."
                ),
                ", ".join(files.files),
                metric=metric.name,
                systems=", ".join(systems),
            )
    return sorted({name for table in files.tables for name in of_metrics(table)})
