"""Uncertainty by drawing sentences again and again (the bootstrap).

Sentences and not comparisons are drawn, since those of one sentence hang together: only so the
intervals are honest (method.md, "Systems"). Everything that is counted a sentence is summed by one
matrix product: how often each sentence was drawn × what was counted in it.
Source: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annotation.preparation.embedded.blas import one_thread
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes

Floats = NDArray[np.float64]

# Resamples × sentences of which it is held at once how often they were drawn: 64 MiB.
COUNTS_AT_ONCE: Final = 1 << 25
# Sentences that are drawn at once, and counted in the processor's cache.
DRAWN_AT_ONCE: Final = 1 << 15
# Sentences that are multiplied at once: their part of the product stays in the processor's cache.
SENTENCES_AT_ONCE: Final = 1 << 13
# Where fewer than one in as many sentences are drawn, they are picked out instead of multiplied.
FEW: Final = 64
PERCENTILES: Final = (2.5, 97.5)
# Resamples of fewer sentences are too much alike: their percentiles are no 95 % interval.
FEWEST: Final = 10
TOO_FEW: Final = f"fewer than {FEWEST} sentences"


def judged_sentences(sentences: Codes) -> tuple[Codes, int]:
    """Number the sentences that occur from 0, and count them: S.

    After `Judgements.select` the codes have gaps: a sentence that nobody judged is never drawn.
    """
    occurs = np.bincount(sentences) > 0
    codes = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
    return codes[sentences], int(np.count_nonzero(occurs))


def sums_by(codes: NDArray[Any], values: NDArray[Any], count: int) -> Floats:
    """Sum the values of each code from 0 to `count` - 1, exactly where they are whole numbers."""
    return np.asarray(np.bincount(codes, values.astype(np.float64), minlength=count))


def resampled_sums(
    per_sentence: Floats, *, resamples: int, seed: int, size: int | None = None
) -> Floats:
    """Sum what was counted a sentence (S × K) over S sentences drawn with replacement.

    Returns resamples × K. One draw serves all columns, and depends on the seed, S and `size` only,
    so that figures from two calls may be compared resample by resample. Sums of whole numbers are
    exact, whatever the order in which a machine adds them. `size` draws another number of
    sentences than S: as if so many had been judged.
    """
    sentences, columns = per_sentence.shape
    sums = np.zeros((resamples, columns))
    if size is not None and size * FEW < sentences:
        random = np.random.default_rng(seed)
        for row in sums:
            row[:] = per_sentence[random.integers(0, sentences, size)].sum(axis=0)
        return sums
    start = 0
    for drawn in draws(sentences, resamples=resamples, seed=seed, size=size):
        sums[start : start + len(drawn)] = weighted_sums(drawn, per_sentence)
        start += len(drawn)
    return sums


def draws(
    sentences: int, *, resamples: int, seed: int, size: int | None = None
) -> Iterator[NDArray[np.int16]]:
    """Yield how often each of the sentences (column) is drawn in each resample (row), in parts.

    They are the draws of `resampled_sums`, for what is counted of a few sentences each.
    """
    random = np.random.default_rng(seed)
    size = sentences if size is None else size
    part = max(1, COUNTS_AT_ONCE // max(1, sentences))
    for start in range(0, resamples, part):
        drawn = np.zeros((min(part, resamples - start), sentences), dtype=np.int16)
        rows = max(1, DRAWN_AT_ONCE // max(1, size))
        for first in range(0, len(drawn) if sentences else 0, rows):
            some = drawn[first : first + rows]
            picked = random.integers(0, sentences, (len(some), size))
            picked += np.arange(len(some))[:, None] * sentences
            some[:] = np.bincount(picked.ravel(), minlength=some.size).reshape(some.shape)
        yield drawn


def weighted_sums(drawn: NDArray[Any], per_sentence: Floats) -> Floats:
    """Return the sums (resamples × K) for these draws."""
    sums = np.zeros((len(drawn), per_sentence.shape[1]))
    # Two threads would save a third where nothing else runs, and take ten times as long elsewhere.
    with one_thread():
        for first in range(0, len(per_sentence), SENTENCES_AT_ONCE):
            these = slice(first, first + SENTENCES_AT_ONCE)
            sums += drawn[:, these].astype(np.float64) @ per_sentence[these]
    return sums


def interval(values: Floats) -> tuple[float, float]:
    """Return the 2.5th and the 97.5th percentile of the resampled values that are defined.

    NaN is a resample in which the figure is undefined; where all are, both ends are NaN.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.percentile(defined, PERCENTILES)
    return float(low), float(high)


def estimated(value: float, resampled: Floats, sentences: int) -> Estimate:
    """Return the figure with its interval; without one where it comes from fewer than FEWEST."""
    if sentences < FEWEST:
        return Estimate(value, no_interval=TOO_FEW)
    low, high = interval(resampled)
    # Of a few resamples, all may lack the sentences that count.
    return Estimate(value) if np.isnan(low) else Estimate(value, low, high)
