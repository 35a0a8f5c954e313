"""Answers on a scale used again for systems without any: exact matches, and extrapolated grades.

A text that was judged keeps its answers, whichever system says it: of yes and no this is the label
tree of RYPT (Zaidan & Callison-Burch 2009, "Feasibility of Human-in-the-loop Minimum Error Rate
Training"). A text that was not judged gets the mean grade of the judged texts of its segment at the
smallest edit distance (Nießen, Och, Leusch & Ney 2000, "An Evaluation Tool for Machine
Translation"). The distance is Levenshtein's, in characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.edit_distance import edit_distances
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, NO_CANDIDATE, Codes, Judgements
from evaluation.stats.resampling import (
    SHARE,
    UNBOUNDED,
    Bounds,
    Floats,
    resampled_sums,
    shares,
    sum_rows,
    sums_by,
    with_interval,
)

NO_HIT = "no judged text is identical to one of the system"
NO_TEXT = "the system has no text where others were judged"
NO_MISS = "every text of the system is identical to one of another system"


@dataclass(frozen=True, eq=False)
class StoredAnswers:
    """The answers about the C candidates of the texts: `counts` C × k, by step from the best.

    `of_steps` are the grades of the k steps.
    """

    texts: ProjectTexts
    counts: Floats
    of_steps: tuple[float, ...]

    @cached_property
    def grades(self) -> Floats:
        """The mean grade of each candidate; NaN if it was not judged."""
        return shares(self.counts @ np.array(self.of_steps), self.counts.sum(axis=1))

    @cached_property
    def segments(self) -> Codes:
        """The segment of each candidate."""
        sizes = np.diff(self.texts.first_candidates)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def stored_answers(
    judgements: Judgements, texts: ProjectTexts, grades: Sequence[float]
) -> StoredAnswers:
    """Return the answers in judgements of the same project, repeats included.

    `grades` are those of the steps, from the best.
    """
    ranks = judgements.candidate_ranks
    rows, columns = np.nonzero(ranks != MISSING)
    candidates = texts.first_candidates[texts.segments_of(judgements)][rows] + columns
    counts = np.zeros((len(texts.candidate_texts), len(grades)))
    np.add.at(counts, (candidates, ranks[rows, columns].astype(np.intp) - 1), 1)
    return StoredAnswers(texts, counts, tuple(map(float, grades)))


@dataclass(frozen=True, eq=False)
class ReusedAnswers:
    """What stored answers say of one system's texts in G segments with an answer.

    `distances` G are those to the closest judged texts, NaN where the system has no text or the
    others have none. `grades` G are the mean grades of all texts at this distance, each counted
    once; `counts` G × k the answers about the identical text, zeros where there is none.
    `own_grades` G are the grades of the system's own texts and `own_counts` their answers, if
    people judged it, to which the others are compared; NaN and zeros where they did not.
    `sentences` G are the sentences of the segments, `of_steps` the grades of the k steps.
    """

    system: str
    distances: Floats
    grades: Floats
    counts: Floats
    own_grades: Floats
    own_counts: Floats
    sentences: Codes
    of_steps: tuple[float, ...]

    @property
    def hits(self) -> int:
        return int(np.count_nonzero(self.distances == 0))

    @property
    def missing(self) -> int:
        """The number of segments with nothing to compare."""
        return int(np.count_nonzero(np.isnan(self.distances)))

    @property
    def hit_rate(self) -> float | None:
        """The share of segments with an identical text, of all that have an answer."""
        return self.hits / len(self.distances) if len(self.distances) else None

    @property
    def average_distance_of_misses(self) -> float | None:
        missed = self.distances[self.distances > 0]
        return float(missed.mean()) if len(missed) else None

    @property
    def answers(self) -> tuple[int, ...]:
        """The number of answers with each step about identical texts."""
        return tuple(int(count) for count in self.counts.sum(axis=0))

    def share_of_best(self, *, without: int | None = None, own: bool = False) -> Estimate:
        """Return the share of the best step in the answers about identical texts.

        Of all answers, or of those that are not the step `without`, from 1, which says neither yes
        nor no; with `own`, in the answers about the system itself.
        """
        counts = self.own_counts if own else self.counts
        kept = counts if without is None else np.delete(counts, without - 1, axis=1)
        return self._mean(kept[:, 0], kept.sum(axis=1), SHARE, NO_HIT)

    def exact_grade(self) -> Estimate:
        """Return the mean grade of the answers about identical texts."""
        grades = self.counts @ np.array(self.of_steps)
        return self._mean(grades, self.counts.sum(axis=1), self._bounds, NO_HIT)

    def extrapolated_grade(self) -> Estimate:
        """Return the mean grade of the closest texts, each segment counted once.

        The interval is for other sentences. It does not know how far the extrapolation is off.
        """
        known = ~np.isnan(self.grades)
        sums = np.nan_to_num(self.grades)
        return self._mean(sums, known.astype(np.float64), self._bounds, NO_TEXT)

    def real_grade(self) -> Estimate:
        """Return the mean grade of the system's own texts where it has an extrapolated one."""
        known = ~np.isnan(self.errors)
        real = np.where(known, self.own_grades, 0)
        return self._mean(real, known.astype(np.float64), self._bounds, NO_TEXT)

    @property
    def _bounds(self) -> Bounds:
        return self.of_steps[-1], self.of_steps[0]

    @cached_property
    def errors(self) -> Floats:
        """The extrapolated less the real grade (G), NaN where either is unknown."""
        return self.grades - self.own_grades

    def _mean(self, sums: Floats, counts: Floats, bounds: Bounds, undefined: str) -> Estimate:
        return _mean_over_sentences(sums, counts, self.sentences, bounds, undefined)


