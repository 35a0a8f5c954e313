"""From the tokens of source sentences to trees of constituents."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, Protocol

from annotation.formats.errors import InputError
from annotation.preparation.phrases import LONGEST, SHORTEST, parse_phrases
from annotation.preparation.trees import Node, from_bracketed, leaf, leaves

EMPTY = Node("ROOT")
# What stanza is given at a time; it makes its own batches out of that.
_STANZA_SENTENCES = 200


class Parser(Protocol):
    """Something that makes trees; its name and version are kept with a project."""

    name: str
    version: str

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        """Yield one tree for each list of tokens, with exactly its tokens as leaves.

        Raises InputError where that cannot be done.
        """
        ...


def choose_parser(
    name: str,
    *,
    language: str,
    lengths: tuple[int, int] = (SHORTEST, LONGEST),
    models: Path | None = None,
) -> Parser:
    """Return the parser "phrases", "stanza" or "auto" (`BracketsParser` is made of its trees).

    `auto` is stanza where its models for the language are on disk, else `phrases`, which makes
    phrases of `lengths`; `models` is the folder of stanza's models where it is not stanza's own.
    Raises InputError where the parser lacks what it needs.
    """
    if name == "auto":
        there = stanza_is_installed() and stanza_folder(language, models)
        name = "stanza" if there else "phrases"
    if name == "phrases":
        return PhrasesParser(*lengths)
    if name == "stanza":
        return StanzaParser(language, models)
    raise InputError(f"There is no parser {name!r}: choose auto, stanza, brackets or phrases.")


class PhrasesParser:
    """Phrases in any language, without a model: see `phrases`."""

    name = "phrases"
    version = "1"

    def __init__(self, shortest: int = SHORTEST, longest: int = LONGEST) -> None:
        self._lengths = shortest, longest

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        return parse_phrases(sentences, *self._lengths)


class BracketsParser:
    """Trees that were made elsewhere, one bracketed tree a line of the file `name`."""

    name = "brackets"

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self.version = f"nltk {version('nltk')}"
        self._lines = lines
        self._file = name

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        pairs = zip_longest(sentences, self._lines)
        for number, (tokens, line) in enumerate(pairs, start=1):
            if tokens is None or line is None:
                raise InputError(
                    f"{self._file}: the number of trees is not that of the sentences; give a "
                    "tree for every sentence, an empty line for an empty one."
                )
            yield read_tree(line, tokens, f"{self._file}, line {number}")


def read_tree(line: str, tokens: list[str], where: str) -> Node:
    """Read the bracketed tree of one sentence.

    Raises InputError, beginning with `where` ("FILE, line 3"), unless it has a leaf for every
    token.
    """
    try:
        tree, words = from_bracketed(line)
    except ValueError as problem:
        raise InputError(
            f"{where}: this is not a tree ({problem}); write it as (S (NP the dog) (VP barks))."
        ) from problem
    if len(words) != len(tokens):
        raise InputError(
            f"{where}: the tree has {len(words)} leaves but the sentence has {len(tokens)} "
            "tokens; give trees made from the same tokens."
        )
    return tree


class StanzaParser:
    """The constituency parser of stanza, on our tokens, with models that are on disk."""

    name = "stanza"

    def __init__(self, language: str, models: Path | None = None) -> None:
        if not stanza_is_installed():
            raise InputError(
                "stanza is not installed: run `make stanza`, or choose the parser phrases."
            )
        self._language = _code(language)
        folder = stanza_folder(language, models)
        if folder is None:
            raise self._no_model()
        self._folder = folder
        self.version = version("stanza")

    def _no_model(self) -> InputError:
        return InputError(
            f"stanza has no constituency model for {self._language!r} on disk: run "
            f"`stanza.download({self._language!r}, processors='tokenize,pos,constituency')` in "
            "Python, or choose the parser phrases."
        )

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        pipeline = self._pipeline()
        waiting = iter(sentences)
        while batch := list(islice(waiting, _STANZA_SENTENCES)):
            # It takes neither empty sentences nor empty tokens, which imported texts may hold.
            given = [[token or "_" for token in tokens] for tokens in batch if tokens]
            parsed = iter(pipeline(given).sentences if given else ())
            for tokens in batch:
                yield _stanza_tree(next(parsed).constituency, tokens) if tokens else EMPTY

    def _pipeline(self) -> Any:
        import stanza

        try:
            return stanza.Pipeline(
                self._language,
                dir=str(self._folder),
                processors="tokenize,pos,constituency",
                tokenize_pretokenized=True,
                download_method=None,
                logging_level="ERROR",
            )
        except (OSError, ValueError, KeyError) as problem:
            # Some part of the model is missing: embeddings, say, or the list of models.
            raise self._no_model() from problem


def stanza_is_installed() -> bool:
    return find_spec("stanza") is not None and find_spec("torch") is not None


def stanza_folder(language: str, models: Path | None = None) -> Path | None:
    """Return the folder of stanza's models if one for constituents of the language is there.

    Looks only at file names and imports nothing heavy: it costs a millisecond.
    """
    folder = models or _stanza_default_folder()
    for processor in ("pos", "constituency"):
        if not any((folder / _code(language) / processor).glob("*.pt")):
            return None
    return folder if (folder / "resources.json").is_file() else None


def _stanza_default_folder() -> Path:
    """Where `stanza.download` puts models by itself (stanza/resources/common.py)."""
    from platformdirs import user_cache_path

    return user_cache_path("stanza", "StanfordNLP", version("stanza")) / "resources"


def _code(language: str) -> str:
    return language.lower().replace("_", "-").split("-")[0]


def _stanza_tree(tree: Any, tokens: list[str]) -> Node:
    node = _convert(tree, iter(range(len(tokens))))
    if leaves(node) != tuple(range(len(tokens))):
        raise InputError(
            f"stanza made a tree of other words for {' '.join(tokens)!r}: choose another parser."
        )
    return node


def _convert(tree: Any, positions: Iterator[int]) -> Node:
    if tree.is_leaf():
        return leaf(next(positions, -1), tree.label)
    return Node(tree.label, tuple(_convert(child, positions) for child in tree.children))
