"""What a campaign may conclude before it is judged: intervals, and differences that it would find.

The planned sheets are drawn as the product assigns them. Each estimate is linear in the scores, so
its variance follows from variance components (`variance_components`) for any design.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import numpy as np

from annotation.preparation.sheet_design import Meetings, divide_systems
from evaluation.stats.document_model import DocumentModel
from evaluation.stats.judgements import number_cells
from evaluation.stats.resampling import Floats, sum_rows
from evaluation.stats.score_means import SystemScores
from evaluation.stats.two_way import FEWEST_ANNOTATORS, t_quantile
from evaluation.stats.variance_components import EFFECTS, Components, codes_of

ALPHA: Final = 0.05
POWER: Final = 0.8
APART: Final = "the systems have too few documents in common"


@dataclass(frozen=True)
class Campaign:
    """Documents with so many lines each, and how they are shared out.

    Each sheet shows `beside` systems' translations of one document and is judged by `judges`
    different annotators. Of each document `of_document` systems are judged.
    """

    lengths: tuple[int, ...]
    systems: int
    annotators: int
    judges: int = 1
    beside: int = 1
    of_document: int = 0

    @property
    def judged_of_document(self) -> int:
        return min(self.of_document or self.systems, self.systems)

    @property
    def texts(self) -> int:
        """How many translations of lines annotators judge, each judge by themselves."""
        return sum(self.lengths) * self.judged_of_document * self.judges


@dataclass(frozen=True)
class DifferenceTest:
    """A two-sided test of the difference of two systems, by Student's t."""

    error: float
    degrees: int

    def power(self, difference: float, tests: int) -> float:
        """Return the probability that it finds a true difference, as one of so many tests."""
        from scipy.special import stdtrit
        from scipy.stats import nct

        if self.error == 0:
            return float(difference > 0)
        critical = float(stdtrit(self.degrees, 1 - ALPHA / tests / 2))
        shift = abs(difference) / self.error
        # Where it cannot be computed, the other tail is far below all figures.
        other = np.nan_to_num(nct.cdf(-critical, self.degrees, shift))
        return float(nct.sf(critical, self.degrees, shift) + other)

    def found(self, tests: int) -> float:
        """Return the true difference that it finds with the probability POWER."""
        from scipy.optimize import brentq
        from scipy.special import stdtrit

        if self.error == 0:
            return 0.0
        critical = float(stdtrit(self.degrees, 1 - ALPHA / tests / 2))
        most = (critical + float(stdtrit(self.degrees, POWER))) * self.error
        while self.power(most, tests) < POWER:
            most *= 2
        return float(brentq(lambda difference: self.power(difference, tests) - POWER, 0, most))


@dataclass(frozen=True)
class Precision:
    """Half the widths of 95 % intervals to be expected, and differences that would be found.

    `mean` is of a system's mean and `difference` of two systems' difference, for other documents;
    the wide ones are for other annotators too, None with too few annotators. `found` is the
    difference of two systems that is found with a probability of POWER, `found_of_all` that with
    the correction for all pairs. A difference is found if all of `tests_of` find it: those for
    other documents, and for other annotators too, if these are known to differ.
    """

    mean: float
    difference: float
    wide_mean: float | None
    wide_difference: float | None
    found: float
    found_of_all: float
    tests_of: tuple[DifferenceTest, ...]

    def power(self, difference: float, *, tests: int = 1) -> float:
        """Return the probability that a true difference is found by a two-sided test."""
        return min(each.power(difference, tests) for each in self.tests_of)


def planned_scores(campaign: Campaign, seed: int = 0) -> SystemScores:
    """Return the scores that annotators will give, all 0: which system, line, document and who.

    A document's sheets go to the annotators with the fewest lines so far.
    """
    random = Random(seed)  # noqa: S311
    work = [0] * campaign.annotators
    met: Meetings = Meetings()
    names = [str(system).zfill(4) for system in range(campaign.systems)]
    used = [0] * campaign.systems
    rows: list[tuple[int, int, int, int]] = []
    line = 0
    for document, length in enumerate(campaign.lengths):
        chosen = sorted(range(campaign.systems), key=lambda one: (used[one], random.random()))
        chosen = chosen[: campaign.judged_of_document]
        for system in chosen:
            used[system] += 1
        for group in divide_systems([names[one] for one in chosen], campaign.beside, met, random):
            people = sorted(
                range(campaign.annotators), key=lambda one: (work[one], random.random())
            )[: campaign.judges]
            for person in people:
                work[person] += length * len(group)
                rows += [
                    (int(name), line + place, person, document)
                    for name in group
                    for place in range(length)
                ]
        line += length
    systems, lines, annotators, documents = np.array(rows, dtype=np.int32).reshape(-1, 4).T
    return SystemScores(
        np.zeros(len(rows)), systems, lines, annotators, documents, campaign.systems
    )


