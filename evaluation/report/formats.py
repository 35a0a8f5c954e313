"""Tables as LaTeX, CSV, Markdown, JSON and plain text.

Names come from people: each format escapes what it would take for a command.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from itertools import zip_longest
from textwrap import fill
from typing import Any, Final

from annotation.formats.csv_escaping import without_formulas
from annotation.formats.rounding import rounded
from evaluation.report.tables import TEXTS, Cell, Column, Table
from evaluation.stats.ranking.systems import Ranking

UNDEFINED: Final = "–"
# Columns of a terminal that notes fill.
TEXT_WIDTH: Final = 100
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


def as_latex(table: Table) -> str:
    r"""Return a table environment for booktabs, with \midrule for the table's `rules`."""
    alignment = "".join("l" if column.is_text else "r" for column in table.columns)
    header = " & ".join(latex_escape(column.heading) for column in table.columns)
    lines = [
        "% needs \\usepackage{booktabs,textcomp} and, before TeX Live 2018, "
        "\\usepackage[utf8]{inputenc}",
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{latex_escape(table.caption)}}}",
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
    # Notes are escaped although they are comments: authors copy them into the text.
    lines[1:1] = [f"% {latex_escape(_one_line(note))}" for note in table.notes]
    return "\n".join(lines) + "\n"


def as_markdown(table: Table) -> str:
    """Return the table for GitHub and Pandoc, with its caption above and its notes below."""
    header = [_markdown_escape(column.heading) for column in table.columns]
    rule = [":--" if column.is_text else "--:" for column in table.columns]
    rows = [
        [
            _markdown_escape(_cell_text(cell, column))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]
    notes = [part for note in table.notes for part in ("", _markdown_escape(note))]
    return "\n".join([f"**{_markdown_escape(table.caption)}**", "", *lines, *notes]) + "\n"


def as_csv(table: Table) -> str:
    """Return comma-separated values with full precision; undefined cells are empty.

    Text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_harmless(column.name) for column in table.columns)
    for row in table.rows:
        writer.writerow("" if cell is None else _harmless(cell) for cell in row)
    return buffer.getvalue()


def as_object(table: Table) -> dict[str, Any]:
    """Return the table as plain JSON with a list of rows, with full precision."""
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    notes = list(table.notes)
    return {"name": table.name, "caption": table.caption, "notes": notes, "rows": rows}


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
    """Return the caption, aligned lines for a terminal, and the notes."""
    rows = [
        [_cell_text(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    words = [place for place, column in enumerate(table.columns) if column.is_text]
    lines = text_table([column.heading for column in table.columns], rows, words=words)
    return "\n".join((table.caption, "", lines, *(fill(note, TEXT_WIDTH) for note in table.notes)))


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
    if isinstance(cell, str):
        return latex_escape(cell)
    # A minus sign, not a hyphen.
    return latex_escape(_cell_text(cell, column).replace("-", "−"))


def _markdown_escape(text: str) -> str:
    escaped = "".join(_MARKDOWN.get(character, character) for character in _one_line(text))
    return escaped.replace("  ", " &nbsp;")


def _harmless(cell: str | int | float) -> str | int | float:
    return without_formulas(_one_line(cell)) if isinstance(cell, str) else cell


def _cell_text(cell: Cell, column: Column) -> str:
    if cell is None:
        return UNDEFINED
    if not isinstance(cell, float):
        return str(cell)
    least = 10.0**-column.places
    is_small = column.is_p and cell < least
    return f"<{decimal(least, column.places)}" if is_small else decimal(cell, column.places)


def _one_line(text: str) -> str:
    """Return the text without line ends and other unprintable characters."""
    spaced = " ".join(line.strip() for line in text.strip().splitlines())
    spaced = "".join(" " if character.isspace() else character for character in spaced)
    return "".join(character for character in spaced if character.isprintable())


def decimal(number: float | None, places: int = 3) -> str:
    """Return the number with so many decimals and a decimal point; a dash if it is undefined."""
    return UNDEFINED if number is None else str(rounded(number, places))


def duration(seconds: float | None) -> str:
    """Return hours, minutes and seconds, such as 26:02:14."""
    if seconds is None:
        return UNDEFINED
    minutes, rest = divmod(int(rounded(seconds, 0)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def text_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, words: Sequence[int] = (0,)
) -> str:
    """Return aligned lines; the columns in `words` are left-aligned, the others right-aligned."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    ruled = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in ruled
    )


def ranking_table(ranking: Ranking) -> str:
    """Return the systems with their counts, best first; undefined ratios have no place."""
    rows = [
        [
            str(place) if result.ratio_of_wins is not None else UNDEFINED,
            result.system,
            str(result.wins),
            str(result.losses),
            str(result.ties_of_different_texts),
            str(result.same_text),
            decimal(result.ratio_of_wins, 4),
        ]
        for place, result in enumerate(ranking.systems, start=1)
    ]
    header = ["place", "system", "wins", "losses", "ties", "same text", "ratio of wins"]
    return f"{text_table(header, rows, words=(1,))}\n\n{fill(TEXTS, TEXT_WIDTH)}"
