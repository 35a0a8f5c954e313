"""Degrade candidates and whole outputs for control items, to find annotators who do not read."""

from collections.abc import Sequence
from random import Random
from typing import Final

from annotation.formats.tokens import TokenizedText
from annotation.preparation.tokens import make_one_word

# Up to this many tokens: how many are replaced. Longer texts: a quarter (Graham et al. 2013).
_REPLACED = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
# The same for whole outputs in direct assessment, as WMT has done it since 2016.
_REPLACED_IN_OUTPUT: Final = ((3, 1), (5, 2), (7, 3), (14, 4), (19, 5))
# A longer run is replaced by one of this length.
LONGEST_RUN: Final = 6


def degrade(text: TokenizedText, elsewhere: Sequence[TokenizedText], draw: Random) -> str:
    """Return the text with a run of its tokens replaced by a run from an unrelated text.

    This is the "bad reference" of Graham, Baldwin, Moffat and Zobel (2013), Continuous measurement
    scales in human evaluation of machine translation. `elsewhere` are texts in the same language;
    a run with words of `text` only is skipped. Returns "" if no run changes the text.
    """
    count = replaced(len(text))
    known = {word.lower() for word in text.words}
    start = draw.randint(0, len(text) - count) if text else 0
    for other in draw.sample(elsewhere, len(elsewhere)):
        if len(other) < count:
            continue
        at = draw.randint(0, len(other) - count)
        run = range(at, at + count)
        if count and not any(word.lower() in known for word in other.words[at : at + count]):
            return _replace(text, range(start, start + count), other.slice(run))
    return ""


def degrade_output(text: TokenizedText, pool: Sequence[TokenizedText], rng: Random) -> str:
    """Return a whole output with a run of its tokens replaced by one from another text of the pool.

    The run has `replaced_in_output` tokens, none of them the first or last if there are three or
    more; the tokens that take its place are as many, but at most LONGEST_RUN, are neither first nor
    last in their text, and are lower-cased. Texts that give the same words are skipped. Returns ""
    if no text of the pool has enough tokens, or the output has none.
    """
    count = replaced_in_output(len(text))
    start = rng.randint(1, len(text) - 1 - count) if len(text) > 2 else len(text) - 1
    taken = min(count, LONGEST_RUN)
    old = [word.lower() for word in text.words[start : start + count]]
    first = rng.randrange(len(pool)) if pool and text else 0
    for step in range(len(pool) if text else 0):
        other = pool[(first + step) % len(pool)]
        inner = len(other) - 2
        if inner < taken:
            continue
        at = rng.randint(1, 1 + inner - taken)
        run = range(at, at + taken)
        if [word.lower() for word in other.words[at : at + taken]] != old:
            return _replace(text, range(start, start + count), other.slice(run).lower())
    return ""


def _replace(text: TokenizedText, run: range, by: str) -> str:
    """Return the text with other words in the place of the run; words do not run together."""
    start, end = text.spans[run[0]][0], text.spans[run[-1]][1]
    parts = [text.text[:start], by, text.text[end:]]
    for place in (1, 2):
        if make_one_word(parts[place - 1], parts[place]):
            parts[place] = f" {parts[place]}"
    return "".join(parts)


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
