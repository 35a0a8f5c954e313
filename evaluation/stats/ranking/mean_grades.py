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
from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.ranking.scale_answers import ScaleAnswers, count_answers, grades_in_words
from evaluation.stats.ranking.significance import LEAST_P, NoDifference, holm, sign_flips
from evaluation.stats.ranking.systems import (
    EstimatedRanking,
    boundaries_of,
    probabilities_of_first,
    rank_ranges,
    ranked_systems,
    repeats_rule,
)
from evaluation.stats.ratios import halves, ratios_of_cells
from evaluation.stats.resampling import FEWEST_SENTENCES, UNBOUNDED, Floats, shares
from evaluation.stats.score_means import SystemScores
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
    counts, names = count_answers(judgements, len(grades)), judgements.system_names
    sums = np.hstack([counts @ np.array(grades, np.float64), counts.sum(axis=2)])
    ratios = ratios_of_cells(sums, judgements.cells)
    both, values = ratios.two_way, ratios.values
    if both.both is None:
        again = ratios.resampled(resamples=resamples, seed=seed)
    else:
        again = both.draws(values, resamples, seed)
    weighed = ratios.reweighted(draws=resamples, seed=seed)
    uncertain = np.isnan(values) | (ratios.units < FEWEST_SENTENCES)
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
    # Differences are counted in steps, so that they are whole numbers.
    sums = _count_differences(judgements, pairs)
    ratios = ratios_of_cells(sums, judgements.cells, scale=width)
    steps, counts = halves(ratios.by_unit)
    total = counts.sum(axis=0)
    raw = np.where(total > 0, sign_flips(steps), np.nan)
    of_means = ratios.two_way.p_values(ratios.values)
    # Where all cells agree, the error is 0 and the sentences alone decide.
    wide = np.full_like(raw, np.nan) if of_means is None else np.fmax(raw, of_means)
    estimates = ratios.estimates(
        ratios.resampled(resamples=resamples, seed=seed),
        # Where all differences are equal, they say nothing of other sentences or annotators.
        [UNBOUNDED if equal else (-range_, range_) for equal in ratios.unmoved],
        [NoDifference.NEVER_TOGETHER.value] * len(pairs),
        judgements.unit,
    )
    tests = [raw, holm(raw), wide, holm(wide)]
    return GradeDifferences(
        pairs=tuple(
            GradePair(
                names[x], names[y], int(total[pair]), estimates[pair], *(_p(p[pair]) for p in tests)
            )
            for pair, (x, y) in enumerate(pairs)
        ),
        only_sentences=ratios.two_way.undefined,
        signature=judgements.sign(
            f"differences of grades, sign flips of {judgements.unit}",
            "two-sided",
            f"exact to {LEAST_P:g}",
            f"Holm over {int(np.count_nonzero(total))} pairs",
            f"95 % intervals of {resamples} resamples",
            f"seed {seed}",
        ),
    )


def _count_differences(judgements: Judgements, pairs: list[tuple[int, int]]) -> Floats:
    """Return sums of differences and numbers of judgements (cells × 2 · pairs).

    Differences are in steps, positive if the first system of the pair has the better grade; a
    system with several candidates in a judgement has the mean of their grades.
    """
    codes, count = judgements.cells.codes, len(judgements.cells)
    sums, counts = np.zeros((2, count, len(pairs)))
    layers = np.concatenate([judgements.system_ranks[:, :, None], judgements.more_ranks], axis=2)
    steps = shares(layers.sum(axis=2, dtype=np.float64), (layers != MISSING).sum(axis=2))
    for pair, (x, y) in enumerate(pairs):
        together = ~np.isnan(steps[:, x]) & ~np.isnan(steps[:, y])
        difference = steps[together, y] - steps[together, x]
        sums[:, pair] = np.bincount(codes[together], difference, minlength=count)
        counts[:, pair] = np.bincount(codes[together], minlength=count)
    return np.hstack([sums, counts])


def _p(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
