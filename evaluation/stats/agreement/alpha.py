"""Krippendorff's α, nominal and ordinal, of the outcomes of pairs of candidates.

The outcomes are worse, tie and better.

A unit is a pair of candidates of a segment. Its values are the outcomes of different annotators: of
each annotator, the first judgement that compares the two. The order of the two candidates is
arbitrary, so each pair counts in both directions: "better" and "worse" are equally frequent, as in
P(E) of κ.
Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.comparisons import Counts, pairs_of_judgements
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Codes, Judgements
from evaluation.stats.resampling import Bounds, Floats

# α is 1 if all values of each unit are equal; how low it can be depends on the values.
ALPHA: Final[Bounds] = (-float("inf"), 1.0)
# The columns of the counts by sentence.
DISAGREEING, TIED, UNTIED, UNITS, REVERSED = range(5)
COUNTED: Final = 5
# The outcomes of two candidates are worse, tie and better: 0, 1 and 2.
OUTCOMES: Final = 3
TIE: Final = 1

Positions = NDArray[np.intp]


def count_units(judgements: Judgements, sentences: Codes, count: int) -> Floats:
    """Return the S × 5 counts that both α need; `sentences` are codes below `count` = S.

    They are, over units with m ≥ 2 values: the sum of (pairs of unequal values, in either order) /
    (m - 1), the values that are ties, those that are not, the units, and the part of the first that
    is pairs of "worse" and "better".
    """
    rows = _by_annotator(judgements)
    used, segments = np.unique(judgements.segments[rows], return_inverse=True)
    sentence_of = np.zeros(len(used), dtype=np.int32)
    sentence_of[segments] = sentences[rows]
    counts = np.zeros((count, COUNTED))
    for places, outcomes in _values(judgements, rows):
        _add_units(counts, segments[places] * OUTCOMES + outcomes, sentence_of)
    return counts


@dataclass(frozen=True, eq=False)
class PairedValues:
    """The values of units, by pairs of judgements (P elements each) and by judgements (N).

    `compared` is the number of units that both judgements have values of, each weighed by 2 /
    (m - 1) if it has m values: their sum is the number of values. In `reversed` of them the one
    value is "worse" and the other "better"; in `one_tied` one is a tie. `tied` and `untied` are the
    values of each judgement in units with m ≥ 2.
    """

    rows: Positions
    other_rows: Positions
    reversed: Floats
    one_tied: Floats
    compared: Floats
    tied: Counts
    untied: Counts


def pair_values(judgements: Judgements) -> PairedValues:
    """Return the values that α compares, in time proportional to the pairs of judgements."""
    rows, size = _by_annotator(judgements), max(1, len(judgements))
    # Each two judgements of a segment are compared for many units: these are summed at once.
    keys = [np.zeros(0, np.int64)]
    for one, other in pairs_of_judgements(judgements.segments[rows]):
        keys.append(rows[one] * size + rows[other])
    known = np.sort(np.concatenate(keys))
    opposed, one_tied, compared = sums = np.zeros((3, len(known)))
    ties = np.zeros((2, len(judgements)), dtype=np.int32)
    for places, outcomes in _values(judgements, rows):
        of_rows = rows[places]
        segments = judgements.segments[of_rows]
        values = np.bincount(segments)[segments]
        for kind, chosen in enumerate((outcomes == TIE, outcomes != TIE)):
            ties[kind, of_rows[chosen & (values > 1)]] += 1
        for one, other in pairs_of_judgements(segments):
            # Of one unit, each pair of judgements is here once.
            where = np.searchsorted(known, of_rows[one] * size + of_rows[other])
            weights = 2 / (values[one] - 1)
            distances = np.abs(outcomes[one] - outcomes[other])
            opposed[where] += weights * (distances == 2)
            one_tied[where] += weights * (distances == 1)
            compared[where] += weights
    some = compared > 0
    return PairedValues(known[some] // size, known[some] % size, *sums[:, some], *ties)


def _values(
    judgements: Judgements, rows: Positions
) -> Iterator[tuple[Positions, NDArray[np.signedinteger]]]:
    """Yield, for each two columns of candidates, the places in `rows` of values, and the values.

    Of each annotator and segment, the value is that of the first judgement that compares the two.
    """
    segments, who = judgements.segments[rows], judgements.annotators[rows]
    coders = np.cumsum(_first_of_each(segments) | _first_of_each(who), dtype=np.intp)
    ranks = np.asfortranarray(judgements.candidate_ranks[rows])
    for left, right in combinations(ranks.T, 2):
        both = np.flatnonzero((left != MISSING) & (right != MISSING))
        places = both[_first_of_each(coders[both])]
        yield places, np.sign(left[places] - right[places]) + TIE


def alpha(sums: Floats) -> Floats:
    """Return α = 1 - D_o / D_e for sums over sentences (T × 5); NaN if undefined."""
    return _alpha(sums, one_tied=1.0)


def ordinal_alpha(sums: Floats) -> Floats:
    """Return α with the ordinal difference of values, for sums over sentences; NaN if undefined.

    The square of that difference is (n_c / 2 + n_k / 2 + the number of values between c and k)².
    "Better" and "worse" are equally frequent, so it is four times as large between these two as
    between one of them and a tie.
    """
    return _alpha(sums, one_tied=0.25)


def _alpha(sums: Floats, one_tied: float) -> Floats:
    """Return α if a tie differs from "better" and "worse" by this part of their difference."""
    ties, rest = 2 * sums[:, TIED], sums[:, UNTIED]
    values = ties + 2 * rest
    reversed_, disagreeing = sums[:, REVERSED], sums[:, DISAGREEING]
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = 2 * (reversed_ + one_tied * (disagreeing - reversed_)) / values
        expected = (2 * rest**2 + one_tied * 4 * ties * rest) / (values * (values - 1))
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _by_annotator(judgements: Judgements) -> Positions:
    """Return rows sorted by segment, annotator and time.

    Judgements by unidentified annotators, and of segments judged by one annotator, are left out.
    """
    times = np.bincount(judgements.segments)
    again = (times[judgements.segments] > 1) & (judgements.annotators != UNIDENTIFIED)
    rows = np.flatnonzero(again)
    judged, who = judgements.segments[rows], judgements.annotators[rows]
    rows = rows[np.lexsort((judgements.created[rows], who, judged))]
    segments = judgements.segments[rows]
    starts = _first_of_each(segments) | _first_of_each(judgements.annotators[rows])
    annotators = np.bincount(segments[starts], minlength=len(times))
    several = annotators[segments] > 1
    return rows[several]


def _first_of_each(groups: NDArray[np.signedinteger]) -> NDArray[np.bool_]:
    first = np.ones(len(groups), dtype=np.bool_)
    first[1:] = groups[1:] != groups[:-1]
    return first


def _add_units(counts: Floats, keys: NDArray[np.intp], sentence_of: Codes) -> None:
    """Add the units of one pair of columns; a key encodes a segment and an outcome.

    The number of unequal ordered pairs of values is m² - (the sum of squared outcome counts).
    """
    table = np.bincount(keys, minlength=OUTCOMES * len(sentence_of)).reshape(-1, OUTCOMES)
    values = table.sum(axis=1)
    units = np.flatnonzero(values > 1)
    of_unit, m = table[units], values[units]
    disagreeing = (m**2 - (of_unit**2).sum(axis=1)) / (m - 1)
    opposed = 2 * of_unit[:, 0] * of_unit[:, 2] / (m - 1)
    columns = (disagreeing, of_unit[:, 1], m - of_unit[:, 1], np.ones(len(units)), opposed)
    for column, amounts in enumerate(columns):
        counts[:, column] += np.bincount(sentence_of[units], weights=amounts, minlength=len(counts))
