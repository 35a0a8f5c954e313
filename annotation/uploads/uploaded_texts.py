"""The files of an upload by their roles, and how their texts are tokenized."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from annotation.formats.errors import InputError, OnError
from annotation.formats.file_roles import (
    DOCUMENTS,
    GIVEN,
    LINKS,
    MEDIA,
    MEDIA_LINES,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    TREES,
    UNUSED,
)
from annotation.formats.media_files import lines_of_media, read_media_table
from annotation.formats.names import reference_name
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.tokens import TokenizedText
from annotation.preparation.tokens import tokenizer


@dataclass(frozen=True)
class UploadedText:
    """One file: `name` is what its owner calls it, `kind` that of its content (`detect_kind`).

    Of a medium, `kind` is its type. `read_as` is what the file was if it was no plain text in
    UTF-8, and `table` the name of the table that it is a column of.
    """

    name: str
    path: Path
    role: str
    system: str = ""
    kind: str = "text"
    language: str = ""
    read_as: str = ""
    table: str = ""


@dataclass(frozen=True)
class UploadedTexts:
    """All files of an upload, and how to read its texts.

    `tokens` is "raw", "source" (the source is tokenised) or "all" (all texts are), `kind` the name
    of the kind of judgement, with its `answer_options`. With `whole_sentences`, nothing is parsed
    or aligned. A program without Django reads this too, so that the
    kind itself is not looked up here.
    """

    files: Sequence[UploadedText]
    source_language: str = "en"
    target_language: str = "en"
    tokens: str = "raw"
    kind: str = "segment_ranking"
    answer_options: str = ""
    whole_sentences: bool = False

    def of(self, role: str) -> list[UploadedText]:
        return [file for file in self.files if file.role == role]

    def one(self, role: str) -> UploadedText | None:
        return next(iter(self.of(role)), None)

    @property
    def is_ready_made(self) -> bool:
        """Whether the six-column file has segments and candidates."""
        return bool(self.of(SEGMENTS))

    @property
    def has_segments(self) -> bool:
        """Whether a file has the segments, so that their lengths cannot be chosen."""
        return self.is_ready_made or bool(self.of(GIVEN))

    @property
    def cuts_segments(self) -> bool:
        """Whether segments are cut out of the source, so that their lengths are chosen."""
        return not (self.has_segments or self.whole_sentences)

    @property
    def parallel(self) -> list[UploadedText]:
        """The files in which the same line is the same sentence, the source first."""
        roles = (SOURCE, REFERENCE, SYSTEM, LINKS, DOCUMENTS)
        trees = [file for file in self.of(TREES) if file.kind != "conllu"]
        return [*(file for role in roles for file in self.of(role)), *trees]

    @property
    def media(self) -> list[tuple[str, Path]]:
        """The images, audio and video: their names without folders, and where they are."""
        return [(PurePosixPath(file.name).name, file.path) for file in self.of(MEDIA)]

    def places_of_media(self, on_error: OnError) -> list[tuple[str, int]]:
        """Return the media by their names without folders, each with a line that it is beside.

        Reports names that have no line, and mistakes in the table.
        """
        try:
            table = read_media_table(self.media_lines) if self.media_lines else None
        except InputError as problem:
            on_error(problem)
            return []
        lines = lines_of_media([name for name, _path in self.media], table, on_error)
        return [(name, line) for name in lines for line in lines[name]]

    @property
    def media_lines(self) -> Path | None:
        """The table of the lines of the media."""
        table = self.one(MEDIA_LINES)
        return table.path if table else None

    @property
    def names(self) -> dict[str, str]:
        """The names of the files by their paths, for errors of readers."""
        return {str(file.path): file.name for file in self.files}

    @property
    def references(self) -> dict[str, UploadedText]:
        """The references by their names among systems, numbered in the order of the files."""
        files = enumerate(self.of(REFERENCE), start=1)
        return {reference_name(number): file for number, file in files}

    @property
    def links(self) -> dict[str, UploadedText]:
        """The files of links by the name of their system or reference."""
        return {file.system: file for file in self.of(LINKS)}

    def source_tokens(self, text: str) -> TokenizedText:
        given = self.tokens in {"source", "all"}
        return tokenizer(self.source_language, given=given)(text)

    def target_tokens(self, text: str) -> TokenizedText:
        return tokenizer(self.target_language, given=self.tokens == "all")(text)

    def readable(self) -> "UploadedTexts":
        """Return the same without the files that the administrator left out."""
        return replace(self, files=[file for file in self.files if file.role != UNUSED])


def lines_of(file: UploadedText) -> Iterator[str]:
    """Yield the lines of the file, "" for one that is not readable."""
    return (line or "" for line in read_lines_or_none(file.path, lambda _problem: None))
