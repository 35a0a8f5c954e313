"""Ready-made segments: the six-column file and the file of the systems, row by row."""

from collections.abc import Callable
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.file_roles import SEGMENTS, SYSTEMS
from annotation.formats.problems import Collector
from annotation.formats.segment_files import (
    SEGMENT_COLUMNS,
    SYSTEM_COLUMNS,
    SegmentFiles,
    add_segment_row,
    add_system_row,
)
from annotation.uploads.text_files import Given, GivenFile, good_lines
from annotation.uploads.tree_files import add_said

AddRow = Callable[[SegmentFiles, Path, int, list[str]], None]
# Who reads the rows knows the file.
_NO_NAME = Path()


def check(given: Given, collector: Collector) -> int:
    """Collect all that is wrong with the rows; return how many sentences there are."""
    return len(read(given, collector).sentences)


def read(given: Given, collector: Collector | None = None) -> SegmentFiles:
    """Return what the good rows say, collecting what is wrong with the others."""
    files = SegmentFiles()
    collector = collector or Collector()
    for role, columns, add in (
        (SEGMENTS, SEGMENT_COLUMNS, add_segment_row),
        (SYSTEMS, SYSTEM_COLUMNS, add_system_row),
    ):
        file = given.one(role)
        if file:
            _read_rows(files, file, columns, add, collector)
    return files


def _read_rows(
    files: SegmentFiles,
    file: GivenFile,
    names: tuple[str, ...],
    add: AddRow,
    collector: Collector,
) -> None:
    for number, line in enumerate(good_lines(file, collector), start=1):
        if line is None:
            continue
        columns = line.split("\t")
        if len(columns) != len(names):
            collector.add("columns", file.name, number, found=len(columns), wanted=len(names))
            continue
        try:
            add(files, _NO_NAME, number, columns)
        except InputError as error:
            add_said(collector, file, error, number)
