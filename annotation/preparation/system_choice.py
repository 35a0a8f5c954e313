"""Which systems stand on the next sheet, where that depends on how they were judged so far.

The rule is that of WMT26: systems that are on few sheets come first; of the others, a better one is
more probable. The probability of each choice is returned, because estimates from what was judged
have to weight by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import comb, prod
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

# Points at which the integral over the last arrival is evaluated.
NODES: Final = 100


@dataclass(frozen=True)
class Standing:
    """A system with the number of sheets that it is on, and the mean of its judgements so far.

    The mean is of ranks: less is better. None where nothing is judged yet.
    """

    system: int
    sheets: int
    mean_rank: float | None


@dataclass(frozen=True)
class ChosenSystems:
    """The systems of a sheet, the probability that each is among them, and that of all together."""

    systems: tuple[int, ...]
    each: tuple[float, ...]
    together: float


def choose_systems(
    standings: Sequence[Standing], size: int, first: int, rng: Random
) -> ChosenSystems:
    """Choose `size` of the systems, or all if they are not more.

    Those on fewer than `first` sheets come first, at random. Of the others, ranked by their means
    so far, the one of rank r, from 1, has the weight 1 / (r + 1); they are drawn one after another
    without being put back.
    """
    size = min(size, len(standings))
    new = [one.system for one in standings if one.sheets < first]
    if len(new) >= size:
        share = size / len(new) if new else 1.0
        chosen = rng.sample(new, size)
        return ChosenSystems(tuple(chosen), (share,) * size, 1 / comb(len(new), size))
    ranked = sorted(
        (one for one in standings if one.sheets >= first),
        key=lambda one: (one.mean_rank is None, one.mean_rank or 0.0, one.system),
    )
    weights = tuple(1 / (rank + 1) for rank in range(1, len(ranked) + 1))
    left = size - len(new)
    # The first arrivals, if each waits for an exponential time with its weight as the rate.
    waits = [rng.expovariate(weight) for weight in weights]
    places = sorted(range(len(ranked)), key=lambda place: waits[place])[:left]
    among = inclusion_probabilities(weights, left)
    return ChosenSystems(
        (*new, *(ranked[place].system for place in places)),
        (*(1.0 for _new in new), *(among[place] for place in places)),
        set_probability(weights, places),
    )


@lru_cache
def inclusion_probabilities(weights: tuple[float, ...], size: int) -> tuple[float, ...]:
    """Return the probability that each is among `size` drawn by weight without replacement.

    It is that of being among the first `size` of exponential arrivals with these rates: the
    integral, over the time t of its own arrival, of the probability that fewer others have arrived.
    With x = exp(-t w), w the least weight, it is over x from 0 to 1, by Gauss and Legendre.
    """
    if size >= len(weights):
        return (1.0,) * len(weights)
    rates = np.asarray(weights, dtype=np.float64) / min(weights)
    nodes, of_nodes = np.polynomial.legendre.leggauss(NODES)
    x, of_x = (nodes + 1) / 2, of_nodes / 2
    arrived = 1 - x[None, :] ** rates[:, None]
    found = []
    for one, rate in enumerate(rates):
        fewer = _fewer_arrived(np.delete(arrived, one, axis=0), size)
        found.append(float(np.sum(of_x * rate * x ** (rate - 1) * fewer)))
    # What the quadrature loses is far below what a weight needs.
    total = sum(found)
    return tuple(min(one * size / total, 1.0) for one in found)


def set_probability(weights: Sequence[float], places: Sequence[int]) -> float:
    """Return the probability that these are drawn, in any order, by weight without replacement."""
    total = sum(weights)
    found = 0.0
    for order in permutations(places):
        left = [total]
        for place in order:
            left.append(left[-1] - weights[place])
        found += prod(weights[place] / rest for place, rest in zip(order, left, strict=False))
    return min(found, 1.0)


def _fewer_arrived(arrived: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return, at each node, the probability that fewer than `size` have arrived."""
    counts = np.zeros((size, arrived.shape[1]))
    counts[0] = 1.0
    for of_one in arrived:
        counts[1:] = counts[1:] * (1 - of_one) + counts[:-1] * of_one
        counts[0] *= 1 - of_one
    total: NDArray[np.float64] = counts.sum(axis=0)
    return total
