"""How the ranking and its intervals depend on the number of sentences.

For each number n, n sentences are sampled with replacement many times (the m-out-of-n bootstrap:
Bickel, Götze & van Zwet 1997, "Resampling Fewer Than n Observations", Statistica Sinica 7). Each
ranking is compared with that of all sentences by Kendall's τ; the middle 95 % of a system's scores
are as wide as its interval would be. If judgements are sampled by documents or blocks, so many of
these are sampled as have n sentences on average.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import BY_WINS, TIE_DECIMALS
from evaluation.stats.resampling import Floats, interval, middle, resampled_sums
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import SENTENCES, Unit
from evaluation.stats.wins import CellWins, count_cells

SMALLEST_SAMPLE: Final = 10

NO_ORDER: Final = "all systems have the same score over all sentences"
NO_WIDTH: Final = "the scores are undefined, or the same in all resamples"


@dataclass(frozen=True)
class Point:
    """The ranking by a number of sentences; undefined figures are None.

    The mean τ to the ranking by all sentences, `low` to `high` the middle 95 % of τ, and the mean
    width of the systems' intervals in units of the score.
    """

    sentences: int
    tau: float | None
    low: float | None
    high: float | None
    width: float | None


@dataclass(frozen=True)
class Needed:
    """The number of sentences needed in all; `undefined` says why it is None.

    `extrapolated`: more than were judged, assuming that widths shrink as 1 / √n.
    """

    sentences: int | None
    extrapolated: bool = False
    undefined: str = ""


@dataclass(frozen=True)
class LearningCurve:
    """Points by ascending number of sentences.

    `undefined` says why τ, or all points, are missing. `range` is the greatest score less the least
    one that there can be.
    """

    method: str
    points: tuple[Point, ...]
    undefined: str
    signature: str
    range: float = 1.0

    def needed(self, width: float) -> Needed:
        """Return the number of sentences for which the mean width of intervals is `width`.

        Interpolated as 1 / nᵏ between two points, extrapolated as 1 / √n, and at least the number
        of the first point. Raises ValueError unless `width` is positive.
        """
        if width <= 0:
            raise ValueError("The width of an interval has to be positive.")
        known = [(p.sentences, p.width) for p in self.points if p.width]
        if not known:
            return Needed(None, undefined=NO_WIDTH)
        sizes, widths = zip(*known, strict=True)
        if width < widths[-1]:
            return Needed(ceil(sizes[-1] * (widths[-1] / width) ** 2), extrapolated=True)
        # Widths are noisy: start at the first point after which none is wider than `width`.
        first = max((i + 1 for i, each in enumerate(widths) if each > width), default=0)
        if not first:
            return Needed(sizes[0])
        wide, narrow = np.log(widths[first - 1]), np.log(widths[first])
        share = (wide - np.log(width)) / (wide - narrow)
        few, many = np.log(sizes[first - 1]), np.log(sizes[first])
        # A rounding error must not add a sentence.
        return Needed(ceil(np.exp(few + share * (many - few)) - 1e-6))

    def expected_width(self, more: int) -> float | None:
        """Return the mean width of intervals to be expected after `more` sentences; None if none.

        Widths shrink as 1 / √n.
        """
        known = [(p.sentences, p.width) for p in self.points if p.width]
        if not known:
            return None
        judged, width = known[-1]
        return float(width * np.sqrt(judged / (judged + more)))


@dataclass(frozen=True, eq=False)
class ScoredUnits:
    """What the scores of systems by `method` are computed from: U × M sums by sampled unit.

    `scores` returns T × K scores of T × M sums; `words` begin signatures. `range` is the greatest
    score less the least one that there can be, or another number that widths are told as parts of.
    """

    sums: Floats
    scores: Callable[[Floats], Floats]
    method: str
    words: tuple[str, ...]
    range: float = 1.0

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def total(self) -> Floats:
        """The scores of the K systems in all units."""
        return np.asarray(self.scores(self.sums.sum(axis=0, keepdims=True))[0])


def scored_units(
    judgements: Judgements,
    *,
    method: str = "ratio_of_wins",
    cells: CellWins | None = None,
    means: SystemScores | None = None,
) -> ScoredUnits:
    """Return the units; `cells` are `count_cells(judgements)`, if counted already.

    With `means`, systems are scored by the mean of these scores of the judgements, and not by wins.
    Raises KeyError for an unknown method.
    """
    if means is not None:
        least, greatest = means.bounds
        scale = greatest - least if means.scale is None else means.scale
        return ScoredUnits(means.by_unit, means.means, means.method, means.words, scale)
    by_sentence = (cells or count_cells(judgements)).by_sentence
    return ScoredUnits(
        by_sentence.counts,
        lambda sums: BY_WINS[method].scores(by_sentence.tables(sums)),
        method,
        BY_WINS[method].words,
    )


def learning_curve(
    judgements: Judgements,
    *,
    resamples: int = 300,
    seed: int = 0,
    scored: ScoredUnits | None = None,
) -> LearningCurve:
    """Return the curve at all sentences, half, a quarter, and so on to SMALLEST_SAMPLE.

    τ is (concordant - discordant) / all, over the pairs of systems with different scores over all
    sentences; pairs with equal or undefined scores in a draw are neither. Without `scored`, systems
    are scored by the ratio of wins.
    """
    scored = scored_units(judgements) if scored is None else scored
    units = len(scored)
    signs = signs_of_pairs(scored.total[None])[0]
    ordered = int(np.count_nonzero(signs))
    points = []
    for size in sizes(units) if units > 1 else ():
        drawn = scored.scores(
            resampled_sums(scored.sums, resamples=resamples, seed=seed, size=size)
        )
        taus = (signs_of_pairs(drawn) * signs).sum(axis=1) / ordered if ordered else np.empty(0)
        sentences = round(size * judgements.sentences_judged / units)
        points.append(_point(size, sentences, taus, drawn))
    return LearningCurve(
        method=scored.method,
        points=tuple(points),
        undefined=too_few_for_curve(judgements.unit) if units < 2 else "" if ordered else NO_ORDER,
        signature=judgements.sign(
            "learning curve",
            *scored.words,
            f"{resamples} draws {_of(judgements.unit)}with replacement",
            f"seed {seed}",
        ),
        range=scored.range,
    )


def _of(unit: Unit) -> str:
    return "" if unit == SENTENCES else f"of {unit} "


def too_few_for_curve(unit: Unit) -> str:
    """Return why there is no curve."""
    return f"fewer than two {unit.plural} were judged"


def sizes(sentences: int) -> list[int]:
    """Return the number of sentences, half of it, and so on to SMALLEST_SAMPLE; ascending."""
    halves = [sentences]
    while halves[-1] // 2 >= SMALLEST_SAMPLE:
        halves.append(halves[-1] // 2)
    return halves[::-1]


def signs_of_pairs(scores: Floats) -> NDArray[np.float64]:
    """Return, for each pair of systems, 1 if the first is better, -1 if the second is, else 0."""
    first, second = np.triu_indices(scores.shape[1], 1)
    differences = np.round(scores[:, first] - scores[:, second], TIE_DECIMALS)
    return np.nan_to_num(np.sign(differences))


def _point(size: int, sentences: int, taus: Floats, drawn: Floats) -> Point:
    """Return the point of `size` units, which have so many sentences on average."""
    ends = np.array([interval(column, size) for column in drawn.T])
    widths = [high - low for low, high in ends if np.isfinite(high - low)]
    width = float(np.mean(widths)) if widths else None
    if not len(taus):
        return Point(sentences, None, None, None, width)
    return Point(sentences, float(taus.mean()), *middle(taus), width)
