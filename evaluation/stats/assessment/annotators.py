"""Control items in direct assessment: which annotators notice degraded outputs, and who is hasty.

An annotator passes if they score degraded outputs lower than the same outputs undamaged: a paired
t test, one-sided, over all batches of the annotator (Graham et al. 2017; WMT accepts p ≤ 0.05).
Their repeats are tested two-sided: a careful annotator gives no other scores the second time. The
flags are reasons to look closer, which WMT's organisers use before they pay.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.assessment.items import Assessments, ItemType
from evaluation.stats.estimates import sign
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import Floats, sums_by

LEVEL: Final = 0.05
# Batches of 100 items that took less time were not read; other batches are compared at their speed.
LEAST_SECONDS: Final = 300.0
ITEMS: Final = 100
# More equal scores in a row are no coincidence.
LONGEST_RUN: Final = 8
# References are perfect translations, or nearly so.
LEAST_OF_REFERENCES: Final = 90.0
# Standardised scores of equal raw ones differ by less.
ROUNDING: Final = 1e-9


class Flag(Enum):
    """A reason to look closer at an annotator's work."""

    DEGRADED = "degraded"
    REFERENCES = "references"
    LOW_REFERENCES = "low references"
    HASTY = "hasty"
    CONSTANT = "constant"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS: Final = {
    Flag.DEGRADED: "degraded outputs have no lower mean than outputs",
    Flag.REFERENCES: "references have no higher mean than outputs",
    Flag.LOW_REFERENCES: f"the mean of references is below {LEAST_OF_REFERENCES:.0f}",
    Flag.HASTY: f"a batch took less than {LEAST_SECONDS:.0f} seconds for {ITEMS} items",
    Flag.CONSTANT: f"more than {LONGEST_RUN} equal scores in a row",
}


class NoTest(Enum):
    """Why a test of an annotator is undefined."""

    NO_ITEMS = "the annotator assessed no such control item"
    ONE_ITEM = "the annotator assessed only one such control item"
    CONSTANT = "all differences are equal"


@dataclass(frozen=True)
class PairedTest:
    """Control items less their originals, over `pairs` of both; None where undefined.

    `difference` is the mean difference, `distance` the mean of its absolute value. `p` of Student's
    t is undefined for the reason in `undefined`.
    """

    pairs: int
    difference: float | None
    distance: float | None
    t: float | None
    p: float | None
    undefined: str


@dataclass(frozen=True)
class AnnotatorCheck:
    """What control items, times and runs of equal scores say of an annotator.

    Means are of all items of a kind, None if there is none, and also if the scores are
    standardised. `fastest_batch` are seconds, None if unknown. `unmatched` control items have no
    original in their batch.
    """

    annotator: str
    assessments: int
    batches: int
    mean_of_outputs: float | None
    mean_of_references: float | None
    mean_of_degraded: float | None
    degraded: PairedTest
    repeats: PairedTest
    fastest_batch: float | None
    longest_run: int
    unmatched: int
    flags: tuple[Flag, ...]

    @property
    def passed(self) -> bool:
        """Whether degraded outputs are scored significantly lower; False if that is undefined."""
        return self.degraded.p is not None and self.degraded.p <= LEVEL


@dataclass(frozen=True)
class AnnotatorChecks:
    """All annotators with an assessment, in order of names."""

    annotators: tuple[AnnotatorCheck, ...]
    signature: str

    @property
    def has_degraded(self) -> bool:
        """Whether any annotator assessed a degraded output with its original."""
        return any(row.degraded.pairs for row in self.annotators)

    @property
    def passed(self) -> tuple[str, ...]:
        """The names of the annotators who pass; all if none assessed a degraded output."""
        return tuple(
            row.annotator for row in self.annotators if row.passed or not self.has_degraded
        )


