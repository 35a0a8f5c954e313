"""Tables as spreadsheets save them: CSV, tab-separated texts and XLSX.

A plain text is never changed: a table is read as one only where the name of the file says so (.csv,
.tsv, .tab, .xlsx) and all its lines agree. What may be one or the other is refused in one sentence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.file_kinds import LINES, TAB_SEPARATED, TEXT, are_segments, detect_kind
from annotation.formats.file_roles import REFERENCE, SOURCE, role_of_heading
from annotation.formats.names import plain_name
from annotation.formats.plain_text import EMPTY, read_lines, read_lines_or_none

XLSX: Final = ".xlsx"
# By the ends of names.
_SEPARATORS: Final = {".csv": (",", ";", "\t"), ".tsv": ("\t",), ".tab": ("\t",)}
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
# Each is written to a file of its own, all at a time.
_MOST_COLUMNS: Final = 500
# Excel has no more.
_MOST_ROWS: Final = 1_048_576
# Formats in which a spreadsheet shows a whole number as it is stored.
_PLAIN_FORMATS: Final = ("General", "0", "@")
# XLSX may write a carriage return as the last one.
_LINE_BREAK: Final = re.compile(r"[\r\n]|_x000D_")

Rows = Iterator[list[str]]


@dataclass(frozen=True)
class Table:
    """A table of texts; `rows` are the cells below the headings, and can be read once.

    Without `headings`, a row is a line of one text: its only cell, or the columns of segments.
    """

    form: str
    headings: Sequence[str]
    rows: Rows


def name_end(name: str) -> str:
    """Return the end of a name that says what the file is, as ".csv" of "A.CSV.gz"."""
    return PurePosixPath(name.replace("\\", "/").lower().removesuffix(".gz")).suffix


def read_table(path: Path, name: str) -> Table | None:
    """Return the table that a text in UTF-8 of this name is; None for one to be read as it lies.

    Reads the file more than once. Raises InputError where it is not certain what it is.
    """
    end, kind = name_end(name), detect_kind(path)
    if end not in _SEPARATORS or kind not in (TEXT, *TAB_SEPARATED):
        return _unquoted(path) if kind in TAB_SEPARATED else None
    is_csv = end == ".csv"
    form = "CSV" if is_csv else "TSV"
    signs = _signs_of_lines(read_lines(path), _SEPARATORS[end], is_csv=is_csv)
    even = [one for one in signs if one.width > 1 and not one.has("uneven")]
    for one in even:
        if are_segments(["\t".join(cells) for cells in islice(one.rows(path), LINES)]):
            if not is_csv:
                return _unquoted(path)
            one.require_certainty(path)
            return Table(form, (), one.rows(path))
    headed = [one for one in signs if _names_texts(one.heading)]
    if headed:
        one = next((one for one in headed if one in even), headed[0])
        one.require_certainty(path)
        return _with_headings(form, one.rows(path), path)
    if kind in TAB_SEPARATED:
        return _unquoted(path)
    if even:
        raise _without_headings(even[0].width, path)
    for one in signs:
        if one.width == 1 and not one.has("uneven") and one.has_quotation:
            return Table(form, (), one.rows(path))
    for one in signs:
        if one.has_quotation is None:
            raise one.unclear(path)
    return None


def doubtful_quotation(path: Path) -> int:
    """Return a line of tab-separated segments with quotation marks that may be a spreadsheet's.

    Returns 0 if there is none, since `read_table` takes away those that certainly are, and for
    files of other kinds.
    """
    if detect_kind(path) not in TAB_SEPARATED:
        return 0
    # Its readers report lines that are not readable.
    lines = (line or "" for line in read_lines_or_none(path, lambda _problem: None))
    (signs,) = _signs_of_lines(lines, ("\t",))
    return signs.first["quoted"] if signs.has_quotation is None else 0


def _unquoted(path: Path) -> Table | None:
    """Return tab-separated segments without the quotation marks of a spreadsheet, if it has any."""
    (signs,) = _signs_of_lines(read_lines(path), ("\t",))
    return Table("TSV", (), signs.rows(path)) if signs.has_quotation else None


def _names_texts(heading: Sequence[str]) -> bool:
    roles = [role_of_heading(plain_name(cell)) for cell in heading]
    return len(roles) > 1 and (SOURCE in roles or REFERENCE in roles)


def _without_headings(columns: int, path: Path) -> InputError:
    return InputError(
        _(
            "the table has %(columns)d columns, but its first row does not say what they are: "
            "write source, reference and the names of the systems there. If it is plain text, "
            "rename it to .txt."
        ),
        str(path),
        columns=columns,
    )


def _with_headings(form: str, rows: Rows, path: Path) -> Table:
    """Return the table whose first row has the headings. Raise InputError."""
    headings = [plain_name(cell) for cell in next(rows)]
    named = {heading: place for place, heading in enumerate(headings) if heading}
    if len(named) > _MOST_COLUMNS:
        raise InputError(_("the table has too many rows or columns."), str(path))
    twice = [
        heading for place, heading in enumerate(headings) if named.get(heading, place) != place
    ]
    if twice:
        raise InputError(
            _("two columns are called %(name)r: give each its own name."),
            f"{path}, line 1",
            name=twice[0],
        )

    def named_cells() -> Rows:
        for number, cells in enumerate(rows, start=2):
            for place, cell in enumerate(cells):
                if cell and (place >= len(headings) or not headings[place]):
                    raise InputError(
                        _("column %(column)d has no name in the first row: write it there."),
                        f"{path}, line {number}",
                        column=place + 1,
                    )
            yield [cells[place] if place < len(cells) else "" for place in named.values()]

    return Table(form, tuple(named), _without_blank_end(named_cells()))


def _without_blank_end(rows: Rows) -> Rows:
    """Yield the rows without blank ones at the end, which spreadsheets add."""
    blank: list[list[str]] = []
    for cells in rows:
        blank.append(cells)
        if any(cells):
            yield from blank
            blank = []


# --- texts --------------------------------------------------------------------------------------


@dataclass
class _Signs:
    """What tells whether a spreadsheet has written a text: by sign, the first line that has it.

    A spreadsheet puts a cell in quotation marks where it must, because the cell has a separator or
    quotation marks, which are then doubled; some do so with all cells but numbers. The signs:

    uneven: another number of columns than in the first line
    broken: a cell that begins with a quotation mark and does not end with another
    loose: a cell with quotation marks inside, but none around it
    bare: a text without quotation marks around it
    quoted: a cell with quotation marks around it
    needless: such a cell, but a spreadsheet would not have put them there
    doubled: such a cell that has doubled ones inside
    quoted comma, bare comma: a cell with a comma, with and without quotation marks around it
    """

    separator: str
    is_csv: bool
    heading: list[str] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, line: str) -> None:
        cells = _cells(line, self.separator)
        if not self.heading:
            self.heading = [text for text, _quoted in cells or [(line, False)]]
        # A blank line is a row without texts.
        if cells and line and len(cells) != self.width:
            self.first.setdefault("uneven", number)
        found = (
            {"broken"} if cells is None else set(chain(*(self._of_cell(*cell) for cell in cells)))
        )
        for sign in found - self.first.keys():
            self.first[sign] = number

    def _of_cell(self, text: str, is_quoted: bool) -> Iterator[str]:
        if is_quoted:
            yield "quoted"
            if '"' in text:
                yield "doubled"
            elif text and not self._needs_quotation(text):
                yield "needless"
            elif "," in text:
                yield "quoted comma"
        elif text and not _NUMBER.fullmatch(text):
            yield "bare"
            if '"' in text:
                yield "loose"
            if "," in text:
                yield "bare comma"

    def _needs_quotation(self, text: str) -> bool:
        outer = text != text.strip()
        if self.is_csv:
            return outer or any(separator in text for separator in _SEPARATORS[".csv"])
        return not outer and ("\t" in text or "," in text)

    def has(self, *signs: str) -> bool:
        return any(sign in self.first for sign in signs)

    @property
    def width(self) -> int:
        return len(self.heading)

    @property
    def has_quotation(self) -> bool | None:
        """Whether quotation marks around cells are those of a spreadsheet; None if it is unclear.

        Of a text separated by tabs, doubled ones have to show it: many programs write such texts
        without any. Only Excel puts a cell with a comma in quotation marks there, and then all.
        """
        agrees = not self.has("broken", "loose") and not (self.has("needless") and self.has("bare"))
        if self.is_csv:
            return (agrees or None) if self.has("quoted", "broken") else False
        if not self.has("quoted") or not agrees:
            return False
        if self.has("bare") and self.has("quoted comma") and self.has("bare comma"):
            return False
        return self.has("doubled") or not self.has("bare") or None

    def require_certainty(self, path: Path) -> None:
        """Raise InputError unless all lines have as many cells, and it is clear which."""
        if self.is_csv and self.has("broken"):
            raise InputError(
                _(
                    "a quotation mark opens a cell that does not end in this line: a cell must "
                    "not contain a line break. If it is plain text, rename it to .txt."
                ),
                f"{path}, line {self.first['broken']}",
            )
        if self.has("uneven"):
            raise InputError(
                _(
                    "this row does not have the %(columns)d columns of the first: save the table "
                    "as XLSX. If it is plain text, rename it to .txt."
                ),
                f"{path}, line {self.first['uneven']}",
                columns=self.width,
            )
        if not self.is_csv and self.has_quotation is None:
            raise self.unclear(path)

    def unclear(self, path: Path) -> InputError:
        return InputError(
            _(
                "it is not certain whether the quotation marks belong to the text: save the table "
                "as XLSX. If it is plain text, rename it to .txt."
            ),
            f"{path}, line {self.first.get('broken') or self.first['quoted']}",
        )

    def rows(self, path: Path) -> Rows:
        """Yield the cells of each line, without the quotation marks of a spreadsheet."""
        for line in read_lines(path):
            cells = _cells(line, self.separator) if self.is_csv or self.has_quotation else None
            yield line.split(self.separator) if cells is None else [text for text, _quoted in cells]


def _signs_of_lines(
    lines: Iterable[str], separators: Iterable[str], *, is_csv: bool = False
) -> list[_Signs]:
    signs = [_Signs(separator, is_csv) for separator in separators]
    for number, line in enumerate(lines, start=1):
        for one in signs:
            one.add(number, line)
    return signs


_CELLS: Final = {
    # A cell in quotation marks, or one that does not begin with any; and what ends it.
    separator: re.compile(
        rf'(?:"([^"]*+(?:""[^"]*+)*+)"|((?:[^"{separator}][^{separator}]*+)?))({separator}|\Z)'
    )
    for separator in (",", ";", "\t")
}


def _cells(line: str, separator: str) -> list[tuple[str, bool]] | None:
    """Return the text of each cell, and whether it is in quotation marks; None if one is broken."""
    if '"' not in line:
        return [(text, False) for text in line.split(separator)]
    cells, place = [], 0
    while found := _CELLS[separator].match(line, place):
        quoted, bare, end = found.groups()
        cells.append((bare, False) if quoted is None else (quoted.replace('""', '"'), True))
        if not end:
            return cells
        place = found.end()
    return None


# --- XLSX ---------------------------------------------------------------------------------------


def read_spreadsheet(path: Path) -> Table:
    """Return the table in the only sheet of an XLSX file that has any cells.

    Formulas are not computed: they have the value that the spreadsheet stored. Raises InputError,
    also while rows are read, for a cell that is no text.
    """
    rows = _without_blank_end(_sheet_rows(path))
    sample = list(islice(rows, LINES))
    if not sample:
        raise InputError(EMPTY, str(path))
    rows = chain(sample, rows)
    if are_segments(["\t".join(cells) for cells in sample]):
        return Table("XLSX", (), rows)
    if _names_texts(sample[0]):
        return _with_headings("XLSX", rows, path)
    filled = {place for cells in sample for place, cell in enumerate(cells) if cell}
    return Table("XLSX", (), _only_column(rows, min(filled), path))


def _only_column(rows: Rows, column: int, path: Path) -> Rows:
    for cells in rows:
        if any(cells[:column]) or any(cells[column + 1 :]):
            raise _without_headings(sum(map(bool, cells)), path)
        yield [cells[column] if column < len(cells) else ""]


def _sheet_rows(path: Path) -> Rows:
    # Imported here: most processes never need it.
    from openpyxl import load_workbook

    try:
        # Links to other files are not followed.
        with (
            path.open("rb") as file,
            closing(
                load_workbook(file, read_only=True, data_only=True, keep_links=False)
            ) as workbook,
        ):
            sheets = [one for one in workbook.worksheets if one.sheet_state == "visible"]
            for sheet in sheets:
                # They may say that the table has a million empty rows.
                sheet.reset_dimensions()
            filled = [one for one in sheets if _has_cells(one)]
            if len(filled) > 1:
                raise InputError(
                    _("several sheets have cells: keep one of them, or save each as CSV."),
                    str(path),
                )
            for number, row in enumerate(filled[0].iter_rows() if filled else (), start=1):
                if number > _MOST_ROWS or len(row) > _MOST_COLUMNS:
                    raise InputError(_("the table has too many rows or columns."), str(path))
                yield [_text(cell, f"{path}, line {number}") for cell in row]
    except InputError:
        raise
    # A damaged file makes the library raise errors of many kinds.
    except Exception as problem:
        raise InputError(
            _("the file cannot be read as XLSX: save it again, or save it as CSV."), str(path)
        ) from problem


def _has_cells(sheet: Any) -> bool:
    # A small file can say that it has any number of rows.
    rows = islice(sheet.iter_rows(values_only=True), _MOST_ROWS)
    return any(len(row) > _MOST_COLUMNS or any(v is not None for v in row) for row in rows)


def _text(cell: Any, where: str) -> str:
    """Return the text of a cell. Raise InputError for one that may be shown in another way."""
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "n" and isinstance(value, int) and cell.number_format in _PLAIN_FORMATS:
        return str(value)
    if cell.data_type != "s":
        raise InputError(
            _(
                "the cell %(cell)s is a number, a date or an error: make it a text, or delete its "
                "column."
            ),
            where,
            cell=cell.coordinate,
        )
    if _LINE_BREAK.search(value):
        raise InputError(
            _("the cell %(cell)s has a line break: give one sentence, on one line."),
            where,
            cell=cell.coordinate,
        )
    return str(value)
