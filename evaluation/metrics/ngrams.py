"""Matches of n-grams of outputs and references, of words or of characters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.references import References
from evaluation.metrics.tokens import Words
from evaluation.stats.resampling import Floats

Integers = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Units:
    """The words or characters of lines, as numbers from 1; 0 is none of them.

    `numbers` has those of all lines, `lengths` says how many each line has.
    """

    numbers: Integers
    lengths: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Matches:
    """Matching n-grams of S outputs and their P references, for orders 1 to N.

    `clipped` S × N: each n-gram of the output counts at most as often as it occurs in one of the
    references. `by_reference` P × N: the same with each reference alone. `weighted` S × N: as
    `clipped`, with each n-gram's weight.
    """

    clipped: Floats
    by_reference: Floats
    weighted: Floats


def number_words(lines: Sequence[Words]) -> Units:
    """Number the words of lines."""
    numbers: dict[str, int] = {}
    return _numbered(
        [numbers.setdefault(word, len(numbers) + 1) for words in lines for word in words], lines
    )


def number_characters(lines: Sequence[str]) -> Units:
    """Number the characters of lines."""
    # Lone surrogates, which files of other programs may contain, are characters too.
    codes = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    _, numbers = np.unique(codes, return_inverse=True)
    return _numbered(numbers + 1, lines)


def _numbered(numbers: Sequence[int] | Integers, lines: Iterable[Sequence[str]]) -> Units:
    lengths = np.array([len(line) for line in lines], dtype=np.intp)
    return Units(np.asarray(numbers, dtype=np.int32), lengths)


def totals(lengths: NDArray[np.intp], orders: int) -> Floats:
    """Return the number of n-grams (… × orders) of lines of these lengths (…)."""
    return np.maximum(lengths[..., None] - np.arange(orders, dtype=np.float64), 0.0)


def match_ngrams(
    units: Units, references: References, orders: int, weights: Floats | None = None
) -> Matches:
    """Match the n-grams of S outputs with those of the P references of each.

    `units` are those of the outputs, then those of the references. `weights` (orders × units of the
    outputs) are those of the n-gram that begins at each unit. All n-grams of a sentence that begin
    in the same way are neighbours after one sort, so that each order is a pass over runs of equal
    ones. What is counted by reference are only the n-grams that the output has.
    """
    sentences, lines = len(references), len(units.lengths)
    line = np.repeat(np.arange(lines), units.lengths)
    following = _following(units, orders)
    # Sorting 16-bit numbers is several times as fast as sorting longer ones.
    sentence_of = np.concatenate([np.arange(sentences), references.sentences])
    sentence = sentence_of.astype(np.min_scalar_type(sentences))[line]
    order = np.lexsort((*following[::-1], sentence))
    following, line, sentence = following[:, order], line[order], sentence[order]
    # Where a line is among the references of its sentence.
    place = np.arange(lines) - sentences - references.starts[sentence_of]
    clipped, weighted = np.zeros((2, sentences, orders))
    by_reference = np.zeros((len(references.lines), orders))
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = sentence[1:] != sentence[:-1]
    for n in range(orders):
        is_new[1:] |= following[n, 1:] != following[n, :-1]
        runs = np.cumsum(is_new) - 1
        starts = np.flatnonzero(is_new)
        ours = np.bincount(runs[line < sentences], minlength=len(starts))
        # An n-gram that would end in another line is none.
        ours[following[n, starts] == 0] = 0
        # Longer n-grams begin with one that the output has.
        kept = ours[runs] > 0
        following, is_new = following[:, kept], is_new[kept]
        line, sentence, order = line[kept], sentence[kept], order[kept]
        if not len(order):
            break
        ours = ours[ours > 0]
        runs, starts = np.cumsum(is_new) - 1, np.flatnonzero(is_new)
        # A cell for each of them and each reference of its sentence.
        of_run = sentence[starts]
        widths = references.counts[of_run]
        first = np.cumsum(widths) - widths
        theirs = line >= sentences
        cells = first[runs[theirs]] + place[line[theirs]]
        found = np.bincount(cells, minlength=int(widths.sum()))
        np.minimum(found, np.repeat(ours, widths), out=found)
        most = np.maximum.reduceat(found, first)
        clipped[:, n] = np.bincount(of_run, most, minlength=sentences)
        reference = np.arange(len(found)) + np.repeat(references.starts[of_run] - first, widths)
        by_reference[:, n] = np.bincount(reference, found, minlength=len(by_reference))
        if weights is not None:
            weight = np.zeros(len(starts))
            weight[runs[~theirs]] = weights[n, order[~theirs]]
            weighted[:, n] = np.bincount(of_run, most * weight, minlength=sentences)
    return Matches(clipped, by_reference, weighted)


def count_in_corpus(
    lines: Sequence[Words], corpus: Iterable[Sequence[Words]], orders: int
) -> tuple[Floats, int]:
    """Return how often the n-gram that begins at each word of lines occurs in a corpus.

    The counts are orders × words, 0 where an n-gram would end in another line; the number is that
    of the words of the corpus, which comes as parts of any size.
    """
    known: dict[str, int] = {}
    numbers = [known.setdefault(word, len(known) + 1) for words in lines for word in words]
    following = _following(_numbered(numbers, lines), orders).astype(np.int64)
    # An n-gram is its beginning and its last word; of each order, the keys of those of the lines.
    codes, keys = [following[0]], [np.arange(len(known) + 1)]
    for last in following[1:]:
        key = np.where(last > 0, codes[-1] * (len(known) + 1) + last, 0)
        keys.append(np.unique(np.append(key, 0)))
        codes.append(np.searchsorted(keys[-1], key))
    counts = [np.zeros(len(of_order), dtype=np.int64) for of_order in keys]
    size = 0
    for part in corpus:
        units = _numbered([known.get(word, 0) for words in part for word in words], part)
        size += len(units.numbers)
        there = _following(units, orders)
        places = np.flatnonzero(there[0])
        code = there[0, places].astype(np.int64)
        counts[0] += np.bincount(code, minlength=len(counts[0]))
        for n in range(1, orders):
            last = there[n, places]
            key = code * (len(known) + 1) + last
            code = np.minimum(np.searchsorted(keys[n], key), len(keys[n]) - 1)
            same = (last > 0) & (keys[n][code] == key)
            places, code = places[same], code[same]
            counts[n] += np.bincount(code, minlength=len(counts[n]))
    found = [np.where(code > 0, each[code], 0) for code, each in zip(codes, counts, strict=True)]
    return np.array(found, dtype=np.float64), size


def _following(units: Units, orders: int) -> Integers:
    """Return each unit and those after it in its line, orders × units; 0 after the line's end."""
    lengths = units.lengths.ravel()
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(units.numbers))
    highest = int(units.numbers.max(initial=0))
    following = np.zeros((orders, len(left)), dtype=np.min_scalar_type(highest))
    for n in range(orders):
        following[n, : max(0, len(left) - n)] = units.numbers[n:]
        following[n, left <= n] = 0
    return following
