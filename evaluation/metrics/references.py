"""The references of sentences: one list for each sentence, of any length.

A sentence of a compact set has thousands of references and its neighbour four, so that they are one
list of lines and never a table. Source: Bojar et al. (2013), Scratching the Surface of Possible
Translations.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.stats.estimates import number_of_references
from evaluation.stats.resampling import Floats

# The outputs of a system, or one text of references, a sentence an item.
Lines = Sequence[str]

# Characters of references that metrics compare at once.
CHARACTERS_AT_ONCE: Final = 2_000_000


@dataclass(frozen=True, eq=False)
class References:
    """The references of S sentences, P together, none of them blank.

    `lines` (P) are those of the first sentence, then those of the second, and so on; `counts` (S)
    are how many each sentence has.
    """

    lines: Lines
    counts: NDArray[np.intp]

    @classmethod
    def by_sentence(cls, sentences: Iterable[Iterable[str]]) -> "References":
        """Return the references given for each sentence, without blank ones."""
        present = [[line for line in lines if line.strip()] for lines in sentences]
        counts = np.array([len(lines) for lines in present], dtype=np.intp)
        return cls(list(chain.from_iterable(present)), counts)

    @classmethod
    def of_texts(cls, texts: Sequence[Lines]) -> "References":
        """Return the references of R texts of S sentences; a blank line is an absent reference.

        Raises ValueError if the texts have different numbers of sentences.
        """
        return cls.by_sentence(zip(*texts, strict=True))

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Lines]:
        """Yield the references of each sentence."""
        ends = np.cumsum(self.counts).tolist()
        for start, end in zip([0, *ends], ends, strict=False):
            yield self.lines[start:end]

    @cached_property
    def sentences(self) -> NDArray[np.intp]:
        """The sentence of each reference (P)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The place of the first reference of each sentence (S)."""
        return np.asarray(np.cumsum(self.counts) - self.counts)

    @property
    def most(self) -> int:
        """The largest number of references of a sentence."""
        return int(self.counts.max(initial=0))

    @property
    def signature(self) -> str:
        """How many sentences have, as `number_of_references` writes it."""
        return number_of_references(self.counts.tolist())

    def least(self, *keys: Floats | NDArray[np.integer | np.bool_]) -> NDArray[np.intp]:
        """Return the place of the reference of each sentence (S) with the least keys (P each).

        The first key comes first; of equal references, the first one. Each sentence must have one.
        """
        return np.lexsort((*keys[::-1], self.sentences))[self.starts]

    def means(self, values: NDArray[np.integer], present: NDArray[np.bool_]) -> Floats:
        """Return the mean of the values (P) of the present references of each sentence (S)."""
        sums = np.add.reduceat(np.where(present, values, 0), self.starts)
        return np.asarray(sums / np.maximum(1, np.add.reduceat(present.astype(int), self.starts)))

    def parts(self) -> Iterator[tuple[slice, "References"]]:
        """Yield the sentences in parts of a size that metrics compare at once."""
        lengths = np.fromiter(map(len, self.lines), dtype=np.intp, count=len(self.lines))
        before = np.concatenate([[0], np.cumsum(lengths)])[self.starts]
        cuts = np.flatnonzero(np.diff(before // CHARACTERS_AT_ONCE)) + 1
        starts = [0, *cuts.tolist()]
        ends = np.append(self.starts, len(self.lines)).tolist()
        for start, end in zip(starts, [*starts[1:], len(self)], strict=True):
            yield (
                slice(start, end),
                References(self.lines[ends[start] : ends[end]], self.counts[start:end]),
            )

    def compared(self, outputs: Lines, compare: Callable[[Lines, "References"], Floats]) -> Floats:
        """Return what `compare` returns of S outputs, one part of them after another."""
        return np.concatenate([compare(outputs[rows], some) for rows, some in self.parts()])


def check_sentences(outputs: Lines, references: References) -> None:
    """Raise InputError unless each output has a reference, and the other way round."""
    if not outputs:
        raise InputError(_("There is no sentence to score: give one output for each reference."))
    if len(references) != len(outputs):
        raise InputError(
            _(
                "There are references of %(sentences)d sentences, and outputs of %(outputs)d: give "
                "one sentence a line, in the same order."
            ),
            sentences=len(references),
            outputs=len(outputs),
        )
    without = np.flatnonzero(references.counts == 0)
    if len(without):
        raise InputError(
            _("Sentence %(sentence)d has no reference: add one, or leave the sentence out."),
            sentence=int(without[0]) + 1,
        )
