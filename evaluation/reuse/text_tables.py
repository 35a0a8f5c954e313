"""Similarities and common terms of the candidates of a segment, counted once for all features."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.edit_distance import edit_distances
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.stats.judgements import NO_CANDIDATE, Codes

Table = NDArray[np.float32]
Mask = NDArray[np.bool_]
Lists = Sequence[Sequence[Hashable]]

# Letters of a word without its ending, for languages that inflect.
STEM: Final = 5
# Similarity by edits, and by common 3-grams, words, stems and pairs of words.
SIMILARITIES: Final = 5


@dataclass(frozen=True, eq=False)
class Terms:
    """Which system uses which term in which segment; terms are words, stems or pairs of words.

    For G segments with at most V terms in the candidates of one, and K systems: `codes` G × V, -1
    after the last; `has` G × V × K, whether the system's candidate has the term; `said` G × V × K,
    whether its output of the whole sentence has it; `in_reference` and `in_source` G × V; `counts`
    terms × K, occurrences in all outputs of the system, or in its candidates if it has no outputs.
    """

    codes: Codes
    has: Mask
    said: Mask
    in_reference: Mask
    in_source: Mask
    counts: Table


@dataclass(frozen=True, eq=False)
class TextTables:
    """What features need of the texts of a project with G segments, C candidates and K systems.

    `candidates` G × K as in ProjectTexts; `similar` SIMILARITIES × G × K × K from 0 to 1, which is
    equality, and 0 if one of the two has no candidate; `terms` by words, stems and pairs of words;
    `fixed` C × F, features that depend on the candidate alone, its source and the reference;
    `outputs` S × K × F, features of the system's output of a sentence, 0 if unknown; `sentences` G
    codes.
    """

    candidates: Codes
    similar: Table
    terms: tuple[Terms, ...]
    fixed: Table
    outputs: Table
    sentences: Codes


def tabulate(texts: ProjectTexts) -> TextTables:
    """Count what the candidates have in common; letter case is ignored."""
    first = texts.first_candidates.astype(np.int64)
    segments = np.repeat(np.arange(len(first) - 1), np.diff(first))
    strings = [text.lower() for text in texts.candidate_texts]
    words = [tuple(text.split(" ")) for text in strings]
    grams = [_grams(text, 3) for text in strings]
    similar = [
        _by_edits(strings, first),
        *(
            _by_common_items(items, segments, first)
            for items in (grams, words, list(map(_stems, words)), list(map(_pairs, words)))
        ),
    ]
    places = np.where(
        texts.system_candidates == NO_CANDIDATE,
        NO_CANDIDATE,
        texts.system_candidates - first[:-1, None],
    )
    return TextTables(
        candidates=texts.system_candidates,
        similar=np.stack([_of_systems(values, places) for values in similar]),
        terms=tuple(_terms(texts, words, segments, cut) for cut in (tuple, _stems, _pairs)),
        fixed=_features_of_candidates(texts, strings, words, segments),
        outputs=_features_of_outputs(texts),
        sentences=texts.segment_sentences,
    )


def pairs_of_candidates(first: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return both candidates of all pairs of one segment, given the first of each and the end."""
    sizes = np.diff(first)
    left, right = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for size in np.unique(sizes):
        one, other = np.triu_indices(int(size), 1)
        starts = first[:-1][sizes == size]
        left.append((starts[:, None] + one).ravel())
        right.append((starts[:, None] + other).ravel())
    return np.concatenate(left), np.concatenate(right)


def _by_edits(strings: Sequence[str], first: NDArray[np.int64]) -> Table:
    """1 - distance / length of the longer: segments × places × places."""
    left, right = pairs_of_candidates(first)
    lengths = np.array([len(text) for text in strings])
    longer = np.maximum(lengths[left], lengths[right])
    distances = edit_distances([strings[row] for row in left], [strings[row] for row in right])
    similarity = (1 - distances / np.maximum(1, longer)).astype(np.float32)
    everything = np.arange(len(strings))
    return _square(
        np.concatenate([left, right, everything]),
        np.concatenate([right, left, everything]),
        np.concatenate([similarity, similarity, np.ones(len(strings), dtype=np.float32)]),
        first,
    )


