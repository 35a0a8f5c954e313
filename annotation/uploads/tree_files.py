"""The trees of an upload, bracketed or in CoNLL-U, sentence by sentence."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from annotation.formats.conllu import from_text
from annotation.formats.errors import InputError
from annotation.formats.problems import Collector, Problem
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.parsers import read_tree
from annotation.preparation.token_matching import to_tokens
from annotation.preparation.trees import Node, from_bracketed
from annotation.uploads.text_files import Given, GivenFile, good_lines

# Where readers say that something is wrong: the lines of a sentence, in no file.
_LINE = re.compile(r", line (\d+)")

Block = tuple[int, list[str]]


def add_said(collector: Collector, file: GivenFile, error: InputError, line: int = 0) -> None:
    """Collect what a reader said of a file: of the line that it names, or else of this one."""
    named = _LINE.search(error.where)
    collector.put(
        Problem(error.said, file.name, int(named[1]) if named else line, dict(error.values))
    )


def check_tree(
    line: str, tokens: Sequence[str], file: GivenFile, number: int, collector: Collector
) -> None:
    """Collect what is wrong with the bracketed tree of a sentence with these tokens."""
    try:
        _tree, words = from_bracketed(line)
    except InputError as problem:
        add_said(collector, file, problem, number)
        return
    if len(words) != len(tokens):
        collector.add("tree-leaves", file.name, number, leaves=len(words), tokens=len(tokens))


def check_conllu(given: Given, file: GivenFile, collector: Collector) -> None:
    """Collect what is wrong with trees in CoNLL-U: one for each line of the source with words."""
    source = given.one("source")
    texts = _filled(source) if source else iter(())
    count = sentences = 0
    for text, block in zip_longest(texts, blocks(file, collector)):
        count += block is not None
        sentences += text is not None
        if block is not None and text is not None:
            _check_block(given, text, block, file, collector)
    if count != sentences and source:
        collector.add("conllu-count", file.name, 0, count=count, sentences=sentences)


def _check_block(
    given: Given, text: str, block: Block, file: GivenFile, collector: Collector
) -> None:
    try:
        tree_of_block(block, given.source_tokens(text))
    except InputError as error:
        add_said(collector, file, error, block[0])


def _filled(file: GivenFile) -> Iterator[str]:
    return (line for line in good_lines(file) if line and line.strip())


def blocks(file: GivenFile, collector: Collector | None = None) -> Iterator[Block]:
    """Yield the first line and the lines of every sentence of a CoNLL-U file, without comments."""
    first, waiting = 0, list[str]()
    for number, line in enumerate(good_lines(file, collector), start=1):
        if line is not None and not line.strip():
            if waiting:
                yield first, waiting
            waiting = []
        elif line is not None and not line.startswith("#"):
            if not waiting:
                first = number
            waiting.append(line)
    if waiting:
        yield first, waiting


def tree_of_block(block: Block, tokens: list[str]) -> Node:
    """Return the constituents of a sentence's dependencies. Raises InputError (see `add_said`)."""
    first, lines = block
    sentence = from_text("\n".join([f"# line = {first}", *lines]), "")
    where = f", line {sentence.line}"
    return to_constituents(to_tokens(sentence.words, sentence.surfaces, tokens, where))


def tree_of_line(line: str, tokens: list[str]) -> Node:
    return read_tree(line, tokens, "")
