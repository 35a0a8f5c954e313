"""METEOR: words aligned by form, stem, synonyms and paraphrases, and how fragmented they are.

Matches count by their kind, and function words less than others. With precision P and recall R of
what is matched, score = P·R / (αP + (1-α)R) · (1 - γ (chunks / matched words)^β); a chunk is a run
of matches that is continuous in both texts. Of all alignments, the one that covers most counts,
then the one with the fewest chunks, then the one whose words move least.
Source: Denkowski & Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any
Target Language; the parameters are those of METEOR 1.5 for its ranking task.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from evaluation.metrics.meteor_files import FunctionWords, Paraphrases, Synonyms
from evaluation.metrics.metric import OURS, Metric, divided
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Tokenizer, Words
from evaluation.stats.resampling import Floats

# Partial alignments kept at each word.
BEAM: Final = 40
# The languages of nltk's Snowball stemmers, by code.
STEMMERS: Final = {
    **{"ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish"},
    **{"fi": "finnish", "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch"},
    **{"no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish"},
}


@dataclass(frozen=True)
class Parameters:
    """α, β, γ as above; δ is the weight of content words and 1 - δ that of function words.

    `stem`, `synonym` and `paraphrase` are the weights of such matches; an exact one has 1.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    stem: float
    synonym: float
    paraphrase: float

    def __str__(self) -> str:
        weights = f"1,{self.stem},{self.synonym},{self.paraphrase}"
        return f"params:{self.alpha},{self.beta},{self.gamma},{self.delta}|weights:{weights}"


PARAMETERS: Final = {
    "en": Parameters(0.85, 0.2, 0.6, 0.75, stem=0.6, synonym=0.8, paraphrase=0.6),
    "cs": Parameters(0.95, 0.2, 0.6, 0.8, stem=0, synonym=0, paraphrase=0.4),
    "de": Parameters(0.95, 1.0, 0.55, 0.55, stem=0.8, synonym=0, paraphrase=0.2),
    "es": Parameters(0.65, 1.3, 0.5, 0.8, stem=0.8, synonym=0, paraphrase=0.6),
    "fr": Parameters(0.9, 1.4, 0.6, 0.65, stem=0.2, synonym=0, paraphrase=0.4),
    "ru": Parameters(0.75, 1.4, 0.7, 0.5, stem=0.5, synonym=0, paraphrase=0.5),
}
OTHER_LANGUAGES: Final = Parameters(0.75, 1.4, 0.7, 0.5, stem=0.5, synonym=0.5, paraphrase=0.5)


class Match(NamedTuple):
    """A phrase of the output, its length, that of the phrase of the reference, and the weight."""

    start: int
    length: int
    length_there: int
    weight: float

    @property
    def words(self) -> int:
        """The words of the output, as bits."""
        return (1 << self.length) - 1 << self.start


