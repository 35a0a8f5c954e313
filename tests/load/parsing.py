"""Print the agreement and speed of the parsers of English.

    OPENBLAS_NUM_THREADS=1 python -m tests.load.parsing DATA

DATA has the folders `treebanks` and `wmt14-en-cs`, like ../shared/data. The segments of Algorithm 1
are compared (a) with the development documents of GUM, which were not used for training, and (b)
with the segments of the thesis, made by another parser with another style: an earlier run of that
parser reaches F1 73; (c) is (b) in the tokens of SegRanks, compared by characters.
Speeds are those of one core with loaded weights; the first line has the time of loading them.
"""

import sys
import time
from itertools import accumulate
from pathlib import Path

from annotation.preparation.parsers import Parser, choose_parser
from annotation.preparation.tokens import plain_words, tokenize
from tools.parser_training.segment_agreement import (
    Agreement,
    Segments,
    compare,
    gold_segments,
    segments,
)
from tools.parser_training.treebanks import read_gum

PARSERS = ("phrases", "embedded")
Measured = tuple[list[list[str]], list[Segments]]


def development(data: Path) -> Measured:
    """Return (a): GUM's development documents and the segments of their trees."""
    _, sentences = read_gum(data / "treebanks" / "gum-const")
    return [each.tokens for each in sentences], gold_segments(sentences)


def thesis(data: Path) -> Measured:
    """Return (b): the first half of the thesis' sentences and its segments."""
    folder = data / "wmt14-en-cs" / "first-half"
    lines = (folder / "tokenised" / "source.txt").read_text(encoding="utf-8").splitlines()
    gold: list[Segments] = [set() for _ in lines]
    for line in (folder / "source.segments").read_text(encoding="utf-8").splitlines():
        number, _, positions = line.split("\t")
        gold[int(number) - 1].add(tuple(map(int, positions.split())))
    return [line.split() for line in lines], gold


def by_characters(words: list[str], cut: Segments) -> Segments:
    """Return the positions of the segments' characters in the text without spaces."""
    ends = [0, *accumulate(map(len, words))]
    return {
        tuple(place for at in positions for place in range(ends[at], ends[at + 1]))
        for positions in cut
    }


def in_our_tokens(data: Path, gold: Measured, parser: Parser) -> Agreement:
    """Return (c)."""
    lines = (data / "wmt14-en-cs" / "source.txt").read_text(encoding="utf-8").split("\n")
    ours = [plain_words(tokenize(line, "en").words) for line in lines[: len(gold[0])]]
    cut = [segments(tree) for tree in parser.parse(ours)]
    return compare(
        [by_characters(*one) for one in zip(ours, cut, strict=True)],
        [by_characters(*one) for one in zip(*gold, strict=True)],
    )


def measure(parser: Parser, measured: Measured) -> tuple[Agreement, float]:
    """Return the agreement of the parser's segments, and its sentences a second."""
    sentences, gold = measured
    began = time.process_time()
    trees = list(parser.parse(sentences))
    took = time.process_time() - began
    return compare([segments(tree) for tree in trees], gold), len(sentences) / took


def main(data: Path) -> None:
    sets = {"(a) GUM": development(data), "(b) thesis": thesis(data)}
    began = time.perf_counter()
    list(choose_parser("embedded", language="en").parse([["Hello", "."]]))
    print(
        f"embedded: weights read and first sentence parsed in {time.perf_counter() - began:.2f} s"
    )
    for name in PARSERS:
        parser = choose_parser(name, language="en")
        for title, measured in sets.items():
            found, speed = measure(parser, measured)
            print(f"{parser.name:9} {title:11} {found}; {speed:5.0f} sentences a second")
        found = in_our_tokens(data, sets["(b) thesis"], parser)
        print(f"{parser.name:9} (c) by characters {found}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
