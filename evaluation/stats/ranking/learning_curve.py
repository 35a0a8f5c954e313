"""How many sentences are enough: what the ranking would be worth with fewer, or with more.

As if n sentences like those judged had been judged: n of them are drawn with replacement, again
and again (the m-out-of-n bootstrap: Bickel, Götze & van Zwet 1997, "Resampling Fewer Than n
Observations", Statistica Sinica 7). Each time the ranking is compared with that of all sentences,
by Kendall's τ, and over all draws the middle 95 % of a system's scores are as wide as its interval
would be.
"""

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import BY_WINS, DECIMALS
from evaluation.stats.resampling import Floats, interval
from evaluation.stats.wins import count_wins

FEWEST: Final = 10

TOO_FEW: Final = "fewer than two sentences were judged"
NO_ORDER: Final = "all systems have the same score over all sentences"
NO_WIDTH: Final = "the scores are undefined, or the same in all resamples"


@dataclass(frozen=True)
class Point:
    """What the ranking is worth with so many sentences; None where undefined.

    The mean τ to the ranking of all, the middle 95 % of τ, and the mean width of the systems'
    intervals, in units of the score.
    """

    sentences: int
    tau_mean: float | None
    tau_low: float | None
    tau_high: float | None
    interval_width: float | None


@dataclass(frozen=True)
class Needed:
    """How many sentences would have to be judged in all; `undefined` says why that is not known.

    `extrapolated`: more than were judged, by the rule that widths shrink as 1 / √n.
    """

    sentences: int | None
    extrapolated: bool = False
    undefined: str = ""


@dataclass(frozen=True)
class LearningCurve:
    """Points by number of sentences, up to all; none, and the reason, where nothing can be drawn.

    `undefined` says why there is no τ, or no point at all.
    """

    method: str
    points: tuple[Point, ...]
    undefined: str
    signature: Signature

    def needed(self, width: float) -> Needed:
        """Say how many sentences make intervals as narrow as `width` on the average.

        Between two points along 1 / nᵏ, beyond the last one along 1 / √n; at least as many as the
        first point has. Raises ValueError where `width` is not positive.
        """
        if width <= 0:
            raise ValueError("The width of an interval has to be positive.")
        known = [(p.sentences, p.interval_width) for p in self.points if p.interval_width]
        if not known:
            return Needed(None, undefined=NO_WIDTH)
        sizes, widths = zip(*known, strict=True)
        if width < widths[-1]:
            return Needed(ceil(sizes[-1] * (widths[-1] / width) ** 2), extrapolated=True)
        # Drawn widths wobble: from the first point on after which none is wider than wanted.
        first = max((i + 1 for i, each in enumerate(widths) if each > width), default=0)
        if not first:
            return Needed(sizes[0])
        wide, narrow = np.log(widths[first - 1]), np.log(widths[first])
        share = (wide - np.log(width)) / (wide - narrow)
        few, many = np.log(sizes[first - 1]), np.log(sizes[first])
        # Rounding must not make one sentence more of a whole number.
        return Needed(ceil(np.exp(few + share * (many - few)) - 1e-6))


def learning_curve(
    judgements: Judgements,
    *,
    resamples: int = 300,
    seed: int = 0,
    method: str = "ratio_of_wins",
) -> LearningCurve:
    """Compute the curve at all sentences, half, a quarter, and so on down to FEWEST at the least.

    τ is (concordant - discordant) / all, over the pairs of systems that the ranking of all
    sentences tells apart; a pair equal or undefined in the draw is neither. Raises KeyError for an
    unknown method.
    """
    counted = count_wins(judgements)
    sentences = len(counted.counts)
    scores = BY_WINS[method].scores
    signs = _signs(scores(counted.total()))[0]
    ordered = int(np.count_nonzero(signs))
    points = []
    for size in sizes(sentences) if sentences > 1 else ():
        drawn = scores(counted.resampled(resamples=resamples, seed=seed, size=size))
        taus = (_signs(drawn) * signs).sum(axis=1) / ordered if ordered else np.empty(0)
        points.append(_point(size, taus, drawn))
    return LearningCurve(
        method=method,
        points=tuple(points),
        undefined=TOO_FEW if sentences < 2 else "" if ordered else NO_ORDER,
        signature=Signature(
            "learning curve",
            (*BY_WINS[method].words, f"{resamples} draws with replacement", f"seed {seed}"),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def sizes(sentences: int) -> list[int]:
    """Halve the number of sentences until fewer than FEWEST would be left; ascending."""
    halves = [sentences]
    while halves[-1] // 2 >= FEWEST:
        halves.append(halves[-1] // 2)
    return halves[::-1]


def _signs(scores: Floats) -> NDArray[np.float64]:
    """For each pair of systems: 1 where the first is better, -1 the second, 0 neither."""
    first, second = np.triu_indices(scores.shape[1], 1)
    differences = np.round(scores[:, first] - scores[:, second], DECIMALS)
    return np.nan_to_num(np.sign(differences))


def _point(size: int, taus: Floats, drawn: Floats) -> Point:
    ends = np.array([interval(column) for column in drawn.T])
    widths = [high - low for low, high in ends if not np.isnan(low)]
    width = float(np.mean(widths)) if widths else None
    if not len(taus):
        return Point(size, None, None, None, width)
    return Point(size, float(taus.mean()), *interval(taus), width)
