"""Fit the tables of `annotation.preparation.phrase_weights` and print that module.

    python -m tests.load.fit_phrases FOLDER > annotation/preparation/phrase_weights.py

FOLDER has bracketed treebanks (*.ptb); the tables in the repository come from the GUM corpus
without its development documents. A span of 3 to 6 tokens is a positive example if Algorithm 1
extracts it from the gold tree. Classes of words are learned from blocks of 1500 and of 40
sentences, so that the weights suit large and small texts. It takes two minutes, with seed 0.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.phrase_chunker import LONGEST, SHORTEST, Kind, function_words, kinds_of
from annotation.preparation.trees import Node, from_bracketed
from tools.parser_training.treebanks import DEVELOPMENT, trees_in

BLOCKS = (1500, 40)
KINDS = len(Kind)
PAIR = KINDS * KINDS
TABLES = ("AROUND", "START", "END", "FIRST_AND_AFTER")
LENGTHS = LONGEST - SHORTEST + 1
# One number for every cell of the tables, then lengths, then kinds inside.
SIZE = len(TABLES) * PAIR + LENGTHS + KINDS
INSIDE = len(TABLES) * PAIR + LENGTHS
PASSES, BATCH, RATE, DECAY, PENALTY = 8, 4096, 0.03, 0.6, 2e-5

Sentence = tuple[list[str], Node]


def read_treebank(path: Path) -> Iterator[Sentence]:
    for text in trees_in(path.read_text(encoding="utf-8")):
        tree, words = from_bracketed(text)
        yield ['"' if word in ("``", "''") else word for word in words], tree


def examples(sentences: list[Sentence], block: int) -> Iterator[tuple[list[int], bool]]:
    for first in range(0, len(sentences), block):
        part = sentences[first : first + block]
        functions = function_words([tokens for tokens, _ in part])
        for tokens, tree in part:
            kinds = kinds_of(tokens, functions)
            gold = {(s[0], s[-1] + 1) for s in extract_segments(tree, SHORTEST, LONGEST)}
            for start in range(len(kinds)):
                for end in range(start + SHORTEST, min(start + LONGEST, len(kinds)) + 1):
                    yield cells(kinds, start, end), (start, end) in gold


def cells(kinds: list[Kind], start: int, end: int) -> list[int]:
    """Return the positions of the weights of a span, padded with the last one, always 0."""
    before = kinds[start - 1] if start else Kind.EDGE
    after = kinds[end] if end < len(kinds) else Kind.EDGE
    pairs = [
        (before, after),
        (before, kinds[start]),
        (kinds[end - 1], after),
        (kinds[start], after),
    ]
    found = [table * PAIR + a * KINDS + b for table, (a, b) in enumerate(pairs)]
    found.append(len(TABLES) * PAIR + end - start - SHORTEST)
    found.extend(INSIDE + kind for kind in set(kinds[start + 1 : end - 1]))
    return found + [SIZE] * (len(TABLES) + 1 + LONGEST - 2 - len(found))


def fit(positions: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Logistic regression with Adam; the cell SIZE is padding and stays 0."""
    random = np.random.default_rng(0)
    weights, mean, square = np.zeros(SIZE + 1), np.zeros(SIZE + 1), np.zeros(SIZE + 1)
    step, rate = 0, RATE
    for _ in range(PASSES):
        order = random.permutation(len(targets))
        for batch in np.array_split(order, len(order) // BATCH):
            error = 1 / (1 + np.exp(-weights[positions[batch]].sum(1))) - targets[batch]
            gradient = (
                np.bincount(
                    positions[batch].ravel(),
                    np.repeat(error, positions.shape[1]) / len(batch),
                    minlength=SIZE + 1,
                )
                + 2 * PENALTY * weights
            )
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weights -= (
                rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            )
            weights[SIZE] = 0
        rate *= DECAY
    return weights[:SIZE]


def module(weights: np.ndarray, sentences: int) -> str:
    tenths = np.rint(weights * 10).astype(int)
    lines = [
        '"""How classes of words open and close phrases: tenths of log odds.',
        "",
        "Rows and columns are `phrases.Kind`, in its order. Printed by tests/load/fit_phrases.py;",
        f"learned from {sentences} sentences of GUM, the Georgetown University Multilayer corpus",
        "(Zeldes 2017, annotations CC BY 4.0, texts CC BY and CC BY-SA). No text of it is here.",
        '"""',
        "",
        "# fmt: off",
    ]
    for number, name in enumerate(TABLES):
        table = tenths[number * PAIR : (number + 1) * PAIR].reshape(KINDS, KINDS)
        lines += ["", f"# {ROWS_AND_COLUMNS[name]}", f"{name} = ("]
        lines += [f"    ({', '.join(f'{cell:3d}' for cell in row)})," for row in table]
        lines.append(")")
    length = tenths[len(TABLES) * PAIR : INSIDE]
    lines += [
        "",
        "# by the length of the phrase, from 3 tokens",
        f"LENGTH = {tuple(length.tolist())}",
    ]
    lines += ["", "# for each kind between its first and its last token"]
    lines.append(f"INSIDE = {tuple(tenths[INSIDE:].tolist())}")
    return "\n".join(lines)


ROWS_AND_COLUMNS = {
    "AROUND": "the token before the phrase, the token after it",
    "START": "the token before the phrase, its first token",
    "END": "its last token, the token after it",
    "FIRST_AND_AFTER": "its first token, the token after it",
}


def main(folder: Path) -> None:
    sentences = [
        sentence
        for path in sorted(folder.glob("*.ptb"))
        if path.stem.removeprefix("GUM_") not in DEVELOPMENT
        for sentence in read_treebank(path)
    ]
    found = [example for block in BLOCKS for example in examples(sentences, block)]
    positions = np.array([cell for cell, _ in found], dtype=np.int32)
    targets = np.array([target for _, target in found], dtype=float)
    print(module(fit(positions, targets), len(sentences)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
