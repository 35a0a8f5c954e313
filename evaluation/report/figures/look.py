"""Colours, type and lines that all figures share, on paper and on the screen."""

from dataclasses import dataclass
from typing import Any, Final

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
# As base.css has it.
SCREEN_FONT: Final = (
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", '
    "Arial, sans-serif"
)

Specification = dict[str, Any]


@dataclass(frozen=True)
class Look:
    """Colours of a figure; `diverging` goes from worse to better, `sequential` from low to high."""

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
    # In pixels: on the screen a figure is as wide as there is room.
    width: int | str

    def specification(self, height: int, **parts: Any) -> Specification:
        """Return a specification in this look, with these parts."""
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
            # The page has its own description and table; marks would be read one by one.
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
        "#f1f4f2",
        "#dcefeb",
        "#b6ddd5",
        "#85c4b8",
        "#4fa798",
    ),
    sequential=("#f0cab8", "#f3f1e6", "#dcefeb", "#b6ddd5", "#85c4b8", "#4fa798"),
    font="Helvetica, Arial, sans-serif",
    width=620,
)
# The values are in report.css, where they follow the reader's light, dark or paper.
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
    diverging=tuple(f"var(--diverging-{step})" for step in range(1, 10)),
    sequential=tuple(f"var(--sequential-{step})" for step in range(1, 7)),
    font=SCREEN_FONT,
    width="container",
)
