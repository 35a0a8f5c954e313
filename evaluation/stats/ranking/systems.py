"""Rankings of systems by several methods, with intervals, rank ranges and clusters.

Definitions: method.md, "Systems"; thesis, chapter 3.1. Rank ranges and clusters: Koehn (2012), and
Bojar et al. (2013), "Findings of the 2013 Workshop on Statistical Machine Translation", section
3.3: of 1000 resamples, the 25 best and the 25 worst ranks of a system are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from evaluation.stats.estimates import Estimate, Signature
from evaluation.stats.judgements import Judgements, natural_key
from evaluation.stats.ranking.bradley_terry import strengths, why_no_strengths
from evaluation.stats.ranking.scores import (
    expected_wins,
    ratio_of_wins,
    ratio_with_ties,
    why_no_score,
)
from evaluation.stats.resampling import FEWEST_SENTENCES, Floats, with_interval
from evaluation.stats.wins import Wins, count_wins

TAIL: Final = 0.025


# Scores that differ by rounding errors are equal.
TIE_DECIMALS: Final = 9


Range = tuple[int, int]


@dataclass(frozen=True)
class SystemResult:
    """Wins, losses and ties of a system over all other systems and judgements."""

    system: str
    wins: int
    losses: int
    ties: int

    @property
    def ratio_of_wins(self) -> float | None:
        """W / (W + L); None if the system never won or lost."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None


@dataclass(frozen=True)
class Ranking:
    """Systems, best first; those with an undefined ratio last."""

    systems: tuple[SystemResult, ...]
    signature: Signature


def rank_by_ratio_of_wins(judgements: Judgements) -> Ranking:
    """Rank by W / (W + L) over all pairs of systems of all judgements, repeats included."""
    total = count_wins(judgements).total()
    results = [
        SystemResult(name, int(wins.sum()), int(losses.sum()), int(ties.sum()))
        for name, wins, losses, ties in zip(
            judgements.system_names, total.wins[0], total.losses[0], total.ties[0], strict=True
        )
    ]
    signature = Signature(
        "ratio of wins",
        ("ties ignored", "repeats included"),
        len(judgements),
        judgements.sentences_judged,
    )
    return Ranking(tuple(sorted(results, key=_best_first)), signature)


def _best_first(result: SystemResult) -> tuple[bool, float, tuple[object, ...]]:
    ratio = result.ratio_of_wins
    return ratio is None, -(ratio or 0.0), natural_key(result.system)


@dataclass(frozen=True)
class Method:
    """Scores (T × systems) of T tables of wins, why a system has none, and the signature."""

    scores: Callable[[Wins], Floats]
    why_undefined: Callable[[Wins], Sequence[Enum]]
    words: tuple[str, ...]


BY_WINS: Final[Mapping[str, Method]] = {
    "ratio_of_wins": Method(ratio_of_wins, why_no_score, ("ratio of wins", "ties ignored")),
    "ratio_with_ties": Method(
        ratio_with_ties, why_no_score, ("ratio of wins", "ties counted as wins")
    ),
    "expected_wins": Method(expected_wins, why_no_score, ("expected wins", "ties ignored")),
    "bradley_terry": Method(strengths, why_no_strengths, ("Bradley-Terry", "ties by Davidson")),
}
METHODS: Final = tuple(BY_WINS)


@dataclass(frozen=True)
class RankedSystem:
    """A system's score by one method, its place, and what it won, lost and tied.

    `rank` is 1 + the number of systems with a better score; `best_rank` to `worst_rank` is its
    range in the middle 95 % of resamples; `cluster` counts from 1. All are None if the score is
    undefined, and all but `rank` without resamples.
    """

    system: str
    score: Estimate
    wins: int
    losses: int
    ties: int
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None


@dataclass(frozen=True)
class EstimatedRanking:
    """Systems by one method, best first; those with an undefined score last."""

    method: str
    systems: tuple[RankedSystem, ...]
    signature: Signature


def rank_all(
    judgements: Judgements,
    *,
    resamples: int = 1000,
    seed: int = 0,
    methods: Sequence[str] = METHODS,
) -> dict[str, EstimatedRanking]:
    """Rank the systems by each of the methods, with intervals, rank ranges and clusters.

    The methods share the resamples of sentences. Fewer than FEWEST_SENTENCES are not resampled.
    Raises KeyError for an unknown method.
    """
    counted = count_wins(judgements)
    total = counted.total()
    drawn = resamples if judgements.sentences_judged >= FEWEST_SENTENCES else 0
    resampled = counted.resampled(resamples=drawn, seed=seed)
    options = (f"{resamples} resamples of sentences", f"seed {seed}")
    return {method: _by_wins(judgements, method, total, resampled, options) for method in methods}


