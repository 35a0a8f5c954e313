"""Answers on a scale, read absolutely: how often candidates of each system got each step.

A candidate counts for each system that produced it, in each judgement: systems are weighted by
production (Zaidan & Callison-Burch 2009, "Feasibility of Human-in-the-loop Minimum Error Rate
Training"). Grades are means of steps, as at WMT 2007 (Callison-Burch et al. 2007, "(Meta-)
Evaluation of Machine Translation", section 4).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Codes, Judgements, natural_key
from evaluation.stats.ranking.systems import TIE_DECIMALS, repeats_rule
from evaluation.stats.resampling import (
    ALL_EQUAL,
    SHARE,
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sum_rows,
    with_interval,
)
from evaluation.stats.two_way import two_way

NOT_JUDGED: Final = "no candidate of the system was judged"
ONLY_MIDDLE: Final = "all answers are the middle step of the scale"
# Rounding errors of influences, times the number of answers.
NO_INFLUENCE: Final = 1e-9


@dataclass(frozen=True)
class AnsweredSystem:
    """The answers about one system, in `sentences` sentences.

    `counts` and `shares` have an element for each step, from the best. `grade` is the mean of
    the grades of the steps. `decided` is the share of the best step in answers that are
    not undecided; None if all steps decide.
    """

    system: str
    sentences: int
    counts: tuple[int, ...]
    shares: tuple[Estimate, ...]
    grade: Estimate
    decided: Estimate | None


@dataclass(frozen=True)
class ScaleAnswers:
    """Systems by grade, best first; those without answers last.

    `only_sentences` says why there are no intervals for other annotators; "" if there are.
    """

    systems: tuple[AnsweredSystem, ...]
    only_sentences: str
    signature: str


@dataclass(frozen=True, eq=False)
class _Figures:
    """F figures as quotients of sums of answers: `parts` and `wholes` are k × F weights."""

    parts: Floats
    wholes: Floats

    def values(self, counts: Floats) -> Floats:
        """Return the figures (… × F) of counts of answers by step (… × k)."""
        return shares(counts @ self.parts, counts @ self.wholes)


def measure_answers(
    judgements: Judgements,
    grades: Sequence[float],
    *,
    undecided: int | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> ScaleAnswers:
    """Return the answers about each system.

    Ranks are numbers of steps, 1 being the best, and `grades` what they count as; `undecided` is
    the step that says neither, such as "not sure". The resamples are those of `rank_all`. Raises
    ValueError if a rank is no step.
    """
    ranks, steps = judgements.candidate_ranks, len(grades)
    if ranks.max(initial=0) > steps:
        raise ValueError(f"A rank is not a step from 1 to {steps}.")
    figures = _figures(grades, undecided)
    cells, units, annotators = count_answers(judgements, steps)
    systems, count = len(judgements.system_names), figures.parts.shape[1]
    total = cells.sum(axis=0)
    values = figures.values(total)
    wholes = total @ figures.wholes
    influence = cells @ figures.parts - np.nan_to_num(values) * (cells @ figures.wholes)
    influence /= np.where(wholes > 0, wholes, 1)
    both = two_way(
        influence.reshape(len(cells), systems * count), units, annotators, cells.sum(axis=(1, 2))
    )
    known_units, unit_count = number_sentences(units)
    by_unit = sum_rows(known_units, cells.reshape(len(cells), systems * steps), unit_count)
    again = figures.values(
        resampled_sums(by_unit, resamples=resamples, seed=seed).reshape(resamples, systems, steps)
    )
    behind = by_unit.reshape(unit_count, systems, steps) @ figures.wholes > 0
    unit_counts = np.count_nonzero(behind, axis=0)

    def estimate(system: int, figure: int) -> Estimate:
        value = float(values[system, figure])
        if np.isnan(value):
            return Estimate(None, undefined=ONLY_MIDDLE if total[system].any() else NOT_JUDGED)
        bounds = (grades[-1], grades[0]) if figure == steps else SHARE
        narrow = with_interval(
            value,
            again[:, system, figure],
            int(unit_counts[system, figure]),
            bounds,
            judgements.unit,
        )
        most = np.abs(influence[:, system, figure]).max() * wholes[system, figure]
        if narrow.low is not None and most < NO_INFLUENCE:
            # All answers are alike: an error of 0 says nothing of other annotators.
            return replace(narrow, no_wide_interval=both.undefined or ALL_EQUAL)
        return both.widen(narrow, system * count + figure, bounds)

    found = [
        AnsweredSystem(
            system=name,
            sentences=len(np.unique(judgements.sentences[judgements.system_ranks[:, x] > MISSING])),
            counts=tuple(int(answers) for answers in total[x]),
            shares=tuple(estimate(x, step) for step in range(steps)),
            grade=estimate(x, steps),
            decided=estimate(x, steps + 1) if undecided else None,
        )
        for x, name in enumerate(judgements.system_names)
    ]
    return ScaleAnswers(
        systems=tuple(sorted(found, key=_best_first)),
        only_sentences=both.undefined,
        signature=judgements.sign(
            f"answers on a scale of {steps} steps",
            grades_in_words(grades),
            repeats_rule(judgements),
            f"95 % intervals of {resamples} resamples of {judgements.unit}",
            f"seed {seed}",
        ),
    )


def grades_in_words(grades: Sequence[float]) -> str:
    """Return what signatures say of the grades of steps, which are from the best."""
    return f"grades from {grades[0]:g}, the best, to {grades[-1]:g}"


def _figures(grades: Sequence[float], undecided: int | None) -> _Figures:
    """Return the share of each step, the grade, and the best step's share of the decided."""
    steps = len(grades)
    parts, wholes = [*np.eye(steps), np.array(grades, np.float64)], [np.ones(steps)] * (steps + 1)
    if undecided:
        parts.append(parts[0])
        wholes.append(np.where(np.arange(1, steps + 1) == undecided, 0.0, 1.0))
    return _Figures(np.stack(parts, axis=1), np.stack(wholes, axis=1))


def count_answers(judgements: Judgements, steps: int) -> tuple[Floats, Codes, Codes]:
    """Return answers by cell, system and step, and each cell's unit and annotator.

    A cell has the judgements of one annotator in one sampled unit.
    """
    people = len(judgements.annotator_names) + 1
    keys = judgements.units * np.int64(people) + (judgements.annotators - UNIDENTIFIED)
    cells, codes = np.unique(keys, return_inverse=True)
    counts = np.zeros((len(cells), len(judgements.system_names), steps))
    for system_ranks in (judgements.system_ranks, *np.moveaxis(judgements.more_ranks, 2, 0)):
        for system, ranks in enumerate(system_ranks.T):
            answered = ranks != MISSING
            places = codes[answered] * steps + ranks[answered] - 1
            found = np.bincount(places, minlength=len(cells) * steps)
            counts[:, system] += found.reshape(-1, steps)
    return (
        counts,
        (cells // people).astype(np.int32),
        (cells % people + UNIDENTIFIED).astype(np.int32),
    )


def _best_first(row: AnsweredSystem) -> tuple[bool, float, tuple[object, ...]]:
    grade = row.grade.value
    return grade is None, -round(grade or 0.0, TIE_DECIMALS), natural_key(row.system)
