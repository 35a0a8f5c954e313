"""Bootstrap over sentences, or over documents or blocks of sentences.

Sentences are resampled and not comparisons, because the comparisons of one sentence are not
independent (method.md, "Systems"). Counts by sentence are summed by one matrix product: how often
each sentence was sampled × its counts. What is said of sentences here holds for any unit that
`Judgements.units` numbers.
Source: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annotation.preparation.embedded.blas import one_thread
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes
from evaluation.stats.units import SENTENCES, Unit

Floats = NDArray[np.float64]

# Resamples × sentences whose draws are in memory at once: 64 MiB.
COUNTS_AT_ONCE: Final = 1 << 25
# Sentences sampled at once: their counts stay in the processor's cache.
DRAWN_AT_ONCE: Final = 1 << 15
# Sentences multiplied at once: their part of the product stays in the processor's cache.
SENTENCES_AT_ONCE: Final = 1 << 13
# Draws × sentences whose weights are in memory at once: 32 MiB.
WEIGHTS_AT_ONCE: Final = 1 << 22
# Whole numbers that are converted at once to those that are multiplied: 64 MiB of these.
CONVERTED_AT_ONCE: Final = 1 << 23
# If fewer than one sentence in 64 is sampled, indexing is faster than multiplying.
FEW: Final = 64
# Fewer resamples do not show where the 2.5th and the 97.5th percentile are.
FEWEST_RESAMPLES: Final = 100
TAIL: Final = 0.025
# The 97.5th percentile of the normal distribution.
NORMAL_QUANTILE: Final = 1.959963984540054
# Resamples of fewer sentences, or other units, are too similar: their percentiles are no 95 %
# interval.
FEWEST_SENTENCES: Final = 10
ALL_EQUAL: Final = "the figure is the same in all resamples"
ALL_UNDEFINED: Final = "the figure is undefined in all resamples"
OFTEN_UNDEFINED: Final = "too many resamples have no finite value on this side"

# The least and the greatest value of a figure.
Bounds = tuple[float, float]
SHARE: Final[Bounds] = (0.0, 1.0)
CORRELATION: Final[Bounds] = (-1.0, 1.0)
UNBOUNDED: Final[Bounds] = (-float("inf"), float("inf"))


def too_few(unit: Unit) -> str:
    """Return why a figure of fewer than FEWEST_SENTENCES units has no interval."""
    return f"the figure comes from fewer than {FEWEST_SENTENCES} {unit.plural}"


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


def sum_rows(codes: NDArray[np.integer], rows: NDArray[Any], count: int) -> Floats:
    """Return the sums (count × K) of the rows (N × K) of each code below `count`."""
    # A product with a sparse matrix is several times as fast as np.add.reduceat and np.add.at.
    from scipy.sparse import csc_array

    entries = (np.ones(len(codes)), codes, np.arange(len(codes) + 1))
    table = csc_array(entries, shape=(count, len(codes)))
    if rows.dtype == np.float64:
        return np.asarray(table @ rows)
    sums = np.empty((count, rows.shape[1]))
    part = max(1, CONVERTED_AT_ONCE // max(1, len(rows)))
    for first in range(0, rows.shape[1], part):
        these = slice(first, first + part)
        sums[:, these] = table @ rows[:, these].astype(np.float64)
    return sums


def product(rows: NDArray[np.integer], weights: Floats) -> Floats:
    """Return the product (N × M) of whole numbers (N × K) and weights (K × M)."""
    found = np.empty((len(rows), weights.shape[1]))
    part = max(1, CONVERTED_AT_ONCE // max(1, rows.shape[1]))
    for first in range(0, len(rows), part):
        these = slice(first, first + part)
        found[these] = rows[these].astype(np.float64) @ weights
    return found


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


def reweighted_sums(per_sentence: Floats, *, draws: int, seed: int) -> Floats:
    """Return the sums (draws × K) of counts by sentence with random weights of the sentences.

    The weights are independent and exponential: but for their scale, which shares and strengths do
    not depend on, those of the Bayesian bootstrap (Rubin 1981, "The Bayesian Bootstrap", The Annals
    of Statistics 9).
    """
    sentences, columns = per_sentence.shape
    random = np.random.default_rng(seed)
    sums = np.zeros((draws, columns))
    part = max(1, WEIGHTS_AT_ONCE // max(1, draws))
    # Parts of the sentences, for all draws.
    with one_thread():
        for first in range(0, sentences, part):
            these = per_sentence[first : first + part]
            sums += random.standard_exponential((draws, len(these))) @ these
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


def interval(values: Floats, sentences: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a figure from its values in resamples of n sentences.

    The percentiles are those of Φ(±√(n / (n - 1)) · t), with the 97.5th percentile t of Student's t
    with n - 1 degrees of freedom (Hesterberg 2015, "What Teachers Should Know About the Bootstrap",
    The American Statistician 69, section 5.3): the 2.5th and 97.5th are too narrow for few
    sentences. NaN stands for a resample in which the figure is undefined: it counts as -inf for the
    lower end and as inf for the upper one. Both ends are NaN if all values are.
    """
    from scipy.special import ndtr, stdtrit

    if np.isnan(values).all():
        return float("nan"), float("nan")
    tail = ndtr(-np.sqrt(sentences / (sentences - 1)) * stdtrit(sentences - 1, 1 - TAIL))
    ends = []
    for share, undefined in ((tail, -np.inf), (1 - tail, np.inf)):
        with np.errstate(invalid="ignore"):
            end = np.percentile(np.where(np.isnan(values), undefined, values), 100 * share)
        # Between a number and an infinite one.
        ends.append(undefined if np.isnan(end) else float(end))
    return ends[0], ends[1]


