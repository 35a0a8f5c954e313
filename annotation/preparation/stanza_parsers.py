"""stanza's parsers on our tokens, with models from disk."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from langcodes import Language

from annotation.formats.conllu import Word
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import parse_language
from annotation.preparation.dependencies import CONVERSION_VERSION, to_constituents
from annotation.preparation.trees import Node, leaf, leaves

# Sentences for one call of stanza, which makes its own batches.
_SENTENCES = 200


class StanzaParser:
    """Base class: runs stanza's pipeline in batches. Subclasses convert its sentences to trees.

    Raises InputError if stanza or a model is missing.
    """

    name = "stanza"
    processors: tuple[str, ...] = ()

    def __init__(self, language: str, models: Path | None = None) -> None:
        if not stanza_is_installed():
            raise InputError(
                _("stanza is not installed: run `make stanza`, or choose the parser phrases.")
            )
        self._language = stanza_code(language)
        folder = stanza_folder(language, models, self.processors)
        if folder is None:
            raise _no_model(self._language)
        self._folder = folder
        self.version = version("stanza")

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        pipeline = _pipeline(self._language, str(self._folder), self.processors)
        waiting = iter(sentences)
        while batch := list(islice(waiting, _SENTENCES)):
            # stanza accepts no empty sentences or tokens, which imported texts may have.
            given = [[token or "_" for token in tokens] for tokens in batch if tokens]
            parsed = iter(pipeline(given).sentences if given else ())
            for tokens in batch:
                yield self._checked(next(parsed), tokens) if tokens else Node("ROOT")

    def _checked(self, sentence: Any, tokens: list[str]) -> Node:
        node = self.tree(sentence)
        if leaves(node) != tuple(range(len(tokens))):
            raise InputError(
                _("stanza made a tree of other words for %(words)r: choose another parser."),
                words=" ".join(tokens),
            )
        return node

    def tree(self, sentence: Any) -> Node:
        raise NotImplementedError


@lru_cache(maxsize=1)
def _pipeline(language: str, folder: str, processors: tuple[str, ...]) -> Any:
    """Load stanza's models. This takes seconds, so a process does it once."""
    import stanza

    try:
        return stanza.Pipeline(
            language,
            dir=folder,
            processors=",".join(("tokenize", *processors)),
            tokenize_pretokenized=True,
            download_method=None,
            logging_level="ERROR",
        )
    except (OSError, ValueError, KeyError) as problem:
        # A part of the model is missing, such as the embeddings or the list of models.
        raise _no_model(language) from problem


class StanzaConstituents(StanzaParser):
    """Stanza's constituency parser."""

    processors = ("pos", "constituency")

    def tree(self, sentence: Any) -> Node:
        return _convert(sentence.constituency, iter(range(len(sentence.tokens))))


class StanzaDependencies(StanzaParser):
    """Stanza's dependency parser, for languages without a constituency model."""

    processors = ("pos", "lemma", "depparse")

    def __init__(self, language: str, models: Path | None = None) -> None:
        super().__init__(language, models)
        self.version = f"{version('stanza')}, dependencies, conversion {CONVERSION_VERSION}"

    def tree(self, sentence: Any) -> Node:
        return to_constituents(
            [
                Word(word.text, word.upos or "X", word.head - 1, word.deprel, word.feats or "")
                for word in sentence.words
            ]
        )


def choose_stanza(language: str, models: Path | None = None) -> StanzaParser:
    """Return stanza's constituency parser if its model is on disk, else its dependency parser.

    Raises InputError, with the command that downloads a model, if there is neither.
    """
    if stanza_folder(language, models, StanzaConstituents.processors):
        return StanzaConstituents(language, models)
    if stanza_folder(language, models, StanzaDependencies.processors):
        return StanzaDependencies(language, models)
    return StanzaConstituents(language, models)


def stanza_is_installed() -> bool:
    return find_spec("stanza") is not None and find_spec("torch") is not None


def stanza_is_there(language: str, models: Path | None = None) -> bool:
    """Return whether stanza is installed and has a model for the language."""
    return stanza_is_installed() and any(
        stanza_folder(language, models, each.processors)
        for each in (StanzaConstituents, StanzaDependencies)
    )


def stanza_folder(
    language: str,
    models: Path | None = None,
    processors: Iterable[str] = StanzaConstituents.processors,
) -> Path | None:
    """Return the folder of stanza's models if it has those of the processors.

    It looks at file names only, which takes a millisecond. A lemmatiser is not required, because
    some languages have none; stanza then uses the words.
    """
    folder = models or _default_folder()
    for processor in processors:
        if processor != "lemma" and not any(
            (folder / stanza_code(language) / processor).glob("*.pt")
        ):
            return None
    return folder if (folder / "resources.json").is_file() else None


def _no_model(language: str) -> InputError:
    return InputError(
        _(
            "stanza has no constituency model for %(language)r on disk, nor one of dependencies: "
            "run `stanza.download(%(language)r, processors='tokenize,pos,constituency')` in Python "
            "(or 'tokenize,pos,lemma,depparse'), or choose the parser phrases."
        ),
        language=language,
    )


def _default_folder() -> Path:
    """Return the default folder of `stanza.download` (stanza/resources/common.py)."""
    from platformdirs import user_cache_path

    return user_cache_path("stanza", "StanfordNLP", version("stanza")) / "resources"


def stanza_code(language: str) -> str:
    """Return the code under which stanza has the models of a language.

    It has Chinese by script, and Norwegian as Bokmål and Nynorsk.
    """
    likely = Language.get(parse_language(language)).maximize()
    if likely.language == "zh":
        return f"zh-{likely.script}".lower()
    return "nb" if likely.language == "no" else str(likely.language)


def _convert(tree: Any, positions: Iterator[int]) -> Node:
    if tree.is_leaf():
        return leaf(next(positions, -1), tree.label)
    return Node(tree.label, tuple(_convert(child, positions) for child in tree.children))
