"""Figures as Vega-Lite specifications, on paper and on the screen."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluation.rendering.figures.style import Look, Specification, Words
from evaluation.rendering.text import Text


@dataclass(frozen=True)
class Figure:
    """A drawing with the numbers of the `table` of this name; `draw` returns None without data."""

    name: str
    caption: Text
    table: str
    draw: Callable[[Look, Words], Specification | None]
