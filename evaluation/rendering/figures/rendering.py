"""Figures as images: SVG for the web, PDF for LaTeX, PNG for the rest.

They are drawn by vl-convert, which has Vega, Vega-Lite and a font in it, and needs no network and
no browser. It runs in a process of its own, because its JavaScript engine takes 80 MB, keeps
threads with which a process must not fork, and could take the server down with it.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from evaluation.rendering.figures.style import POINT, Specification

# Of Vega-Lite, as in static/vendor.
VERSION: Final = "6.4"
# Enough for print and for high-density screens.
PNG_SCALE: Final = 3
PAPER_WHITE: Final = "#ffffff"
# Seconds for all figures of a report, which take four on an idle machine.
TIMEOUT: Final = 120

# PDF files of equal figures can differ in a few bytes.
IMAGE_TYPES: Final = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


def draw(
    specifications: Sequence[Specification], extensions: Sequence[str], decimal: str = POINT
) -> list[dict[str, bytes]]:
    """Return each figure, on white, as a file of each of the extensions, keys of IMAGE_TYPES.

    `decimal` is the decimal separator of the axes. Raises subprocess.SubprocessError if the figures
    cannot be drawn.
    """
    asked = {
        "specifications": [{**each, "background": PAPER_WHITE} for each in specifications],
        "extensions": list(extensions),
        "png_scale": PNG_SCALE,
        "options": {
            "vl_version": VERSION,
            "format_locale": {
                "decimal": decimal,
                "thousands": "," if decimal == POINT else "\N{NO-BREAK SPACE}",
                "grouping": [3],
                "currency": ["", ""],
            },
        },
    }
    # -P: modules beside the program must not hide those of the standard library.
    program = [sys.executable, "-P", str(Path(__file__).with_name("drawing.py"))]
    done = subprocess.run(
        program, input=json.dumps(asked).encode(), capture_output=True, check=True, timeout=TIMEOUT
    )
    return [
        {extension: base64.b64decode(file) for extension, file in images.items()}
        for images in json.loads(done.stdout)
    ]
