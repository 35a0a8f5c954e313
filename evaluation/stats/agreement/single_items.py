"""Judgements of single items, such as labels and scores, and pairs of them of one item.

An item is what a label or score is of, such as one system's translation of a sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.comparisons import Rows, pairs_of_judgements
from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.ratios import NO_INFLUENCE
from evaluation.stats.resampling import (
    ALL_EQUAL,
    Bounds,
    Floats,
    number_sentences,
    resampled_sums,
    sums_by,
    with_interval,
)
from evaluation.stats.two_way import two_way, two_way_of_pairs
from evaluation.stats.units import SENTENCES, Unit

Kind = Literal["intra", "inter"]


@dataclass(frozen=True, eq=False)
class ItemJudgements:
    """Item, annotator, sentence and sampled unit of J judgements of single items; codes from 0.

    Unknown annotators are UNIDENTIFIED. `units` are what intervals sample: sentences by default, or
    documents or blocks, if `unit` says so. `provenance` is what every signature ends with. Raises
    ValueError if lengths differ.
    """

    items: Codes
    annotators: Codes
    sentences: Codes
    units: Codes | None = None
    unit: Unit = SENTENCES
    provenance: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        lengths = {len(self.items), len(self.annotators), len(self.sentences)}
        if len(lengths | {len(self.sampled)}) != 1:
            raise ValueError("The arrays of judgements differ in length.")

    def __len__(self) -> int:
        return len(self.items)

    @property
    def sampled(self) -> Codes:
        """The code of the sampled unit of each judgement (J)."""
        return self.sentences if self.units is None else self.units

    @property
    def sentences_judged(self) -> int:
        """The number of distinct sentences."""
        return len(np.unique(self.sentences))

    def sign(self, method: str, *options: str) -> str:
        """Return the signature of what the method computes from these judgements."""
        return sign(method, options, len(self), self.sentences_judged, self.provenance)

    def select(self, rows: NDArray[Any]) -> "ItemJudgements":
        """Return these rows; codes stay the same."""
        return replace(
            self,
            items=self.items[rows],
            annotators=self.annotators[rows],
            sentences=self.sentences[rows],
            units=None if self.units is None else self.units[rows],
        )


@dataclass(frozen=True, eq=False)
class ItemPairs:
    """Pairs of judgements of one item, P elements each: their rows, annotators, item and unit.

    The codes of units are below `unit_count`, the number of units with any judgement.
    """

    rows: Rows
    other_rows: Rows
    left: Codes
    right: Codes
    items: Codes
    units: Codes
    unit: Unit
    unit_count: int

    def __len__(self) -> int:
        return len(self.rows)

    def of_kind(self, kind: Kind) -> "ItemPairs":
        """Return the pairs by one annotator (intra) or by two (inter)."""
        kept = (self.left == self.right) == (kind == "intra")
        return ItemPairs(
            self.rows[kept],
            self.other_rows[kept],
            self.left[kept],
            self.right[kept],
            self.items[kept],
            self.units[kept],
            self.unit,
            self.unit_count,
        )

    def resampled(self, columns: Sequence[NDArray[Any]], *, resamples: int, seed: int) -> Floats:
        """Return the sums (resamples × columns) of figures of each pair over resampled units.

        All units are sampled, those without pairs too: how many pairs there are is random.
        """
        sums = [sums_by(self.units, column, self.unit_count) for column in columns]
        return resampled_sums(np.column_stack(sums), resamples=resamples, seed=seed)

    def estimate(
        self, value: float, resampled: Floats, influence: Floats, kind: Kind, bounds: Bounds
    ) -> Estimate:
        """Return a figure of these pairs, all of one kind, with both intervals.

        `resampled` are its values in resamples of units; `influence` (P) is that of each pair.
        """
        units = len(np.unique(self.units))
        narrow = with_interval(value, resampled, units, bounds, self.unit)
        if narrow.low is None:
            return narrow
        if np.abs(influence).max() * len(self) < NO_INFLUENCE:
            # With perfect agreement no annotator makes a difference: an error of 0 says nothing.
            return replace(narrow, no_wide_interval=ALL_EQUAL)
        if kind == "inter":
            both = two_way_of_pairs(influence, self.units, self.left, self.right)
        else:
            both = two_way(influence[:, None], self.units, self.left, np.ones(len(self)))
        return both.widen(narrow, 0, bounds)


def pair_judgements(judged: ItemJudgements) -> ItemPairs:
    """Return all unordered pairs of judgements of one item by known annotators."""
    units, unit_count = number_sentences(judged.sampled)
    known = np.flatnonzero(judged.annotators != UNIDENTIFIED)
    nothing = np.zeros(0, dtype=np.intp)
    parts = [(nothing, nothing), *pairs_of_judgements(judged.items[known])]
    one, other = (known[np.concatenate(side)] for side in zip(*parts, strict=True))
    return ItemPairs(
        one,
        other,
        judged.annotators[one],
        judged.annotators[other],
        judged.items[one],
        units[one],
        judged.unit,
        unit_count,
    )
