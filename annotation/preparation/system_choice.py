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

    While some are on fewer than `first` sheets, those come first, and others fill up, at random.
    Then all are ranked by their means so far, equal ones at random, and drawn one after another,
    without being put back, by the weights of `weights_of_ranks`.
    Source: `assignment.py` of Pearmut 1.1.6.
    """
    size = min(size, len(standings))
    new = [one.system for one in standings if one.sheets < first]
    if new:
        rest = [one.system for one in standings if one.sheets >= first]
        left = max(0, size - len(new))
        shares = [min(1.0, size / len(new))] * (size - left)
        shares += [left / len(rest)] * left if left else []
        together = 1 / (comb(len(rest), left) if left else comb(len(new), size))
        chosen = rng.sample(new, size - left) + rng.sample(rest, left)
        return ChosenSystems(tuple(chosen), tuple(shares), together)
    in_order = rng.sample(standings, len(standings))
    ranked = sorted(in_order, key=lambda one: (one.mean_rank is None, one.mean_rank or 0.0))
    weights = weights_of_ranks(len(ranked))
    # The first arrivals, if each waits for an exponential time with its weight as the rate.
    waits = [rng.expovariate(weight) for weight in weights]
    places = sorted(range(len(ranked)), key=lambda place: waits[place])[:size]
    among = inclusion_probabilities(weights, size)
    return ChosenSystems(
        tuple(ranked[place].system for place in places),
        tuple(among[place] for place in places),
        set_probability(weights, places),
    )


def weights_of_ranks(systems: int) -> tuple[float, ...]:
    """Return the weights by rank: 1/2 for the best, then 1/2, 1/3, 1/4 and so on."""
    return (0.5, *(1 / rank for rank in range(2, systems + 1)))[:systems]


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