def _by_wins(
    judgements: Judgements, name: str, total: Wins, resampled: Wins, options: tuple[str, ...]
) -> EstimatedRanking:
    method = BY_WINS[name]
    scores, again = method.scores(total)[0], method.scores(resampled)
    estimates = [
        Estimate(None, undefined=str(why.value))
        if np.isnan(score)
        else with_interval(float(score), column, judgements.sentences_judged)
        for score, column, why in zip(scores, again.T, method.why_undefined(total), strict=True)
    ]
    words = (*method.words, _repeats(judgements), *options)
    # A system without a score in all the data may have one in a resample.
    again[:, np.isnan(scores)] = np.nan
    return _ranking(judgements, name, total, estimates, rank_ranges(again), words)


def _repeats(judgements: Judgements) -> str:
    """Return what the signature says of repeats, which a filter may have excluded."""
    return "repeats included" if judgements.repeats.any() else "no repeats"


def _ranking(
    judgements: Judgements,
    method: str,
    total: Wins,
    estimates: Sequence[Estimate],
    ranges: Sequence[Range | None],
    words: tuple[str, ...],
) -> EstimatedRanking:
    scores = np.array([np.nan if each.value is None else each.value for each in estimates])
    rounded, places = np.round(scores, TIE_DECIMALS), ranks(scores[None, :])[0]
    names = judgements.system_names
    order = sorted(
        range(len(names)),
        key=lambda x: (np.isnan(scores[x]), -np.nan_to_num(rounded[x]), natural_key(names[x])),
    )
    apart = _clusters([ranges[x] for x in order if not np.isnan(scores[x])])
    systems = [
        RankedSystem(
            system=names[x],
            score=estimates[x],
            wins=int(total.wins[0, x].sum()),
            losses=int(total.losses[0, x].sum()),
            ties=int(total.ties[0, x].sum()),
            rank=None if np.isnan(scores[x]) else int(places[x]),
            best_rank=_bound(ranges[x], 0),
            worst_rank=_bound(ranges[x], 1),
            cluster=apart[place] if place < len(apart) else None,
        )
        for place, x in enumerate(order)
    ]
    size = (len(judgements), judgements.sentences_judged)
    return EstimatedRanking(method, tuple(systems), Signature(words[0], words[1:], *size))


def _bound(bounds: Range | None, end: int) -> int | None:
    return bounds[end] if bounds else None


def _clusters(ranges: Sequence[Range | None]) -> list[int]:
    """Return the clusters of the systems, best first; [] unless all have a range."""
    known = [bounds for bounds in ranges if bounds is not None]
    return clusters(known) if len(known) == len(ranges) else []


def ranks(scores: Floats) -> Floats:
    """Return ranks by row (T × systems): 1 + the number of better systems; NaN without a score."""
    rounded = np.round(scores, TIE_DECIMALS)
    # Comparisons with NaN are False, so a system without a score is not better than any other.
    better = (rounded[:, None, :] > rounded[:, :, None]).sum(axis=2)
    return np.where(np.isnan(scores), np.nan, 1.0 + better)


def rank_ranges(resampled: Floats) -> list[Range | None]:
    """Return the best and the worst rank of each system (column) in the middle 95 % of resamples.

    Resamples (rows) without a rank of the system are left out; None if it never has one.
    """
    ranges: list[Range | None] = []
    for column in ranks(resampled).T:
        defined = np.sort(column[~np.isnan(column)])
        ends = int(TAIL * len(defined))
        ranges.append((int(defined[ends]), int(defined[-1 - ends])) if len(defined) else None)
    return ranges


def clusters(ranges: Sequence[Range]) -> list[int]:
    """Return the cluster of each system (best first), from 1.

    A cluster ends after system i iff the worst rank of the systems up to i is better than the best
    rank of all systems after it.
    """
    numbers: list[int] = []
    number = 1
    for index in range(len(ranges)):
        numbers.append(number)
        after = ranges[index + 1 :]
        if after and max(worst for _, worst in ranges[: index + 1]) < min(
            best for best, _ in after
        ):
            number += 1
    return numbers