def _by_common_items(items: Lists, segments: NDArray[np.int64], first: NDArray[np.int64]) -> Table:
    """Dice's 2 · common / (items of both), each counted once: segments × places × places."""
    from scipy.sparse import csr_array

    codes: dict[Hashable, int] = {}
    rows, columns = _flat(
        [
            [codes.setdefault((segment, item), len(codes)) for item in dict.fromkeys(each)]
            for each, segment in zip(items, segments.tolist(), strict=True)
        ]
    )
    table = csr_array(
        (np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(len(items), len(codes))
    )
    common = (table @ table.T).tocoo()
    sizes = np.bincount(rows, minlength=len(items))
    left, right = common.coords
    dice = 2 * common.data / (sizes[left] + sizes[right])
    return _square(left, right, dice, first)


def _square(left: Any, right: Any, values: Any, first: NDArray[np.int64]) -> Table:
    """Return values of pairs of candidates as segments × places × places, and one empty place."""
    width = int(np.diff(first).max(initial=0)) + 1
    segments = np.searchsorted(first, left, side="right") - 1
    table = np.zeros((len(first) - 1, width, width), dtype=np.float32)
    table[segments, left - first[segments], right - first[segments]] = values
    return table


def _of_systems(values: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Return G × places × places as G × K × K; NO_CANDIDATE is the last place, which is empty."""
    rows = np.take_along_axis(values, places[:, :, None] % values.shape[1], axis=1)
    return np.take_along_axis(rows, places[:, None, :] % values.shape[2], axis=2)


def _terms(
    texts: ProjectTexts,
    words: Sequence[Tokens],
    segments: NDArray[np.int64],
    cut: Callable[[Tokens], Sequence[Hashable]],
) -> Terms:
    """Count the terms into which `cut` makes words."""
    first, produced = texts.first_candidates, texts.system_candidates
    codes: dict[Hashable, int] = {}
    rows, of_rows = _flat(
        [[codes.setdefault(term, len(codes)) for term in cut(each)] for each in words]
    )
    many = max(1, len(codes))
    keys, local = np.unique(segments[rows] * many + of_rows, return_inverse=True)
    where = keys // many
    place = np.arange(len(keys)) - np.searchsorted(where, where)
    in_segment = np.full((len(produced), int(place.max(initial=0)) + 1), -1, dtype=np.int32)
    in_segment[where, place] = keys % many
    # One more, empty, place for systems without a candidate.
    width = int(np.diff(first).max(initial=0)) + 1
    has = np.zeros((*in_segment.shape, width), dtype=np.bool_)
    has[where[local], place[local], rows - first[segments[rows]]] = True
    places = np.where(produced == NO_CANDIDATE, width - 1, produced - first[:-1, None])
    has = np.take_along_axis(has, places[:, None, :], axis=2)

    def of(sentences: Iterable[Sequence[Tokens]]) -> tuple[Mask, NDArray[np.int64]]:
        """Return in which segments a text of the sentence has the term, and how often each occurs.

        A sentence may have several texts, or none.
        """
        where, found = _flat(
            [[codes.get(t, -1) for each in texts for t in cut(_lower(each))] for texts in sentences]
        )
        keys = np.unique((where * many + found)[found >= 0])
        wanted = texts.segment_sentences[:, None].astype(np.int64) * many + in_segment
        present = np.isin(wanted, keys) & (in_segment >= 0)
        return present, np.bincount(found[found >= 0], minlength=many)

    outputs = [of(zip(sentences, strict=True)) for sentences in texts.outputs]
    counts = np.stack([count for _, count in outputs], axis=1).astype(np.float32)
    for system in np.flatnonzero(counts.sum(axis=0) == 0):
        made = np.zeros(len(words) + 1, dtype=np.int64)
        np.add.at(made, produced[:, system], 1)
        counts[:, system] = np.bincount(of_rows, made[rows], minlength=many)
    return Terms(
        codes=in_segment,
        has=has,
        said=np.stack([present for present, _ in outputs], axis=2),
        in_reference=of(texts.references)[0],
        in_source=of(zip(texts.sources, strict=True))[0],
        counts=counts,
    )


def _features_of_candidates(
    texts: ProjectTexts,
    strings: Sequence[str],
    words: Sequence[Tokens],
    segments: NDArray[np.int64],
) -> Table:
    """Lengths, untranslated words, and what of the candidate any reference has: C × F."""
    references = [list(map(_lower, alternatives)) for alternatives in texts.references]
    joined = [list(map(" ".join, alternatives)) for alternatives in references]
    known = [
        (
            frozenset(gram for line in lines for gram in _grams(line, 4)),
            frozenset(gram for line in lines for gram in _grams(line, 6)),
            frozenset(chain.from_iterable(alternatives)),
        )
        for lines, alternatives in zip(joined, references, strict=True)
    ]
    sources = [frozenset(_lower(tokens)) for tokens in texts.sources]
    features = []
    for text, tokens, segment in zip(strings, words, segments.tolist(), strict=True):
        sentence = texts.segment_sentences[segment]
        of_source = max(1, len(texts.segment_positions[segment]))
        long = [token for token in tokens if len(token) > 3]
        fours, sixes, of_reference = known[sentence]
        features.append(
            (
                len(tokens),
                len(text),
                of_source,
                len(tokens) == 1,
                len(tokens) / of_source,
                len(text) / len(tokens),
                len(set(tokens)) / len(tokens),
                _share(long, sources[sentence]),
                sum(not token[:1].isalnum() for token in tokens) / len(tokens),
                _share(long, of_reference),
                _share(_grams(text, 4), fours),
                _share(_grams(text, 6), sixes),
            )
        )
    return np.array(features, dtype=np.float32).reshape(len(strings), -1)


def _features_of_outputs(texts: ProjectTexts) -> Table:
    """What output and reference have in common, and the length: S × K × F.

    Of several references, each feature is that of the one with which it is largest.
    """
    features = np.zeros((len(texts.references), len(texts.outputs), 4), dtype=np.float32)
    for sentence, alternatives in enumerate(texts.references):
        known = [
            (set(reference), set(_grams(" ".join(reference), 4)), set(_pairs(reference)))
            for reference in map(_lower, alternatives)
        ]
        for system, outputs in enumerate(texts.outputs):
            output = _lower(outputs[sentence])
            if not output:
                continue
            our_words, our_pairs = set(output), _pairs(output)
            our_grams = set(_grams(" ".join(output), 4))
            common = [
                (_dice(our_words, words), _dice(our_grams, grams), _share(our_pairs, pairs))
                for words, grams, pairs in known
            ]
            features[sentence, system, :3] = np.max(common, axis=0) if common else 0
            features[sentence, system, 3] = len(output) / max(1, len(texts.sources[sentence]))
    return features


def _lower(tokens: Tokens) -> Tokens:
    return tuple(token.lower() for token in tokens)


def _stems(words: Tokens) -> Tokens:
    return tuple(word[:STEM] for word in words)


def _pairs(words: Tokens) -> tuple[tuple[str, str], ...]:
    return tuple(zip(("", *words), (*words, ""), strict=True))


def _grams(text: str, size: int) -> list[str]:
    """Return all parts of that many characters, of the text between two blanks."""
    padded = f" {text} "
    return [padded[start : start + size] for start in range(max(1, len(padded) - size + 1))]


def _share(items: Sequence[Hashable], known: Iterable[Hashable]) -> float:
    """Return the share of the items that are known; 0 without items."""
    found = known if isinstance(known, set | frozenset) else set(known)
    return sum(item in found for item in items) / max(1, len(items))


def _dice(left: set[Any], right: set[Any]) -> float:
    return 2 * len(left & right) / max(1, len(left) + len(right))


def _flat(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and the value of each element."""
    lengths = [len(each) for each in lists]
    values = np.array([value for each in lists for value in each], dtype=np.int64)
    return np.repeat(np.arange(len(lists)), lengths), values
