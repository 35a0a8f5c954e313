"""Figures as images: SVG for the web, PDF for LaTeX, PNG for the rest.

They are drawn by vl-convert, which has Vega, Vega-Lite and a font in it, and needs no network and
no browser. It is imported inside the functions, since it takes 80 MB when it first draws. A process
that has drawn cannot fork any more: its child would wait for the threads of the JavaScript engine.
"""

from collections.abc import Callable
from typing import Final

from evaluation.report.figures.style import POINT, Specification

# Of Vega-Lite, as in static/vendor.
VERSION: Final = "6.4"
# Enough for print and for high-density screens.
PNG_SCALE: Final = 3
PAPER_WHITE: Final = "#ffffff"


def draw(specification: Specification, decimal: str = POINT) -> str:
    """Return the figure as SVG, on white; nothing is loaded, since no address is allowed.

    `decimal` is the decimal separator of the axes.
    """
    from vl_convert import vegalite_to_svg

    on_white = {**specification, "background": PAPER_WHITE}
    thousands = "," if decimal == POINT else "\N{NO-BREAK SPACE}"
    return vegalite_to_svg(
        on_white,
        vl_version=VERSION,
        allowed_base_urls=[],
        format_locale={
            "decimal": decimal,
            "thousands": thousands,
            "grouping": [3],
            "currency": ["", ""],
        },
    )


def _pdf(svg: str) -> bytes:
    from vl_convert import svg_to_pdf

    return svg_to_pdf(svg)


def _png(svg: str) -> bytes:
    from vl_convert import svg_to_png

    return svg_to_png(svg, scale=PNG_SCALE)


# How a drawn figure becomes a file; the PDF files of equal figures can differ in a few bytes.
IMAGE_FORMATS: Final[dict[str, Callable[[str], bytes]]] = {
    "pdf": _pdf,
    "png": _png,
    "svg": str.encode,
}
IMAGE_TYPES: Final = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
