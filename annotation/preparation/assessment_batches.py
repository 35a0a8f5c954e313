"""Batches for direct assessment: outputs of systems in random order, with control items among them.

A batch consists of groups of ten: seven outputs, and a repeat, the reference and a degraded copy of
three different outputs of another group, half the batch away. Each group is shuffled, so at least
40 items are between a control item and its original, in either order. This is how WMT has divided
outputs into tasks of 100 since 2016 (Bojar et al. 2016, "Findings of the 2016 Conference on Machine
Translation", section 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

GROUP: Final = 10
OUTPUTS_OF_GROUP: Final = 7
SMALLEST_BATCH: Final = 100


class Kind(Enum):
    """What an item shows; the last three are control items."""

    OUTPUT = "output"
    REPEAT = "repeat"
    REFERENCE = "reference"
    DEGRADED = "degraded"


CONTROLS: Final = (Kind.DEGRADED, Kind.REPEAT, Kind.REFERENCE)


@dataclass(frozen=True)
class BatchItem:
    """An item of a batch; a control item has the system and sentence of its original.

    `original` is the place of the original in the batch, from 0; that of an output is its own.
    """

    kind: Kind
    system: int
    sentence: int
    original: int


def make_batches(
    outputs: Sequence[tuple[int, int]], rng: Random, *, size: int = SMALLEST_BATCH
) -> list[list[BatchItem]]:
    """Divide outputs, (system, sentence), into batches of `size` items, 70 % of them outputs.

    The outputs are shuffled. Where too few are left for the last batch, it continues with the first
    ones; a single batch of fewer outputs than it needs has some of them more than once. Without
    outputs there are no batches. Raises ValueError unless `size` is at least SMALLEST_BATCH and a
    multiple of ten.
    """
    if size < SMALLEST_BATCH or size % GROUP:
        raise ValueError(f"A batch has {SMALLEST_BATCH} items or more, a multiple of {GROUP}.")
    shuffled = rng.sample(outputs, len(outputs))
    groups = size // GROUP
    needed = groups * OUTPUTS_OF_GROUP
    batches = []
    for start in range(0, len(shuffled), needed):
        taken = [shuffled[place % len(shuffled)] for place in range(start, start + needed)]
        batches.append(_batch(taken, groups, rng))
    return batches


def _batch(outputs: Sequence[tuple[int, int]], groups: int, rng: Random) -> list[BatchItem]:
    """Return the items of a batch; `outputs` has seven for each group."""
    arranged: list[list[tuple[Kind, int]]] = []
    for group in range(groups):
        other = (group + groups // 2) % groups
        own = [(Kind.OUTPUT, group * OUTPUTS_OF_GROUP + place) for place in range(OUTPUTS_OF_GROUP)]
        chosen = rng.sample(range(OUTPUTS_OF_GROUP), len(CONTROLS))
        controls = [
            (kind, other * OUTPUTS_OF_GROUP + place)
            for kind, place in zip(CONTROLS, chosen, strict=True)
        ]
        arranged.append(rng.sample([*own, *controls], GROUP))
    items = [item for group in arranged for item in group]
    shown = {number: place for place, (kind, number) in enumerate(items) if kind is Kind.OUTPUT}
    return [BatchItem(kind, *outputs[number], shown[number]) for kind, number in items]
