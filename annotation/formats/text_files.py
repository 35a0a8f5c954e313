"""The door by which files of texts come in: plain texts in any encoding, and tables of texts.

What lies behind it are plain texts in UTF-8, one sentence a line. A file that is one already is not
touched.
"""

from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.encodings import UTF_8, codec_of, marked_encoding
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import open_binary
from annotation.formats.spreadsheets import XLSX, Table, name_end, read_spreadsheet, read_table

_CHUNK = 1 << 16
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class TextFile:
    """The plain texts of a file, by the headings of its columns, "" for the only text.

    `form` and `encoding` say what the file is, as "CSV" and "Windows-1250"; they are "" for a plain
    text and for UTF-8.
    """

    texts: dict[str, Path]
    form: str = ""
    encoding: str = ""

    @property
    def read_as(self) -> str:
        """What the file was read as, such as "CSV, Windows-1250"; "" for a plain text in UTF-8."""
        return ", ".join(filter(None, (self.form, self.encoding)))


def open_texts(
    path: Path, name: str, new_path: Callable[[], Path], encoding: str = UTF_8
) -> TextFile:
    """Return the texts of a file of this name; those that are not there yet are written.

    `encoding`, one of ENCODINGS, is that of a text which is neither UTF-8 nor has a byte order
    mark. Without it, such a text is returned as it is, and its readers report it. Raises InputError
    where the file is no text of this encoding, or it is not certain what it is.
    """
    with open_binary(path) as file:
        head = file.read(_CHUNK)
    if head.startswith(_ZIP) and name_end(name) == XLSX:
        return _written(read_spreadsheet(path), path, new_path, "")
    found = marked_encoding(head)
    if not found and not is_utf8(path):
        if encoding == UTF_8:
            return TextFile({"": path})
        found = encoding
    if not head:
        return TextFile({"": path})
    text = _decoded(path, found, new_path()) if found else path
    is_kept = False
    try:
        table = read_table(text, name)
        is_kept = table is None
        return _written(table, path, new_path, found) if table else TextFile({"": text}, "", found)
    except InputError as problem:
        raise problem.with_names({str(text): str(path)}) from problem
    finally:
        if found and not is_kept:
            text.unlink()


def is_utf8(path: Path) -> bool:
    """Return whether all of a file is UTF-8. Raise InputError if it cannot be read."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        with open_binary(path) as file:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(path: Path, encoding: str, to: Path) -> Path:
    """Write the file in UTF-8, and return its path. Raise InputError."""
    decoder = getincrementaldecoder(codec_of(encoding))()
    try:
        with open_binary(path) as file, to.open("xb") as out:
            while chunk := file.read(_CHUNK):
                out.write(decoder.decode(chunk).encode())
            out.write(decoder.decode(b"", final=True).encode())
    except UnicodeError:
        to.unlink()
        raise InputError(
            _("the file is not %(given)s: give another encoding, or save it as UTF-8."),
            str(path),
            given=encoding,
        ) from None
    return to


def _written(table: Table, path: Path, new_path: Callable[[], Path], encoding: str) -> TextFile:
    """Write each column with a heading as a text, or the whole table as one. Raise InputError."""
    texts = {heading: new_path() for heading in table.headings or ("",)}
    with ExitStack() as stack:
        try:
            files = [stack.enter_context(text.open("xb")) for text in texts.values()]
            for number, cells in enumerate(table.rows, start=1):
                lines = cells if table.headings else [_joined(cells, f"{path}, line {number}")]
                for file, line in zip(files, lines, strict=True):
                    file.write(line.encode() + b"\n")
        except BaseException:
            for text in texts.values():
                text.unlink(missing_ok=True)
            raise
    return TextFile(texts, table.form, encoding)


def _joined(cells: list[str], where: str) -> str:
    """Return a row of segments as a line, or the only cell. Raise InputError."""
    if len(cells) > 1 and any("\t" in cell for cell in cells):
        raise InputError(
            _("the cell %(text)r contains a tab: replace it with a space."),
            where,
            text=next(cell for cell in cells if "\t" in cell)[:60],
        )
    return "\t".join(cells)
