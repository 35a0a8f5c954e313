"""The text files that a command is given, opened as uploaded ones are."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.formats.encodings import UTF_8, find_encoding
from annotation.formats.errors import InputError
from annotation.formats.file_roles import REFERENCE, SYSTEM, find_column, role_of_heading
from annotation.formats.fingerprints import Fingerprint, fingerprint
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines
from annotation.formats.spreadsheets import doubtful_quotation
from annotation.formats.text_files import TextFile, open_texts


def add_encoding(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--encoding",
        default=UTF_8,
        metavar="NAME",
        help="the encoding of texts that are not UTF-8, as windows-1250",
    )


def add_answer_options(parser: ArgumentParser) -> None:
    """Add what a project chooses of its answer: see `answer_options_of`."""
    parser.add_argument(
        "--options",
        type=Path,
        metavar="FILE",
        help="what annotators choose from, one a line, such as categories of errors (MQM) or steps",
    )
    parser.add_argument(
        "--step",
        action="append",
        default=[],
        metavar="LABEL",
        help="a step of a scale of the project's own, such as grades; repeat for each, best first",
    )


def answer_options_of(options: Mapping[str, Any]) -> list[str]:
    """Return the options of the answer, from the steps or from the file. Raise InputError."""
    steps: list[str] = options["step"]
    file: Path | None = options["options"]
    if file is None:
        return steps
    if steps:
        raise InputError("--step and --options FILE exclude each other: give one of them.")
    return list(read_lines(file))


class GivenTexts:
    """Opens the files of a command; what is not a plain text in UTF-8 is copied into `folder`.

    `originals` are the files by the paths of their copies. `say` gets a sentence on each file that
    is read as something else.
    """

    def __init__(self, folder: Path, encoding: str, say: Callable[[str], None]) -> None:
        self.originals: dict[Path, Fingerprint] = {}
        self.names: dict[str, str] = {}
        self._encoding = encoding
        self._say = say
        self._opened: dict[Path, TextFile] = {}
        self._new_paths = (folder / str(number) for number in count(1))

    def text(self, path: Path, role: str, system: str = "") -> Path:
        """Return the text of a file, or the column of a table with this role. Raise InputError."""
        texts = self._texts(path)
        if list(texts) == [""]:
            return texts[""]
        heading = find_column(texts, role, system)
        if heading is None:
            raise InputError(
                f"the table has the columns {', '.join(texts)}: call one of them "
                f"{system or role!r}, or give that column alone.",
                str(path),
            )
        return texts[heading]

    def references(self, paths: Iterable[Path]) -> list[Path]:
        """Return the texts of references; a table can have several. Raise InputError."""
        found: list[Path] = []
        for path in paths:
            texts = self._texts(path)
            columns = [texts[one] for one in texts if role_of_heading(one) == REFERENCE]
            found += columns or [self.text(path, REFERENCE)]
        return found

    def optional(self, path: Path | None, role: str) -> Path | None:
        return path and self.text(path, role)

    def of_systems(self, paths: Mapping[str, Path]) -> dict[str, Path]:
        """Return the texts of systems by their names. Raise InputError."""
        return {name: self.text(path, SYSTEM, name) for name, path in paths.items()}

    def _texts(self, path: Path) -> Mapping[str, Path]:
        """Return the texts of a file by the headings of their columns, "" for one text."""
        # What reads it says that it is no file, after it has checked the options.
        if not os.path.isfile(path):
            return {"": path}
        return (self._opened.get(path) or self._open(path)).texts

    def _open(self, path: Path) -> TextFile:
        file = open_texts(path, path.name, lambda: next(self._new_paths), self._encoding)
        self._opened[path] = file
        if file.read_as:
            self._say(f"{path} is read as {file.read_as}.")
        for heading, copy in file.texts.items():
            if line := doubtful_quotation(copy):
                self._say(
                    f"{path}, line {line}: quotation marks around cells are read as part of the "
                    "text. If a spreadsheet has added them, save the file without them, or as XLSX."
                )
            if copy != path:
                original = fingerprint(path)
                self.originals[copy] = Fingerprint(_name(original.name, heading), original.sha256)
                self.names[str(copy)] = _name(str(path), heading)
        return file


def _name(name: str, heading: str) -> str:
    return f"{name}, {heading}" if heading else name


@contextmanager
def given_texts(encoding: str, say: Callable[[str], None]) -> Iterator[GivenTexts]:
    """Yield the opener of the files of a command; its errors have the names of the files.

    `encoding` is that of texts which are not UTF-8, as `add_encoding` has it. Raises InputError.
    """
    with TemporaryDirectory(prefix="segranks-") as folder:
        given = GivenTexts(Path(folder), find_encoding(encoding), say)
        try:
            yield given
        except InputError as problem:
            named = problem.with_names(given.names)
            if "encoding" in problem.values:
                raise InputError(
                    f"{named} Or give --encoding {problem.values['encoding']}."
                ) from problem
            raise named from problem


def named_files(option: str, values: Sequence[str]) -> dict[str, Path]:
    """Return the files by plain name of options NAME=FILE. Raise InputError for one given twice."""
    files: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        name = plain_name(name)
        if not (name and equals and path):
            raise InputError(f"{option} {value!r} is not of the form NAME=FILE.")
        if name in files:
            raise InputError(
                f"{option} {name!r} is given twice, for {files[name]} and {path}: each name may "
                "stand once."
            )
        files[name] = Path(path)
    return files
