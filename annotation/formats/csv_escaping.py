"""Lines of CSV, and texts that a spreadsheet would take for formulas."""

import csv
import io
import re
from collections.abc import Iterable

# Full-width signs count in Chinese and Japanese spreadsheets.
_BEGINS = "=+\\-@＝＋－＠"
# A formula starts a cell. Some spreadsheets also start a new cell after a semicolon, a tab or a
# line end, and ignore quotation marks before the formula.
_START = r"(?:^|(?<=[;\t\r\n]))"
_FORMULA = re.compile(rf"{_START}(?=['\"]*[{_BEGINS}])")
_ESCAPED = re.compile(rf"{_START}'(?=['\"]*[{_BEGINS}])")


def without_formulas(text: str) -> str:
    """Return the text with an apostrophe before everything that could be taken for a formula.

    Texts that begin with apostrophes there get one more, so that removing one restores the text.
    """
    return _FORMULA.sub("'", text)


def with_formulas(text: str) -> str:
    """Return the text from which `without_formulas` made this one."""
    return _ESCAPED.sub("", text)


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as lines of CSV, with their texts as they are."""
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def csv_line(cells: Iterable[object]) -> str:
    """Return the cells as a line of CSV, whose texts are without formulas."""
    return csv_lines([[without_formulas(c) if isinstance(c, str) else c for c in cells]])
