"""Texts in CSV tables that a spreadsheet would take for formulas: escaped, and as they were."""

import re

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
