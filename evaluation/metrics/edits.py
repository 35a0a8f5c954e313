"""WER, PER and CDER: edits that turn an output into its reference, in words, for a reference word.

Of several references, a sentence is compared with the one of the fewest edits, and of these with
the shortest. Scores are 1 - rate, so that better is higher.
Sources: Nießen et al. (2000) for WER; Tillmann et al. (1997) for PER; Leusch, Ueffing & Ney (2006),
CDER: Efficient MT Evaluation Using Block Movements; Macháček & Bojar (2014), whose scorers in Moses
are those of the WMT14 metrics task.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.metric import OURS, ErrorRate, Metric, divided
from evaluation.metrics.ngrams import match_ngrams, number_words
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Tokenizer, Words
from evaluation.stats.resampling import Floats

# Pairs compared at once by CDER: their tables stay within the processor's cache.
PAIRS_AT_ONCE: Final = 256


@dataclass(frozen=True)
class WordEdits(ErrorRate):
    """An error rate that compares an output with one of its references."""

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        kind = type(self).__name__.upper()
        return f"{kind}|{self.tokenizer.signature}|refs:fewest-edits|1-rate|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        return references.compared(outputs, self._count_some)

    def _count_some(self, outputs: Lines, references: References) -> Floats:
        words = self.tokenizer.words(outputs)
        of_references = self.tokenizer.words(references.lines)
        edits = self._edits([words[row] for row in references.sentences], of_references)
        lengths = np.array([len(line) for line in of_references])
        best = fewest_edits(references, edits, lengths)
        return np.stack([edits[best], lengths[best]], axis=1)

    @abstractmethod
    def _edits(self, outputs: Sequence[Words], references: Sequence[Words]) -> Floats:
        """Return the edits of each pair (P)."""


class Wer(WordEdits):
    """Word error rate: insertions, deletions and substitutions (Levenshtein)."""

    def _edits(self, outputs: Sequence[Words], references: Sequence[Words]) -> Floats:
        from rapidfuzz.distance import Levenshtein

        pairs = zip(outputs, references, strict=True)
        return np.array([Levenshtein.distance(ours, theirs) for ours, theirs in pairs], float)


class Cder(WordEdits):
    """CDER: as WER, but a jump to any other word of the output costs one edit too.

    Each word of the reference is covered once; words of the output may be covered several times or
    not at all.
    """

    def _edits(self, outputs: Sequence[Words], references: Sequence[Words]) -> Floats:
        return block_edits(outputs, references)


@dataclass(frozen=True)
class Per(Metric):
    """Position-independent error rate: words in common, in any order.

    Statistics: common words, and the lengths of output and reference. As in Moses, superfluous
    words count over all sentences together: score = (common - max(0, c - r)) / r.
    """

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        return f"PER|{self.tokenizer.signature}|refs:fewest-edits|1-rate|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        return references.compared(outputs, self._count_some)

    def _count_some(self, outputs: Lines, references: References) -> Floats:
        units = number_words(self.tokenizer.words([*outputs, *references.lines]))
        length, of_references = np.split(units.lengths, [len(outputs)])
        common = match_ngrams(units, references, 1).by_reference[:, 0]
        edits = np.maximum(length[references.sentences], of_references) - common
        best = fewest_edits(references, edits, of_references)
        return np.stack([common[best], length, of_references[best]], axis=1)

    def score(self, sums: Floats) -> Floats:
        common, length, of_reference = np.moveaxis(sums, -1, 0)
        good = common - np.maximum(0, length - of_reference)
        return divided(good, of_reference, length == 0)


def fewest_edits(
    references: References, edits: Floats, lengths: NDArray[np.integer]
) -> NDArray[np.intp]:
    """Return the reference of each sentence with the fewest edits (P), of these the shortest.

    A reference without words is absent.
    """
    return references.least(lengths == 0, edits, lengths)


def block_edits(outputs: Sequence[Words], references: Sequence[Words]) -> Floats:
    """Return the edits of CDER of each pair."""
    lengths = np.array([[len(words) for words in outputs], [len(words) for words in references]])
    order = np.lexsort(lengths)
    numbers: dict[str, int] = {}
    found = np.zeros(len(outputs))
    for start in range(0, len(order), PAIRS_AT_ONCE):
        rows = order[start : start + PAIRS_AT_ONCE]
        found[rows] = _jumping_distances(
            _columns([outputs[row] for row in rows], numbers, 0),
            _columns([references[row] for row in rows], numbers, -1),
            lengths[0, rows],
            lengths[1, rows],
        )
    return found


def _columns(lines: Sequence[Words], numbers: dict[str, int], padding: int) -> NDArray[np.int32]:
    """Return words as numbers from 1, the longest line × lines; `padding` after shorter lines."""
    columns = np.full((max(map(len, lines)), len(lines)), padding, dtype=np.int32)
    for column, words in enumerate(lines):
        columns[: len(words), column] = [numbers.setdefault(w, len(numbers) + 1) for w in words]
    return columns


def _jumping_distances(
    outputs: NDArray[np.int32],
    references: NDArray[np.int32],
    output_lengths: NDArray[np.intp],
    reference_lengths: NDArray[np.intp],
) -> Floats:
    """Fill the tables of all pairs together, a word of the references at a time.

    A row has the cost of covering the reference up to a word and standing at each place of the
    output. Places after a shorter output's end never cost less than its cheapest place, so that
    they do not change the cost of a jump.
    """
    pairs = np.arange(len(output_lengths))
    places = np.arange(len(outputs) + 1)[:, None]
    above = np.ones((len(places), len(pairs)), dtype=np.int64)
    above[0] = 0
    found = above[output_lengths, pairs]
    for length, words in enumerate(references, start=1):
        row = above + 1
        np.minimum(row[1:], above[:-1] + (outputs != words), out=row[1:])
        # A deletion costs one a place; without that cost, a row is its running minimum.
        row -= places
        np.minimum.accumulate(row, axis=0, out=row)
        row += places
        np.minimum(row, row.min(axis=0) + 1, out=row)
        ends = reference_lengths == length
        found[ends] = row[output_lengths[ends], pairs[ends]]
        above = row
    return found.astype(np.float64)
