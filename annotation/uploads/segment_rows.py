"""Segments of the source that came as a file: their rows, and whether they fit its sentences."""

from annotation.formats.errors import InputError
from annotation.formats.problems import Collector
from annotation.formats.source_segments import COLUMNS, Found, add_row
from annotation.formats.tab_separated import segment_words
from annotation.uploads.text_files import GivenFile, good_lines
from annotation.uploads.tree_files import add_said


def read(file: GivenFile, collector: Collector | None = None) -> Found:
    """Return what the good rows say, collecting what is wrong with the others; holds all rows."""
    found: Found = {}
    collector = collector or Collector()
    for number, line in enumerate(good_lines(file, collector), start=1):
        if line is None:
            continue
        columns = line.split("\t")
        if len(columns) != len(COLUMNS):
            collector.add("columns", file.name, number, found=len(columns), wanted=len(COLUMNS))
            continue
        try:
            add_row(found, "", number, columns)
        except InputError as error:
            add_said(collector, file, error, number)
    return found


class SegmentCheck:
    """Compares the rows of the file with the sentences of the source, one after the other."""

    def __init__(self, file: GivenFile, collector: Collector) -> None:
        self._file, self._collector = file, collector
        self._waiting = read(file, collector)

    def wants(self, number: int) -> bool:
        return number in self._waiting

    def compare(self, number: int, tokens: list[str]) -> None:
        """Collect which segments of the sentence are not those tokens of it."""
        for row in self._waiting.pop(number, {}).values():
            try:
                found = segment_words(tokens, row.indices, "")
            except InputError as error:
                add_said(self._collector, self._file, error, row.line)
                continue
            if found != row.words:
                self._collector.add(
                    "given-words", self._file.name, row.line, words=row.words, found=found
                )

    def end(self, lines: int) -> None:
        """Collect which segments are of sentences that there are not."""
        for number, rows in self._waiting.items():
            if number > lines:
                line = min(row.line for row in rows.values())
                self._collector.add(
                    "given-beyond", self._file.name, line, sentence=number, last=lines
                )
