"""Single direct assessments as arrays: annotators' scores of whole translations, from 0 to 100.

A batch is what one annotator assesses in one go: outputs of systems, and control items among them,
each belonging to an output of the same batch. Sources: Graham, Baldwin, Moffat & Zobel
(2017), "Can Machine Translation Systems Be Evaluated by the Crowd Alone", Natural Language
Engineering 23; Akhbardeh et al. (2021), "Findings of the 2021 Conference on Machine Translation".
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import Floats

LEAST_SCORE: Final = 0.0
GREATEST_SCORE: Final = 100.0


class ItemType(IntEnum):
    """What is assessed: an output, the same output again, its reference, or a degraded copy."""

    OUTPUT = 0
    REPEAT = 1
    REFERENCE = 2
    DEGRADED = 3


# What tells of a system; other items tell of the annotator.
OF_SYSTEMS: Final = (ItemType.OUTPUT, ItemType.REPEAT)


@dataclass(frozen=True, eq=False)
class Assessments:
    """N assessments, B batches; names are in the order of their codes.

    `pairs` (language pairs), `annotators`, `systems`, `segments` and `batches` are N codes of the
    names; a control item has the system and the segment of its original. `types` are N values of
    ItemType. `scores` are raw, from 0 to 100, or any numbers if `standardised`. `seconds` are those
    of each assessment, `batch_seconds` those of each batch; NaN if unknown. `order` is the place in
    the batch. Raises ValueError for arrays that contradict this, and for a batch of two annotators
    or language pairs.
    """

    language_pairs: tuple[str, ...]
    annotator_names: tuple[str, ...]
    system_names: tuple[str, ...]
    segment_names: tuple[str, ...]
    batch_names: tuple[str, ...]
    pairs: Codes
    annotators: Codes
    systems: Codes
    segments: Codes
    batches: Codes
    types: NDArray[np.int8]
    scores: Floats
    seconds: Floats
    order: Codes
    batch_seconds: Floats
    standardised: bool = False

    def __post_init__(self) -> None:
        count = len(self.scores)
        for what, names, codes in (
            ("pairs", self.language_pairs, self.pairs),
            ("annotators", self.annotator_names, self.annotators),
            ("systems", self.system_names, self.systems),
            ("segments", self.segment_names, self.segments),
            ("batches", self.batch_names, self.batches),
            ("types", tuple(ItemType), self.types),
        ):
            if len(codes) != count:
                raise ValueError(f"There are {len(codes)} {what} of {count} scores.")
            if count and not 0 <= codes.min() <= codes.max() < len(names):
                raise ValueError(f"A code of {what} is not from 0 to {len(names) - 1}.")
        if len(self.seconds) != count or len(self.order) != count:
            raise ValueError("There must be one time and one place for each score.")
        if len(self.batch_seconds) != len(self.batch_names):
            raise ValueError("There must be one time for each batch.")
        if not np.isfinite(self.scores).all():
            raise ValueError("A score is not a finite number.")
        is_raw = (self.scores >= LEAST_SCORE) & (self.scores <= GREATEST_SCORE)
        if not (self.standardised or is_raw.all()):
            raise ValueError("A raw score is not from 0 to 100.")
        if (self.seconds < 0).any() or (self.batch_seconds < 0).any():
            raise ValueError("A time is negative.")
        for what, codes in (("annotators", self.annotators), ("language pairs", self.pairs)):
            least = np.full(len(self.batch_names), np.iinfo(np.int32).max)
            np.minimum.at(least, self.batches, codes)
            if (codes != least[self.batches]).any():
                raise ValueError(f"A batch has two {what}.")

    def __len__(self) -> int:
        return len(self.scores)

    def select(self, rows: NDArray[np.bool_]) -> "Assessments":
        """Return the assessments of a mask; names and batches stay."""
        columns = (
            *("pairs", "annotators", "systems", "segments", "batches"),
            *("types", "scores", "seconds", "order"),
        )
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})

    def for_systems(self, rows: NDArray[np.intp], systems: Codes) -> "Assessments":
        """Return these rows, some several times, as assessments of these systems.

        Of identical outputs of several systems, an assessment counts for each of them.
        """
        columns = (
            *("pairs", "annotators", "segments", "batches"),
            *("types", "scores", "seconds", "order"),
        )
        of_rows = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **of_rows, systems=systems)

    def of_pair(self, pair: str) -> "Assessments":
        """Return the assessments of a language pair. Raises ValueError if there is none."""
        return self.select(self.pairs == self.language_pairs.index(pair))

    def of(self, *types: ItemType) -> NDArray[np.bool_]:
        """Return N: whether the item has one of the types."""
        return np.isin(self.types, types)

    def originals(self) -> NDArray[np.intp]:
        """Return N rows: that of a control item's original in its batch, -1 if there is none.

        The row of an output is its own.
        """
        width = len(self.segment_names)
        items = self.batches.astype(np.int64) * len(self.system_names) + self.systems
        items = items * width + self.segments
        outputs = np.flatnonzero(self.of(ItemType.OUTPUT))
        known, first = np.unique(items[outputs], return_index=True)
        rows = np.full(len(self), -1)
        if len(known):
            places = np.minimum(np.searchsorted(known, items), len(known) - 1)
            rows = np.where(known[places] == items, outputs[first[places]], -1)
        rows[outputs] = outputs
        return rows
