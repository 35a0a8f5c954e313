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
# Effects that differ between annotators: without enough of them, their variances are unknown.
OF_ANNOTATORS: Final = ("annotator", "annotator of the system", "sheet")


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
class Precision:
    """Half the widths of 95 % intervals to be expected, and differences that would be found.

    `mean` is of a system's mean and `difference` of two systems' difference, for other documents;
    the wide ones are for other annotators too, None with too few annotators. `found` is the
    difference of two systems that is found with a probability of POWER, `found_of_all` that with
    the correction for all pairs. Their tests are for other documents and annotators, or for other
    documents only where that is None. `error` is the standard error of these tests.
    """

    mean: float
    difference: float
    wide_mean: float | None
    wide_difference: float | None
    found: float
    found_of_all: float
    error: float
    degrees: int

    def power(self, difference: float, *, tests: int = 1) -> float:
        """Return the probability that a true difference is found by a two-sided test."""
        from scipy.special import stdtrit
        from scipy.stats import nct

        if self.error == 0:
            return float(difference > 0)
        critical = float(stdtrit(self.degrees, 1 - ALPHA / tests / 2))
        shift = abs(difference) / self.error
        return float(
            nct.sf(critical, self.degrees, shift) + nct.cdf(-critical, self.degrees, shift)
        )


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
    systems, and more judges than annotators.
    """
    if len(campaign.lengths) < 2 or campaign.systems < 2:
        raise ValueError("a plan has at least two documents and two systems")
    if campaign.judges > campaign.annotators:
        raise ValueError("a plan has at least as many annotators as judges of a document")
    scores = planned_scores(campaign, seed)
    model = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
    over_documents = _covariance(scores, model.map, components, within_documents=True)
    over_both = _covariance(scores, model.map, components)
    documents = len(campaign.lengths)
    knows_annotators = campaign.annotators >= FEWEST_ANNOTATORS and all(
        components.variances[effect] is not None for effect in OF_ANNOTATORS[:1]
    )
    degrees = campaign.annotators - 1 if knows_annotators else documents - 1
    mean, difference = _errors(over_documents)
    wide_mean, wide_difference = (
        max(wide, narrow)
        for wide, narrow in zip(_errors(over_both), (mean, difference), strict=True)
    )
    narrow, wide = t_quantile(documents - 1), t_quantile(degrees)
    error = wide_difference if knows_annotators else difference
    pairs = campaign.systems * (campaign.systems - 1) // 2
    return Precision(
        mean=narrow * mean,
        difference=narrow * difference,
        wide_mean=max(narrow * mean, wide * wide_mean) if knows_annotators else None,
        wide_difference=max(narrow * difference, wide * wide_difference)
        if knows_annotators
        else None,
        found=_found(error, degrees, 1),
        found_of_all=_found(error, degrees, pairs),
        error=error,
        degrees=degrees,
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


def _found(error: float, degrees: int, tests: int) -> float:
    """Return the difference that is found with the probability POWER."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 1 - ALPHA / tests / 2) + stdtrit(degrees, POWER)) * error
