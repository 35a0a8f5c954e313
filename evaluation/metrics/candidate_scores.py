"""Scores of single candidates, which are short and have no reference of their own.

A candidate is compared with the whole reference sentences, in lower case: how much of it is there?
Recall would say nothing, because most of the sentence belongs to other segments. Or it is compared
with the other candidates of its segment, which needs no reference: what many systems produce is
good more often than not.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.stats.estimates import VERSION, number_of_references
from evaluation.stats.resampling import Floats

WORD_ORDERS: Final = 4
# As chrF's (Popović 2015), without spaces.
CHARACTER_ORDERS: Final = 6


@dataclass(frozen=True, eq=False)
class CandidateScores:
    """Scores of C candidates, each from 0 to 1; better is higher.

    `words` is the share of the candidate's words that a reference has, `bleu` the geometric mean
    of its precisions of 1 to 4 words with 1 added to all counts, without brevity penalty, and
    `characters` the mean of its precisions of 1 to 6 characters. They are NaN without a reference.
    `consensus` is the mean similarity to the candidates of the other systems, NaN if there are
    none.
    """

    words: Floats
    bleu: Floats
    characters: Floats
    consensus: Floats
    nrefs: str

    @property
    def combined(self) -> Floats:
        """The sum of `characters` and `consensus`, from 0 to 2."""
        return self.characters + self.consensus

    @property
    def signatures(self) -> dict[str, str]:
        """What each score depends on, in the manner of sacrebleu."""
        details = {
            "words": f"words found|{self.nrefs}|tok:project|reference:sentence",
            "bleu": (
                f"BLEU precision|{self.nrefs}|tok:project|n:{WORD_ORDERS}|smooth:add-1"
                "|reference:sentence"
            ),
            "characters": (
                f"character precision|{self.nrefs}|n:{CHARACTER_ORDERS}|space:no|reference:sentence"
            ),
            "consensus": "similarity to other systems|Levenshtein, normalised",
            "combined": f"character precision + similarity to other systems|{self.nrefs}",
        }
        return {name: f"{text}|case:lc|SegRanks {VERSION}" for name, text in details.items()}


def score_candidates(
    texts: Sequence[str],
    first_candidates: ArrayLike,
    systems: ArrayLike,
    references: Sequence[Sequence[Sequence[str]]],
    segment_sentences: ArrayLike,
) -> CandidateScores:
    """Return the scores of C candidates, given as the project's tokens joined by spaces.

    `first_candidates` (G + 1) are the positions of the first candidate of each of G segments, and
    the end; `systems` (C) says how many systems produced each candidate: 0 counts as 1, because one
    must have. `references` are for each sentence its references, which are tokens, and
    `segment_sentences` (G) says to which sentence each segment belongs. An n-gram counts at most as
    often as it occurs in one of the references. Raises ValueError if lengths differ.
    """
    starts = np.asarray(first_candidates, dtype=np.intp)
    produced = np.maximum(np.asarray(systems, dtype=np.float64), 1)
    sentences = np.asarray(segment_sentences, dtype=np.intp)
    if len(produced) != len(texts) or len(starts) != len(sentences) + 1 or starts[-1] != len(texts):
        raise ValueError(
            "There must be a count for each candidate and a sentence for each segment."
        )
    lower = [text.lower() for text in texts]
    of_candidates = np.repeat(sentences, np.diff(starts))
    found = np.full((len(texts), 3), np.nan)
    order = np.argsort(of_candidates, kind="stable")
    for sentence, rows in _runs(of_candidates[order], order):
        if references[sentence]:
            of_sentence = [[token.lower() for token in tokens] for tokens in references[sentence]]
            found[rows] = _precisions([lower[row] for row in rows], of_sentence)
    consensus = np.full(len(texts), np.nan)
    for first, end in pairwise(starts.tolist()):
        consensus[first:end] = similarity_to_others(lower[first:end], produced[first:end])
    words, bleu, characters = found.T
    nrefs = number_of_references(len(lines) for lines in references if lines)
    return CandidateScores(words, bleu, characters, consensus, nrefs)


def similarity_to_others(texts: Sequence[str], systems: Floats) -> Floats:
    """Return the mean similarity of each of n texts to those of the other systems; NaN if none.

    `systems` (n) are the numbers of systems that produced each text: the text of a system is equal
    to those of the other systems that produced it too. Similarity: 1 - Levenshtein distance /
    (length of the longer text), in characters.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    if not len(texts):
        return np.zeros(0)
    similar = cdist(texts, texts, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    others = systems.sum() - 1
    if others <= 0:
        return np.full(len(texts), np.nan)
    # A system's own text is one of those of equal texts.
    return np.asarray((similar @ systems - 1) / others)


def _runs(
    sorted_codes: NDArray[np.intp], rows: NDArray[np.intp]
) -> list[tuple[int, NDArray[np.intp]]]:
    """Return each code with its rows."""
    codes, starts = np.unique(sorted_codes, return_index=True)
    return list(zip(codes.tolist(), np.split(rows, starts[1:]), strict=True)) if len(codes) else []


def _precisions(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """Return n × 3: precisions of words, of 1 to 4 words as BLEU, and of characters."""
    words = [text.split(" ") for text in texts]
    by_words = [_matches(words, references, order) for order in range(1, WORD_ORDERS + 1)]
    characters = [text.replace(" ", "") for text in texts]
    joined = list(map("".join, references))
    by_characters = np.stack(
        [_matches(characters, joined, order) for order in range(1, CHARACTER_ORDERS + 1)]
    )
    matched, totals = by_characters[..., 0], by_characters[..., 1]
    # A candidate of three characters has three orders.
    shares = np.divide(matched, totals, out=np.zeros(matched.shape), where=totals > 0)
    smoothed = [np.log((found[:, 0] + 1) / (found[:, 1] + 1)) for found in by_words]
    return np.stack(
        [
            by_words[0][:, 0] / by_words[0][:, 1],
            np.exp(np.mean(smoothed, axis=0)),
            shares.sum(axis=0) / np.maximum(1, (totals > 0).sum(axis=0)),
        ],
        axis=1,
    )


def _matches(
    texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]], order: int
) -> Floats:
    """Return n × 2: n-grams of each text that a reference has, clipped, and all of them."""
    limits = reduce(or_, (_ngrams(reference, order) for reference in references))
    rows = []
    for text in texts:
        counts = _ngrams(text, order)
        matched = sum(min(count, limits[gram]) for gram, count in counts.items())
        rows.append((matched, max(0, len(text) - order + 1)))
    return np.array(rows, dtype=np.float64)


def _ngrams(text: Sequence[str], order: int) -> Counter[Sequence[str]]:
    if order == 1:
        return Counter(text)
    grams = [text[start : start + order] for start in range(len(text) - order + 1)]
    return Counter(grams if isinstance(text, str) else map(tuple, grams))
