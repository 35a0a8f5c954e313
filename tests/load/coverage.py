"""Print the coverage of Algorithm 1 and of `--coverage predicates`, by gold dependencies.

    python -m tests.load.coverage [--limit N] [--parser NAME …] FILE.conllu[.gz] …

For each file, for its gold dependencies and for each parser: segments a sentence, the share of
tokens in a segment, and the shares of predicates whose lexical verb, and whose verb with all its
auxiliaries, are in a segment. A predicate is a finite verb of the file's dependencies, a copula
included, or a verb with a finite auxiliary. Not a test; the second letters of the file's name are
its language (en.conllu), English for others.
"""

import argparse
import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from annotation.formats.conllu import Word
from annotation.formats.errors import InputError
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.dependencies import is_finite, to_constituents
from annotation.preparation.parsers import choose_parser
from annotation.preparation.predicates import cover_predicates
from annotation.preparation.token_matching import to_tokens
from annotation.preparation.tokens import plain_words, tokenize
from annotation.preparation.trees import Node
from tests.annotation.formats.conllu_files import read_conllu

SHORTEST, LONGEST = 3, 6


@dataclass(frozen=True)
class Coverage:
    """Counts over sentences; `verbs` are predicates whose verb is in a segment."""

    sentences: int = 0
    tokens: int = 0
    covered: int = 0
    segments: int = 0
    predicates: int = 0
    verbs: int = 0
    whole: int = 0

    def __str__(self) -> str:
        return (
            f"{self.segments / self.sentences:6.2f} segments a sentence, "
            f"{self.covered / self.tokens:6.1%} of tokens, {self.verbs / self.predicates:6.1%} of "
            f"{self.predicates} predicates ({self.whole / self.predicates:.1%} with auxiliaries)"
        )


def language_of(path: Path) -> str:
    return "cs" if path.name.startswith("cs") else "en"


def texts(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for line in file:
            if line.startswith("# text = "):
                yield line.removeprefix("# text = ").rstrip("\n")


def sentences(path: Path) -> Iterator[tuple[list[str], list[Word]]]:
    """Yield the tokens of every sentence and its gold dependencies."""
    for text, sentence in zip(texts(path), read_conllu(path), strict=True):
        tokens = plain_words(tokenize(text, language_of(path)).words)
        where = f"{path}, line {sentence.line}"
        yield tokens, to_tokens(sentence.words, sentence.surfaces, tokens, where)


def gold_predicates(words: Sequence[Word]) -> dict[int, set[int]]:
    """Return the auxiliaries of each predicate by the position of its lexical verb."""
    found: dict[int, set[int]] = {}
    for position, word in enumerate(words):
        is_auxiliary = word.base_relation == "aux" and word.head >= 0
        if is_finite(word):
            found.setdefault(word.head if is_auxiliary else position, set())
    for position, word in enumerate(words):
        if word.base_relation == "aux" and word.head in found:
            found[word.head].add(position)
    return found


def measure(
    trees: Iterable[Node], gold: Sequence[tuple[list[str], list[Word]]], *, predicates: bool
) -> Coverage:
    counts = dict.fromkeys(Coverage.__dataclass_fields__, 0)
    for tree, (tokens, words) in zip(trees, gold, strict=True):
        segments = extract_segments(tree, SHORTEST, LONGEST)
        if predicates:
            segments = cover_predicates(tree, segments, SHORTEST, LONGEST)
        covered = {position for segment in segments for position in segment}
        of_sentence = gold_predicates(words)
        counts["sentences"] += 1
        counts["tokens"] += len(tokens)
        counts["covered"] += len(covered)
        counts["segments"] += len(segments)
        counts["predicates"] += len(of_sentence)
        counts["verbs"] += sum(verb in covered for verb in of_sentence)
        counts["whole"] += sum({verb, *more} <= covered for verb, more in of_sentence.items())
    return Coverage(**counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--parser", action="append", default=[])
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    for path in options.files:
        gold = list(islice(sentences(path), options.limit))
        trees = {"its dependencies": [to_constituents(words) for _tokens, words in gold]}
        for name in options.parser:
            try:
                chosen = choose_parser(name, language=language_of(path))
            except InputError as problem:
                print(problem)
                continue
            trees[name] = list(chosen.parse(tokens for tokens, _words in gold))
        for name, of_parser in trees.items():
            print(f"{path.name}, trees from {name}")
            before = measure(of_parser, gold, predicates=False)
            after = measure(of_parser, gold, predicates=True)
            print(f"  algorithm1 {before}\n  predicates {after}")
            print(f"  {after.segments / before.segments - 1:+.1%} segments")


if __name__ == "__main__":
    main()
