"""κ of many small groups in each resample: of each annotator, of each pair of annotators.

Each has compared something in a few of the sentences only, so that its sums are taken from the
draws of those, a bounded number at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.comparisons import Counts
from evaluation.stats.resampling import Floats

Positions = NDArray[np.intp]
# How often each sentence (row) was drawn in each resample (column). Each is drawn once on average:
# more than 255 times is out of the question, once there are so many sentences at all.
Kept = NDArray[np.uint8]
# Sentences of a group that are multiplied at once.
SENTENCES_AT_ONCE: Final = 4096


@dataclass(frozen=True, eq=False)
class Groups:
    """What groups compared, an element a group and sentence, by group.

    `starts` has where each group's elements begin, and where the last group's end.
    """

    starts: Positions
    sentences: Positions
    agree: Floats
    compared: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    def sentences_of(self, group: int) -> int:
        """The number of sentences of which the group compared anything."""
        return int(self.starts[group + 1] - self.starts[group])

    def totals(self) -> tuple[Floats, Floats]:
        """Return, a group, what agrees and what was compared."""
        groups = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return sums(groups, self.agree, len(self)), sums(groups, self.compared, len(self))

    def resampled(self, group: int, kept: Kept) -> tuple[Floats, Floats]:
        """Return, a resample, what agrees and what was compared."""
        sums = np.zeros((2, kept.shape[1]))
        for places in self._parts(group):
            amounts = np.stack([self.agree[places], self.compared[places]])
            sums += amounts @ kept[self.sentences[places]].astype(np.float64)
        return sums[0], sums[1]

    def _parts(self, group: int) -> Iterator[slice]:
        end = int(self.starts[group + 1])
        for start in range(int(self.starts[group]), end, SENTENCES_AT_ONCE):
            yield slice(start, min(end, start + SENTENCES_AT_ONCE))


def sums(codes: NDArray[Any], amounts: NDArray[Any], count: int) -> Floats:
    """Add up the amounts by code, below `count`."""
    return np.bincount(codes, weights=amounts, minlength=count).astype(np.float64)


def group_by(
    codes: NDArray[np.integer], count: int, sentences: Positions, amounts: tuple[Counts, Counts]
) -> Groups:
    """Add up by group and sentence what was compared, an element a pair of judgements.

    `codes` are of `count` groups; `amounts` what agrees and what was compared. Where nothing was
    compared there is no element.
    """
    agree, compared = amounts
    some = compared > 0
    width = int(sentences.max(initial=0)) + 1
    keys, places = np.unique(
        codes[some].astype(np.int64) * width + sentences[some], return_inverse=True
    )
    return Groups(
        starts=np.searchsorted(keys // width, np.arange(count + 1)),
        sentences=(keys % width).astype(np.intp),
        agree=sums(places, agree[some], len(keys)),
        compared=sums(places, compared[some], len(keys)),
    )