def check_annotators(assessments: Assessments) -> AnnotatorChecks:
    """Test each annotator over all batches of all language pairs.

    Standardised scores give the same tests if there is one language pair, but no means.
    """
    people = len(assessments.annotator_names)
    owners = assessments.annotators
    originals = assessments.originals()
    degraded = _paired_tests(assessments, originals, ItemType.DEGRADED, two_sided=False)
    repeats = _paired_tests(assessments, originals, ItemType.REPEAT, two_sided=True)
    outputs, references, worse = (
        _means(assessments, kind)
        for kind in (ItemType.OUTPUT, ItemType.REFERENCE, ItemType.DEGRADED)
    )
    counts = np.bincount(owners, minlength=people)
    unmatched = np.bincount(owners[originals < 0], minlength=people)
    batches, first, items = np.unique(assessments.batches, return_index=True, return_counts=True)
    batch_owners = owners[first]
    batch_counts = np.bincount(batch_owners, minlength=people)
    fastest = np.full(people, np.nan)
    np.fmin.at(fastest, batch_owners, assessments.batch_seconds[batches])
    pace = np.full(people, np.nan)
    np.fmin.at(pace, batch_owners, assessments.batch_seconds[batches] * ITEMS / items)
    runs = longest_runs(assessments)
    with np.errstate(invalid="ignore"):
        raised = {
            Flag.DEGRADED: worse >= outputs,
            Flag.REFERENCES: outputs >= references,
            Flag.LOW_REFERENCES: (references < LEAST_OF_REFERENCES) & ~assessments.standardised,
            Flag.HASTY: pace < LEAST_SECONDS,
            Flag.CONSTANT: runs > LONGEST_RUN,
        }
    shown = np.nan if assessments.standardised else 1.0
    rows = [
        AnnotatorCheck(
            annotator=assessments.annotator_names[code],
            assessments=int(counts[code]),
            batches=int(batch_counts[code]),
            mean_of_outputs=_defined(outputs[code] * shown),
            mean_of_references=_defined(references[code] * shown),
            mean_of_degraded=_defined(worse[code] * shown),
            degraded=degraded[code],
            repeats=repeats[code],
            fastest_batch=_defined(fastest[code]),
            longest_run=int(runs[code]),
            unmatched=int(unmatched[code]),
            flags=tuple(flag for flag, who in raised.items() if who[code]),
        )
        for code in np.flatnonzero(counts).tolist()
    ]
    return AnnotatorChecks(
        tuple(sorted(rows, key=lambda row: natural_key(row.annotator))),
        sign(
            "paired t test of control items",
            ("degraded below original, one-sided", "repeats two-sided", f"p ≤ {LEVEL:g} passes"),
            len(assessments),
            len(np.unique(assessments.segments)),
        ),
    )


def _paired_tests(
    assessments: Assessments, originals: NDArray[np.intp], kind: ItemType, *, two_sided: bool
) -> list[PairedTest]:
    """Return a test for each annotator of control items less originals."""
    from scipy.special import stdtr

    rows = np.flatnonzero(assessments.of(kind) & (originals >= 0))
    owners, people = assessments.annotators[rows], len(assessments.annotator_names)
    differences = assessments.scores[rows] - assessments.scores[originals[rows]]
    pairs = np.bincount(owners, minlength=people)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums_by(owners, differences, people) / pairs
        distances = sums_by(owners, np.abs(differences), people) / pairs
        squares = sums_by(owners, (differences - means[owners]) ** 2, people)
        errors = np.sqrt(squares / (pairs - 1) / pairs)
        constant = _spread(differences, owners, people) < ROUNDING
        t = np.where(constant | (pairs < 2), np.nan, means / errors)
        p = stdtr(pairs - 1, -np.abs(t)) * 2 if two_sided else stdtr(pairs - 1, t)
    return [
        PairedTest(
            pairs=int(count),
            difference=_defined(mean),
            distance=_defined(distance),
            t=_defined(value),
            p=_defined(probability),
            undefined="" if not np.isnan(value) else _why_no_test(int(count)).value,
        )
        for count, mean, distance, value, probability in zip(
            pairs, means, distances, t, p, strict=True
        )
    ]


def _why_no_test(pairs: int) -> NoTest:
    return (NoTest.NO_ITEMS, NoTest.ONE_ITEM)[pairs] if pairs < 2 else NoTest.CONSTANT


def _spread(values: Floats, owners: NDArray[np.int32], people: int) -> Floats:
    """Return the greatest value of each owner less the least; -inf without a value."""
    least, greatest = np.full(people, np.inf), np.full(people, -np.inf)
    np.minimum.at(least, owners, values)
    np.maximum.at(greatest, owners, values)
    return np.asarray(greatest - least)


def _means(assessments: Assessments, kind: ItemType) -> Floats:
    """Return the mean score of each annotator for items of a kind; NaN if there is none."""
    rows = assessments.of(kind)
    owners, people = assessments.annotators[rows], len(assessments.annotator_names)
    counts = np.bincount(owners, minlength=people)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums_by(owners, assessments.scores[rows], people) / counts)


def longest_runs(assessments: Assessments) -> NDArray[np.int64]:
    """Return for each annotator the most equal scores in a row within a batch."""
    order = np.lexsort((assessments.order, assessments.batches))
    batches, scores = assessments.batches[order], assessments.scores[order]
    longest = np.zeros(len(assessments.annotator_names), dtype=np.int64)
    if len(order):
        starts = np.flatnonzero(
            np.concatenate([[True], (np.diff(batches) != 0) | (np.diff(scores) != 0)])
        )
        lengths = np.diff(np.append(starts, len(order)))
        np.maximum.at(longest, assessments.annotators[order][starts], lengths)
    return longest


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
