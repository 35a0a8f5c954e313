"""Significance of the difference between each pair of systems.

If two systems were equally good, the result of each sentence could as well be reversed: the test
compares the net wins of all sentences with those of all possible signs. Where judgements are
sampled by documents or blocks, these take the place of sentences.
Source: the sign-flip (randomisation) test, Good (2005), Permutation, Parametric, and Bootstrap
Tests of Hypotheses, chapter 3; its exact distribution by the characteristic function: Pagano &
Tritchler (1983), "On Obtaining Permutation Distributions in Polynomial Time"; correction: Holm
(1979), "A Simple Sequentially Rejective Multiple Test Procedure".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.resampling import Floats, reweighted_sums, shares
from evaluation.stats.two_way import TwoWay, two_way
from evaluation.stats.wins import KINDS, CellWins, SentenceWins, count_cells

Counts = tuple[tuple[int, ...], ...]
Figures = tuple[tuple[float | None, ...], ...]

# A smaller p is given as this one: rounding errors of about 1e-16 would be a part of it.
LEAST_P: Final = 1e-12
# Values of the characteristic function that are closer to 0 add nothing to a p of LEAST_P.
LEAST_VALUE: Final = 1e-20


class NoDifference(Enum):
    """Why a pair of systems cannot be tested."""

    NEVER_TOGETHER = "the two systems were never judged together"
    ALWAYS_TIED = "the two systems always tied"


@dataclass(frozen=True)
class Significance:
    """Systems × systems, in the order of the project; None where a figure is undefined.

    `wins`, `losses` and `ties` are those of the row against the column; `win_rate` = w / (w + l);
    `p` of the difference, exact but never below LEAST_P, and `p_holm` corrected for all pairs
    tested. `wide_p` is for other annotators too: the larger of `p` and of that of Student's t over
    sentences and annotators. It is None, and `only_sentences` says why, where annotators cannot be
    taken for a sample. `better` is the probability that the row beats the column, by the Bayesian
    bootstrap of the sentences. `ties` are `same_text`, where both have the same candidate, and
    `ties_of_different_texts`. `undefined` says why two different systems have no rate and no p; it
    is "" if they have. Diagonals are 0 and None.
    """

    systems: tuple[str, ...]
    wins: Counts
    losses: Counts
    ties: Counts
    same_text: Counts
    ties_of_different_texts: Counts
    win_rate: Figures
    p: Figures
    p_holm: Figures
    wide_p: Figures
    wide_p_holm: Figures
    better: Figures
    only_sentences: str
    undefined: tuple[tuple[str, ...], ...]
    signature: str


def compare_pairs(
    judgements: Judgements,
    *,
    draws: int = 1000,
    seed: int = 0,
    cells: CellWins | None = None,
    texts: SameTexts | None = None,
) -> Significance:
    """Test each pair of systems, two-sided; `draws` of weights of the sentences give `better`.

    `cells` are `count_cells(judgements)`, and `texts` `count_same_texts(judgements)`, if counted
    already.
    """
    cells, texts = cells or count_cells(judgements), texts or count_same_texts(judgements)
    counted = cells.by_sentence
    total = counted.total()
    wins, losses, ties = total.wins[0], total.losses[0], total.ties[0]
    decided = wins + losses
    rates = shares(wins, decided)
    tested = (decided > 0)[counted.pairs]
    raw = np.where(tested, sign_flips(counted.net), np.nan)
    both = _rates_over_annotators(cells, rates[counted.pairs], decided[counted.pairs])
    of_rates = both.p_values(rates[counted.pairs] - 0.5)
    # Where all cells agree, the error is 0 and the sentences alone decide.
    wide = np.full_like(raw, np.nan) if of_rates is None else np.fmax(raw, of_rates)
    pairs = int(np.count_nonzero(tested))
    return Significance(
        systems=judgements.system_names,
        wins=_counts(wins),
        losses=_counts(losses),
        ties=_counts(ties),
        same_text=_counts(texts.same_text),
        ties_of_different_texts=_counts(texts.ties),
        win_rate=_defined_rows(rates),
        p=_defined_rows(_square(raw, counted)),
        p_holm=_defined_rows(_square(holm(raw), counted)),
        wide_p=_defined_rows(_square(wide, counted)),
        wide_p_holm=_defined_rows(_square(holm(wide), counted)),
        better=_defined_rows(_probabilities(counted, draws, seed)),
        only_sentences=both.undefined,
        undefined=_reasons(rates, ties),
        signature=judgements.sign(
            f"sign flips of {judgements.unit}",
            "two-sided",
            f"exact to {LEAST_P:g}",
            f"Holm over {pairs} pairs",
            f"{draws} draws of weights",
            f"seed {seed}",
        ),
    )


def _reasons(rates: Floats, ties: NDArray[Any]) -> tuple[tuple[str, ...], ...]:
    """Return why pairs of systems have no rate; "" where they have, and on the diagonal."""
    why = np.where(ties > 0, NoDifference.ALWAYS_TIED.value, NoDifference.NEVER_TOGETHER.value)
    undefined = np.isnan(rates) & ~np.eye(len(rates), dtype=np.bool_)
    return tuple(map(tuple, np.where(undefined, why, "").tolist()))


def _probabilities(counted: SentenceWins, draws: int, seed: int) -> Floats:
    """Return P(row beats column), systems × systems; NaN without decided comparisons."""
    x, y = counted.pairs
    total = counted.total()
    probabilities = np.full((counted.systems, counted.systems), np.nan)
    if draws:
        # A tie of two sums of random weights has probability 0, unless nothing was decided.
        net = reweighted_sums(counted.net, draws=draws, seed=seed)
        probabilities[x, y] = (net > 0).mean(axis=0)
        probabilities[y, x] = (net < 0).mean(axis=0)
    return np.where((total.wins + total.losses)[0] > 0, probabilities, np.nan)


def _rates_over_annotators(cells: CellWins, rates: Floats, decided: Floats) -> TwoWay:
    """Return the covariances of the pairs' win rates; `decided` are their wins and losses."""
    won, lost, *_ = np.split(cells.counts, KINDS, axis=1)
    influence = np.empty(won.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Pair by pair: cells are many, and this is the largest array of a report.
        for pair, rate in enumerate(rates):
            column = (1 - rate) * won[:, pair] - rate * lost[:, pair]
            influence[:, pair] = column / decided[pair]
    np.nan_to_num(influence, copy=False)
    return two_way(influence, cells.sentences, cells.annotators, cells.counts.sum(axis=1))


def sign_flips(differences: Floats) -> Floats:
    """Test each column (S × K whole numbers, a row a sentence) against a mean of 0, two-sided.

    Returns K values of p: the share of all choices of signs with which the sum is as far from 0 as
    the one observed, or farther. It is exact to rounding errors, and LEAST_P where it is smaller.
    """
    return np.array([_exact_p(column) for column in differences.T])


def _exact_p(differences: Floats) -> float:
    """Return p of one column, by the inverse of the characteristic function of the random sum S.

    φ(t) = Π cos(m t), over all differences m. With c for the observed |S|, t_k = 2πk / N and
    N > 2 Σ|m|: P(|S| < c) = (1 / N) Σ φ(t_k) sin((c - ½) t_k) / sin(t_k / 2), over all k below N.
    Both functions are even, so k up to N / 2 suffice.
    """
    observed = abs(int(differences.sum()))
    if not observed:
        return 1.0
    counts = np.bincount(np.abs(differences).astype(np.int64))
    counts[0] = 0
    sizes = np.flatnonzero(counts)
    divisor = np.gcd.reduce(sizes)
    # The most frequent size first: it leaves the fewest values of φ to compute.
    sizes = sizes[np.argsort(-counts[sizes], kind="stable")]
    times, sizes, observed = counts[sizes], sizes // divisor, observed // divisor
    period = 1 << int(2 * (times * sizes).sum()).bit_length()
    k = _near_extremes(int(sizes[0]), int(times[0]), period)
    logs, signs = np.zeros(len(k)), np.ones(len(k))
    for size, count in zip(sizes.tolist(), times.tolist(), strict=True):
        # The angle 2π · turn / period, reduced exactly, and its distance to the next extreme.
        turn = size * k % period
        distance = np.minimum(turn % (period // 2), -turn % (period // 2))
        # ln |cos x| without cancellation, as its error is multiplied by `count`.
        with np.errstate(divide="ignore"):
            logs += count * np.log1p(-2 * np.sin(np.pi * distance / period) ** 2)
        if count % 2:
            signs *= np.where(np.abs(2 * turn - period) < period // 2, -1, 1)
        kept = logs > np.log(LEAST_VALUE)
        k, logs, signs = k[kept], logs[kept], signs[kept]
    weights = np.where((k == 0) | (k == period // 2), 1, 2)
    below = weights * signs * np.exp(logs) @ _kernel(observed, k, period) / period
    return min(1.0, max(LEAST_P, 1 - float(below)))


def _near_extremes(size: int, count: int, period: int) -> NDArray[np.int64]:
    """Return all k up to period / 2 where |cos(2π · size · k / period)| ** count is not negligible.

    They are around the 0 to `size` extremes of that cosine.
    """
    half = period // 2
    width = np.arccos(LEAST_VALUE ** (1 / count)) * period / (2 * np.pi) / size + 1
    parts = [
        np.arange(max(0, int(place - width)), min(half, int(place + width)) + 1)
        for place in half / size * np.arange(size + 1)
    ]
    return np.unique(np.concatenate(parts)).astype(np.int64)


def _kernel(observed: int, k: NDArray[np.int64], period: int) -> Floats:
    """Return sin((c - ½) t) / sin(t / 2) for t = 2πk / period, and its limit 2c - 1 for t = 0."""
    turn = (2 * observed - 1) * k % (2 * period)
    kernel = np.full(len(k), 2.0 * observed - 1)
    np.divide(np.sin(np.pi * turn / period), np.sin(np.pi * k / period), out=kernel, where=k > 0)
    return kernel


def holm(p: Floats) -> Floats:
    """Return p corrected by Holm's procedure; NaN values do not count and stay."""
    order = np.argsort(p)  # NaN last
    tests = np.count_nonzero(~np.isnan(p))
    steps = np.maximum(tests - np.arange(len(p)), 1)
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(1, np.maximum.accumulate(p[order] * steps))
    return corrected


def _square(values: Floats, counted: SentenceWins) -> Floats:
    """Return values by pair as a symmetric matrix, systems × systems."""
    x, y = counted.pairs
    square = np.full((counted.systems, counted.systems), np.nan)
    square[x, y] = square[y, x] = values
    return square


def _counts(square: NDArray[Any]) -> Counts:
    return tuple(tuple(int(count) for count in row) for row in square)


def _defined_rows(square: NDArray[np.float64]) -> Figures:
    return tuple(_defined(row) for row in square)


def _defined(row: Sequence[float] | Floats) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(figure) else float(figure) for figure in row)
