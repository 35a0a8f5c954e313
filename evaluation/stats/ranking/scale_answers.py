"""Answers on a scale, read absolutely: how often candidates of each system got each step.

A candidate counts for each system that produced it, in each judgement: systems are weighted by
production (Zaidan & Callison-Burch 2009, "Feasibility of Human-in-the-loop Minimum Error Rate
Training"). Grades are means of steps, as at WMT 2007 (Callison-Burch et al. 2007, "(Meta-)
Evaluation of Machine Translation", section 4).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, Judgements, natural_key
from evaluation.stats.ranking.systems import TIE_DECIMALS, repeats_rule
from evaluation.stats.ratios import ratios_of_cells
from evaluation.stats.resampling import SHARE, Floats

NOT_JUDGED: Final = "no candidate of the system was judged"
ONLY_MIDDLE: Final = "all answers are the middle step of the scale"


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

    def split(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return numerators and denominators (… × SF) of the answers about S systems (… × Sk)."""
        steps, figures = self.parts.shape
        *rows, columns = counts.shape
        by_step = counts.reshape(*rows, columns // steps, steps)
        shape = (*rows, columns // steps * figures)
        return (by_step @ self.parts).reshape(shape), (by_step @ self.wholes).reshape(shape)


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
    counts = count_answers(judgements, steps)
    systems, count = len(judgements.system_names), figures.parts.shape[1]
    total = counts.sum(axis=0)
    ratios = ratios_of_cells(
        counts.reshape(len(counts), systems * steps),
        judgements.cells,
        split=figures.split,
        # Sums of counts are exact, which those of grades need not be.
        totals=figures.split(total.ravel()),
        weights=counts.sum(axis=(1, 2)),
    )
    estimates = ratios.estimates(
        ratios.resampled(resamples=resamples, seed=seed),
        [(grades[-1], grades[0]) if figure == steps else SHARE for figure in range(count)]
        * systems,
        np.repeat(np.where(total.any(axis=1), ONLY_MIDDLE, NOT_JUDGED), count).tolist(),
        judgements.unit,
    )
    rows = [estimates[first : first + count] for first in range(0, len(estimates), count)]
    found = [
        AnsweredSystem(
            system=name,
            sentences=len(np.unique(judgements.sentences[judgements.system_ranks[:, x] > MISSING])),
            counts=tuple(int(answers) for answers in total[x]),
            shares=tuple(of_system[:steps]),
            grade=of_system[steps],
            decided=of_system[steps + 1] if undecided else None,
        )
        for x, (name, of_system) in enumerate(zip(judgements.system_names, rows, strict=True))
    ]
    return ScaleAnswers(
        systems=tuple(sorted(found, key=_best_first)),
        only_sentences=ratios.two_way.undefined,
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


def count_answers(judgements: Judgements, steps: int) -> Floats:
    """Return answers by cell of the judgements, system and step."""
    cells = judgements.cells
    counts = np.zeros((len(cells), len(judgements.system_names), steps))
    for system_ranks in (judgements.system_ranks, *np.moveaxis(judgements.more_ranks, 2, 0)):
        for system, ranks in enumerate(system_ranks.T):
            answered = ranks != MISSING
            places = cells.codes[answered] * steps + ranks[answered] - 1
            found = np.bincount(places, minlength=len(cells) * steps)
            counts[:, system] += found.reshape(-1, steps)
    return counts


def _best_first(row: AnsweredSystem) -> tuple[bool, float, tuple[object, ...]]:
    grade = row.grade.value
    return grade is None, -round(grade or 0.0, TIE_DECIMALS), natural_key(row.system)
