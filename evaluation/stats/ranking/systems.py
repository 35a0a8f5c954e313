"""Rankings of systems by several methods, with intervals, rank ranges and clusters.

Definitions: method.md, "Systems"; thesis, chapter 3.1. Rank ranges and clusters: Koehn (2012), and
Bojar et al. (2013), "Findings of the 2013 Workshop on Statistical Machine Translation", section
3.3: of 1000 resamples, the 25 best and the 25 worst ranks of a system are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements, natural_key
from evaluation.stats.ranking.bradley_terry import (
    strength_gradient,
    strengths_or_sides,
    why_no_strengths,
)
from evaluation.stats.ranking.hopkins_may import (
    abilities,
    ability_gradient,
    why_no_ability,
)
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.ranking.scores import (
    expected_wins,
    expected_wins_gradient,
    ratio_gradient,
    ratio_of_wins,
    ratio_with_ties,
    ratio_with_ties_gradient,
    why_no_score,
)
from evaluation.stats.resampling import (
    FEWEST_SENTENCES,
    SHARE,
    UNBOUNDED,
    Bounds,
    Floats,
    product,
    with_interval,
)
from evaluation.stats.two_way import two_way
from evaluation.stats.units import SENTENCES
from evaluation.stats.wins import CellWins, SentenceWins, Wins, count_cells, count_wins

TAIL: Final = 0.025


# Scores that differ by rounding errors are equal.
TIE_DECIMALS: Final = 9


Range = tuple[int, int]


@dataclass(frozen=True)
class SystemResult:
    """Wins, losses and ties of a system over all other systems and judgements.

    `same_text` of the ties are comparisons of systems with one candidate; None if the ranks are not
    those of candidates.
    """

    system: str
    wins: int
    losses: int
    ties: int
    same_text: int | None = None

    @property
    def ratio_of_wins(self) -> float | None:
        """W / (W + L); None if the system never won or lost."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None

    @property
    def ties_of_different_texts(self) -> int | None:
        return None if self.same_text is None else self.ties - self.same_text


@dataclass(frozen=True)
class Ranking:
    """Systems, best first; those with an undefined ratio last."""

    systems: tuple[SystemResult, ...]
    signature: str


def rank_by_ratio_of_wins(judgements: Judgements) -> Ranking:
    """Rank by W / (W + L) over all pairs of systems of all judgements, repeats included."""
    total = count_wins(judgements).total()
    tables = (total.wins[0], total.losses[0], total.ties[0], np.asarray(total.same_texts)[0])
    results = [
        SystemResult(name, *(int(row.sum()) for row in rows))
        for name, *rows in zip(judgements.system_names, *tables, strict=True)
    ]
    signature = judgements.sign("ratio of wins", "ties ignored", "repeats included")
    return Ranking(tuple(sorted(results, key=best_first)), signature)


def best_first(result: SystemResult) -> tuple[bool, float, tuple[object, ...]]:
    """Return a sort key: the best ratio first, undefined ratios last, equal ones by name."""
    ratio = result.ratio_of_wins
    return ratio is None, -(ratio or 0.0), natural_key(result.system)


@dataclass(frozen=True)
class Method:
    """How to rank.

    `scores` are T × systems of T tables of wins; `gradient` is the derivative of the scores of one
    table by the number of each outcome (columns of SentenceWins); `why_undefined` says why a system
    has no score; `words` begin the signature. `outcomes` is the number of kinds of outcome that the
    scores use, of wins, losses and ties.
    """

    scores: Callable[[Wins], Floats]
    gradient: Callable[[Wins], Floats]
    why_undefined: Callable[[Wins], Sequence[Enum]]
    words: tuple[str, ...]
    bounds: Bounds = SHARE
    outcomes: int = 2


BY_WINS: Final[Mapping[str, Method]] = {
    "ratio_of_wins": Method(
        ratio_of_wins, ratio_gradient, why_no_score, ("ratio of wins", "ties ignored")
    ),
    "ratio_with_ties": Method(
        ratio_with_ties,
        ratio_with_ties_gradient,
        why_no_score,
        ("ratio of wins", "ties counted as wins"),
        outcomes=3,
    ),
    "expected_wins": Method(
        expected_wins, expected_wins_gradient, why_no_score, ("expected wins", "ties ignored")
    ),
    "bradley_terry": Method(
        strengths_or_sides,
        strength_gradient,
        why_no_strengths,
        ("Bradley-Terry", "ties of different texts by Davidson"),
        bounds=UNBOUNDED,
        outcomes=3,
    ),
    "hopkins_may": Method(
        abilities,
        ability_gradient,
        why_no_ability,
        ("Hopkins-May", "ties of different texts within a radius"),
        bounds=UNBOUNDED,
        outcomes=3,
    ),
}
# Those of every report.
METHODS: Final = ("ratio_of_wins", "ratio_with_ties", "expected_wins", "bradley_terry")