@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR with the matches for which there is a stemmer or a file.

    Statistics: weighted matches of output and reference, weighted lengths of both, matched words of
    both together, words of both together, and chunks. Of several references, a sentence is compared
    with the one of the highest score.
    """

    name: str
    tokenizer: Tokenizer
    parameters: Parameters
    stemmer: str = ""
    function_words: FunctionWords | None = None
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    stems: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def signature(self) -> str:
        matches = ["exact"]
        if self.stemmer and self.parameters.stem:
            matches.append(f"stem[snowball-{self.stemmer}]")
        if self.synonyms and self.parameters.synonym:
            matches.append(f"synonym[{self.synonyms.digest}]")
        if self.paraphrases and self.parameters.paraphrase:
            matches.append(f"paraphrase[{self.paraphrases.digest}]")
        words = self.function_words.digest if self.function_words else "none"
        return (
            f"METEOR|{self.tokenizer.signature}|match:{'+'.join(matches)}|{self.parameters}"
            f"|function-words:{words}|refs:best|{OURS}"
        )

    def _count(self, outputs: Lines, references: References) -> Floats:
        words = self.tokenizer.words(outputs)
        counted = np.array(
            [
                self._compare(output, reference)
                for output, lines in zip(words, references, strict=True)
                for reference in self.tokenizer.words(lines)
            ]
        )
        best: Floats = counted[references.least(-self.score(counted))]
        return best

    def score(self, sums: Floats) -> Floats:
        ours, theirs, length, length_there, matched, words, chunks = np.moveaxis(sums, -1, 0)
        alpha, beta, gamma = self.parameters.alpha, self.parameters.beta, self.parameters.gamma
        precision, recall = divided(ours, length), divided(theirs, length_there)
        mean = divided(precision * recall, alpha * precision + (1 - alpha) * recall)
        # Equal texts are not fragmented at all.
        equal = (matched == words) & (chunks == 1)
        fragmentation = np.where(equal, 0, divided(2 * chunks, matched))
        return np.asarray(np.maximum(mean * (1 - gamma * fragmentation**beta), 0))

    def _compare(self, output: Words, reference: Words) -> tuple[float, ...]:
        """Return the statistics of one output and one reference."""
        weights, weights_there = self._weights(output), self._weights(reference)
        ours = theirs = 0.0
        matched = chunks = 0
        end = end_there = -1
        for there, match in align(self._matches(output, reference), len(output)):
            start, length, length_there, weight = match
            ours += weight * sum(weights[start : start + length])
            theirs += weight * sum(weights_there[there : there + length_there])
            matched += length + length_there
            chunks += start != end or there != end_there
            end, end_there = start + length, there + length_there
        words = len(output) + len(reference)
        return ours, theirs, sum(weights), sum(weights_there), matched, words, chunks

    def _weights(self, words: Words) -> list[float]:
        if self.function_words is None:
            return [1.0] * len(words)
        content, function = self.parameters.delta, 1 - self.parameters.delta
        less = self.function_words.words
        return [function if word in less else content for word in words]

    def _matches(self, output: Words, reference: Words) -> list[list[Match]]:
        """Return the matches that begin at each word of the reference."""
        same = _places([(word,) for word in output])
        kinds: list[tuple[float, list[tuple[str, ...]], dict[str, list[int]]]] = []
        if self.stemmer and self.parameters.stem:
            stems = _places([(self._stem(word),) for word in output])
            kinds.append((self.parameters.stem, [(self._stem(w),) for w in reference], stems))
        if self.synonyms and self.parameters.synonym:
            known = self.synonyms.synsets
            synsets = _places([tuple(known.get(word, ())) for word in output])
            of_reference = [tuple(known.get(word, ())) for word in reference]
            kinds.append((self.parameters.synonym, of_reference, synsets))
        found = []
        for there, word in enumerate(reference):
            # Of several kinds of match of two words, the first one counts.
            weights = dict.fromkeys(same.get(word, ()), 1.0)
            for weight, keys, places in kinds:
                for key in keys[there]:
                    for place in places.get(key, ()):
                        weights.setdefault(place, weight)
            found.append([Match(place, 1, 1, weight) for place, weight in weights.items()])
        if self.paraphrases and self.parameters.paraphrase:
            _add_paraphrases(found, output, reference, self.paraphrases, self.parameters.paraphrase)
        return found

    def _stem(self, word: str) -> str:
        if word not in self.stems:
            self.stems[word] = _snowball(self.stemmer).stem(word)
        return self.stems[word]


def align(matches: Sequence[Sequence[Match]], length: int) -> list[tuple[int, Match]]:
    """Choose from the matches that begin at each word of a reference, each word once.

    Returns places in the reference and their matches, in this order. `length` is that of the
    output. A match that shares no word with another one is always chosen. The search is
    METEOR's: from left to right, keeping the BEAM best alignments of what was passed.
    """
    covered, covered_there = [0] * length, [0] * len(matches)
    for there, of_word in enumerate(matches):
        for match in of_word:
            for place in range(match.start, match.start + match.length):
                covered[place] += 1
            for place in range(there, there + match.length_there):
                covered_there[place] += 1
    certain = [
        len(of_word) == 1 and _stands_alone(there, of_word[0], covered, covered_there)
        for there, of_word in enumerate(matches)
    ]
    if sum(certain) == sum(map(len, matches)):
        return [(there, of_word[0]) for there, of_word in enumerate(matches) if of_word]
    # Words of the output that matches from a place on may use; others need not be distinguished.
    later = [0] * (len(matches) + 1)
    for there in reversed(range(len(matches))):
        later[there] = later[there + 1]
        for match in matches[there]:
            later[there] |= match.words
    # For each place of the reference: (used words of the output, where the last match ended) →
    # (- what is covered, chunks, distance) and the chain of matches.
    beams: list[dict[tuple[int, int], tuple[tuple[float, int, int], Any]]]
    beams = [{} for _ in range(len(matches) + 1)]
    beams[0][0, -1] = ((0.0, 0, 0), None)
    for there, of_word in enumerate(matches):
        states = list(beams[there].items())
        if len(states) > BEAM:
            states = sorted(states, key=lambda state: state[1][0])[:BEAM]
        for (used, end), (cost, chain) in states:
            if not certain[there]:
                _keep(beams[there + 1], (used & later[there + 1], -1), cost, chain)
            for match in of_word:
                start, size, size_there, weight = match
                if used & match.words:
                    continue
                longer = (
                    cost[0] - weight * (size + size_there),
                    cost[1] + (start != end),
                    cost[2] + abs(start - there),
                )
                after = there + size_there
                key = ((used | match.words) & later[after], start + size)
                _keep(beams[after], key, longer, (chain, there, match))
    _, chain = min(beams[-1].values(), key=lambda state: state[0])
    chosen = []
    while chain is not None:
        chain, there, match = chain
        chosen.append((there, match))
    return chosen[::-1]


def _stands_alone(
    there: int, match: Match, covered: Sequence[int], covered_there: Sequence[int]
) -> bool:
    ours = covered[match.start : match.start + match.length]
    theirs = covered_there[there : there + match.length_there]
    return max(ours) == max(theirs) == 1


def _keep(
    beam: dict[tuple[int, int], tuple[tuple[float, int, int], Any]],
    key: tuple[int, int],
    cost: tuple[float, int, int],
    chain: Any,
) -> None:
    known = beam.get(key)
    if known is None or cost < known[0]:
        beam[key] = (cost, chain)


def _places(keys: Sequence[tuple[str, ...]]) -> dict[str, list[int]]:
    """Return the places of each key."""
    places: dict[str, list[int]] = {}
    for place, of_word in enumerate(keys):
        for key in of_word:
            places.setdefault(key, []).append(place)
    return places


def _add_paraphrases(
    found: list[list[Match]],
    output: Words,
    reference: Words,
    paraphrases: Paraphrases,
    weight: float,
) -> None:
    """Add the matches of phrases, unless the two words match already."""
    places: dict[Words, list[int]] = {}
    for start in range(len(output)):
        for end in range(start + 1, min(len(output), start + paraphrases.longest) + 1):
            places.setdefault(output[start:end], []).append(start)
    for there in range(len(reference)):
        already = {match.start for match in found[there]}
        for end in range(there + 1, min(len(reference), there + paraphrases.longest) + 1):
            phrase = reference[there:end]
            for other in sorted(paraphrases.phrases.get(phrase, frozenset()) & places.keys()):
                found[there] += [
                    Match(start, len(other), len(phrase), weight)
                    for start in places[other]
                    if len(other) > 1 or len(phrase) > 1 or start not in already
                ]


@cache
def _snowball(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(language)
