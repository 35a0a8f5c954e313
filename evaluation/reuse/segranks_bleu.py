"""SegRanksBLEU: BLEU whose references include the candidates that annotators ranked best.

Thesis, section 3.2.3, after Papineni et al. (2002). In each judgement, all candidates of the best
rank are good, even if this rank is garbage. Each of them is a reference beside the human ones: an
n-gram of an output may match as often as it occurs in one of them. The brevity penalty uses the
human reference of the closest length only, the shorter of two, as BLEU does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.stats.estimates import Signature, number_of_references
from evaluation.stats.judgements import GARBAGE, MISSING, NO_CANDIDATE, Judgements
from evaluation.stats.resampling import Floats

ORDERS: Final = 4
# A sentence (its code in the texts) and a text that belongs to it.
Line = tuple[int, Tokens]
# Keys of n-grams of sentences, ascending, and how often each may match.
Limits = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class BleuStatistics:
    """What BLEU counts, by sentence: `matches` and `totals` S × 4 of n-grams, and lengths S.

    `lengths` are those of the outputs, `reference_lengths` those of the closest human references.
    """

    matches: Floats
    totals: Floats
    lengths: Floats
    reference_lengths: Floats

    @property
    def score(self) -> float | None:
        """BLEU of all sentences together, from 0 to 1, without smoothing; None without 4-grams."""
        matches, totals = self.matches.sum(axis=0), self.totals.sum(axis=0)
        if not totals.all():
            return None
        if not matches.all():
            return 0.0
        brevity = min(0.0, 1 - self.reference_lengths.sum() / self.lengths.sum())
        return float(np.exp(brevity + np.log(matches / totals).mean()))


@dataclass(frozen=True)
class BleuScores:
    """Scores of one system; None if it has too few words.

    `bleu` compares with the human references, `segranks_bleu` also with the best candidates,
    `without_own` with the best of the candidates that other systems produced. The names with
    `lower` ignore case.
    """

    system: str
    bleu: float | None
    segranks_bleu: float | None
    without_own: float | None
    bleu_lower: float | None
    segranks_bleu_lower: float | None
    without_own_lower: float | None


@dataclass(frozen=True)
class ScoredOutputs:
    """The scores of systems, in the order in which their outputs were given."""

    systems: tuple[BleuScores, ...]
    signature: Signature


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """N-grams of 1 to 4 tokens of many lines, each counted once a line; C counts.

    `keys` C are sentence · `distinct` + the code of the n-gram, ascending; `lines` C say which line
    has it, and `counts` C how often. `orders` are the lengths of the `distinct` n-grams.
    """

    keys: NDArray[np.int64]
    lines: NDArray[np.int64]
    counts: NDArray[np.int64]
    orders: NDArray[np.int64]

    def limits(self, chosen: NDArray[np.bool_]) -> Limits:
        """Return the n-grams of the chosen lines, each with its largest count in one of them."""
        among = chosen[self.lines]
        keys, counts = self.keys[among], self.counts[among]
        if not len(keys):
            return keys, counts
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        return keys[starts], np.maximum.reduceat(counts, starts)

    def by_order(self, limits: Limits, sentences: int) -> Floats:
        """Return the sums of the counts of `limits` by sentence and order, sentences × 4."""
        keys, counts = limits
        distinct = len(self.orders)
        cells = keys // distinct * ORDERS + self.orders[keys % distinct] - 1
        sums = np.bincount(cells, counts.astype(np.float64), minlength=sentences * ORDERS)
        return np.asarray(sums, dtype=np.float64).reshape(-1, ORDERS)


def count_ngrams(lines: Sequence[Line], *, lower: bool) -> NgramCounts:
    """Count the n-grams of 1 to 4 tokens of each line, in lower case if `lower`."""
    known: dict[str, int] = {}
    tokens = np.array(
        [
            known.setdefault(token.lower() if lower else token, len(known))
            for _, words in lines
            for token in words
        ],
        dtype=np.int64,
    )
    line = np.repeat(np.arange(len(lines)), [len(words) for _, words in lines])
    # The n-gram that begins at each position, without those that would end in another line.
    codes, starts, distinct = tokens, np.arange(len(tokens)), 0
    parts, orders = [], []
    for order in range(1, ORDERS + 1):
        if order > 1:
            inside = starts + order - 1 < len(tokens)
            inside[inside] = line[starts[inside]] == line[starts[inside] + order - 1]
            codes, starts = codes[inside], starts[inside]
            codes = codes * max(1, len(known)) + tokens[starts + order - 1]
        _, codes = np.unique(codes, return_inverse=True)
        parts.append((line[starts], codes + distinct))
        orders.append(np.full(int(codes.max(initial=-1)) + 1, order))
        distinct += len(orders[-1])
    lines_of, grams = (np.concatenate(column) for column in zip(*parts, strict=True))
    unique, counts = np.unique(lines_of * max(1, distinct) + grams, return_counts=True)
    lines_of, grams = unique // max(1, distinct), unique % max(1, distinct)
    sentences = np.array([sentence for sentence, _ in lines], dtype=np.int64)
    keys = sentences[lines_of] * distinct + grams
    sort = np.argsort(keys, kind="stable")
    return NgramCounts(keys[sort], lines_of[sort], counts[sort], np.concatenate(orders))


def score_outputs(
    judgements: Judgements, texts: ProjectTexts, outputs: Mapping[str, Sequence[Tokens]]
) -> ScoredOutputs:
    """Return the scores of outputs by system name, over the sentences with a human reference.

    Each system has one tuple of tokens for each sentence of `texts`. A name that no system of the
    project has stands for a system without phrases of its own. Raises ValueError for another number
    of sentences.
    """
    if any(len(lines) != len(texts.references) for lines in outputs.values()):
        raise ValueError("There must be one output for each sentence.")
    human = [(code, words) for code, lines in enumerate(texts.references) for words in lines]
    compared = [code for code, lines in enumerate(texts.references) if lines]
    good, *of_others = (
        {
            (sentence, words)
            for sentence, words in best_candidates(judgements, texts, without=name)
            if texts.references[sentence]
        }
        for name in ("", *outputs)
    )
    phrases = sorted(good.union(*of_others))
    produced = [(code, words[code]) for words in outputs.values() for code in compared]
    lines = [*human, *phrases, *produced]
    # Which lines are references for all systems, and from where on are a system's outputs.
    is_human = np.arange(len(lines)) < len(human)
    first = len(human) + len(phrases)

    def with_phrases(chosen: set[Line]) -> NDArray[np.bool_]:
        among = is_human.copy()
        among[len(human) : first] = [line in chosen for line in phrases]
        return among

    found: dict[str, dict[str, float | None]] = {name: {} for name in outputs}
    for suffix, lower in (("", False), ("_lower", True)):
        counted = count_ngrams(lines, lower=lower)
        shared = {
            "bleu": counted.limits(is_human),
            "segranks_bleu": counted.limits(with_phrases(good)),
        }
        for place, (name, scores) in enumerate(found.items()):
            own = np.zeros(len(lines), dtype=np.bool_)
            own[first + place * len(compared) :][: len(compared)] = True
            grams = counted.limits(own)
            without = counted.limits(with_phrases(of_others[place]))
            for kind, references in (shared | {"without_own": without}).items():
                statistics = BleuStatistics(
                    counted.by_order(_clipped(grams, references), len(texts.references)),
                    counted.by_order(grams, len(texts.references)),
                    *_lengths(outputs[name], texts.references),
                )
                scores[kind + suffix] = statistics.score
    return ScoredOutputs(
        tuple(BleuScores(name, **scores) for name, scores in found.items()),
        Signature(
            "SegRanksBLEU",
            (
                number_of_references(len(texts.references[code]) for code in compared),
                f"{ORDERS}-grams",
                "no smoothing",
                f"references {len(human)}",
            ),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def _lengths(
    outputs: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> tuple[Floats, Floats]:
    """Return the lengths of outputs and of the closest references, 0 without a reference."""
    lengths = np.zeros((2, len(outputs)))
    for code, (output, lines) in enumerate(zip(outputs, references, strict=True)):
        if lines:
            lengths[:, code] = len(output), closest_length(output, lines)
    return lengths[0], lengths[1]


def closest_length(output: Tokens, references: Sequence[Tokens]) -> int:
    """Return the length of the reference of the closest length, the shorter of two."""
    return min((abs(len(one) - len(output)), len(one)) for one in references)[1]


def _clipped(grams: Limits, references: Limits) -> Limits:
    """Return the n-grams that the references have too, each at most as often as they do."""
    keys, counts = grams
    known, most = references
    places = np.minimum(np.searchsorted(known, keys), max(0, len(known) - 1))
    there = known[places] == keys if len(known) else np.zeros(len(keys), dtype=np.bool_)
    return keys[there], np.minimum(counts[there], most[places[there]])


def best_candidates(judgements: Judgements, texts: ProjectTexts, *, without: str = "") -> set[Line]:
    """Return the candidates of the best rank of each judgement, by the code of their sentence.

    `without` is the name of a system: candidates that only it produced are left out first, as if
    people had not judged it.
    """
    ranks = judgements.candidate_ranks.astype(np.int16)
    ranks[ranks == MISSING] = GARBAGE + 1
    if without in judgements.system_names:
        produced = judgements.system_candidates
        own = produced[:, judgements.system_names.index(without)]
        only = (produced == own[:, None]).sum(axis=1) == 1
        left_out = np.flatnonzero(only & (own != NO_CANDIDATE))
        ranks[left_out, own[left_out]] = GARBAGE + 1
    least = ranks.min(axis=1, keepdims=True, initial=GARBAGE + 1)
    rows, columns = np.nonzero((ranks == least) & (ranks <= GARBAGE))
    segments = texts.segments_of(judgements)[rows]
    best = zip(
        texts.segment_sentences[segments].tolist(),
        (texts.first_candidates[segments] + columns).tolist(),
        strict=True,
    )
    return {
        (sentence, tuple(texts.candidate_texts[candidate].split(" ")))
        for sentence, candidate in best
    }
