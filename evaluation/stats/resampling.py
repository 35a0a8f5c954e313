"""Bootstrap over sentences.

Sentences are resampled and not comparisons, because the comparisons of one sentence are not
independent (method.md, "Systems"). Counts by sentence are summed by one matrix product: how often
each sentence was sampled × its counts.
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

# Resamples × sentences whose draws are in memory at once: 64 MiB.
COUNTS_AT_ONCE: Final = 1 << 25
# Sentences sampled at once: their counts stay in the processor's cache.
DRAWN_AT_ONCE: Final = 1 << 15
# Sentences multiplied at once: their part of the product stays in the processor's cache.
SENTENCES_AT_ONCE: Final = 1 << 13
# If fewer than one sentence in 64 is sampled, indexing is faster than multiplying.
FEW: Final = 64
PERCENTILES: Final = (2.5, 97.5)
# Resamples of fewer sentences are too similar: their percentiles are no 95 % interval.
FEWEST_SENTENCES: Final = 10
TOO_FEW: Final = f"fewer than {FEWEST_SENTENCES} sentences"


def number_sentences(sentences: Codes) -> tuple[Codes, int]:
    """Return codes from 0 of the sentences that occur, and their number S.

    After `Judgements.select` codes have gaps: sentences without judgements must not be sampled.
    """
    occurs = np.bincount(sentences) > 0
    codes = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
    return codes[sentences], int(np.count_nonzero(occurs))


def sums_by(codes: NDArray[Any], values: NDArray[Any], count: int) -> Floats:
    """Return the sum of the values of each code below `count`; exact for whole numbers."""
    return np.asarray(np.bincount(codes, values.astype(np.float64), minlength=count))


def resampled_sums(
    per_sentence: Floats, *, resamples: int, seed: int, size: int | None = None
) -> Floats:
    """Return the sums (resamples × K) of counts by sentence (S × K) over resampled sentences.

    S sentences are sampled with replacement, or `size` if given. All columns share the draws, which
    depend only on the seed, S and `size`: figures of two calls can be compared resample by
    resample. Sums of whole numbers are exact.
    """
    sentences, columns = per_sentence.shape
    sums = np.zeros((resamples, columns))
    if size is not None and size * FEW < sentences:
        random = np.random.default_rng(seed)
        for row in sums:
            row[:] = per_sentence[random.integers(0, sentences, size)].sum(axis=0)
        return sums
    start = 0
    for drawn in draw_counts(sentences, resamples=resamples, seed=seed, size=size):
        sums[start : start + len(drawn)] = weighted_sums(drawn, per_sentence)
        start += len(drawn)
    return sums


def draw_counts(
    sentences: int, *, resamples: int, seed: int, size: int | None = None
) -> Iterator[NDArray[np.int16]]:
    """Yield, in parts, how often each sentence (column) is sampled in each resample (row).

    The draws are those of `resampled_sums`.
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
    """Return the sums (resamples × K) of these draws."""
    sums = np.zeros((len(drawn), per_sentence.shape[1]))
    # A second thread saves a third on an idle machine and takes ten times as long on a busy one.
    with one_thread():
        for first in range(0, len(per_sentence), SENTENCES_AT_ONCE):
            these = slice(first, first + SENTENCES_AT_ONCE)
            sums += drawn[:, these].astype(np.float64) @ per_sentence[these]
    return sums


def interval(values: Floats) -> tuple[float, float]:
    """Return the 2.5th and the 97.5th percentile of the resampled values; NaN values are skipped.

    Both are NaN if all values are.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.percentile(defined, PERCENTILES)
    return float(low), float(high)


def with_interval(value: float, resampled: Floats, sentences: int) -> Estimate:
    """Return the figure with its interval; without one for fewer than FEWEST_SENTENCES."""
    if sentences < FEWEST_SENTENCES:
        return Estimate(value, no_interval=TOO_FEW)
    low, high = interval(resampled)
    # With few resamples, the figure may be undefined in all of them.
    return Estimate(value) if np.isnan(low) else Estimate(value, low, high)


def shares(part: Floats, whole: Floats) -> Floats:
    """Divide element by element; NaN where the whole is 0."""
    quotients = np.full(part.shape, np.nan)
    np.divide(part, whole, out=quotients, where=whole > 0)
    return quotients
