"""Tables as LaTeX, CSV, Markdown, JSON and plain text.

Names come from people: each format escapes what it would take for a command.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import fill, wrap
from typing import Any, Final

from annotation.formats.csv_escaping import without_formulas
from annotation.formats.rounding import rounded
from evaluation.rendering.tables import Cell, Column, Plain, Table
from evaluation.rendering.text import ENGLISH, UNDEFINED

# Characters of a line that notes fill, and of the longest line of a table.
TEXT_WIDTH: Final = 100
WIDEST: Final = 120
# Headings of narrow columns take several lines.
NARROW: Final = 10
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "–": "--",
    "…": r"\ldots{}",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
}
_MARKDOWN: Final = {character: f"\\{character}" for character in "\\`*_[]|~^$"} | {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
}
# At the start of a row LaTeX takes these for options of the command before it.
_OPTION: Final = ("[", "*")
# Papers have minus signs, terminals hyphens.
_TYPESET: Final = replace(
    ENGLISH, digits=lambda number, places: str(rounded(number, places)).replace("-", "−")
)


def as_latex(table: Table, *, shrinks: bool = False) -> str:
    r"""Return a table environment for booktabs, with \midrule for the table's `rules`.

    One that `shrinks` is never wider than a line, by the package graphicx.
    """
    table = table.of_people
    alignment = "".join("l" if column.is_text else "r" for column in table.columns)
    header = " & ".join(latex_escape(column.head(ENGLISH)) for column in table.columns)
    lines = [
        "% needs \\usepackage{booktabs,textcomp} and, before TeX Live 2018, "
        "\\usepackage[utf8]{inputenc}",
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{latex_escape(ENGLISH.text(table.caption))}}}",
        f"  \\label{{tab:{table.name}}}",
        f"  \\begin{{tabular}}{{{alignment}}}",
        "    \\toprule",
        f"    {header} \\\\",
        "    \\midrule",
    ]
    for number, row in enumerate(table.rows, start=1):
        cells = zip(row, table.columns, strict=True)
        lines.append(f"    {' & '.join(_latex_cell(*cell) for cell in cells)} \\\\")
        if number in table.rules and number < len(table.rows):
            lines.append("    \\midrule")
    lines += ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"]
    if shrinks:
        begin, end = lines.index(f"  \\begin{{tabular}}{{{alignment}}}"), len(lines) - 2
        width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
        lines[begin] = f"  \\resizebox{{{width}}}{{!}}{{%\n{lines[begin]}"
        lines[end] += "}"
    # Notes are escaped although they are comments: authors copy them into the text.
    lines[1:1] = [f"% {latex_escape(ENGLISH.text(line))}" for line in table.lines]
    return "\n".join(lines) + "\n"


def as_markdown(table: Table) -> str:
    """Return the table for GitHub and Pandoc, with its caption above and its notes below."""
    table = table.of_people
    header = [_markdown_escape(column.head(ENGLISH)) for column in table.columns]
    rule = [":--" if column.is_text else "--:" for column in table.columns]
    rows = [[_markdown_escape(cell) for cell in row] for row in _written(table)]
    lines = [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]
    notes = [part for line in table.lines for part in ("", _markdown_escape(ENGLISH.text(line)))]
    caption = _markdown_escape(ENGLISH.text(table.caption))
    return "\n".join([f"**{caption}**", "", *lines, *notes]) + "\n"


def as_csv(table: Table) -> str:
    """Return comma-separated values with full precision; undefined cells are empty.

    Text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_harmless(name) for name in _names(table))
    for row in _plain(table):
        writer.writerow("" if cell is None else _harmless(cell) for cell in row)
    return buffer.getvalue()


def as_object(table: Table) -> dict[str, Any]:
    """Return the table as plain JSON with a list of rows, with full precision."""
    return {
        "name": table.name,
        "caption": ENGLISH.text(table.caption),
        "notes": [ENGLISH.text(line) for line in table.lines],
        "rows": [dict(zip(_names(table), row, strict=True)) for row in _plain(table)],
    }


def as_json(table: Table) -> str:
    """Return `as_object` as a text."""
    return json.dumps(as_object(table), ensure_ascii=False, indent=1) + "\n"


