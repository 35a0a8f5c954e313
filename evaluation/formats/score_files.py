"""One import for all files of scores and human gold: it recognises what each file is.

A WMT file of a metric, one of mt-metrics-eval, direct assessments, MQM averages and rankings may be
given together; scores of one language pair, test set and level become one table, so that a score
that two files give is found.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.problems import ErrorList
from evaluation.formats import human_scores, metric_scores
from evaluation.formats.assessments import read_assessments
from evaluation.formats.human_scores import PairFiles, PairTable
from evaluation.formats.metric_scores import read_metric_scores
from evaluation.formats.score_layouts import MQM, recognise
from evaluation.formats.score_tables import Finding, ScoreTable, TableBuilder
from evaluation.stats.assessment.items import Assessments


@dataclass(frozen=True)
class ScoreFiles:
    """What files contain: tables of scores, people's comparisons, and single assessments."""

    tables: tuple[ScoreTable, ...]
    pairs: tuple[PairTable, ...]
    assessments: Assessments
    files: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the scores of all tables."""
        return tuple(finding for table in self.tables for finding in table.findings)

    def refuse_assessments(self) -> None:
        """Raise InputError if people's single assessments were given as scores of metrics."""
        if len(self.assessments):
            raise InputError(
                _(
                    "Some of the files of scores have people's single assessments, which are no "
                    "scores of metrics: leave them out, or give them as gold."
                )
            )


def read_scores(
    paths: Sequence[Path],
    *,
    lower_is_better: Collection[str] = (),
    on_error: OnError | None = None,
) -> ScoreFiles:
    """Read files of any of the layouts. Scores of the metrics in `lower_is_better` are negated.

    Calls `on_error`, with file and line, for each line and file that cannot be used, and leaves it
    out; without it, raises one InputError for all of them.
    """
    errors = ErrorList()
    report = on_error or errors.add
    builder = TableBuilder(report)
    pairs = PairFiles()
    turned: list[Finding] = []
    single: list[Path] = []
    for path in paths:
        try:
            recognised = recognise(path)
            builder.start(str(path), recognised.layout.name)
            kind = recognised.layout.kind
            if kind == "assessments":
                single.append(path)
            elif kind == "rankings":
                human_scores.read_compared(path, recognised, pairs, report)
            elif kind == "pairs":
                human_scores.read_preferred(path, recognised, pairs, report)
            elif recognised.layout is MQM:
                turned += human_scores.read_mqm(path, recognised, builder)
            else:
                readers = {**metric_scores.READERS, **human_scores.READERS}
                readers.get(recognised.layout, read_metric_scores)(path, recognised, builder)
        except InputError as problem:
            # The file is of no known layout, or cannot be read to its end.
            report(problem)
    assessments = read_assessments(single, report).assessments
    # What follows would be a consequence of what is wrong.
    errors.raise_all()
    tables = [
        replace(table, findings=(*table.findings, *(f for f in turned if f.where in table.files)))
        for table in builder.tables()
    ]
    known = {name for table in tables for name in table.metrics}
    for name in lower_is_better:
        if name not in known:
            report(
                InputError(
                    _("There is no metric %(name)r in the files of scores; there are %(known)s."),
                    name=name,
                    known=", ".join(sorted(known)) or "none",
                )
            )
    errors.raise_all()
    return ScoreFiles(
        tables=tuple(table.with_negated(lower_is_better) for table in tables),
        pairs=tuple(human_scores.pair_tables(pairs)),
        assessments=assessments,
        files=tuple(map(str, paths)),
    )
