"""Systems by the mean grade of their candidates on a scale, and tests of the differences.

The caller says which grades the steps are, from the best one, in equal distances. The ranking
has rank ranges and clusters as those by wins. A pair of systems is tested on the judgements that
graded a candidate of both, by the difference of the two grades: what a sentence or an annotator
adds to both does not matter.
Source: the sign-flip test, as in `significance`; averaging grades as at WMT 2007 (Callison-Burch et
al. 2007, section 4).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Codes, Judgements
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.ranking.scale_answers import (
    NO_INFLUENCE,
    ScaleAnswers,
    count_answers,
    grades_in_words,
)
from evaluation.stats.ranking.significance import LEAST_P, NoDifference, holm, sign_flips
from evaluation.stats.ranking.systems import (
    EstimatedRanking,
    boundaries_of,
    probabilities_of_first,
    rank_ranges,
    ranked_systems,
    repeats_rule,
)
from evaluation.stats.resampling import (
    FEWEST_SENTENCES,
    UNBOUNDED,
    Floats,
    number_sentences,
    resampled_sums,
    reweighted_sums,
    shares,
    sum_rows,
    with_interval,
)
from evaluation.stats.score_means import SystemScores
from evaluation.stats.two_way import two_way
from evaluation.stats.wins import CellWins, count_cells

METHOD: Final = "mean_grade"


@dataclass(frozen=True)
class GradePair:
    """The mean difference of the grades of `system` and `other` in `compared` judgements.

    `p` is exact for other sentences, `wide_p` for other annotators too, both also corrected for all
    pairs (Holm). They are None, and the difference says why, if no judgement has both systems;
    `wide_p` also where annotators cannot be taken for a sample.
    """

    system: str
    other: str
    compared: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    wide_p: float | None
    wide_p_holm: float | None


@dataclass(frozen=True)
class GradeDifferences:
    """All pairs of systems; `only_sentences` says why no test is for other annotators too."""

    pairs: tuple[GradePair, ...]
    only_sentences: str
    signature: str


def grades_of_systems(judgements: Judgements, grades: Sequence[float]) -> SystemScores:
    """Return the grades of systems; each answer counts alike, several of a judgement too."""
    layers = np.concatenate([judgements.system_ranks[:, :, None], judgements.more_ranks], axis=2)
    rows, systems, places = np.nonzero(layers)
    return SystemScores(
        np.array(grades, np.float64)[layers[rows, systems, places] - 1],
        systems=systems.astype(np.int32),
        segments=np.arange(len(rows), dtype=np.int32),
        annotators=judgements.annotators[rows],
        units=judgements.units[rows],
        names=len(judgements.system_names),
        unit=judgements.unit,
        bounds=(grades[-1], grades[0]),
        method=METHOD,
        words=("mean grade", grades_in_words(grades)),
    )


def rank_by_mean_grade(
    judgements: Judgements,
    answers: ScaleAnswers,
    grades: Sequence[float],
    *,
    resamples: int = 1000,
    seed: int = 0,
    cells: CellWins | None = None,
    texts: SameTexts | None = None,
) -> EstimatedRanking:
    """Rank the systems by the grades in `answers`, which are those of the same judgements.

    Rank ranges come from the same kind of draws as those of `rank_all`. `cells` are
    `count_cells(judgements)`, and `texts` `count_same_texts(judgements)`, if counted already.
    """
    total = (cells or count_cells(judgements)).by_sentence.total()
    counted, units, annotators = count_answers(judgements, len(grades))
    names, systems = judgements.system_names, len(judgements.system_names)
    sums, counts = counted @ np.array(grades, np.float64), counted.sum(axis=2)
    values = shares(sums.sum(axis=0), counts.sum(axis=0))
    influence = (sums - np.nan_to_num(values) * counts) / np.maximum(1, counts.sum(axis=0))
    both = two_way(influence, units, annotators, counts.sum(axis=1))
    codes, unit_count = number_sentences(units)
    by_unit = sum_rows(codes, np.hstack([sums, counts]), unit_count)

    def means(of_units: Floats) -> Floats:
        return shares(of_units[:, :systems], of_units[:, systems:])

    again = means(resampled_sums(by_unit, resamples=resamples, seed=seed))
    weighed = means(reweighted_sums(by_unit, draws=resamples, seed=seed))
    if both.both is not None:
        again = both.draws(values, resamples, seed)
    behind = np.count_nonzero(by_unit[:, systems:], axis=0)
    uncertain = np.isnan(values) | (behind < FEWEST_SENTENCES)
    again[:, uncertain] = weighed[:, uncertain] = np.nan
    by_name = {row.system: row for row in answers.systems}
    rows = ranked_systems(
        names,
        total,
        texts or count_same_texts(judgements),
        [by_name[name].grade for name in names],
        np.array([by_name[name].sentences for name in names]),
        rank_ranges(again),
        probabilities_of_first(weighed),
    )
    unit = judgements.unit
    return EstimatedRanking(
        method=METHOD,
        systems=rows,
        only_sentences=both.undefined,
        boundaries=boundaries_of(names, rows, again),
        signature=judgements.sign(
            "mean grade",
            grades_in_words(grades),
            repeats_rule(judgements),
            f"{resamples} resamples of {unit}",
            f"ranks over {unit.plural}{'' if both.undefined else ' and annotators'}",
            f"seed {seed}",
        ),
    )


def compare_grades(
    judgements: Judgements, grades: Sequence[float], *, resamples: int = 1000, seed: int = 0
) -> GradeDifferences:
    """Test each pair of systems, two-sided, with intervals of the mean difference of grades."""
    names = judgements.system_names
    width, range_ = grades[0] - grades[1], grades[0] - grades[-1]
    pairs = list(combinations(range(len(names)), 2))
    sums, counts, units, annotators = _count_differences(judgements, pairs)
    total = counts.sum(axis=0)
    # Differences are counted in steps, so that they are whole numbers.
    values = shares(sums.sum(axis=0), total) * width
    influence = (sums * width - np.nan_to_num(values) * counts) / np.maximum(1, total)
    both = two_way(influence, units, annotators, counts.sum(axis=1))
    codes, unit_count = number_sentences(units)
    by_unit = sum_rows(codes, np.hstack([sums, counts]), unit_count)
    resampled = resampled_sums(by_unit, resamples=resamples, seed=seed)
    again = shares(resampled[:, : len(pairs)], resampled[:, len(pairs) :]) * width
    behind = np.count_nonzero(by_unit[:, len(pairs) :], axis=0)
    raw = np.where(total > 0, sign_flips(by_unit[:, : len(pairs)]), np.nan)
    of_means = both.p_values(values)
    # Where all cells agree, the error is 0 and the sentences alone decide.
    wide = np.full_like(raw, np.nan) if of_means is None else np.fmax(raw, of_means)
    most = np.abs(influence).max(axis=0, initial=0.0) * total

    def estimate(pair: int) -> Estimate:
        if np.isnan(values[pair]):
            return Estimate(None, undefined=NoDifference.NEVER_TOGETHER.value)
        # Where all differences are equal, they say nothing of other sentences or annotators.
        bounds = UNBOUNDED if most[pair] < NO_INFLUENCE else (-range_, range_)
        narrow = with_interval(
            float(values[pair]), again[:, pair], int(behind[pair]), bounds, judgements.unit
        )
        return both.widen(narrow, pair, bounds)

    tests = [raw, holm(raw), wide, holm(wide)]
    return GradeDifferences(
        pairs=tuple(
            GradePair(
                names[x], names[y], int(total[pair]), estimate(pair), *(_p(p[pair]) for p in tests)
            )
            for pair, (x, y) in enumerate(pairs)
        ),
        only_sentences=both.undefined,
        signature=judgements.sign(
            f"differences of grades, sign flips of {judgements.unit}",
            "two-sided",
            f"exact to {LEAST_P:g}",
            f"Holm over {int(np.count_nonzero(total))} pairs",
            f"95 % intervals of {resamples} resamples",
            f"seed {seed}",
        ),
    )


def _count_differences(
    judgements: Judgements, pairs: list[tuple[int, int]]
) -> tuple[Floats, Floats, Codes, Codes]:
    """Return sums of differences and judgements (cells × pairs), and each cell's unit and person.

    A cell has the judgements of one annotator in one sampled unit. Differences are in steps,
    positive if the first system of the pair has the better grade; a system with several candidates
    in a judgement has the mean of their grades.
    """
    people = len(judgements.annotator_names) + 1
    keys = judgements.units * np.int64(people) + (judgements.annotators - UNIDENTIFIED)
    cells, codes = np.unique(keys, return_inverse=True)
    sums, counts = np.zeros((2, len(cells), len(pairs)))
    layers = np.concatenate([judgements.system_ranks[:, :, None], judgements.more_ranks], axis=2)
    steps = shares(layers.sum(axis=2, dtype=np.float64), (layers != MISSING).sum(axis=2))
    for pair, (x, y) in enumerate(pairs):
        together = ~np.isnan(steps[:, x]) & ~np.isnan(steps[:, y])
        difference = steps[together, y] - steps[together, x]
        sums[:, pair] = np.bincount(codes[together], difference, minlength=len(cells))
        counts[:, pair] = np.bincount(codes[together], minlength=len(cells))
    return (
        sums,
        counts,
        (cells // people).astype(np.int32),
        (cells % people + UNIDENTIFIED).astype(np.int32),
    )


def _p(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
