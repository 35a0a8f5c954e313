"""The files of an upload by what they are for, and their lines with what is wrong in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.file_roles import (
    GIVEN,
    LINKS,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.formats.plain_text import MAX_LINE_BYTES
from annotation.formats.problems import Collector
from annotation.preparation.tokens import tokenize

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class GivenFile:
    """One file: `name` is what its owner calls it, `kind` what its content is (see `looking`)."""

    name: str
    path: Path
    role: str
    system: str = ""
    kind: str = "text"
    language: str = ""


@dataclass(frozen=True)
class Given:
    """All files of an upload, and how its texts are to be read.

    `tokens` is "raw", "source" (the source is tokenised) or "all" (all texts are).
    """

    files: Sequence[GivenFile]
    source_language: str = "en"
    target_language: str = "en"
    tokens: str = "raw"

    def of(self, role: str) -> list[GivenFile]:
        return [file for file in self.files if file.role == role]

    def one(self, role: str) -> GivenFile | None:
        return next(iter(self.of(role)), None)

    @property
    def is_ready_made(self) -> bool:
        """Whether segments and candidates come from the six-column file."""
        return bool(self.of(SEGMENTS))

    @property
    def has_segments(self) -> bool:
        """Whether segments are as a file has them, whatever their lengths."""
        return self.is_ready_made or bool(self.of(GIVEN))

    @property
    def parallel(self) -> list[GivenFile]:
        """The files in which the same line is the same sentence, the source first."""
        roles = (SOURCE, REFERENCE, SYSTEM, LINKS)
        trees = [file for file in self.of(TREES) if file.kind != "conllu"]
        return [*(file for role in roles for file in self.of(role)), *trees]

    @property
    def links(self) -> dict[str, GivenFile]:
        """The files of links by their system; "reference" is the reference."""
        return {file.system: file for file in self.of(LINKS)}

    def source_tokens(self, text: str) -> list[str]:
        return token_list(text, self.source_language, given=self.tokens in {"source", "all"})

    def target_tokens(self, text: str) -> list[str]:
        return token_list(text, self.target_language, given=self.tokens == "all")

    def readable(self) -> "Given":
        """Return the same without the files that are left out."""
        known = {SOURCE, REFERENCE, SYSTEM, TREES, LINKS, SEGMENTS, SYSTEMS, GIVEN}
        files = [file for file in self.files if file.role in known]
        return Given(files, self.source_language, self.target_language, self.tokens)


def token_list(text: str, language: str, *, given: bool) -> list[str]:
    """Return the tokens of a text as preparing makes them; where given, it is only split."""
    if not given:
        return tokenize(text, language)
    return [token for token in text.replace("\t", " ").split(" ") if token]


def good_lines(file: GivenFile, collector: Collector | None = None) -> Iterator[str | None]:
    """Yield every line of the file, None for one that cannot be read, which is collected.

    Only `\\n` ends a line. A line that is too long ends the reading.
    """
    number = 0
    with file.path.open("rb") as lines:
        while line := lines.readline(MAX_LINE_BYTES + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
            if len(line) > MAX_LINE_BYTES:
                _add(collector, "line-too-long", file, number)
                return
            yield _decoded(line, file, number, collector)
    if not number:
        _add(collector, "empty-file", file, 0)


def _decoded(line: bytes, file: GivenFile, number: int, collector: Collector | None) -> str | None:
    try:
        text = line.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as problem:
        value = f"0x{line[problem.start]:02x}"
        _add(collector, "not-utf8", file, number, byte=problem.start + 1, value=value)
        return None
    if "\0" in text:
        _add(collector, "nul", file, number)
        return None
    return text


def _add(
    collector: Collector | None, code: str, file: GivenFile, line: int, **values: str | int
) -> None:
    if collector:
        collector.add(code, file.name, line, **values)
