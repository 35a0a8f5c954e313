"""Parsers: constituency trees of tokenised source sentences."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import count, zip_longest
from pathlib import Path
from typing import Protocol

from annotation.formats.conllu import from_text
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import primary_language
from annotation.preparation.dependencies import CONVERSION_VERSION, to_constituents
from annotation.preparation.phrase_chunker import LONGEST, SHORTEST, parse_phrases
from annotation.preparation.stanza_parsers import choose_stanza, stanza_is_there
from annotation.preparation.token_matching import to_tokens
from annotation.preparation.trees import Node, from_bracketed

EMPTY = Node("ROOT")
# The parsers that read trees from a file.
TREES = ("brackets", "conllu")


class Parser(Protocol):
    """Makes constituency trees; its name and version are stored with a project."""

    name: str
    version: str

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        """Yield one tree for each list of tokens, with exactly its tokens as leaves.

        Raises InputError if a sentence cannot be parsed.
        """
        ...


def choose_parser(
    name: str,
    *,
    language: str,
    lengths: tuple[int, int] = (SHORTEST, LONGEST),
    models: Path | None = None,
    beginning: Iterable[list[str]] = (),
) -> Parser:
    """Return the parser "embedded", "phrases", "stanza" or "auto".

    `auto` is stanza if a model for the language is on disk, else `embedded` for English, else
    `phrases`, which makes phrases of `lengths`. `models` is the folder of stanza's models, by
    default stanza's own. `beginning` are the first sentences of the text if a later part of it
    will be parsed. Raises InputError if the parser or its model is missing. (`BracketsParser` and
    `ConlluParser`, which read trees, are made directly.)
    """
    if name == "auto":
        name = parser_of_language(language, models) or PhrasesParser.name
    if name == "embedded":
        return _embedded(language)
    if name == "phrases":
        return PhrasesParser(*lengths, beginning)
    if name == "stanza":
        return choose_stanza(language, models)
    known = ("auto", "embedded", "stanza", *TREES, "linked", PhrasesParser.name)
    raise InputError(
        _("There is no parser %(name)r: choose %(known)s."), name=name, known=", ".join(known)
    )


def parser_of_language(language: str, models: Path | None = None) -> str | None:
    """Return the name of the parser that knows the language; None if there is none on disk."""
    if stanza_is_there(language, models):
        return "stanza"
    return "embedded" if primary_language(language) == "en" else None


def _embedded(language: str) -> Parser:
    # Imported here: it needs numpy, which processes that answer people may do without.
    from annotation.preparation.embedded.parser import EmbeddedParser

    if primary_language(language) != "en":
        raise InputError(
            _("The parser embedded knows English and not %(language)r: choose the parser phrases."),
            language=language,
        )
    return EmbeddedParser()


class PhrasesParser:
    """Phrases in any language, without a model: see `phrase_chunker`."""

    name = "phrases"
    version = "1"

    def __init__(
        self,
        shortest: int = SHORTEST,
        longest: int = LONGEST,
        beginning: Iterable[list[str]] = (),
    ) -> None:
        self._lengths = shortest, longest
        self._beginning = beginning

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        return parse_phrases(sentences, *self._lengths, self._beginning)


class BracketsParser:
    """Trees from the file `name`, one bracketed tree a line.

    `numbers` are the line numbers, by default 1, 2, 3 …
    """

    name = "brackets"

    def __init__(
        self, lines: Iterable[str], name: str, numbers: Iterable[int] | None = None
    ) -> None:
        self.version = f"nltk {version('nltk')}"
        self._lines = lines
        self._file = name
        self._numbers = count(1) if numbers is None else numbers

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        pairs = zip_longest(sentences, self._lines)
        for (tokens, line), number in zip(pairs, self._numbers, strict=False):
            if tokens is None or line is None:
                raise InputError(
                    _(
                        "the number of trees differs from the number of sentences; give one tree "
                        "for each sentence, and an empty line for an empty one."
                    ),
                    self._file,
                )
            yield read_tree(line, tokens, f"{self._file}, line {number}")


def read_tree(line: str, tokens: list[str], where: str) -> Node:
    """Parse the bracketed tree of one sentence.

    Raises InputError, beginning with `where` ("FILE, line 3"), unless it has one leaf a token.
    """
    try:
        tree, words = from_bracketed(line)
    except InputError as problem:
        raise problem.at(where) from problem
    if len(words) != len(tokens):
        raise InputError(
            _(
                "the tree has %(leaves)d leaves but the sentence has %(tokens)d tokens; give trees "
                "made from the same tokens."
            ),
            where,
            leaves=len(words),
            tokens=len(tokens),
        )
    return tree


class ConlluParser:
    """Dependencies from the file `name`, converted to constituents.

    `lines` has the output of `formats.conllu.to_text` for each sentence, "" for an empty one. A
    bracketed tree, which an interrupted preparation stored, is used as it is. `numbers` are the
    line numbers of the source, by default 1, 2, 3 …
    """

    name = "conllu"
    version = f"conversion {CONVERSION_VERSION}"

    def __init__(
        self, lines: Iterable[str], name: str, numbers: Iterable[int] | None = None
    ) -> None:
        self._lines = lines
        self._file = name
        self._numbers = count(1) if numbers is None else numbers

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        pairs = zip(sentences, self._lines, strict=True)
        for (tokens, text), number in zip(pairs, self._numbers, strict=False):
            if not text:
                yield EMPTY
            elif text.startswith("("):
                yield read_tree(text, tokens, f"{self._file}, sentence {number}")
            else:
                sentence = from_text(text, self._file)
                where = f"{self._file}, line {sentence.line} (line {number} of the source)"
                yield to_constituents(to_tokens(sentence.words, sentence.surfaces, tokens, where))