@dataclass(frozen=True)
class RankedSystem:
    """A system's score by one method, its place, and what it won, lost and tied.

    `sentences` is the number of sentences in which the score compares the system. `rank` is 1 + the
    number of systems with a better score; `best_rank` to `worst_rank` is its range in the middle
    95 % of draws; `cluster` counts from 1. All three are None if the score is undefined, and the
    range and the cluster also without resamples and with fewer than FEWEST_SENTENCES sampled units.
    `first` is the probability of the best score, by the Bayesian bootstrap of the units. `ties` are
    `same_text`, where both systems have the same candidate, and `ties_of_different_texts`.
    `missing` is the share of judged segments without a candidate, None if unknown.
    """

    system: str
    score: Estimate
    sentences: int
    wins: int
    losses: int
    ties: int
    same_text: int
    ties_of_different_texts: int
    missing: float | None
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    first: float | None


@dataclass(frozen=True)
class EstimatedRanking:
    """Systems by one method, best first; those with an undefined score last.

    Rank ranges and clusters hold for other sentences (or other units that were sampled) and other
    annotators, or, if `only_sentences` gives a reason, for those judged by the same annotators.
    `boundaries` has, for the end of each cluster but the last, the share of draws in which all
    systems up to it have better scores than all after it.
    """

    method: str
    systems: tuple[RankedSystem, ...]
    only_sentences: str
    boundaries: tuple[float, ...]
    signature: str


def rank_all(
    judgements: Judgements,
    *,
    resamples: int = 1000,
    seed: int = 0,
    methods: Sequence[str] = METHODS,
    cells: CellWins | None = None,
    texts: SameTexts | None = None,
) -> dict[str, EstimatedRanking]:
    """Rank the systems by each of the methods, with intervals, rank ranges and clusters.

    The methods share the resamples of sentences, or of the judgements' other unit. Rank ranges come
    from draws of Student's t with the covariances over sentences and annotators, or, where these
    are undefined, from the resamples. `cells` are `count_cells(judgements)`, and `texts` are
    `count_same_texts(judgements)`, if counted already. Raises KeyError for an unknown method.
    """
    cells, texts = cells or count_cells(judgements), texts or count_same_texts(judgements)
    counted = cells.by_sentence
    by_sentence = counted
    if judgements.unit != SENTENCES:
        by_sentence = count_wins(judgements.sampled_by(SENTENCES))
    resampled = counted.resampled(resamples=resamples, seed=seed)
    reweighted = counted.reweighted(draws=resamples, seed=seed)
    return {
        method: _rank(
            judgements, method, cells, texts, counted, by_sentence, resampled, reweighted, seed
        )
        for method in methods
    }


