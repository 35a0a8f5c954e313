"""Figures that tell careless annotators from careful ones, and limits on them.

Kinds of careless work that crowd platforms report, and the figure that shows each: haste (seconds),
no reading (failed controls, κ with others), the same key for all (one rank), and no change of what
the page shows (shown order). `docs/quality.md` has how many of each kind the default rules find.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.kappa import Agreement, measure_agreement
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.annotators.exclusion import sentences_compared
from evaluation.stats.annotators.statistics import NO_CONTROLS, TOO_LONG
from evaluation.stats.comparisons import count_ties
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Codes, Judgements, natural_key
from evaluation.stats.resampling import Floats, shares

# With two candidates, every second ranking without ties is in the order shown by chance.
FEWEST_FOR_ORDER: Final = 3

# Why a figure is undefined.
NO_TIMES: Final = "no time is known"
NO_CONTROL: Final = "no control sentence was judged"
NOTHING_TO_RANK: Final = "no segment had two candidates"
NOTHING_SHARED: Final = "no sentence was judged by another annotator"
NOTHING_REPEATED: Final = "no sentence was judged twice"
ALL_TIED: Final = "all candidates are always tied"
NO_ORDER: Final = "no order of three or more candidates on the page is known"

# The figures that a rule can limit; careless work has small values of those of BELOW.
KINDS: Final = ("seconds", "controls", "one_rank", "kappa", "shown_order")
BELOW: Final = ("seconds", "kappa")


@dataclass(frozen=True)
class Figure:
    """A figure from `sentences` distinct sentences; `undefined` says why it is None."""

    value: float | None
    sentences: int = 0
    undefined: str = ""


UNKNOWN: Final = Figure(None)


@dataclass(frozen=True)
class AnnotatorQuality:
    """The figures of one annotator.

    `seconds`: median seconds for a segment, 600 s or more left out. `controls`: share of control
    sentences failed. `one_rank`: the largest share of placements on one rank, where ranks are dense
    (1, 3, 3 counts as 1, 2, 2) and garbage is the last rank; `ties`: share of tied pairs of
    candidates; both from segments with two candidates or more. `kappa`: κ with other annotators
    (inter) from `kappa_pairs` pairs of candidates. `shown_order`: share of rankings that are
    exactly the order on the page, from segments with FEWEST_FOR_ORDER candidates or more.
    `own_kappa`: κ with oneself (intra).
    """

    annotator: str
    sentences: int
    seconds: Figure
    controls: Figure
    one_rank: Figure
    ties: Figure
    kappa: Figure
    kappa_pairs: int
    shown_order: Figure
    own_kappa: Figure = UNKNOWN


@dataclass(frozen=True)
class Limit:
    """A limit on the figure `kind`, one of KINDS, if it is from `after` sentences or more."""

    kind: str
    limit: float
    after: int

    def broken_by(self, quality: AnnotatorQuality) -> Figure | None:
        """Return the figure if it is beyond the limit; undefined figures never are."""
        figure: Figure = getattr(quality, self.kind)
        if figure.value is None or figure.sentences < self.after:
            return None
        beyond = figure.value < self.limit if self.kind in BELOW else figure.value > self.limit
        return figure if beyond else None


# tests/load/quality.py measures what they find; at most 2 % of careful annotators are the aim.
DEFAULT_LIMITS: Final = (
    Limit("seconds", 3.0, after=10),
    Limit("controls", 0.5, after=4),
    Limit("one_rank", 0.9, after=10),
    Limit("kappa", 0.15, after=10),
    Limit("shown_order", 0.6, after=10),
)


def annotator_quality(
    judgements: Judgements, controls: ControlTable = NO_CONTROLS
) -> tuple[AnnotatorQuality, ...]:
    """Return the figures of each annotator with judgements or controls, in order of names.

    Judgements of unidentified annotators count in P(E) of κ only.
    """
    agreement = measure_agreement(judgements)
    _, compared = sentences_compared(judgements)
    people = len(judgements.annotator_names)
    known = judgements.select(judgements.annotators != UNIDENTIFIED)
    sentences = _sentences(known, np.ones(len(known), dtype=np.bool_), people)
    seconds = _median_seconds(known, people)
    one_rank, ties = _one_rank(known, people), _ties(known, people)
    order = _shown_order(known, people)
    rows = []
    for code, name in enumerate(judgements.annotator_names):
        checked = controls.of(name)
        if not sentences[code] and not checked.judged:
            continue
        inter = agreement.annotators_inter[code]
        rows.append(
            AnnotatorQuality(
                annotator=name,
                sentences=int(sentences[code]),
                seconds=seconds[code],
                controls=_figure(
                    None if checked.share is None else 1 - checked.share,
                    checked.judged,
                    NO_CONTROL,
                ),
                one_rank=one_rank[code],
                ties=ties[code],
                kappa=_figure(
                    inter.kappa, int(compared[code]), ALL_TIED if inter.compared else NOTHING_SHARED
                ),
                kappa_pairs=inter.compared,
                shown_order=order[code],
                own_kappa=_own_kappa(agreement.annotators_intra[code]),
            )
        )
    return tuple(sorted(rows, key=lambda row: natural_key(row.annotator)))


def _own_kappa(intra: Agreement) -> Figure:
    return Figure(intra.kappa, undefined="" if intra.compared else NOTHING_REPEATED)


def _median_seconds(judgements: Judgements, people: int) -> list[Figure]:
    timed = judgements.seconds < TOO_LONG  # False for NaN
    who, seconds = judgements.annotators[timed], judgements.seconds[timed]
    medians = np.full(people, np.nan)
    for code in np.unique(who):
        medians[code] = np.median(seconds[who == code])
    return _figures(medians, _sentences(judgements, timed, people), NO_TIMES)


def _one_rank(judgements: Judgements, people: int) -> list[Figure]:
    ranked = judgements.candidate_ranks
    several = (ranked != MISSING).sum(axis=1) >= 2
    rows, who = ranked[several], judgements.annotators[several]
    # In order, missing ones last, a rank is one more than the number of changes before it.
    ordered = np.sort(np.where(rows == MISSING, np.int16(1 << 10), rows.astype(np.int16)), axis=1)
    dense = np.zeros(ordered.shape, dtype=np.int64)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=dense[:, 1:])
    placed = ordered < 1 << 10
    width = max(ranked.shape[1], 1)
    cells = (who[:, None] * width + dense)[placed]
    counts = np.bincount(cells, minlength=people * width).reshape(people, width)
    largest = shares(counts.max(axis=1).astype(float), counts.sum(axis=1).astype(float))
    return _figures(largest, _sentences(judgements, several, people), NOTHING_TO_RANK)


def _ties(judgements: Judgements, people: int) -> list[Figure]:
    tied, untied = count_ties(judgements.candidate_ranks)
    who, pairs = judgements.annotators, tied + untied
    share = shares(
        np.bincount(who, weights=tied, minlength=people),
        np.bincount(who, weights=pairs, minlength=people),
    )
    return _figures(share, _sentences(judgements, pairs > 0, people), NOTHING_TO_RANK)


def _shown_order(judgements: Judgements, people: int) -> list[Figure]:
    ranks, shown = judgements.candidate_ranks, judgements.shown
    ranked = ranks != MISSING
    # Only where the position of every candidate is known.
    usable = (ranked.sum(axis=1) >= FEWEST_FOR_ORDER) & ~(ranked & (shown == 0)).any(axis=1)
    same = usable.copy()
    for x, y in combinations(range(ranks.shape[1]), 2):
        both = ranked[:, x] & ranked[:, y]
        alike = np.sign(ranks[:, x] - ranks[:, y]) == np.sign(shown[:, x] - shown[:, y])
        same &= ~both | alike
    share = shares(
        np.bincount(judgements.annotators[same], minlength=people).astype(float),
        np.bincount(judgements.annotators[usable], minlength=people).astype(float),
    )
    return _figures(share, _sentences(judgements, usable, people), NO_ORDER)


def _sentences(judgements: Judgements, rows: NDArray[np.bool_], people: int) -> NDArray[np.intp]:
    """Return the number of distinct sentences of each annotator in these rows."""
    who: Codes = judgements.annotators[rows]
    pairs = np.unique(np.stack([who, judgements.sentences[rows]]), axis=1)
    return np.bincount(pairs[0], minlength=people)


def _figures(values: Floats, sentences: NDArray[np.intp], undefined: str) -> list[Figure]:
    return [
        _figure(None if np.isnan(value) else value, count, undefined)
        for value, count in zip(values.tolist(), sentences.tolist(), strict=True)
    ]


def _figure(value: float | None, sentences: int, undefined: str) -> Figure:
    return Figure(value, sentences, undefined if value is None else "")
