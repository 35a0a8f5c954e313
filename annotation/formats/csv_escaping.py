"""Tables that people open in a program of tables, which takes some texts for formulas."""

import re

# Full-width ones count where people write Chinese or Japanese.
_BEGINS = "=+\\-@＝＋－＠"
# A formula begins a cell, and cells begin where the program divides the line: by semicolons or tabs
# in many countries, whatever was meant. Quotation marks before it are then taken for quoting.
_FORMULA = re.compile(rf"(?:^|(?<=[;\t\r\n]))(?=['\"]*[{_BEGINS}])")


def without_formulas(text: str) -> str:
    """Return the text with an apostrophe before whatever could be taken for a formula.

    Apostrophes that were there already get one more, so that taking one away gives the text again.
    """
    return _FORMULA.sub("'", text)
