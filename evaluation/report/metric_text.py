"""Scores of metrics, and how far they agree with people, as text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill
from typing import Final, NamedTuple

from evaluation.findings.metric_scores import ScoredMetric, origins, score_columns, scores_of
from evaluation.findings.metrics import MetricsReport, head, tables
from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.tables import Column, Name, Table
from evaluation.rendering.text import ENGLISH, Text, _
from evaluation.report.gold_files import GoldReport, pair_heading, pair_tables, tables_of_all

# Tables with many numbers of little interest at first.
ONLY_IN_FILES: Final = ("intervals", "williams")


class _System(NamedTuple):
    system: str


def scores_text(
    scored: Sequence[ScoredMetric], systems: Sequence[str], sentences: int, all_sentences: int
) -> str:
    """Return a table of the systems (K) by metric, and the signatures of the metrics.

    `sentences` of all have a reference.
    """
    metrics = [scores_of(metric, systems) for metric in scored]
    some = f"{sentences}" if sentences == all_sentences else f"{sentences} of {all_sentences}"
    return as_text(
        Table.of(
            "scores",
            f"Scores of {len(systems)} systems, {some} sentences; higher is better",
            (Column("system", _("System"), Name()), *score_columns(metrics, places=4)),
            map(_System, systems),
            details=origins(metrics),
        )
    )


def metrics_text(report: MetricsReport) -> str:
    """Return all findings about the metrics of a project."""
    return "\n\n".join((*_filled(head(report)), *_written(tables(report)), report.signature))


def gold_text(found: GoldReport) -> str:
    """Return metrics against human gold of files."""
    parts = [*_filled(found.problems)]
    for pair in found.pairs:
        parts += [*_filled(pair_heading(pair)), *_written(pair_tables(pair))]
    return "\n\n".join((*parts, *_written(tables_of_all(found)), found.signature))


def _filled(lines: Iterable[Text | str]) -> Iterator[str]:
    return (fill(ENGLISH.text(line), TEXT_WIDTH) for line in lines)


def _written(made: Iterable[Table]) -> Iterator[str]:
    return (as_text(each) for each in made if not each.name.startswith(ONLY_IN_FILES))
