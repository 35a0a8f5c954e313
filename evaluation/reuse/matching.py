"""Unseen systems, which people have not ranked, judged by the ranks of other systems' candidates.

The two methods of the thesis (section 3.2), with the details on which its tables depend:
a candidate of an unseen system that is not in the database gets the mean rank of the candidates at
the smallest edit distance. The mean is over the systems at this distance, so a candidate that three
systems share counts three times, and over raw ranks with garbage as 100.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.edit_distance import edit_distances
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.judgements import GARBAGE, MISSING, NO_CANDIDATE, Judgements
from evaluation.stats.ranking.systems import Ranking, SystemResult, best_first
from evaluation.stats.resampling import Floats

# What the thesis stored for garbage, and averaged.
GARBAGE_RANK: Final = 100
OUTCOMES: Final = ("worse", "equal", "better")
METHODS: Final = ("exact", "closest")


@dataclass(frozen=True)
class Example:
    """An unseen candidate, the closest candidates of other systems, and how these were ranked.

    `outcome` says whether their mean rank is worse than, equal to or better than the true rank.
    """

    system: str
    sentence: int
    candidate: str
    closest: tuple[str, ...]
    distance: int
    outcome: str


@dataclass(frozen=True, eq=False)
class Matches:
    """The closest candidates of an unseen system's candidates in J judgements.

    `others` are the names of the K other systems, and `ranks` J × K their raw ranks, NaN where
    people did not rank a candidate of theirs. `distances` J are the smallest edit distances to
    these candidates, NaN where the unseen system or all others have none. `closest` J × K says
    which others have a candidate at this distance, `columns` J × K are the positions of the
    candidates in their segments. `own_ranks` J are the raw ranks of the system itself, which the
    methods do not use, NaN where there are none; None if people did not judge it. `candidates`,
    one for each of the segments of `texts`, are its own texts, "" where it has none.
    """

    system: str
    others: tuple[str, ...]
    ranks: Floats
    distances: Floats
    closest: NDArray[np.bool_]
    columns: NDArray[np.int32]
    own_ranks: Floats | None
    candidates: tuple[str, ...]
    judgements: Judgements
    texts: ProjectTexts

    def __len__(self) -> int:
        return len(self.distances)

    @cached_property
    def predicted_ranks(self) -> Floats:
        """The mean rank of the systems at the smallest distance, NaN where there is none."""
        with np.errstate(invalid="ignore"):
            sums = np.where(self.closest, self.ranks, 0).sum(axis=1)
            return np.asarray(sums / self.closest.sum(axis=1), dtype=np.float64)

    @property
    def hits(self) -> int:
        """The number of judgements in which another system has the same candidate."""
        return int(np.count_nonzero(self.distances == 0))

    @property
    def missing(self) -> int:
        """The number of judgements with nothing to compare: no candidate of its own, or of others.

        They are misses in the hit rate, and have distance 0 in the average distance.
        """
        return int(np.count_nonzero(np.isnan(self.distances)))

    @property
    def hit_rate(self) -> float | None:
        """The share of hits in all judgements; None without judgements."""
        return self.hits / len(self) if len(self) else None

    @property
    def average_distance(self) -> float | None:
        """The mean smallest distance over all judgements; None without judgements."""
        return float(np.nansum(self.distances) / len(self)) if len(self) else None

    @property
    def average_distance_of_misses(self) -> float | None:
        """The mean smallest distance over candidates that no other system has; None without."""
        missed = self.distances[self.distances > 0]
        return float(missed.mean()) if len(missed) else None

    @property
    def equidistant(self) -> int:
        """The number of misses with two or more different candidates at the smallest distance."""
        first = np.where(self.closest, self.columns, np.iinfo(np.int32).max).min(axis=1)
        last = np.where(self.closest, self.columns, -1).max(axis=1)
        return int(np.count_nonzero((self.distances > 0) & (first != last)))

    @property
    def distance_counts(self) -> tuple[int, ...]:
        """The number of judgements with each smallest distance, from 0; 0 if there is none."""
        return tuple(np.bincount(np.nan_to_num(self.distances).astype(np.intp)).tolist())

    @cached_property
    def outcomes(self) -> NDArray[np.int64]:
        """Misses by distance (rows, from 0) and outcome (columns, as OUTCOMES).

        The outcome says whether the closest candidate was ranked worse than, equal to or better
        than the system's own. No rows if the system's own ranks are unknown.
        """
        if self.own_ranks is None:
            return np.zeros((0, len(OUTCOMES)), dtype=np.int64)
        known = (self.distances > 0) & ~np.isnan(self.own_ranks)
        signs = np.sign(self.own_ranks[known] - self.predicted_ranks[known]).astype(np.intp)
        distances = self.distances[known].astype(np.intp)
        counts = np.zeros((int(distances.max(initial=0)) + 1, len(OUTCOMES)), dtype=np.int64)
        np.add.at(counts, (distances, signs + 1), 1)
        return counts

    def rank(self, method: str) -> Ranking:
        """Return the ranking of the unseen system and the others by ratio of wins, ties ignored.

        "exact": from the judgements with a hit only. "closest": from all judgements but those
        without a distance. In both, the unseen system has its predicted rank, which is the rank of
        the same candidate in a hit. Raises ValueError for another method.
        """
        if method not in METHODS:
            raise ValueError(f"There is no method {method!r}.")
        used = self.distances == 0 if method == "exact" else ~np.isnan(self.distances)
        return self._ranking(self.predicted_ranks, used, method)

    def true_ranking(self) -> Ranking | None:
        """Return the ranking by the system's own ranks; None if people did not judge it."""
        if self.own_ranks is None:
            return None
        return self._ranking(self.own_ranks, np.ones(len(self), dtype=np.bool_), "own ranks")

    def _ranking(self, own: Floats, used: NDArray[np.bool_], method: str) -> Ranking:
        names = (self.system, *self.others)
        # Column by column in memory.
        ranks = np.asfortranarray(np.column_stack([own, self.ranks])[used])
        results = []
        for system, name in enumerate(names):
            mine = ranks[:, [system]]
            wins, losses, ties = (
                int(np.count_nonzero(compared))
                for compared in (mine < ranks, mine > ranks, mine == ranks)
            )
            itself = int(np.count_nonzero(~np.isnan(mine)))
            results.append(SystemResult(name, wins, losses, ties - itself))
        chosen = self.judgements.select(used)
        options = (method, f"unseen {self.system}", "ratio of wins", "ties ignored")
        return Ranking(
            tuple(sorted(results, key=best_first)),
            chosen.sign("unseen system", *options),
        )

    def examples(self) -> list[Example]:
        """Return all misses whose true rank is known, in the order of the judgements."""
        if self.own_ranks is None:
            return []
        segments = self.texts.segments_of(self.judgements)
        rows = np.flatnonzero((self.distances > 0) & ~np.isnan(self.own_ranks))
        found = []
        for row in rows.tolist():
            segment = int(segments[row])
            first = int(self.texts.first_candidates[segment])
            columns = dict.fromkeys(self.columns[row][self.closest[row]].tolist())
            sign = np.sign(self.own_ranks[row] - self.predicted_ranks[row])
            sentence = self.texts.segment_sentences[segment]
            found.append(
                Example(
                    system=self.system,
                    sentence=int(self.texts.sentence_numbers[sentence]),
                    candidate=self.candidates[segment],
                    closest=tuple(self.texts.candidate_texts[first + slot] for slot in columns),
                    distance=int(self.distances[row]),
                    outcome=OUTCOMES[int(sign) + 1],
                )
            )
        return found


