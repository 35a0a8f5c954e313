"""Powell's search with Och's exact line optimisation: the weights of a linear model.

A sentence's hypothesis with features h is chosen if its score w · h is the highest. Along a line
w + γ · d the score of each hypothesis is a line t + γ · m, and the hypotheses that are chosen for
some γ are the upper envelope of these lines. The corners of all envelopes divide the line into
intervals in which the chosen hypotheses, and so the objective, stay the same.
Source: Och (2003), Minimum Error Rate Training in Statistical Machine Translation, section 3;
thesis, section 3.3.1.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.tuning.objectives import SummedStatistics

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

# Directions × sentences × hypotheses whose lines are in memory at once: 32 MiB an array.
LINES_AT_ONCE: Final = 1 << 22
# Beyond the first and last corner, weights are this far from it.
BEYOND: Final = 1.0
# Corners that are as near as this, relative to 1 or their place, are one but for rounding.
NEAR: Final = 1e-9
# A step must gain more than rounding errors of the objective.
LEAST_GAIN: Final = 1e-7


@dataclass(frozen=True, eq=False)
class Corners:
    """C corners of upper envelopes: at `places` γ, the hypothesis `before` gives way to `after`.

    `directions` and `sentences` say whose envelope it is.
    """

    directions: Integers
    sentences: Integers
    places: Floats
    before: Integers
    after: Integers


@dataclass(frozen=True, eq=False)
class Optimum:
    """Weights of length 1 and the objective's value there; `steps` line searches led to them."""

    weights: Floats
    value: float
    steps: int


def choose(features: Floats, weights: Floats) -> Integers:
    """Return for each of S sentences the hypothesis with the highest score, the first of equal."""
    return np.asarray(np.argmax(features @ weights, axis=1))


def value_of(objective: SummedStatistics, chosen: Integers) -> float:
    """Return the objective of these hypotheses, -inf if it is undefined."""
    sums = objective.statistics[np.arange(len(chosen)), chosen].sum(axis=0)
    return float(_defined(objective.score(sums[None]))[0])


def envelope(intercepts: Floats, slopes: Floats) -> tuple[Integers, Corners]:
    """Return the upper envelopes of S × N intercepts and D × S × N slopes.

    First the D × S hypotheses that are chosen for γ → -∞, then the corners of all envelopes. Of
    equal lines, the first is chosen.
    """
    count, sentences, width = slopes.shape
    slope = slopes.reshape(-1, width)
    sentence = np.tile(np.arange(sentences), count)
    # At -∞, the line with the least slope is the highest, and the highest of parallel ones.
    least = slope == slope.min(axis=1, keepdims=True)
    current = np.argmax(np.where(least, intercepts[sentence], -np.inf), axis=1)
    first = current.reshape(count, sentences)
    row = np.arange(len(slope))
    intercept, place = intercepts[sentence], np.full(len(slope), -np.inf)
    found: list[tuple[Integers, Floats, Integers, Integers]] = []
    while len(row):
        at = np.arange(len(row))
        steeper = slope - slope[at, current][:, None]
        gap = intercept[at, current][:, None] - intercept
        meets = np.full(slope.shape, np.inf)
        np.divide(gap, steeper, out=meets, where=steeper > 0)
        nearest = meets.min(axis=1)
        # Where several lines meet, the steepest is the highest behind that place.
        tied = meets == nearest[:, None]
        after = np.argmax(np.where(tied, steeper, -np.inf), axis=1)
        goes_on = nearest < np.inf
        # Rounding could put a corner before the one on its left.
        place = np.maximum(place, nearest)[goes_on]
        row = row[goes_on]
        found.append((row, place, current[goes_on], after[goes_on]))
        slope, intercept, current = slope[goes_on], intercept[goes_on], after[goes_on]
    rows, places, before, behind = (np.concatenate(column) for column in zip(*found, strict=True))
    return first, Corners(rows // sentences, rows % sentences, places, before, behind)


def search_lines(
    features: Floats, objective: SummedStatistics, weights: Floats, directions: Floats
) -> tuple[Floats, Floats]:
    """Return for each of D directions the best γ and the objective there; exact.

    `features` are S × N × F, `directions` D × F. All intervals are tried; γ is in the middle of the
    best one, the first of equal ones.
    """
    sentences, width, _ = features.shape
    intercepts = features @ weights
    part = max(1, LINES_AT_ONCE // max(1, sentences * width))
    best = [
        _best_places(objective, *envelope(intercepts, np.moveaxis(features @ some.T, 2, 0)))
        for some in np.split(directions, range(part, len(directions), part))
    ]
    places, values = zip(*best, strict=True)
    return np.concatenate(places), np.concatenate(values)


def maximise(
    features: Floats,
    objective: SummedStatistics,
    start: Floats,
    random: np.random.Generator,
    *,
    directions: int = 10,
) -> Optimum:
    """Climb from `start` until no line raises the objective.

    Each step searches the lines along all axes and along `directions` random ones, and goes to the
    best place of all (thesis, section 3.3.1).
    """
    count = features.shape[2]
    weights = start / np.linalg.norm(start)
    value = value_of(objective, choose(features, weights))
    steps = 0
    while True:
        steps += 1
        lines = np.concatenate([np.eye(count), random.normal(size=(directions, count))])
        places, values = search_lines(features, objective, weights, lines)
        line = int(np.argmax(values))
        reached = weights + places[line] * lines[line]
        reached /= np.linalg.norm(reached)
        # Not `values[line]`: rounding may change the choice in a short interval.
        new = value_of(objective, choose(features, reached))
        if not new > value + LEAST_GAIN:
            return Optimum(weights, value, steps)
        weights, value = reached, new


def _best_places(
    objective: SummedStatistics, first: Integers, corners: Corners
) -> tuple[Floats, Floats]:
    """Return the best γ of each direction and the objective there, from the envelopes."""
    statistics, count = objective.statistics, len(first)
    sums = statistics[np.arange(first.shape[1]), first].sum(axis=1)
    order = np.lexsort((corners.places, corners.directions))
    direction, place = corners.directions[order], corners.places[order]
    sentence = corners.sentences[order]
    change = (
        statistics[sentence, corners.after[order]] - statistics[sentence, corners.before[order]]
    )
    ends = np.searchsorted(direction, np.arange(count + 1))
    # The sums in the interval behind each corner.
    behind = np.cumsum(change, axis=0)
    before = np.concatenate([np.zeros((1, behind.shape[1])), behind])[ends[:-1]]
    behind += (sums - before)[direction]
    values = _defined(objective.score(behind))
    following = np.append(place[1:], np.inf)
    following[ends[1:][ends[1:] > ends[:-1]] - 1] = np.inf
    middle = np.where(following < np.inf, (place + following) / 2, place + BEYOND)
    # Where corners coincide, there is no interval between them.
    values[following - place <= NEAR * np.maximum(1, np.abs(place))] = -np.inf
    best_places, best_values = np.zeros(count), _defined(objective.score(sums))
    for line in range(count):
        of_line = slice(ends[line], ends[line + 1])
        if ends[line] == ends[line + 1]:
            continue
        best_places[line] = place[ends[line]] - BEYOND
        best = ends[line] + int(np.argmax(values[of_line]))
        if values[best] > best_values[line]:
            best_places[line], best_values[line] = middle[best], values[best]
    return best_places, best_values


def _defined(values: Floats) -> Floats:
    return np.where(np.isnan(values), -np.inf, values)
