"""Degrade candidates for control sentences, to find annotators who do not read."""

from collections.abc import Sequence
from random import Random

# Up to this many tokens: how many are replaced. Longer texts: a quarter (Graham et al. 2013).
_REPLACED = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))


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


def replaced(length: int) -> int:
    """Return how many of `count` tokens are replaced, at most all of them."""
    for up_to, count in _REPLACED:
        if length <= up_to:
            return min(count, length)
    return length // 4