@dataclass(frozen=True)
class Errors:
    """How far a method misses the true scores of `systems` systems that people judged.

    `score` is the mean absolute error of the ratio of wins, `bias` the mean of predicted minus true
    ratio, `places` the mean difference of places in the ranking, `r` Pearson's correlation of
    predicted and true ratios. They are None if no system has both ratios, `r` also with fewer than
    three systems or if either ratio is the same for all.
    """

    systems: int
    score: float | None
    bias: float | None
    places: float | None
    r: float | None


def match_system(
    judgements: Judgements, texts: ProjectTexts, system: str, candidates: Sequence[str]
) -> Matches:
    """Match an unseen system, which has these candidates, one a segment, "" where it has none.

    A system of the project with the same name is left out. Raises ValueError for another number of
    candidates than segments.
    """
    if len(candidates) != len(texts.segment_ids):
        raise ValueError("There must be one candidate, perhaps empty, for each segment.")
    segments = _segments_of_candidates(texts)
    has_text = np.array([bool(text) for text in candidates], dtype=np.bool_)
    compared = np.flatnonzero((_judged(judgements, texts) & has_text)[segments])
    distances = np.full(len(segments), np.nan)
    distances[compared] = edit_distances(
        [texts.candidate_texts[candidate] for candidate in compared.tolist()],
        [candidates[segment] for segment in segments[compared].tolist()],
    )
    return _matches(judgements, texts, system, candidates, distances, own_ranks=None)


def total_outcomes(matches: Sequence[Matches]) -> NDArray[np.int64]:
    """Return the sum of the `outcomes` of all systems, by distance and outcome."""
    longest = max((len(one.outcomes) for one in matches), default=0)
    total = np.zeros((longest, len(OUTCOMES)), dtype=np.int64)
    for one in matches:
        total[: len(one.outcomes)] += one.outcomes
    return total


