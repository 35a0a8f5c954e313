"""How many sentences are enough: stability, width of intervals, differences that can be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annotation.formats.rounding import DECIMALS
from evaluation.findings.evidence import Evidence
from evaluation.findings.ranking import SCORES
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.curves import interval_widths, stability
from evaluation.rendering.tables import Column, Count, Interval, Number, Table, Words, WorkTime
from evaluation.rendering.text import Quantity, Text, _
from evaluation.reuse.powered_means import PoweredMeans
from evaluation.reuse.prediction_powered import PoweredRanking
from evaluation.stats.ranking.learning_curve import LearningCurve, Point, learning_curve
from evaluation.stats.ranking.power import measure_power
from evaluation.stats.ranking.significance import Figures

# The curve computes an interval for each of its points.
CURVE_RESAMPLES: Final = 300
# Widths of intervals, relative to the range of scores, for which it says how many sentences they
# take.
WIDTHS: Final = (0.05, 0.03, 0.02)
# Numbers of further sentences for which it says how wide intervals will be.
MORE_SENTENCES: Final = (100, 1000)
# Differences of win rates from 0.5 for which the power says the same.
DIFFERENCES: Final = (0.1, 0.05, 0.02)
MEAN_SCORE: Final = "mean_score"
# Methods by which single translations can be ranked.
OF_SINGLE: Final = (MEAN_SCORE, "mean_points")


@dataclass(frozen=True)
class NeededSentences:
    """How many sentences intervals of this width take; `extrapolated` if more than were judged.

    `seconds` is how long annotators work on the sentences that are still missing, 0 if none are;
    None if their speed is unknown.
    """

    width: float
    sentences: int | None
    extrapolated: bool
    seconds: float | None
    undefined: str


@dataclass(frozen=True)
class ExpectedWidth:
    """The mean width of intervals after `more` sentences, and how long annotators work on them.

    `powered_width` is that of prediction-powered intervals, None if they were not computed.
    """

    more: int
    width: float | None
    powered_width: float | None
    seconds: float | None


@dataclass(frozen=True)
class EnoughSentences:
    """The learning curve, by the score `method`, and what follows from it."""

    method: str
    points: tuple[Point, ...]
    needed: tuple[NeededSentences, ...]
    expected: tuple[ExpectedWidth, ...]
    undefined: str
    signature: str

    @property
    def width_places(self) -> int:
        """Widths are whole points of scores up to 100."""
        return 0 if self.method == MEAN_SCORE else 2


def compute_curve(
    evidence: Evidence, powered: PoweredMeans | PoweredRanking | None
) -> EnoughSentences:
    curve = learning_curve(
        evidence.judgements,
        resamples=min(evidence.options.resamples, CURVE_RESAMPLES),
        seed=evidence.options.seed,
        scored=evidence.scored,
    )
    some, seconds = bool(curve.points), evidence.seconds_per_sentence
    return EnoughSentences(
        method=curve.method,
        points=curve.points,
        needed=tuple(_needed(curve, evidence, share) for share in WIDTHS if some),
        expected=tuple(
            ExpectedWidth(
                more=more,
                width=curve.expected_width(more),
                powered_width=powered.mean_width(more) if powered else None,
                seconds=None if seconds is None else round(more * seconds, 1),
            )
            for more in MORE_SENTENCES
            if some
        ),
        undefined=curve.undefined,
        signature=curve.signature,
    )


def _needed(curve: LearningCurve, evidence: Evidence, share: float) -> NeededSentences:
    width = round(share * curve.range, DECIMALS)
    found, seconds = curve.needed(width), evidence.seconds_per_sentence
    judged = evidence.judgements.sentences_judged
    missing = None if found.sentences is None else max(0, found.sentences - judged)
    return NeededSentences(
        width=width,
        sentences=found.sentences,
        extrapolated=found.extrapolated,
        seconds=None if missing is None or seconds is None else round(missing * seconds, 1),
        undefined=found.undefined,
    )


def curve_tables(found: EnoughSentences) -> list[Table]:
    notes = [_("Score: %(score)s.", score=SCORES[found.method])]
    if found.undefined:
        notes.append(Text("%(why)s.", {"why": Text(found.undefined)}))
    else:
        notes.append(
            _(
                "For each number of sentences, random samples are ranked, drawn with replacement. "
                "τ is 1 if the order of systems is the same as with all sentences, and 0 if the "
                "orders are unrelated; the band covers 95 % of the samples. It stays below 1 "
                "because samples differ."
            )
        )
    return [
        Table.of(
            "learning-curve",
            _(
                "Kendall’s τ between the ranking by fewer sentences and that by all, and the mean "
                "width of its intervals."
            ),
            (
                Column("sentences", _("Sentences judged"), Count()),
                Column("tau", "τ"),
                Column("low high", _("95 % interval"), Interval()),
                Column("width", _("Width of the interval"), Number(found.width_places + 1)),
            ),
            found.points,
            notes=notes,
            details=[found.signature],
        ),
        Table.of(
            "expected-widths",
            _("Intervals to be expected after more sentences"),
            (
                Column("more", _("More sentences"), Count()),
                Column("width", _("Width of the interval"), Number(found.width_places + 1)),
                Column("powered_width", _("With predictions"), may_be_empty=True),
                Column("seconds", _("Work of annotators"), WorkTime()),
            ),
            found.expected,
            details=[found.signature],
        ),
    ]


def curve_figures(found: EnoughSentences) -> list[Figure]:
    return [
        Figure(
            "learning-curve",
            _("Stability of the ranking by number of sentences"),
            "learning-curve",
            lambda look, words: stability(found.points, look, words),
        ),
        Figure(
            "interval-widths",
            _("Width of the score intervals"),
            "learning-curve",
            lambda look, words: interval_widths(found.points, look, words),
        ),
    ]


@dataclass(frozen=True)
class Detectable:
    """Differences of win rates from 0.5 that so many tests would have found with 80 % power.

    That of the median pair and of all; 0.5 if not even that would have been found. None if
    undefined. `needed` has the sentences with which the median pair shows each of DIFFERENCES.
    """

    tests: int
    median: float | None
    least: float | None
    most: float | None
    needed: tuple[int | None, ...]


@dataclass(frozen=True)
class DetectableDifferences:
    """What the test of one pair would have found, and those of all pairs with Holm's correction.

    `detectable` is that of each pair with the correction, systems × systems as in `Significance`;
    None on the diagonal and if undefined.
    """

    one_pair: Detectable
    all_pairs: Detectable
    differences: tuple[float, ...]
    detectable: Figures
    undefined: str
    signature: str


def compute_power(evidence: Evidence) -> DetectableDifferences:
    found = measure_power(evidence.judgements, cells=evidence.cells)
    systems = len(evidence.judgements.system_names)
    differences = np.full((systems, systems), np.nan)
    x, y = np.triu_indices(systems, 1)
    differences[x, y] = differences[y, x] = found.differences(tests=found.tests)

    def detectable(tests: int) -> Detectable:
        row = found.detectable(tests=tests)
        return Detectable(
            tests=tests,
            median=row.median if row else None,
            least=row.least if row else None,
            most=row.most if row else None,
            needed=tuple(found.needed(difference, tests=tests) for difference in DIFFERENCES),
        )

    return DetectableDifferences(
        one_pair=detectable(1),
        all_pairs=detectable(found.tests),
        differences=DIFFERENCES,
        detectable=tuple(
            tuple(None if np.isnan(number) else number for number in row)
            for row in differences.tolist()
        ),
        undefined=found.undefined,
        signature=found.signature,
    )


def power_tables(found: DetectableDifferences) -> list[Table]:
    rows = (
        (_("One pair of systems"), found.one_pair),
        (_("All pairs, corrected (Holm)"), found.all_pairs),
    )

    def needed(place: int) -> Any:
        return lambda row: row[1].needed[place]

    return [
        Table.of(
            "power",
            _("Smallest difference that could have been found"),
            (
                Column("test", _("Test of"), Words(), lambda row: row[0]),
                Column("tests", _("Tests"), Count(), lambda row: row[1].tests),
                Column("median", _("Median pair"), value=lambda row: row[1].median, is_main=True),
                Column(
                    "least most",
                    _("All pairs"),
                    Interval(),
                    lambda row: (row[1].least, row[1].most),
                ),
                *(
                    Column(
                        f"needed_{difference:g}",
                        _("Sentences for %(difference)s", difference=Quantity(difference, 2)),
                        Count(),
                        needed(place),
                    )
                    for place, difference in enumerate(found.differences)
                ),
            ),
            rows,
            notes=power_notes(found),
            details=[found.signature],
        )
    ]


def power_notes(found: DetectableDifferences) -> Sequence[Text]:
    if found.undefined:
        return [
            _(
                "What differences could have been found is not known yet: %(why)s.",
                why=Text(found.undefined),
            )
        ]
    return [
        _(
            "Differences of the win rate of a pair from 0.5 that these judgements would have shown "
            "as significant (p < 0.05) with a probability of 80 %; 0.5 stands for none. A pair "
            "without a star may differ by less than that. The last columns estimate how many "
            "sentences the median pair needs for other differences."
        )
    ]