def middle(values: Floats) -> tuple[float, float]:
    """Return the ends of the middle 95 % of values without NaN."""
    low, high = np.percentile(values, (100 * TAIL, 100 - 100 * TAIL))
    return float(low), float(high)


def with_interval(
    value: float,
    resampled: Floats,
    sentences: int,
    bounds: Bounds = UNBOUNDED,
    unit: Unit = SENTENCES,
) -> Estimate:
    """Return the figure with its interval, whose ends are within the figure's bounds.

    `sentences` counts the sampled units. There is none for fewer than FEWEST_SENTENCES. If all
    resamples agree, a figure with bounds has Wilson's interval of a share of sentences, and one
    without bounds has none. An unbounded figure has no end on a side where too many resamples are
    undefined.
    """
    if sentences < FEWEST_SENTENCES:
        return Estimate(value, no_interval=too_few(unit))
    low, high = interval(resampled, sentences)
    if np.isnan(low):
        # With few resamples, the figure may be undefined in all of them.
        return Estimate(value, no_interval=ALL_UNDEFINED if len(resampled) else "")
    least, greatest = bounds
    if low == high:
        if not np.isfinite(bounds).all():
            return Estimate(value, no_interval=ALL_EQUAL)
        low, high = wilson((value - least) / (greatest - least), sentences)
        return Estimate(
            value, least + (greatest - least) * low, greatest - (greatest - least) * (1 - high)
        )
    low = low if np.isfinite(low) else least
    high = high if np.isfinite(high) else greatest
    if np.isfinite((low, high)).all():
        return Estimate(value, low, high)
    known_low, known_high = (end if np.isfinite(end) else None for end in (low, high))
    return Estimate(value, known_low, known_high, no_interval=OFTEN_UNDEFINED)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of `count` (Wilson 1927, "Probable Inference")."""
    squared = NORMAL_QUANTILE**2
    centre = (share + squared / (2 * count)) / (1 + squared / count)
    variance = share * (1 - share) / count + squared / (4 * count**2)
    half = NORMAL_QUANTILE * np.sqrt(variance) / (1 + squared / count)
    # The ends of no successes and of all are 0 and 1, but for rounding errors.
    low = 0.0 if share == 0 else float(centre - half)
    return low, 1.0 if share == 1 else float(centre + half)


def shares(part: Floats, whole: Floats) -> Floats:
    """Divide element by element; NaN where the whole is 0."""
    quotients = np.full(part.shape, np.nan)
    np.divide(part, whole, out=quotients, where=whole > 0)
    return quotients
