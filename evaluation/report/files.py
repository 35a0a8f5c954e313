"""A report as a folder of files."""

import io
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.file_names import distinct_names, name_for_files
from evaluation.findings import metrics
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.report import Report, figures, tables
from evaluation.findings.serialisation import from_json, to_json
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.rendering import IMAGE_TYPES, draw
from evaluation.rendering.figures.style import ENGLISH, PAPER, Look, Specification, Words
from evaluation.rendering.formats import TABLE_FORMATS
from evaluation.rendering.tables import Table

# Written last: if it exists, all files beside it belong to the same report.
WHOLE: Final = "report.json"
WHOLE_METRICS: Final = "metrics.json"
_FIGURE: Final = "vl.json"


def files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of every file: tables, figures, and the report itself, last."""
    yield from table_files(tables(report))
    yield from _figure_files(drawn_figures(report))
    yield WHOLE, _json(to_json(report))


def drawn_figures(
    report: Report, look: Look = PAPER, words: Words = ENGLISH
) -> Iterator[tuple[str, Specification]]:
    """Yield name and specification of every figure for which the report has data."""
    return _drawn(figures(report), look, words)


def drawn_figure(report: Report, name: str, look: Look, words: Words) -> Specification | None:
    """Return the figure of this name; None if there is none, or no data for it."""
    return _drawn_one(figures(report), name, look, words)


def metric_files(report: MetricsReport) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of every file about metrics, the findings themselves last."""
    yield from table_files(metrics.tables(report))
    yield from _figure_files(_drawn(metrics.figures(report), PAPER, ENGLISH))
    yield WHOLE_METRICS, _json(to_json(report))


def metric_figure(
    report: MetricsReport, name: str, look: Look, words: Words
) -> Specification | None:
    """Return the scatter plot of this name; None if there is none, or no data for it."""
    return _drawn_one(metrics.figures(report), name, look, words)


def _drawn(
    figures: Iterable[Figure], look: Look, words: Words
) -> Iterator[tuple[str, Specification]]:
    for figure in figures:
        drawn = figure.draw(look, words)
        if drawn is not None:
            yield figure.name, drawn


def _drawn_one(
    figures: Iterable[Figure], name: str, look: Look, words: Words
) -> Specification | None:
    found = next((each for each in figures if each.name == name), None)
    return found.draw(look, words) if found else None


def table_files(tables: Iterable[Table]) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each table in each format.

    Names of tables have those of language pairs, files and campaigns; each table gets files of its
    own, also where two names differ only in what names of files cannot have.
    """
    given = list(tables)
    names = distinct_names([table.name for table in given], _file_name)
    for table, name in zip(given, names, strict=True):
        named = replace(table, name=name)
        for extension, write in TABLE_FORMATS.items():
            yield f"tables/{name}.{extension}", write(named).encode()


def _file_name(name: str) -> str:
    """Return a name for files and for labels in LaTeX."""
    return name_for_files(re.sub(r"[^\w.-]+", "-", name).rstrip("-."))


def zipped(files: Iterable[tuple[str, bytes]], made: str) -> bytes:
    """Return the files as a zip file, all from when the report was `made`, an ISO date."""
    when = datetime.fromisoformat(made).timetuple()[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, contents in files:
            packed.writestr(zipfile.ZipInfo(name, when), contents, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def write_folder(report: Report, folder: Path) -> list[Path]:
    """Write the files into the folder, which may exist, and return their paths.

    Files of an older report are removed; other files stay. All files are written to a temporary
    folder first and then moved, so an error leaves the folder as it was. Raises InputError if the
    folder cannot be written, or has a report of another version.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".report-", dir=folder) as name:
            new, old = Path(name, "new"), Path(name, "old")
            new.mkdir()
            names = list(_write(report, new))
            _check_targets(folder, names)
            _swap(folder, new, old, names)
        return [folder / path for path in names]
    except OSError as problem:
        reason = problem.strerror or problem
        raise InputError(
            f"The folder {folder} cannot be written: {reason}. Choose another --output."
        ) from problem


def check_folder(folder: Path, option: str = "--output") -> None:
    """Raise InputError if no folder can be created there, before anything is computed.

    `option` is what named the folder.
    """
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise InputError(f"{there} is not a folder: choose another {option}.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"The folder {there} cannot be written: choose another {option}.")


def _check_targets(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        path = folder / name
        if path.is_dir():
            raise InputError(
                f"{path} is a folder, but the report needs a file there: move it, or choose "
                "another --output."
            )
        if path.parent.exists() and not path.parent.is_dir():
            raise InputError(
                f"{path.parent} is a file, but the report needs a folder there: move it, or choose "
                "another --output."
            )


def _swap(folder: Path, new: Path, old: Path, names: Sequence[str]) -> None:
    """Replace the older report's files by the new ones; on an error, restore them."""
    with ExitStack() as undo:
        # First report.json: a killed process leaves no report.json beside a mixture of files.
        for name in [WHOLE, *_older(folder)]:
            (old / name).parent.mkdir(parents=True, exist_ok=True)
            undo.callback(_move, old / name, folder / name)
            _move(folder / name, old / name)
        for name in names:
            parent = (folder / name).parent
            if not parent.exists():
                undo.callback(_remove_folder, parent)
                parent.mkdir()
            undo.callback((folder / name).unlink, missing_ok=True)
            os.replace(new / name, folder / name)
        undo.pop_all()


def _move(source: Path, target: Path) -> None:
    """Move the file if it exists."""
    with suppress(FileNotFoundError):
        os.replace(source, target)


def _remove_folder(folder: Path) -> None:
    with suppress(FileNotFoundError):
        folder.rmdir()


def _older(folder: Path) -> list[str]:
    """Return the tables and figures in the folder that are of the report which was written there.

    Raises InputError if that is of another version: its files would stay beside the new ones.
    """
    try:
        report = from_json(json.loads((folder / WHOLE).read_text()), Report)
    except FileNotFoundError:
        return []
    except ValueError as problem:
        raise InputError(
            f"{folder / WHOLE} is of another version of SegRanks: choose another --output, or "
            "remove this folder."
        ) from problem
    names = [
        *(
            f"tables/{table.name}.{extension}"
            for table in tables(report)
            for extension in TABLE_FORMATS
        ),
        *(
            f"figures/{figure.name}.{extension}"
            for figure in figures(report)
            for extension in (_FIGURE, *IMAGE_TYPES)
        ),
    ]
    return [name for name in names if (folder / name).is_file()]


def _write(report: Report, folder: Path) -> Iterator[str]:
    for name, contents in files(report):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(contents)
        yield name


def _figure_files(figures: Iterable[tuple[str, Specification]]) -> Iterator[tuple[str, bytes]]:
    named = dict(figures)
    drawn = draw(list(named.values()), list(IMAGE_TYPES)) if named else []
    for (name, specification), images in zip(named.items(), drawn, strict=True):
        yield f"figures/{name}.{_FIGURE}", _json(specification)
        for extension, image in images.items():
            yield f"figures/{name}.{extension}", image


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode()
