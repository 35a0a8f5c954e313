"""Features of hypotheses that need no reference, for outputs that come without a model's scores."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.reuse.tuning.hypotheses import Floats, Hypotheses, padded
from evaluation.reuse.tuning.language_model import CharacterModel
from evaluation.reuse.tuning.ngrams import Integers, NgramCounts, count_ngrams
from evaluation.reuse.tuning.objectives import ORDERS, lowered
from evaluation.stats.judgements import Codes

CHARACTER_ORDERS: Final = 6
# chrF weighs recall twice as much as precision (Popović 2015).
BETA: Final = 2.0

# Hypotheses that each one is compared with at most: N-best lists may be long.
MOST_COMPARED: Final = 20
# Parts into which the training sentences are divided for the language model.
PARTS: Final = 5

FEATURES: Final[tuple[str, ...]] = (
    "similarity by characters",
    "similarity by BLEU",
    "length",
    "unusual length",
    "words of the source",
    "words of most others",
    "own words",
    "punctuation",
    "shared bigrams",
    "repetitions",
    "language model",
)


def outputs_as_hypotheses(
    texts: ProjectTexts,
    sentences: Codes,
    training: NDArray[np.bool_],
    *,
    indicators: bool = False,
) -> Hypotheses:
    """Return the outputs of these sentences (codes) with FEATURES, centred by sentence.

    A system without an output is left out there. The language model is that of the references of
    the sentences that are for `training`, if there are any; with `indicators`, each system is one
    more feature. Raises ValueError if a sentence has no output.
    """
    systems, outputs = [], []
    for sentence in sentences:
        present = [code for code, of_system in enumerate(texts.outputs) if of_system[sentence]]
        systems.append(np.array(present, dtype=np.int32))
        outputs.append(tuple(texts.outputs[code][sentence] for code in present))
    width = max(map(len, outputs))
    references = [list(map(" ".join, texts.references[sentence])) for sentence in sentences]
    fluency = _language_model(references, outputs, training)
    rows = []
    for sentence, hypotheses, model in zip(sentences, outputs, fluency, strict=True):
        rows.append(np.column_stack([text_features(hypotheses, texts.sources[sentence]), model]))
    names = FEATURES
    if indicators:
        rows = [
            np.column_stack([row, present[:, None] == np.arange(len(texts.system_names))])
            for row, present in zip(rows, systems, strict=True)
        ]
        names = (*FEATURES, *texts.system_names)
    return Hypotheses(
        sentences=sentences,
        texts=tuple(outputs),
        systems=padded([each[:, None] for each in systems], width)[..., 0].astype(np.int32),
        features=padded([row - row.mean(axis=0) for row in rows], width),
        feature_names=names,
    )


def character_similarity(hypotheses: Sequence[Tokens]) -> Floats:
    """Return the mean chrF of each hypothesis with each of the others as its reference, 0 if alone.

    chrF: F of precision and recall, which are means over character n-grams of order 1 to 6,
    without spaces (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation").
    """
    ngrams = count_ngrams(["".join(tokens) for tokens in hypotheses], CHARACTER_ORDERS)
    totals = np.maximum(ngrams.totals, 1)

    def chrf(matches: Integers, reference: int) -> Floats:
        precision = (matches / totals).mean(axis=1)
        recall = (matches / totals[reference]).mean(axis=1)
        below = np.maximum(BETA**2 * precision + recall, 1e-9)
        return np.asarray((1 + BETA**2) * precision * recall / below)

    return _similarity(ngrams, chrf)


def bleu_similarity(hypotheses: Sequence[Tokens]) -> Floats:
    """Return the mean sentence BLEU of each hypothesis with each of the others as its reference."""
    ngrams = count_ngrams([lowered(tokens) for tokens in hypotheses], ORDERS)
    totals = ngrams.totals
    return _similarity(ngrams, lambda m, k: sentence_bleu(m, totals, totals[k, 0]))


def sentence_bleu(matches: NDArray[Any], totals: NDArray[Any], length: NDArray[Any]) -> Floats:
    """Return sentence BLEU, 1 added to counts of all orders; `matches` and `totals` … × 4."""
    brevity = np.minimum(0.0, 1 - length / np.maximum(totals[..., 0], 1))
    return np.asarray(np.exp(np.log((matches + 1) / (totals + 1)).mean(axis=-1) + brevity))


def text_features(hypotheses: Sequence[Tokens], source: Tokens) -> Floats:
    """Return the FEATURES but the last, as columns, of the hypotheses of a sentence.

    Shares are of the hypothesis' words or bigrams, in lower case; the length is the
    logarithm relative to the mean of the hypotheses, which is unusual by its absolute value.
    """
    count = len(hypotheses)
    lower = [lowered(tokens) for tokens in hypotheses]
    lengths = np.array([len(tokens) for tokens in hypotheses], dtype=np.float64)
    ngrams = count_ngrams(lower, 2)
    bigrams = ngrams.starts[1]
    has = ngrams.counts > 0
    # In how many of the other hypotheses each n-gram is.
    others = has.sum(axis=0) - has
    words, pairs = ngrams.counts[:, :bigrams], ngrams.counts[:, bigrams:]
    word_others, pair_others = others[:, :bigrams], others[:, bigrams:]
    in_source = set(lowered(source))
    return np.stack(
        [
            character_similarity(hypotheses),
            bleu_similarity(hypotheses),
            np.log(lengths / lengths.mean()),
            np.abs(np.log(lengths / lengths.mean())),
            [sum(t in in_source and t[0].isalpha() for t in tokens) for tokens in lower] / lengths,
            (words * (word_others > (count - 1) / 2)).sum(axis=1) / lengths,
            (words * (word_others == 0)).sum(axis=1) / lengths,
            [sum(not any(map(str.isalnum, t)) for t in tokens) for tokens in lower] / lengths,
            (pairs * pair_others).sum(axis=1)
            / np.maximum(pairs.sum(axis=1), 1)
            / max(1, count - 1),
            [sum(a == b for a, b in pairwise(t)) for t in lower] / lengths,
        ],
        axis=1,
    )


def _similarity(ngrams: NgramCounts, measure: Callable[[Integers, int], Floats]) -> Floats:
    """Return the mean of `measure` of each text with the others; it takes T × orders matches."""
    count = len(ngrams.counts)
    sums, compared = np.zeros(count), np.zeros(count)
    for other in np.unique(np.linspace(0, count - 1, min(count, MOST_COMPARED)).astype(int)):
        similar = measure(ngrams.matches(ngrams.counts[other]), other)
        similar[other] = 0
        sums += similar
        compared += np.arange(count) != other
    return np.asarray(sums / np.maximum(compared, 1))


def _language_model(
    references: Sequence[Sequence[str]],
    outputs: Sequence[Sequence[Tokens]],
    training: NDArray[np.bool_],
) -> list[Floats]:
    """Return the scores of each sentence's outputs by a model of all training references.

    A training sentence's own part of the training sentences is not in its model: else the model
    would prefer what is like the reference. Parts are consecutive, because neighbours are of one
    document and share names.
    """
    part = np.full(len(references), -1)
    part[training] = np.arange(np.count_nonzero(training)) * PARTS // np.count_nonzero(training)
    scores = [np.zeros(len(texts)) for texts in outputs]
    for one in range(-1, PARTS):
        others = np.flatnonzero(training & (part != one)).tolist()
        known = [reference for s in others for reference in references[s]]
        scored = np.flatnonzero(part == one).tolist()
        if not known or not scored:
            continue
        model = CharacterModel(known)
        found = model.scores([" ".join(text) for s in scored for text in outputs[s]])
        ends = np.cumsum([len(outputs[s]) for s in scored])
        for s, of_sentence in zip(scored, np.split(found, ends[:-1]), strict=True):
            scores[s] = of_sentence
    return scores
