"""Colours, type and texts that all figures share, on paper and on the screen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from evaluation.rendering.formats import decimal

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
# The same as in base.css.
SCREEN_FONT: Final = (
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", '
    "Arial, sans-serif"
)

Specification = dict[str, Any]


@dataclass(frozen=True)
class Look:
    """Colours and font; `diverging` goes from worse to better, `sequential` from low to high."""

    ink: str
    soft: str
    line: str
    ground: str
    band: str
    accent: str
    accent_soft: str
    other: str
    none: str
    diverging: tuple[str, ...]
    sequential: tuple[str, ...]
    font: str
    # In pixels, or "container" for the full width of the page.
    width: int | str

    def specification(self, height: int, **parts: Any) -> Specification:
        """Return a specification with these parts and this style."""
        return {
            "$schema": SCHEMA,
            "background": "transparent",
            "width": self.width,
            "height": height,
            "autosize": {"type": "fit-x", "contains": "padding"},
            "padding": 4,
            "config": self._config(),
            **parts,
        }

    def _config(self) -> dict[str, Any]:
        return {
            # The page describes the figure and has a table; screen readers would read each mark.
            "aria": False,
            "font": self.font,
            "view": {"stroke": None},
            "axis": {
                "labelColor": self.soft,
                "titleColor": self.soft,
                "titleFontWeight": 600,
                "titleFontSize": 12,
                "labelFontSize": 12,
                "titlePadding": 10,
                "labelPadding": 6,
                "domainColor": self.line,
                "tickColor": self.line,
                "gridColor": self.line,
                "ticks": False,
            },
            "legend": {
                "labelColor": self.soft,
                "titleColor": self.soft,
                "titleFontWeight": 600,
                "titleFontSize": 12,
                "labelFontSize": 12,
                "gradientLength": 340,
                "gradientThickness": 10,
                "gradientStrokeColor": "transparent",
            },
        }


PAPER: Final = Look(
    ink="#16201d",
    soft="#515d58",
    line="#d8deda",
    ground="#ffffff",
    band="#f4f6f4",
    accent="#0a6157",
    accent_soft="#b9dcd5",
    other="#a2371e",
    none="#eef1ef",
    diverging=(
        "#d9825f",
        "#e6a88d",
        "#f0cab8",
        "#f8e6dd",
        "#dcefeb",
        "#b6ddd5",
        "#85c4b8",
        "#4fa798",
    ),
    sequential=("#f0cab8", "#f3f1e6", "#dcefeb", "#b6ddd5", "#85c4b8", "#4fa798"),
    font="Helvetica, Arial, sans-serif",
    width=620,
)
# report.css defines these variables for light, dark and print.
SCREEN: Final = Look(
    ink="var(--ink)",
    soft="var(--ink-soft)",
    line="var(--line)",
    ground="var(--surface)",
    band="var(--plot-band)",
    accent="var(--accent)",
    accent_soft="var(--plot-accent-soft)",
    other="var(--bad)",
    none="var(--sunken)",
    diverging=tuple(f"var(--diverging-{step})" for step in range(1, 9)),
    sequential=tuple(f"var(--sequential-{step})" for step in range(1, 7)),
    font=SCREEN_FONT,
    width="container",
)


POINT: Final = "."
SHOWN: Final = "_shown"
# A figure with one dot says nothing that a number would not.
FEWEST_DOTS: Final = 2


@dataclass(frozen=True)
class Words:
    """Titles of axes, legends and tooltips; `decimal` is the decimal separator."""

    decimal: str = POINT
    system: str = "System"
    score: str = "Score"
    rank: str = "Rank"
    row: str = "System"
    column: str = "Compared with"
    share_of_wins: str = "Share of wins"
    p: str = "p (Holm)"
    annotator: str = "Annotator"
    other: str = "Other annotator"
    kappa: str = "κ"
    pairs: str = "Pairs compared"
    sentences: str = "Sentences judged"
    tau: str = "τ to the ranking of all"
    width: str = "Width of the interval"
    change: str = "Change of the time for a judgement, per 100 sentences"
    together: str = "Together"
    people: str = "Score by people"
    outlier: str = "Outlier"
    outlier_or_not: str = "Mark"

    @property
    def low(self) -> str:
        return f"2{self.decimal}5 %"

    @property
    def high(self) -> str:
        return f"97{self.decimal}5 %"

    def short(self, number: float) -> str:
        """Return the number with two decimals; English leaves out the zero before the point."""
        written = self.figure(number, 2)
        return written.replace("0.", POINT) if self.decimal == POINT else written

    def figure(self, number: float | None, places: int) -> str:
        """Return the number with so many decimals; a dash if it is undefined."""
        written = decimal(number, places).replace("-", "−")
        return written.replace(POINT, self.decimal)

    def change_in_percent(self, change: float | None) -> str:
        """Return a relative change with its sign and one decimal."""
        if change is None:
            return self.figure(None, 1)
        return f"{'+' if change > 0 else ''}{self.figure(100 * change, 1)}\u00a0%"

    def figures(self, row: Mapping[str, Any], places: int, *names: str) -> dict[str, str]:
        """Return the values of these names as tooltips show them, by name + SHOWN.

        Vega would round them differently from the page.
        """
        return {name + SHOWN: self.figure(row[name], places) for name in names}


ENGLISH = Words()
