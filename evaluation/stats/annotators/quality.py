"""Figures that tell careless annotators from careful ones, and limits on them.

Kinds of careless work that crowd platforms report, and the figure that shows each: haste (seconds),
no reading (failed controls, κ with others), the same key for all (one rank), and no change of what
the page shows (shown order). `docs/quality.md` has how many of each kind the default rules find.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.answer_times import TOO_LONG
from evaluation.stats.agreement.kappa import Agreement, Chance, chance_of
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.annotators.statistics import NO_CONTROLS
from evaluation.stats.comparisons import compare_judgements, count_ties
from evaluation.stats.judgements import (
    GARBAGE,
    MISSING,
    UNIDENTIFIED,
    Codes,
    Judgements,
    natural_key,
)
from evaluation.stats.resampling import Floats, shares

# With two candidates, every second ranking without ties is in the order shown by chance.
FEWEST_FOR_ORDER: Final = 3

# Why a figure is undefined.
NO_TIMES: Final = "no time is known"
NO_CONTROL: Final = "no control sentence was judged"
NOTHING_TO_RANK: Final = "there were no two candidates to compare"
NOTHING_SHARED: Final = "no sentence was judged by another annotator"
OTHERS_APART: Final = "the other annotators of the same sentences are flagged"
NOTHING_REPEATED: Final = "no sentence was judged twice"
ALL_TIED: Final = "all candidates are always tied"
NO_ORDER: Final = "no order of three or more candidates on the page is known"

# The figures that a rule can limit; careless work has small values of those of BELOW.
KINDS: Final = ("seconds", "controls", "one_rank", "kappa", "shown_order", "practice")
BELOW: Final = ("seconds", "kappa", "practice")


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
    who break no limit (inter), from `kappa_pairs` pairs of candidates. `shown_order`: share of
    rankings that are exactly the order on the page, from segments with FEWEST_FOR_ORDER candidates
    or more. `own_kappa`: κ with oneself (intra). `practice`: share of right answers in practice,
    which the caller knows.
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
    practice: Figure = UNKNOWN


def not_judged(annotator: str) -> AnnotatorQuality:
    """Return the figures of an annotator without judgements."""
    unknown = dict.fromkeys(("seconds", "controls", "one_rank", "ties", "kappa"), UNKNOWN)
    return AnnotatorQuality(annotator, sentences=0, kappa_pairs=0, shown_order=UNKNOWN, **unknown)


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
    Limit("practice", 0.5, after=3),
)


def annotator_quality(
    judgements: Judgements,
    controls: ControlTable = NO_CONTROLS,
    limits: Sequence[Limit] = (),
) -> tuple[AnnotatorQuality, ...]:
    """Return the figures of each annotator with judgements or controls, in order of names.

    κ of an annotator is with the others who break none of the limits, so that careful annotators
    do not look careless beside careless ones: first those who break another limit are set apart,
    then, one after the other, who has the lowest κ below its limit. Judgements of unidentified
    annotators count in P(E) of κ only.
    """
    people = len(judgements.annotator_names)
    known = judgements.select(judgements.annotators != UNIDENTIFIED)
    sentences = _sentences(known, np.ones(len(known), dtype=np.bool_), people)
    seconds = _median_seconds(known, people)
    one_rank, ties = _one_rank(known, people), _ties(known, people)
    order = _shown_order(known, people)
    shared = _SharedWork(known, chance_of(judgements))
    apart = np.zeros(people, dtype=np.bool_)
    kappas = shared.kappas(apart)

    def row(code: int) -> AnnotatorQuality:
        checked = controls.of(judgements.annotator_names[code])
        failed = None if checked.share is None else 1 - checked.share
        return AnnotatorQuality(
            annotator=judgements.annotator_names[code],
            sentences=int(sentences[code]),
            seconds=seconds[code],
            controls=_figure(failed, checked.judged, NO_CONTROL),
            one_rank=one_rank[code],
            ties=ties[code],
            kappa=kappas[code][0],
            kappa_pairs=kappas[code][1],
            shown_order=order[code],
            own_kappa=shared.own_kappa(code),
        )

    codes = [
        code
        for code, name in enumerate(judgements.annotator_names)
        if sentences[code] or controls.of(name).judged
    ]
    on_kappa = [limit for limit in limits if limit.kind == "kappa"]
    others = [limit for limit in limits if limit.kind != "kappa"]
    for code in codes:
        apart[code] = any(limit.broken_by(row(code)) for limit in others)
    while True:
        kappas = shared.kappas(apart)
        low = [
            (figure.value, code)
            for limit in on_kappa
            for code in codes
            if not apart[code] and (figure := limit.broken_by(row(code))) is not None
        ]
        if not low:
            break
        apart[min(low)[1]] = True
    return tuple(sorted(map(row, codes), key=lambda each: natural_key(each.annotator)))


class _SharedWork:
    """The comparisons of each annotator with each other one, and with themselves."""

    def __init__(self, judgements: Judgements, chance: Chance) -> None:
        every = compare_judgements(judgements)
        compared = every.select(~every.by_one & (every.compared > 0))
        # Each comparison from the sides of both annotators.
        self.who = np.concatenate([compared.left, compared.right])
        self.other = np.concatenate([compared.right, compared.left])
        self.agree, self.compared = np.tile([compared.agree, compared.compared], 2)
        self.sentences = np.tile(judgements.sentences[compared.rows], 2)
        self.chance = chance
        mine = every.select(every.by_one)
        people = len(judgements.annotator_names)
        self.own_agree = np.bincount(mine.left, weights=mine.agree, minlength=people)
        self.own_compared = np.bincount(mine.left, weights=mine.compared, minlength=people)
        mine = mine.select(mine.compared > 0)
        self.own_sentences = _distinct(mine.left, judgements.sentences[mine.rows], people)

    def own_kappa(self, code: int) -> Figure:
        """Return κ of the annotator with themselves."""
        intra = Agreement(int(self.own_agree[code]), int(self.own_compared[code]), self.chance)
        undefined = ALL_TIED if intra.compared else NOTHING_REPEATED
        return _figure(intra.kappa, int(self.own_sentences[code]), undefined)

    def kappas(self, apart: NDArray[np.bool_]) -> list[tuple[Figure, int]]:
        """Return κ with those who are not set apart, and its pairs of candidates."""
        people = len(apart)
        kept = ~apart[self.other]
        who = self.who[kept]
        agree = np.bincount(who, weights=self.agree[kept], minlength=people)
        compared = np.bincount(who, weights=self.compared[kept], minlength=people)
        sentences = _distinct(who, self.sentences[kept], people)
        shares_any = np.bincount(self.who, minlength=people) > 0
        found = []
        for code in range(people):
            agreement = Agreement(int(agree[code]), int(compared[code]), self.chance)
            none_kept = OTHERS_APART if shares_any[code] else NOTHING_SHARED
            undefined = ALL_TIED if agreement.compared else none_kept
            figure = _figure(agreement.kappa, int(sentences[code]), undefined)
            found.append((figure, agreement.compared))
        return found


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
    ordered = np.sort(np.where(rows == MISSING, np.int16(GARBAGE + 1), rows), axis=1)
    dense = np.zeros(ordered.shape, dtype=np.int64)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=dense[:, 1:])
    placed = ordered <= GARBAGE
    width = max(ranked.shape[1], 1)
    cells = (who[:, None] * width + dense)[placed]
    counts = np.bincount(cells, minlength=people * width).reshape(people, width)
    largest = shares(counts.max(axis=1).astype(float), counts.sum(axis=1).astype(float))
    return _figures(largest, _sentences(judgements, several, people), NOTHING_TO_RANK)


def _ties(judgements: Judgements, people: int) -> list[Figure]:
    tied, untied = count_ties(judgements.candidate_ranks)
    who, pairs = judgements.annotators, tied + untied
    share = shares(
        np.bincount(who, weights=tied, minlength=people).astype(float),
        np.bincount(who, weights=pairs, minlength=people).astype(float),
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
    return _distinct(judgements.annotators[rows], judgements.sentences[rows], people)


def _distinct(who: Codes, sentences: Codes, people: int) -> NDArray[np.intp]:
    pairs = np.unique(np.stack([who, sentences]), axis=1)
    return np.bincount(pairs[0], minlength=people)


def _figures(values: Floats, sentences: NDArray[np.intp], undefined: str) -> list[Figure]:
    return [
        _figure(None if np.isnan(value) else value, count, undefined)
        for value, count in zip(values.tolist(), sentences.tolist(), strict=True)
    ]


def _figure(value: float | None, sentences: int, undefined: str) -> Figure:
    return Figure(value, sentences, undefined if value is None else "")