TABLE_FORMATS: Final[dict[str, Callable[[Table], str]]] = {
    "tex": as_latex,
    "csv": as_csv,
    "md": as_markdown,
    "json": as_json,
}
CONTENT_TYPES: Final = {
    "tex": "application/x-tex",
    "csv": "text/csv",
    "md": "text/markdown",
    "json": "application/json",
}


def as_text(table: Table) -> str:
    """Return the caption, aligned lines for a terminal, and the notes.

    Columns for which there is no room follow below, beside the first one again.
    """
    table = table.filled.of_people
    words = [place for place, column in enumerate(table.columns) if column.is_text]
    rows = _written(table)
    heads, widths = [], []
    for place, column in enumerate(table.columns):
        longest = max((len(row[place]) for row in rows), default=0)
        head = wrap(column.head(ENGLISH), max(longest, NARROW), break_long_words=False)
        heads.append("\n".join(head))
        widths.append(max(longest, *map(len, head)))
    lines = []
    for places in _columns_at_once(widths):
        head, *cells = ([row[place] for place in places] for row in (heads, *rows))
        lines.append(text_table(head, cells, words=[places.index(n) for n in words if n in places]))
    notes = (fill(ENGLISH.text(note), TEXT_WIDTH) for note in table.notes)
    # Signatures are copied, and stay whole.
    parts = (ENGLISH.text(table.caption), "", "\n\n".join(lines), *notes, *table.details)
    return "\n".join(parts)


def _columns_at_once(widths: Sequence[int]) -> list[list[int]]:
    """Return the columns of each part of a table: the first one is in all of them."""
    parts = [[0]]
    for place in range(1, len(widths)):
        width = sum(widths[n] + 2 for n in parts[-1]) + widths[place]
        if width > WIDEST and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(place)
    return parts


def _written(table: Table) -> list[list[str]]:
    """Return the cells as people read them."""
    return [
        [
            column.kind.write_whole(cell, ENGLISH)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def _names(table: Table) -> list[str]:
    return [name for column in table.columns for name in column.names]


def _plain(table: Table) -> list[list[Plain]]:
    """Return the cells as programs read them."""
    return [
        [
            each
            for cell, column in zip(row, table.columns, strict=True)
            for each in column.kind.plain(cell)
        ]
        for row in table.rows
    ]


def latex_escape(text: str) -> str:
    """Return the text with every character that LaTeX would interpret escaped."""
    line = _one_line(text)
    escaped = "".join(
        # Two hyphens would become a dash, two apostrophes a closing quotation mark.
        _LATEX.get(character, character) + ("{}" if character == after and after in "-'" else "")
        for character, after in zip_longest(line, line[1:], fillvalue=" ")
    )
    # Of several spaces LaTeX shows one.
    escaped = escaped.replace("  ", " ~")
    # LaTeX would take it for an option of the end of the row before it.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(_OPTION) else escaped


def _latex_cell(cell: Cell, column: Column) -> str:
    return latex_escape(column.kind.write_whole(cell, _TYPESET))


def _markdown_escape(text: str) -> str:
    escaped = "".join(_MARKDOWN.get(character, character) for character in _one_line(text))
    return escaped.replace("  ", " &nbsp;")


def _harmless(cell: Plain) -> Plain:
    return without_formulas(_one_line(cell)) if isinstance(cell, str) else cell


def _one_line(text: str) -> str:
    """Return the text without line ends and other unprintable characters."""
    spaced = " ".join(line.strip() for line in text.strip().splitlines())
    spaced = "".join(" " if character.isspace() else character for character in spaced)
    return "".join(character for character in spaced if character.isprintable())


def decimal(number: float | None, places: int = 3) -> str:
    """Return the number with so many decimals and a decimal point; a dash if it is undefined."""
    return UNDEFINED if number is None else str(rounded(number, places))


def text_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, words: Sequence[int] = (0,)
) -> str:
    """Return aligned lines; the columns in `words` are left-aligned, the others right-aligned.

    Headings may have several lines.
    """
    heads = [heading.split("\n") for heading in header]
    height = max(map(len, heads))
    above = list(zip(*([""] * (height - len(head)) + head for head in heads), strict=True))
    lines = [*above, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    ruled = [*above, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in ruled
    )
