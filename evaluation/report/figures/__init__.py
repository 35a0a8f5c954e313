"""The figures of a report as Vega-Lite specifications, which are plain dictionaries.

Names and texts are in their data, never in an expression, so that nobody's name is ever run.
Everything is computed beforehand; a specification says only how it is drawn.
"""

from collections.abc import Iterator

from evaluation.report.figures.curves import interval_widths, learning_curve
from evaluation.report.figures.heat_maps import pairs_map, win_rate_map
from evaluation.report.figures.intervals import forest_plot, speed_changes
from evaluation.report.figures.style import ENGLISH, PAPER, Look, Specification, Words
from evaluation.report.shape import ReportData


def figures(
    report: ReportData, look: Look = PAPER, words: Words = ENGLISH
) -> Iterator[tuple[str, Specification]]:
    """Yield name and specification of every figure that there is something to draw for."""
    names = [f"ranking-{method}" for method in report["rankings"]]
    for name in (*names, *_OTHERS):
        drawn = figure(report, name, look, words)
        if drawn is not None:
            yield name, drawn


def figure(
    report: ReportData, name: str, look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return one figure by its name; None where nothing is to be drawn, or there is no such."""
    method = name.removeprefix("ranking-")
    if name.startswith("ranking-") and method in report["rankings"]:
        return forest_plot(report["rankings"][method], method, look, words)
    make = _OTHERS.get(name)
    return make(report, look, words) if make else None


def is_figure(name: str) -> bool:
    """Whether reports give a figure this name, whatever methods they rank by."""
    return name.startswith("ranking-") or name in _OTHERS


def _win_rates(report: ReportData, look: Look, words: Words) -> Specification | None:
    return win_rate_map(report["significance"], best_first(report), look, words)


def best_first(report: ReportData) -> list[str]:
    """Return the systems in the order of the first ranking, or as they came."""
    for ranking in report["rankings"].values():
        return [row["system"] for row in ranking["systems"]]
    return list(report["significance"]["systems"])


def _pairs(report: ReportData, look: Look, words: Words) -> Specification | None:
    return pairs_map(report["pairs"], look, words)


def _learning_curve(report: ReportData, look: Look, words: Words) -> Specification | None:
    return learning_curve(report["learning_curve"], look, words)


def _widths(report: ReportData, look: Look, words: Words) -> Specification | None:
    return interval_widths(report["learning_curve"], look, words)


def _speed_changes(report: ReportData, look: Look, words: Words) -> Specification | None:
    return speed_changes(report["drift"], look, words)


_OTHERS = {
    "win-rates": _win_rates,
    "pairs-of-annotators": _pairs,
    "learning-curve": _learning_curve,
    "interval-widths": _widths,
    "speed-changes": _speed_changes,
}
