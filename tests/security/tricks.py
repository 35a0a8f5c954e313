"""Hostile texts for pages, tables and terminals, each with a label to find it by."""

from itertools import cycle

# A spreadsheet takes a cell that begins with one of these for a formula.
BEGINNINGS = ("=", "+", "-", "@")
FORMULAS = {"=": "HYPERLINK(0)", "+": "cmd|0!A0", "-": "2+3", "@": "SUM(1)"}
OVERRIDE = "\u202e"
# Elements and attributes that no template has: if a page contains them, a text was not escaped.
MARKUP = (
    '"\'><xss-probe><script>xss()</script><img/src=x/onerror=xss()><a/href="javascript:xss()">x</a>'
    "</textarea></title></script><!--{{7*7}}{%now'Y'%}${7*7}\\input{xss};=1"
)
MARKDOWN = "[x](javascript:xss()) ![x](javascript:xss()) <javascript:xss()> [x](data:text/html,xss)"
CONTROLS = "\x1b[31m\x07\x08\x7f\x9b"

_beginnings = cycle(BEGINNINGS)


def name(label: str, *, longest: int = 200) -> str:
    """Return a hostile text of visible characters in one line, as names have to be."""
    beginning = next(_beginnings)
    text = f"{beginning}{FORMULAS[beginning]}|{{{{7*7}}}}{label}{MARKUP}"
    return text[:longest]


def text(label: str) -> str:
    """Return a hostile text with control characters, but without line ends and tabs."""
    return f"{name(label)} {OVERRIDE}{CONTROLS}\u2028x"


def paragraphs(label: str) -> str:
    return f"{text(label)}\n\n{MARKDOWN}\n\n\t=1+1\n=1+1\n"