def _rank(
    judgements: Judgements,
    name: str,
    cells: CellWins,
    texts: SameTexts,
    counted: SentenceWins,
    by_sentence: SentenceWins,
    resampled: Wins,
    reweighted: Wins,
    seed: int,
) -> EstimatedRanking:
    method = BY_WINS[name]
    total = counted.total()
    scores, again = method.scores(total)[0], method.scores(resampled)
    scores[~np.isfinite(scores)] = np.nan
    units = counted.sentences_of_systems(method.outcomes)
    sentences = units
    if by_sentence is not counted:
        sentences = by_sentence.sentences_of_systems(method.outcomes)
    both = two_way(
        product(cells.counts, np.nan_to_num(method.gradient(total)).T),
        cells.sentences,
        cells.annotators,
        cells.counts.sum(axis=1),
    )
    estimates = []
    for x, why in enumerate(method.why_undefined(total)):
        if np.isnan(scores[x]):
            estimates.append(Estimate(None, undefined=str(why.value)))
        elif not len(again):
            estimates.append(Estimate(float(scores[x])))
        else:
            narrow = with_interval(
                float(scores[x]), again[:, x], int(units[x]), method.bounds, judgements.unit
            )
            estimates.append(both.widen(narrow, x, method.bounds))
    if both.both is not None:
        again = both.draws(scores, len(again), seed)
    # A system without a score in all the data may have one in a resample.
    uncertain = np.isnan(scores) | (units < FEWEST_SENTENCES)
    again[:, uncertain] = np.nan
    weighed = method.scores(reweighted)
    weighed[:, uncertain] = np.nan
    over = judgements.unit.plural if both.undefined else f"{judgements.unit.plural} and annotators"
    words = (
        *method.words,
        repeats_rule(judgements),
        f"{len(again)} resamples of {judgements.unit}",
        f"ranks over {over}",
        f"seed {seed}",
    )
    systems = ranked_systems(
        judgements.system_names,
        total,
        texts,
        estimates,
        sentences,
        rank_ranges(again),
        probabilities_of_first(weighed),
    )
    return EstimatedRanking(
        method=name,
        systems=systems,
        only_sentences=both.undefined,
        boundaries=boundaries_of(judgements.system_names, systems, again),
        signature=judgements.sign(words[0], *words[1:]),
    )


def repeats_rule(judgements: Judgements) -> str:
    """Return what the signature says of repeats, which a filter may have excluded."""
    return "repeats included" if judgements.repeats.any() else "no repeats"


def ranked_systems(
    names: Sequence[str],
    total: Wins,
    texts: SameTexts,
    estimates: Sequence[Estimate],
    sentences: NDArray[np.intp],
    ranges: Sequence[Range | None],
    first: Sequence[float | None],
) -> tuple[RankedSystem, ...]:
    """Return the systems with scores, ranges and clusters, best first."""
    scores = np.array([np.nan if each.value is None else each.value for each in estimates])
    rounded, places = np.round(scores, TIE_DECIMALS), ranks(scores[None, :])[0]
    order = sorted(
        range(len(names)),
        key=lambda x: (np.isnan(scores[x]), -np.nan_to_num(rounded[x]), natural_key(names[x])),
    )
    known = [(x, bounds) for x in order if (bounds := ranges[x])]
    cluster_of = {
        x: cluster
        for (x, _), cluster in zip(known, clusters([bounds for _, bounds in known]), strict=True)
    }
    return tuple(
        RankedSystem(
            system=names[x],
            score=estimates[x],
            sentences=int(sentences[x]),
            wins=int(total.wins[0, x].sum()),
            losses=int(total.losses[0, x].sum()),
            ties=int(total.ties[0, x].sum()),
            same_text=int(texts.same_text[x].sum()),
            ties_of_different_texts=int(texts.ties[x].sum()),
            missing=None if np.isnan(texts.missing[x]) else float(texts.missing[x]),
            rank=None if np.isnan(scores[x]) else int(places[x]),
            best_rank=_bound(ranges[x], 0),
            worst_rank=_bound(ranges[x], 1),
            cluster=cluster_of.get(x),
            first=first[x],
        )
        for x in order
    )


def boundaries_of(
    names: Sequence[str], systems: Sequence[RankedSystem], draws: Floats
) -> tuple[float, ...]:
    """Return the share of draws (T × systems) in which each boundary of clusters holds."""
    column = {name: draws[:, x] for x, name in enumerate(names)}
    ranked = [system for system in systems if system.cluster is not None]
    shares = []
    for place, (one, next_) in enumerate(pairwise(ranked), 1):
        if one.cluster != next_.cluster:
            worst_above = np.min([column[each.system] for each in ranked[:place]], axis=0)
            best_below = np.max([column[each.system] for each in ranked[place:]], axis=0)
            shares.append(float(np.mean(worst_above > best_below)))
    return tuple(shares)


def probabilities_of_first(draws: Floats) -> list[float | None]:
    """Return the share of draws (rows) in which each system (column) has rank 1.

    Systems that share rank 1 share the draw. None for systems without scores.
    """
    known = ~np.isnan(draws)
    best = ranks(draws) == 1
    with np.errstate(invalid="ignore"):
        credit = best / best.sum(axis=1, keepdims=True)
    return [
        float(np.nanmean(column)) if some.any() else None
        for column, some in zip(credit.T, known.T, strict=True)
    ]


def _bound(bounds: Range | None, end: int) -> int | None:
    return bounds[end] if bounds else None


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
