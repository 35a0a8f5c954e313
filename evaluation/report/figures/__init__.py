"""The figures about metrics."""

from collections.abc import Iterator

from evaluation.rendering.figures.style import ENGLISH, PAPER, Look, Specification, Words
from evaluation.report.figures.scatter import plot_names, scatter_plot
from evaluation.report.metric_shape import MetricsData


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
