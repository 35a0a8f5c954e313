"""Changes of speed and of agreement with others over time.

Least-squares lines through each annotator's screens (the segments of a sentence) in order of time;
for all annotators together, one slope and a level for each annotator (fixed effects: Wooldridge
2010, Econometric Analysis of Cross Section and Panel Data, section 10.5).
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.answer_times import TOO_LONG
from evaluation.stats.annotators.screens import Screens, screens
from evaluation.stats.comparisons import compare_judgements
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements, natural_key
from evaluation.stats.resampling import (
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sums_by,
    with_interval,
)
from evaluation.stats.units import Unit

# Slopes are changes over this number of screens.
STEP: Final = 100
# Fewer screens say too little about a change over STEP screens.
FEWEST_FOR_TREND: Final = 30

TOO_FEW_FOR_TREND: Final = "fewer than 30 sentences have known times and order"


@dataclass(frozen=True)
class Trend:
    """A change per STEP sentences judged, estimated from `screens` screens."""

    change: Estimate
    screens: int


@dataclass(frozen=True)
class AnnotatorDrift:
    """The trends of an annotator, or of all annotators (`annotator` is "").

    `seconds`: relative change of the seconds per segment (-0.1 is 10 % faster per STEP sentences),
    from a line through their logarithm. `agreement`: change of the share of pairs of candidates on
    which the annotator agrees with others who judged the same segment (inter).
    """

    annotator: str
    seconds: Trend
    agreement: Trend


@dataclass(frozen=True)
class Drift:
    """All annotators together, and each with a sentence, in order of names."""

    together: AnnotatorDrift
    annotators: tuple[AnnotatorDrift, ...]
    signature: str


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of the lines, M elements: x in STEPs, y, weight, annotator, sentence and unit."""

    x: Floats
    y: Floats
    weights: Floats
    owners: NDArray[np.int32]
    sentences: NDArray[np.int32]
    units: NDArray[np.int32]

    def of(self, owner: int) -> "_Points":
        begin, end = np.searchsorted(self.owners, [owner, owner + 1])
        return _Points(*(column[begin:end] for column in vars(self).values()))


def drift(judgements: Judgements, *, resamples: int = 1000, seed: int = 0) -> Drift:
    """Fit the lines, with intervals from resampled sentences, or other units of the judgements.

    Times of 600 s or more, and screens at an unknown time, are left out.
    """
    seen = screens(judgements)
    speed, agreement = _speed(judgements, seen), _agreement_points(judgements, seen)

    def row(name: str, times: _Points, agreeing: _Points) -> AnnotatorDrift:
        seconds, agreement = (
            _trend(points, judgements.unit, resamples, seed) for points in (times, agreeing)
        )
        return AnnotatorDrift(name, _relative(seconds), agreement)

    rows = [
        row(judgements.annotator_names[code], speed.of(code), agreement.of(code))
        for code in np.unique(seen.annotators).tolist()
    ]
    return Drift(
        together=row("", speed, agreement),
        annotators=tuple(sorted(rows, key=lambda each: natural_key(each.annotator))),
        signature=judgements.sign(
            "drift",
            f"per {STEP} sentences",
            f"times of {TOO_LONG:.0f} s or more left out",
            f"{resamples} resamples of {judgements.unit}",
            f"seed {seed}",
        ),
    )


def _speed(judgements: Judgements, seen: Screens) -> _Points:
    """Return the mean logarithm of the seconds per segment by screen, with equal weights."""
    seconds = judgements.seconds
    rows = np.flatnonzero((seconds > 0) & (seconds < TOO_LONG))
    segments = seen.sums(rows, np.ones(len(rows)))
    defined = segments > 0
    means = seen.sums(rows, np.log(seconds[rows]))[defined] / segments[defined]
    return _points(judgements, seen.select(defined), means, np.ones(len(means)))


def _agreement_points(judgements: Judgements, seen: Screens) -> _Points:
    """Return the share of pairs that agree with others by screen, weighted by their number."""
    pairs = compare_judgements(judgements)
    pairs = pairs.select(~pairs.by_one)
    agree, compared = (
        seen.sums(pairs.rows, counts) + seen.sums(pairs.other_rows, counts)
        for counts in (pairs.agree, pairs.compared)
    )
    defined = compared > 0
    shares_agreeing = agree[defined] / compared[defined]
    return _points(judgements, seen.select(defined), shares_agreeing, compared[defined])


def _points(judgements: Judgements, seen: Screens, y: Floats, weights: Floats) -> _Points:
    units = judgements.sentence_units[seen.sentences]
    return _Points(seen.places / STEP, y, weights, seen.annotators, seen.sentences, units)


def _trend(points: _Points, unit: Unit, resamples: int, seed: int) -> Trend:
    """Estimate the slope; resamples use the annotators' means of all data."""
    codes, units = number_sentences(points.units)
    _, sentences = number_sentences(points.sentences)
    x, y = _centred(points.x, points), _centred(points.y, points)
    products = (points.weights * x * y, points.weights * x * x)
    sums = np.column_stack([sums_by(codes, each, units) for each in products])
    (slope,) = _slopes(sums.sum(axis=0, keepdims=True))
    if sentences < FEWEST_FOR_TREND or np.isnan(slope):
        return Trend(Estimate(None, undefined=TOO_FEW_FOR_TREND), len(points.x))
    again = _slopes(resampled_sums(sums, resamples=resamples, seed=seed))
    return Trend(with_interval(float(slope), again, units, unit=unit), len(points.x))


def _centred(values: Floats, points: _Points) -> Floats:
    """Return the values minus their annotator's weighted mean."""
    people = int(points.owners.max(initial=-1)) + 1
    weights = sums_by(points.owners, points.weights, people)
    means = shares(sums_by(points.owners, points.weights * values, people), weights)
    return np.asarray(values - means[points.owners])


def _slopes(sums: Floats) -> Floats:
    """Return T slopes from sums of w·x·y and w·x² (T × 2); NaN if x does not vary."""
    return shares(sums[:, 0], sums[:, 1])


def _relative(trend: Trend) -> Trend:
    """Convert a change of logarithms to a relative change."""
    change = trend.change
    if change.value is None:
        return trend
    value, low, high = (
        None if each is None else float(np.expm1(each))
        for each in (change.value, change.low, change.high)
    )
    return Trend(replace(change, value=value, low=low, high=high), trend.screens)