def expected_precision(campaign: Campaign, components: Components, seed: int = 0) -> Precision:
    """Return what a campaign would show if scores vary as the components say.

    Means over systems, and over pairs of systems. Raises ValueError for less than two documents or
    systems, more judges than annotators, and systems with too few documents in common.
    """
    if len(campaign.lengths) < 2 or campaign.systems < 2:
        raise ValueError("a plan has at least two documents and two systems")
    if campaign.judges > campaign.annotators:
        raise ValueError("a plan has at least as many annotators as judges of a document")
    scores = planned_scores(campaign, seed)
    model = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
    if any(model.undefined):
        raise ValueError(APART)
    # As in reports, strict annotators are taken away where the design tells them from systems.
    larger = replace(model, effects=(scores.annotators,))
    if larger.undefined == model.undefined:
        model = larger
    over_documents = _covariance(scores, model.map, components, within_documents=True)
    over_both = _covariance(scores, model.map, components)
    documents, people = len(campaign.lengths), len(np.unique(scores.annotators))
    knows_annotators = people >= FEWEST_ANNOTATORS and components.variances["annotator"] is not None
    mean, difference = _errors(over_documents)
    tests = [DifferenceTest(difference, documents - 1)]
    narrow = t_quantile(documents - 1)
    wide_halves: list[float | None] = [None, None]
    if knows_annotators:
        errors = _errors(over_both)
        wide = t_quantile(people - 1)
        tests.append(DifferenceTest(max(errors[1], difference), people - 1))
        wide_halves = [
            max(narrow * own, wide * max(both, own))
            for both, own in zip(errors, (mean, difference), strict=True)
        ]
    pairs = campaign.systems * (campaign.systems - 1) // 2
    return Precision(
        mean=narrow * mean,
        difference=narrow * difference,
        wide_mean=wide_halves[0],
        wide_difference=wide_halves[1],
        found=max(each.found(1) for each in tests),
        found_of_all=max(each.found(pairs) for each in tests),
        tests_of=tuple(tests),
    )


def affordable(campaign: Campaign, texts: float, lengths: Sequence[int], seed: int = 0) -> Campaign:
    """Return the campaign with as many documents as so many judged texts allow, at least two.

    Documents are sampled from those with the given lengths: without replacement as far as they go.
    """
    random = Random(seed)  # noqa: S311
    each = campaign.judged_of_document * campaign.judges
    chosen: list[int] = []
    pool: list[int] = []
    while True:
        if not pool:
            pool = random.sample(list(lengths), len(lengths))
        if len(chosen) >= 2 and (sum(chosen) + pool[-1] / 2) * each > texts:
            return replace(campaign, lengths=tuple(chosen))
        chosen.append(pool.pop())


def _covariance(
    scores: SystemScores,
    of_scores: Floats,
    components: Components,
    *,
    within_documents: bool = False,
) -> Floats:
    """Return the covariances (K × K) of estimates to which each score adds `of_scores` (N × K).

    `within_documents` takes effects of one annotator for others in each document, as intervals for
    other documents do.
    """
    total = np.zeros((scores.names, scores.names))
    for effect in EFFECTS:
        if not components[effect]:
            continue
        codes = codes_of(effect, scores)
        if within_documents:
            _, codes = np.unique(codes, return_inverse=True)
            codes = number_cells(scores.units, codes.astype(np.int32)).codes
        known, places = np.unique(codes, return_inverse=True)
        sums = sum_rows(places, of_scores, len(known))
        total += components[effect] * (sums.T @ sums)
    return total


def _errors(covariance: Floats) -> tuple[float, float]:
    """Return the mean standard errors of estimates, and of differences of two."""
    variances = np.diagonal(covariance)
    rows, columns = np.triu_indices(len(covariance), 1)
    differences = variances[rows] + variances[columns] - 2 * covariance[rows, columns]
    return (
        float(np.sqrt(np.maximum(variances, 0)).mean()),
        float(np.sqrt(np.maximum(differences, 0)).mean()),
    )
