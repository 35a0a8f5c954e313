"""Segmenters: segments extracted from trees, or read from a file."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.source_segments import check_words, from_text
from annotation.formats.tokens import TokenizedText
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.parsers import Parser, PhrasesParser
from annotation.preparation.predicates import Segment, cover_predicates
from annotation.preparation.tokens import plain_words
from annotation.preparation.trees import Node

# The values of `--coverage`; the first is the default.
COVERAGES = ("algorithm1", "predicates")
# Segments that are chosen by the links of words: see `linked_segments`.
LINKED = "linked"
WITHOUT_PARTS_OF_SPEECH = (PhrasesParser.name, LINKED)


# The version of given segments is this prefix and the name of their file.
FROM = "segments from "


# The tree of a sentence, if there is one, and its segments.
Cut = tuple[Node | None, list[Segment]]


class Cutter(Protocol):
    """Finds the segments of sentences; its name, version and coverage are stored with a project."""

    name: str
    version: str
    coverage: str

    def cut(self, sentences: Iterable[TokenizedText]) -> Iterator[Cut]:
        """Yield for each sentence its tree, if there is one, and its segments.

        Raises InputError if the segments cannot be found.
        """
        ...


class ParsedSegments:
    """Segments of `min_length` to `max_length` tokens, extracted from a parser's trees.

    `coverage` is "algorithm1", or "predicates" to add those of `cover_predicates`. Raises
    InputError if the parser's trees have no parts of speech.
    """

    def __init__(self, parser: Parser, min_length: int, max_length: int, coverage: str) -> None:
        check_coverage(coverage, parser.name)
        self.name, self.version, self.coverage = parser.name, parser.version, coverage
        self._parser = parser
        self._lengths = min_length, max_length

    def cut(self, sentences: Iterable[TokenizedText]) -> Iterator[Cut]:
        for tree in self._parser.parse(plain_words(sentence.words) for sentence in sentences):
            segments = extract_segments(tree, *self._lengths)
            if self.coverage == "predicates":
                segments = cover_predicates(tree, segments, *self._lengths)
            yield tree, segments


class GivenSegments:
    """Segments that were read from the file `name`.

    `lines` has the output of `formats.source_segments.to_text` for each sentence.
    """

    name = "given"
    coverage = "given"

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self.version = f"{FROM}{name}"
        self._lines = lines
        self._file = name

    def cut(self, sentences: Iterable[TokenizedText]) -> Iterator[Cut]:
        for tokens, text in zip(sentences, self._lines, strict=True):
            rows = from_text(text)
            for row in rows:
                check_words(row, tokens, self._file)
            yield None, sorted(row.indices for row in rows)


class WholeSentences:
    """One segment with all tokens of each sentence; none of a sentence without tokens."""

    name = coverage = "whole sentences"
    version = "1"

    def cut(self, sentences: Iterable[TokenizedText]) -> Iterator[Cut]:
        for tokens in sentences:
            yield None, [tuple(range(len(tokens)))] if tokens else []


def check_coverage(coverage: str, parser: str) -> None:
    """Raise InputError if the coverage is unknown, or the parser does not support it."""
    if coverage not in COVERAGES:
        raise InputError(
            _("There is no coverage %(name)r: choose %(known)s."),
            name=coverage,
            known=", ".join(COVERAGES),
        )
    if coverage == "predicates" and parser in WITHOUT_PARTS_OF_SPEECH:
        raise InputError(
            _(
                "The coverage predicates needs parts of speech, which the parser %(parser)s does "
                "not find: give trees (bracketed or CoNLL-U), choose the parser embedded for "
                "English, or install a model for stanza."
            ),
            parser=parser,
        )
