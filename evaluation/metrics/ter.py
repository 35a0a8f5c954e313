"""TER: edits after shifts of phrases, for a reference word.

The search for shifts is that of Tercom as sacrebleu has it, which takes the shift that saves the
most edits until none saves any. Two things make it fast enough for ten systems: the tables that
show where an output is wrong are filled for many pairs together, and the distances after a shift
come from rapidfuzz. sacrebleu looks only 25 words around the diagonal of these tables, so that it
can find more edits in pairs of very long sentences.
Sources: Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human Annotation;
https://github.com/jhclark/tercom.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.metric import OURS, ErrorRate
from evaluation.metrics.ngrams import match_ngrams, number_words
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import TERCOM, Tokenizer, Words
from evaluation.stats.resampling import Floats

# Tercom's limits on the length and the distance of a shift, in words.
LONGEST_SHIFT: Final = 10
FARTHEST_SHIFT: Final = 50
# sacrebleu's limit on the shifts tried in a sentence.
MOST_SHIFTS: Final = 1000
# Pairs whose tables are filled at once: they stay within the processor's cache.
PAIRS_AT_ONCE: Final = 256
WRONG: Final = b"\1"


@dataclass(frozen=True)
class Ter(ErrorRate):
    """Translation edit rate; the score is 1 - rate.

    Of several references, the edits are those of the closest one, the length is their mean, as in
    Tercom.
    """

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        normalised = "" if self.tokenizer.name == TERCOM else "|norm:no"
        return f"TER|{self.tokenizer.signature}{normalised}|refs:mean-length|1-rate|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        return references.compared(outputs, self._count_some)

    def _count_some(self, outputs: Lines, references: References) -> Floats:
        words = self.tokenizer.words([*outputs, *references.lines])
        of_references = words[len(outputs) :]
        lengths = np.array([len(line) for line in of_references])
        # References without words are absent, unless a sentence has no other.
        present = lengths > 0
        present |= ~np.logical_or.reduceat(present, references.starts)[references.sentences]
        edits = _edits_of_closest(words, references, present)
        return np.stack([edits, references.means(lengths, present)], axis=1)


def _edits_of_closest(
    words: Sequence[Words], references: References, present: NDArray[np.bool_]
) -> Floats:
    """Return the fewest edits of each output (S) with one of its references that are present.

    `words` are those of the outputs, then those of the references. Shifts are sought for the
    reference that is closest without them, and then for those only that may need fewer edits: words
    that one of the two texts lacks cost an edit wherever they stand.
    """
    from rapidfuzz.distance import Levenshtein

    outputs, sentences, starts = len(references), references.sentences, references.starts

    def edits_of(rows: NDArray[np.intp]) -> Floats:
        return shifted_edits(
            [words[row] for row in sentences[rows]], [words[outputs + row] for row in rows]
        )

    if len(sentences) == outputs:
        return edits_of(starts)
    units = number_words(words)
    of_outputs, of_references = np.split(units.lengths, [outputs])
    common = match_ngrams(units, references, 1).by_reference[:, 0]
    least = np.maximum(of_outputs[sentences], of_references) - common
    least[~present] = np.inf
    without_shifts = np.array(
        [Levenshtein.distance(words[s], words[outputs + row]) for row, s in enumerate(sentences)]
    )
    closest = references.least(~present, without_shifts)
    edits = np.full(len(sentences), np.inf)
    edits[closest] = edits_of(closest)
    others = np.flatnonzero(least < edits[closest][sentences])
    others = others[np.isinf(edits[others])]
    edits[others] = edits_of(others)
    return np.asarray(np.minimum.reduceat(edits, starts))


class Pair(NamedTuple):
    """An output and its reference: each word is a character, the same one for equal words."""

    output: str
    reference: str


class Alignment(NamedTuple):
    """Which words of a pair are wrong, and the output's word at each word of the reference.

    `output` and `reference` have WRONG for each wrong word. `places` are positions in the output:
    -1 is before its first word.
    """

    output: bytes
    reference: bytes
    places: list[int]


def shifted_edits(outputs: Sequence[Words], references: Sequence[Words]) -> Floats:
    """Return the edits of each pair (S), a shift counting as one."""
    from rapidfuzz.distance import Levenshtein

    pairs = [_as_characters(*pair) for pair in zip(outputs, references, strict=True)]
    distances = [Levenshtein.distance(*pair) for pair in pairs]
    shifts, tried = [0] * len(pairs), [0] * len(pairs)
    active = [row for row, pair in enumerate(pairs) if distances[row] and pair.reference]
    while active:
        active.sort(key=lambda row: (len(pairs[row].reference), len(pairs[row].output)))
        alignments = _align([pairs[row] for row in active])
        improved = []
        for row, alignment in zip(active, alignments, strict=True):
            pair = pairs[row]
            best = (0, 0, 0, 0, "")
            for length, start, target in _shifts(pair, alignment):
                shifted = _shift(pair.output, start, length, target)
                saved = distances[row] - Levenshtein.distance(shifted, pair.reference)
                # Of shifts that save as much: the longest one, of these the first one.
                best = max(best, (saved, length, -start, -target, shifted))
                tried[row] += 1
                if tried[row] == MOST_SHIFTS:
                    break
            saved, *_, shifted = best
            if saved > 0 and tried[row] < MOST_SHIFTS:
                pairs[row] = Pair(shifted, pair.reference)
                distances[row] -= saved
                shifts[row] += 1
                improved.append(row)
        active = improved
    return np.add(distances, shifts, dtype=np.float64)


def _as_characters(output: Words, reference: Words) -> Pair:
    codes: dict[str, str] = {}
    texts = [
        "".join([codes.setdefault(word, chr(len(codes) + 1)) for word in words])
        for words in (output, reference)
    ]
    return Pair(*texts)


def _shifts(pair: Pair, alignment: Alignment) -> Iterator[tuple[int, int, int]]:
    """Yield phrases of the output and where to move them: length, start, and target.

    A phrase occurs in the reference too, a word of it is wrong in both texts, and the place of the
    reference's phrase is not within the output's. A target is the position of the word before which
    the phrase goes: where the reference's phrase and each word of it stand.
    """
    output, reference = pair
    wrong, wrong_there, places = alignment
    found: dict[str, list[int]] = {}
    for place, word in enumerate(reference):
        found.setdefault(word, []).append(place)
    for start, word in enumerate(output):
        for there in found.get(word, ()):
            beside = places[there]
            # Most words stand where they should already.
            if beside == start or abs(there - start) > FARTHEST_SHIFT:
                continue
            longest = min(LONGEST_SHIFT, len(output) - start, len(reference) - there)
            if beside > start:
                longest = min(longest, beside - start)
            for length in range(1, longest + 1):
                end = start + length
                if output[end - 1] != reference[there + length - 1]:
                    break
                if (
                    wrong.find(WRONG, start, end) < 0
                    or wrong_there.find(WRONG, there, there + length) < 0
                ):
                    continue
                before = -1
                for after in range(there - 1, there + length):
                    target = places[after] + 1 if after >= 0 else 0
                    if target != before:
                        yield length, start, target
                    before = target


def _shift(text: str, start: int, length: int, target: int) -> str:
    """Move a phrase before the target, or by as much to the right if the target lies within it."""
    end = start + length
    phrase = text[start:end]
    if target < start:
        return text[:target] + phrase + text[target:start] + text[end:]
    if target > end:
        return text[:start] + text[end:target] + phrase + text[target:]
    return text[:start] + text[end : length + target] + phrase + text[length + target :]


def _align(pairs: Sequence[Pair]) -> list[Alignment]:
    """Align each pair by fewest edits; pairs of similar lengths must be neighbours."""
    return [
        alignment
        for start in range(0, len(pairs), PAIRS_AT_ONCE)
        for alignment in _align_together(pairs[start : start + PAIRS_AT_ONCE])
    ]


def _align_together(pairs: Sequence[Pair]) -> list[Alignment]:
    outputs, references = (_code_points(texts) for texts in zip(*pairs, strict=True))
    table = _distances(outputs, references)
    lengths = [(len(output), len(reference)) for output, reference in pairs]
    at, there = np.array(lengths).T.copy()
    wrong = np.zeros((len(pairs), len(outputs)), dtype=np.bool_)
    wrong_there = np.zeros((len(pairs), len(references)), dtype=np.bool_)
    places = np.zeros((len(pairs), len(references)), dtype=np.int64)
    # Back from the ends of the texts: a pair of words if that is optimal, else a superfluous word
    # of the output, else a missing one, as in Tercom.
    rows = np.arange(len(pairs))
    while len(rows):
        i, j = at[rows], there[rows]
        up, left = np.maximum(i - 1, 0), np.maximum(j - 1, 0)
        differ = outputs[up, rows] != references[left, rows]
        here = table[i, j, rows]
        aligned = (i > 0) & (j > 0) & (table[up, left, rows] + differ == here)
        superfluous = ~aligned & (i > 0) & (table[up, j, rows] + 1 == here)
        missing = ~aligned & ~superfluous
        goes_up, goes_left = ~missing, ~superfluous
        wrong[rows[goes_up], up[goes_up]] = (superfluous | differ)[goes_up]
        wrong_there[rows[goes_left], left[goes_left]] = (missing | differ)[goes_left]
        places[rows[goes_left], left[goes_left]] = i[goes_left] - 1
        at[rows] -= goes_up
        there[rows] -= goes_left
        rows = rows[at[rows] + there[rows] > 0]
    return [
        Alignment(of_output[:length].tobytes(), of_reference[:width].tobytes(), each[:width])
        for of_output, of_reference, each, (length, width) in zip(
            wrong, wrong_there, places.tolist(), lengths, strict=True
        )
    ]


def _code_points(texts: Sequence[str]) -> NDArray[np.uint32]:
    """Return code points, the longest text × texts; shorter texts end with zeros."""
    array = np.array(texts)
    return np.ascontiguousarray(array.view(np.uint32).reshape(len(texts), -1).T)


def _distances(outputs: NDArray[np.uint32], references: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return Levenshtein's distances of the beginnings of each pair of texts.

    The shape is (longest output + 1) × (longest reference + 1) × pairs.
    """
    columns = np.arange(len(references) + 1, dtype=np.int32)[:, None]
    table = np.empty((len(outputs) + 1, len(columns), outputs.shape[1]), dtype=np.int32)
    table[0] = columns
    for length, word in enumerate(outputs):
        above, row = table[length], table[length + 1]
        row[0] = length + 1
        np.minimum(above[1:] + 1, above[:-1] + (references != word), out=row[1:])
        # A missing word costs one a column; without that cost, a row is its running minimum.
        row -= columns
        np.minimum.accumulate(row, axis=0, out=row)
        row += columns
    return table