def leave_one_out(judgements: Judgements, texts: ProjectTexts) -> list[Matches]:
    """Match each system of the project as if people had not ranked it; its true ranks are known."""
    segments = _segments_of_candidates(texts)
    slots = np.arange(len(segments)) - texts.first_candidates[segments]
    judged = _judged(judgements, texts)
    # The distances of each candidate to all of its segment, one after another.
    widths = np.where(judged, np.diff(texts.first_candidates), 0)[segments]
    starts = np.cumsum(widths) - widths
    left = np.repeat(np.arange(len(segments)), widths)
    right = texts.first_candidates[segments[left]] + np.arange(len(left)) - starts[left]
    once = left < right
    left, right = left[once], right[once]
    found = edit_distances(
        [texts.candidate_texts[candidate] for candidate in left.tolist()],
        [texts.candidate_texts[candidate] for candidate in right.tolist()],
    )
    table = np.zeros(len(once))
    table[starts[left] + slots[right]] = found
    table[starts[right] + slots[left]] = found
    ranks = raw_ranks(judgements)
    matches = []
    for code, system in enumerate(texts.system_names):
        own = texts.system_candidates[:, code]
        compared = np.flatnonzero((judged & (own != NO_CANDIDATE))[segments])
        distances = np.full(len(segments), np.nan)
        distances[compared] = table[starts[own[segments[compared]]] + slots[compared]]
        candidates = [
            "" if candidate == NO_CANDIDATE else texts.candidate_texts[candidate]
            for candidate in own.tolist()
        ]
        matches.append(
            _matches(judgements, texts, system, candidates, distances, own_ranks=ranks[:, code])
        )
    return matches


def measure_errors(matches: Sequence[Matches], method: str) -> Errors:
    """Compare the predicted with the true ratios of wins and places of left-out systems."""
    rows = []
    for one in matches:
        truth = one.true_ranking()
        if truth is None:
            continue
        (true, true_place), (predicted, place) = (
            score_and_place(ranking, one.system) for ranking in (truth, one.rank(method))
        )
        if true is not None and predicted is not None:
            rows.append((true, predicted, abs(place - true_place)))
    if not rows:
        return Errors(0, None, None, None, None)
    truths, predictions, places = np.array(rows).T
    varied = len(rows) > 2 and min(np.ptp(truths), np.ptp(predictions)) > 0
    return Errors(
        systems=len(rows),
        score=float(np.abs(predictions - truths).mean()),
        bias=float((predictions - truths).mean()),
        places=float(places.mean()),
        r=float(np.corrcoef(truths, predictions)[0, 1]) if varied else None,
    )


def draw_examples(matches: Sequence[Matches], *, number: int, seed: int) -> list[Example]:
    """Return so many misses of left-out systems, or all if there are fewer, in random order."""
    misses = [example for one in matches for example in one.examples()]
    order = np.random.default_rng(seed).permutation(len(misses))
    return [misses[place] for place in order[:number].tolist()]


def score_and_place(ranking: Ranking, system: str) -> tuple[float | None, int]:
    """Return a system's ratio of wins and its place, from 1, in the order of the ranking."""
    place = [result.system for result in ranking.systems].index(system)
    return ranking.systems[place].ratio_of_wins, place + 1


def raw_ranks(judgements: Judgements) -> Floats:
    """Return the ranks of systems as people gave them, NaN where there are none.

    Garbage is 100, or worse than the worst rank that a segment offers if this is 100 or more.
    """
    garbage = max(GARBAGE_RANK, judgements.candidate_ranks.shape[1] + 1)
    ranks = judgements.system_ranks.astype(np.float64)
    ranks[judgements.system_ranks == GARBAGE] = garbage
    ranks[judgements.system_ranks == MISSING] = np.nan
    return ranks


def _segments_of_candidates(texts: ProjectTexts) -> NDArray[np.intp]:
    return np.repeat(np.arange(len(texts.segment_ids)), np.diff(texts.first_candidates))


def _judged(judgements: Judgements, texts: ProjectTexts) -> NDArray[np.bool_]:
    """Tell which segments have a judgement."""
    judged = np.zeros(len(texts.segment_ids), dtype=np.bool_)
    judged[texts.segments_of(judgements)] = True
    return judged


def _matches(
    judgements: Judgements,
    texts: ProjectTexts,
    system: str,
    candidates: Sequence[str],
    distances: Floats,
    *,
    own_ranks: Floats | None,
) -> Matches:
    """Find the closest candidates; `distances` are those of all candidates, NaN where unknown."""
    others = [code for code, name in enumerate(judgements.system_names) if name != system]
    ranks = raw_ranks(judgements)[:, others]
    columns = judgements.system_candidates[:, others]
    first = texts.first_candidates[texts.segments_of(judgements)][:, None]
    # A rank implies a candidate; other places are not looked at.
    near = np.where(np.isnan(ranks), np.nan, distances[np.maximum(first + columns, 0)])
    known = ~np.isnan(near)
    smallest = np.where(known, near, np.inf).min(axis=1, initial=np.inf)
    return Matches(
        system=system,
        others=tuple(judgements.system_names[code] for code in others),
        ranks=ranks,
        distances=np.where(np.isinf(smallest), np.nan, smallest),
        closest=known & (near == smallest[:, None]),
        columns=columns,
        own_ranks=own_ranks,
        candidates=tuple(candidates),
        judgements=judgements,
        texts=texts,
    )