@dataclass(frozen=True)
class ExtrapolationErrors:
    """How far extrapolated grades are from the real ones of `texts` texts.

    `misses` of them are identical to no other text. `absolute` is the mean of
    |extrapolated - real|, `bias` that of extrapolated - real: above 0,
    extrapolated grades are too good. Both are also of misses alone: the error of a hit is 0.
    Intervals are for other sentences.
    """

    texts: int
    misses: int
    absolute: Estimate
    bias: Estimate
    absolute_of_misses: Estimate
    bias_of_misses: Estimate


def reuse_answers(
    stored: StoredAnswers, system: str, candidates: Sequence[str], *, without: str = ""
) -> ReusedAnswers:
    """Return what the answers say of a system with these candidates, "" where it has none.

    There is one for each segment of the texts. Texts that only the system of the project `without`
    produced are left out, which is then taken for the one whose own answers are known. Raises
    ValueError for another number of candidates.
    """
    texts = stored.texts
    if len(candidates) != len(texts.segment_ids):
        raise ValueError("There must be one candidate, perhaps empty, for each segment.")
    counts, grades = stored.counts, stored.grades
    judged = counts.sum(axis=1) > 0
    own = np.full(len(candidates), NO_CANDIDATE, dtype=np.int32)
    if without in texts.system_names:
        place = texts.system_names.index(without)
        own = texts.system_candidates[:, place]
        others = np.delete(texts.system_candidates, place, axis=1)
        only_own = own[(own != NO_CANDIDATE) & ~(others == own[:, None]).any(axis=1)]
        judged = judged.copy()
        judged[only_own] = False
    answered = np.unique(stored.segments[counts.sum(axis=1) > 0])
    has_text = np.array([bool(text) for text in candidates], dtype=np.bool_)
    near = np.flatnonzero(judged & has_text[stored.segments])
    of_near = stored.segments[near]
    found = edit_distances(
        [texts.candidate_texts[candidate] for candidate in near.tolist()],
        [candidates[segment] for segment in of_near.tolist()],
    )
    smallest = np.full(len(candidates), np.inf)
    np.minimum.at(smallest, of_near, found)
    closest = found == smallest[of_near]
    width = len(candidates)
    extrapolated = shares(
        sums_by(of_near[closest], grades[near[closest]], width),
        sums_by(of_near[closest], np.ones(np.count_nonzero(closest)), width),
    )
    identical = np.zeros((width, counts.shape[1]))
    same = found == 0
    np.add.at(identical, of_near[same], counts[near[same]])
    has_own = own != NO_CANDIDATE
    return ReusedAnswers(
        system=system,
        distances=np.where(np.isinf(smallest), np.nan, smallest)[answered],
        grades=extrapolated[answered],
        counts=identical[answered],
        own_grades=np.where(has_own, grades[own], np.nan)[answered],
        own_counts=np.where(has_own[:, None], counts[own], 0)[answered],
        sentences=texts.segment_sentences[answered],
        of_steps=stored.of_steps,
    )


def leave_systems_out(stored: StoredAnswers) -> list[ReusedAnswers]:
    """Return, for each system of the project, what the answers about the others say of it."""
    texts = stored.texts
    return [
        reuse_answers(
            stored,
            name,
            [
                "" if candidate == NO_CANDIDATE else texts.candidate_texts[candidate]
                for candidate in texts.system_candidates[:, place].tolist()
            ],
            without=name,
        )
        for place, name in enumerate(texts.system_names)
    ]


def measure_extrapolation(left_out: Sequence[ReusedAnswers]) -> ExtrapolationErrors:
    """Compare extrapolated with real grades of systems that were left out, all together."""
    errors = np.concatenate([one.errors for one in left_out])
    misses = np.concatenate([one.distances > 0 for one in left_out])
    sentences = np.concatenate([one.sentences for one in left_out])
    known = ~np.isnan(errors)

    def mean(values: Floats, which: NDArray[np.bool_]) -> Estimate:
        chosen = np.where(which, values, 0)
        why = NO_MISS if known.any() else NO_TEXT
        return _mean_over_sentences(chosen, which.astype(np.float64), sentences, UNBOUNDED, why)

    missed = known & misses
    return ExtrapolationErrors(
        texts=int(np.count_nonzero(known)),
        misses=int(np.count_nonzero(missed)),
        absolute=mean(np.abs(errors), known),
        bias=mean(errors, known),
        absolute_of_misses=mean(np.abs(errors), missed),
        bias_of_misses=mean(errors, missed),
    )


def _mean_over_sentences(
    sums: Floats, counts: Floats, sentences: Codes, bounds: Bounds, undefined: str
) -> Estimate:
    """Return Σ sums / Σ counts with its interval over the sentences that have a count."""
    if not counts.sum():
        return Estimate(None, undefined=undefined)
    numbers, codes = np.unique(sentences[counts > 0], return_inverse=True)
    rows = np.stack([sums, counts], axis=1)[counts > 0]
    by_sentence = sum_rows(codes, rows, len(numbers))
    again = resampled_sums(by_sentence, resamples=1000, seed=0)
    value = float(sums.sum() / counts.sum())
    return with_interval(value, shares(again[:, 0], again[:, 1]), len(numbers), bounds)
