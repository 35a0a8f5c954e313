"""The figures of a report as Vega-Lite specifications, which are plain dictionaries.

Names and texts stand in the data and never in an expression, so no name is ever executed. All
numbers are computed beforehand: a specification only says how to draw them.
"""

from collections.abc import Callable, Iterator
from typing import Final

from evaluation.report.figures.curves import interval_widths, learning_curve
from evaluation.report.figures.heat_maps import pairs_map, win_rate_map
from evaluation.report.figures.intervals import forest_plot, speed_changes
from evaluation.report.figures.scatter import plot_names, scatter_plot
from evaluation.report.figures.style import ENGLISH, PAPER, Look, Specification, Words
from evaluation.report.metric_shape import MetricsData
from evaluation.report.readings import has_curve, has_order, ranking_methods
from evaluation.report.shape import ReportData


def figures(
    report: ReportData, look: Look = PAPER, words: Words = ENGLISH
) -> Iterator[tuple[str, Specification]]:
    """Yield name and specification of every figure for which the report has data."""
    for name in (*(f"ranking-{method}" for method in ranking_methods(report)), *_OTHERS):
        drawn = figure(report, name, look, words)
        if drawn is not None:
            yield name, drawn


def figure(
    report: ReportData, name: str, look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the figure of this name; None if there is none, or no data for it."""
    method = name.removeprefix("ranking-")
    if name.startswith("ranking-") and method in ranking_methods(report):
        return forest_plot(report["rankings"][method], method, look, words)
    make = _OTHERS.get(name)
    # The others compare the systems or annotators by orders of candidates.
    shown = has_curve(report) if name in _OF_CURVE else has_order(report)
    return make(report, look, words) if make and shown else None


def metric_figures(
    data: MetricsData, look: Look = PAPER, words: Words = ENGLISH
) -> Iterator[tuple[str, Specification]]:
    """Yield name and specification of the scatter plot of every metric that can be drawn."""
    for name, row in zip(plot_names(data), data["metrics"], strict=True):
        drawn = scatter_plot(data, row, look, words)
        if drawn is not None:
            yield name, drawn


def metric_figure(
    data: MetricsData, name: str, look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the scatter plot of this name; None if there is none."""
    rows = dict(zip(plot_names(data), data["metrics"], strict=True))
    return scatter_plot(data, rows[name], look, words) if name in rows else None


def is_figure(name: str) -> bool:
    """Tell whether a report, by any ranking method, can have a figure of this name."""
    return name.startswith("ranking-") or name in _OTHERS


def best_first(report: ReportData) -> list[str]:
    """Return the systems in the order of the first ranking, or else of the project."""
    for ranking in report["rankings"].values():
        return [row["system"] for row in ranking["systems"]]
    return list(report["significance"]["systems"])


_OTHERS: Final[dict[str, Callable[[ReportData, Look, Words], Specification | None]]] = {
    "win-rates": lambda report, look, words: win_rate_map(
        report["significance"], best_first(report), look, words
    ),
    "pairs-of-annotators": lambda report, look, words: pairs_map(report["pairs"], look, words),
    "learning-curve": lambda report, look, words: learning_curve(
        report["learning_curve"], look, words
    ),
    "interval-widths": lambda report, look, words: interval_widths(
        report["learning_curve"], look, words
    ),
    "speed-changes": lambda report, look, words: speed_changes(report["drift"], look, words),
}
_OF_CURVE: Final = ("learning-curve", "interval-widths")
