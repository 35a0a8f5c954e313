"""Degrade candidates and whole outputs for control items, to find annotators who do not read."""

from collections.abc import Sequence
from random import Random
from typing import Final

# Up to this many tokens: how many are replaced. Longer texts: a quarter (Graham et al. 2013).
_REPLACED = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
# The same for whole outputs in direct assessment, as WMT has done it since 2016.
_REPLACED_IN_OUTPUT: Final = ((3, 1), (5, 2), (7, 3), (14, 4), (19, 5))
# A longer run is replaced by one of this length.
LONGEST_RUN: Final = 6


def degrade(tokens: Sequence[str], elsewhere: Sequence[Sequence[str]], draw: Random) -> list[str]:
    """Return the tokens with a run of them replaced by a run from an unrelated text.

    This is the "bad reference" of Graham, Baldwin, Moffat and Zobel (2013), Continuous measurement
    scales in human evaluation of machine translation. `elsewhere` are texts in the same language;
    a run with words of `tokens` only is skipped. Returns [] if no run changes the text.
    """
    count = replaced(len(tokens))
    known = {token.lower() for token in tokens}
    start = draw.randint(0, len(tokens) - count) if tokens else 0
    for text in draw.sample(elsewhere, len(elsewhere)):
        if len(text) < count:
            continue
        at = draw.randint(0, len(text) - count)
        run = text[at : at + count]
        if count and not any(token.lower() in known for token in run):
            return [*tokens[:start], *run, *tokens[start + count :]]
    return []


def degrade_output(text: str, pool: Sequence[str], rng: Random) -> str:
    """Return a whole output with a run of its words replaced by one from another text of the pool.

    The run has `replaced_in_output` words, none of them the first or last word if there are three
    or more; the words that take its place are as many, but at most LONGEST_RUN, are neither first
    nor last in their text, and are lower-cased. Texts that give the same words are skipped. Returns
    "" if no text of the pool has enough words, or the output has none.
    """
    words = text.split()
    count = replaced_in_output(len(words))
    start = rng.randint(1, len(words) - 1 - count) if len(words) > 2 else len(words) - 1
    taken = min(count, LONGEST_RUN)
    old = [word.lower() for word in words[start : start + count]]
    first = rng.randrange(len(pool)) if pool and words else 0
    for step in range(len(pool) if words else 0):
        inner = pool[(first + step) % len(pool)].split()[1:-1]
        if len(inner) < taken:
            continue
        at = rng.randint(0, len(inner) - taken)
        run = [word.lower() for word in inner[at : at + taken]]
        if run != old:
            return " ".join([*words[:start], *run, *words[start + count :]])
    return ""


def replaced_in_output(length: int) -> int:
    """Return how many words of a whole output are replaced."""
    return _replaced(length, _REPLACED_IN_OUTPUT)


def replaced(length: int) -> int:
    """Return how many of `count` tokens are replaced, at most all of them."""
    return _replaced(length, _REPLACED)


def _replaced(length: int, table: Sequence[tuple[int, int]]) -> int:
    for up_to, count in table:
        if length <= up_to:
            return min(count, length)
    return length // 4
