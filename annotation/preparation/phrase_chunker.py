"""Chunk sentences into phrases without a model of their language.

Frequent, short words are function words. They are classified by their neighbours: an article
comes before content words, a conjunction after punctuation, and so on. Small tables
(`phrase_weights`) say how well each class opens and closes a phrase. The best phrases that do not
overlap are chosen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain, islice
from math import exp

from annotation.preparation import phrase_weights as weights
from annotation.preparation.trees import Node, leaf, leaves

# The lengths for which weights were learned; other lengths use the nearest.
SHORTEST, LONGEST = 3, 6
# The least probability of being a segment for which a phrase is chosen.
_WORTH = 0.15
# The number of sentences from which function words are learned.
SAMPLE_SENTENCES = 5000
_PHRASE, _CLAUSE, _SENTENCE = "X", "CLAUSE", "S"


class Kind(IntEnum):
    """The class of a token; the numbers are indices of the tables of weights."""

    EDGE = 0  # a full stop or the like, or the end of the sentence
    COMMA = 1
    MARK = 2  # any other punctuation
    CLOSER = 3  # a function word before punctuation: a pronoun, a particle
    OPENER = 4  # a function word after punctuation: a conjunction
    ARTICLE = 5  # a function word between function words and content words
    PREPOSITION = 6  # a function word after content words
    AUXILIARY = 7  # any other function word
    CONTENT = 8


def parse_phrases(
    sentences: Iterable[list[str]],
    shortest: int = SHORTEST,
    longest: int = LONGEST,
    beginning: Iterable[list[str]] = (),
) -> Iterator[Node]:
    """Yield a tree for each sentence; the function words are learned from the first 5000.

    If the sentences are a later part of a text, `beginning` are its first ones, from which to
    learn. Trees have three levels: the sentence, clauses (separated by punctuation and longer than
    a phrase), and phrases of `shortest` to `longest` tokens with inner phrases.
    """
    waiting = iter(sentences)
    sample = list(islice(beginning, SAMPLE_SENTENCES))
    ahead = [] if sample else list(islice(waiting, SAMPLE_SENTENCES))
    functions = function_words(sample or ahead)
    for sentence in chain(ahead, waiting):
        yield phrase_tree(sentence, functions, shortest, longest)


def phrase_tree(
    sentence: Iterable[str], functions: dict[str, Kind], shortest: int, longest: int
) -> Node:
    """Return the tree of one sentence of a text whose function words are known."""
    return _tree(kinds_of(sentence, functions), shortest, longest)


# --- kinds of words ------------------------------------------------------------------------

# By the length of a word: how often a function word must occur in a thousand words, and in all.
_PER_THOUSAND = {1: 0.5, 2: 0.5, 3: 0.6, 4: 0.7, 5: 1.0, 6: 1.2}
_AT_LEAST = {1: 1, 2: 1, 3: 1, 4: 3, 5: 4, 6: 6}
# The prior shares of neighbours of a function word, and their weight as a number of occurrences.
_BELIEF = 6
_AFTER_MARK, _BEFORE_MARK, _AFTER_FUNCTION, _BEFORE_FUNCTION = 0.15, 0.08, 0.25, 0.3


def function_words(sentences: Iterable[list[str]]) -> dict[str, Kind]:
    """Return the lowercased function words of a text and their classes."""
    lowered = [[token.lower() for token in sentence] for sentence in sentences]
    counts = Counter(word for sentence in lowered for word in sentence if not is_mark(word))
    total = sum(counts.values())
    found = {word for word, count in counts.items() if _is_frequent(word, count, total)}
    after_mark, before_mark = Counter[str](), Counter[str]()
    after_function, before_function = Counter[str](), Counter[str]()
    for sentence in lowered:
        for before, word, after in zip(
            ["", *sentence], sentence, [*sentence[1:], ""], strict=False
        ):
            if word in found:
                after_mark[word] += is_mark(before)
                before_mark[word] += is_mark(after)
                after_function[word] += before in found
                before_function[word] += after in found

    def share(seen: Counter[str], word: str, belief: float) -> float:
        return (seen[word] + _BELIEF * belief) / (counts[word] + _BELIEF)

    return {
        word: _kind_of_function_word(
            share(after_mark, word, _AFTER_MARK),
            share(before_mark, word, _BEFORE_MARK),
            share(after_function, word, _AFTER_FUNCTION),
            share(before_function, word, _BEFORE_FUNCTION),
        )
        for word in found
    }


def _is_frequent(word: str, count: int, total: int) -> bool:
    length = len(word)
    return (
        length in _PER_THOUSAND
        and not word[0].isdigit()
        and count >= _AT_LEAST[length]
        and 1000 * count > _PER_THOUSAND[length] * total
    )


def _kind_of_function_word(
    after_mark: float, before_mark: float, after_function: float, before_function: float
) -> Kind:
    if before_mark > 0.15:
        return Kind.CLOSER
    if after_mark > 0.3:
        return Kind.OPENER
    if before_function < 0.25 and after_function > 0.3:
        return Kind.ARTICLE
    return Kind.PREPOSITION if after_function < 0.25 else Kind.AUXILIARY


def is_mark(token: str) -> bool:
    """Return whether a token is punctuation, or "", the edge of a sentence."""
    return not any(character.isalnum() for character in token)


def kinds_of(sentence: Iterable[str], functions: dict[str, Kind]) -> list[Kind]:
    return [_kind(token, functions) for token in sentence]


_MARKS = {",": Kind.COMMA} | dict.fromkeys(".!?;:", Kind.EDGE)


def _kind(token: str, functions: dict[str, Kind]) -> Kind:
    if is_mark(token):
        return _MARKS.get(token, Kind.MARK)
    return functions.get(token.lower(), Kind.CONTENT)


# --- phrases -------------------------------------------------------------------------------

Span = tuple[int, int]


def likelihood(kinds: Sequence[Kind], start: int, end: int) -> float:
    """Return how likely the tokens [start, end) are to be a segment, by their kinds alone.

    A logistic regression on pairs of kinds: around the phrase, at its start, at its end, its
    last and the one before it; its length; and which kinds are inside.
    """
    before = kinds[start - 1] if start else Kind.EDGE
    after = kinds[end] if end < len(kinds) else Kind.EDGE
    first, last = kinds[start], kinds[end - 1]
    tenths = (
        weights.AROUND[before][after]
        + weights.START[before][first]
        + weights.END[last][after]
        + weights.FIRST_AND_AFTER[first][after]
        + weights.LENGTH[min(max(end - start, SHORTEST), LONGEST) - SHORTEST]
        + sum(weights.INSIDE[kind] for kind in set(kinds[start + 1 : end - 1]))
    )
    return 1 / (1 + exp(-tenths / 10))


def _best_phrases(
    kinds: Sequence[Kind], start: int, end: int, shortest: int, longest: int
) -> list[Span]:
    """Return the phrases in [start, end) that do not overlap and have the highest total value."""
    best = {start: 0.0}
    chosen: dict[int, Span] = {}
    for stop in range(start + 1, end + 1):
        best[stop] = best[stop - 1]
        for begin in range(max(start, stop - longest), stop - shortest + 1):
            worth = best[begin] + likelihood(kinds, begin, stop) - _WORTH
            if worth > best[stop]:
                best[stop] = worth
                chosen[stop] = (begin, stop)
    return _trace_back(chosen, start, end)


def _trace_back(chosen: dict[int, Span], start: int, end: int) -> list[Span]:
    phrases = []
    while end > start:
        if end in chosen:
            phrases.append(chosen[end])
            end = chosen[end][0]
        else:
            end -= 1
    return phrases[::-1]


# --- trees ---------------------------------------------------------------------------------


def _tree(kinds: Sequence[Kind], shortest: int, longest: int) -> Node:
    best = _best_phrases(kinds, 0, len(kinds), shortest, longest)
    phrases = [_phrase(kinds, start, end, shortest) for start, end in best]
    nodes = _with_leaves(phrases, 0, len(kinds))
    return Node(_SENTENCE, _clauses(kinds, nodes, longest))


def _phrase(kinds: Sequence[Kind], start: int, end: int, shortest: int) -> tuple[int, int, Node]:
    inner = _best_phrases(kinds, start, end, shortest, end - start - 1)
    children = [_phrase(kinds, *span, shortest) for span in inner]
    return start, end, Node(_PHRASE, tuple(_with_leaves(children, start, end)))


def _with_leaves(phrases: list[tuple[int, int, Node]], start: int, end: int) -> list[Node]:
    """Fill with bare leaves what the phrases leave between them in [start, end)."""
    nodes: list[Node] = []
    for begin, stop, node in phrases:
        nodes.extend(leaf(position) for position in range(start, begin))
        nodes.append(node)
        start = stop
    return [*nodes, *(leaf(position) for position in range(start, end))]


def _clauses(kinds: Sequence[Kind], nodes: list[Node], longest: int) -> tuple[Node, ...]:
    """Group what stands between punctuation, where that is longer than a phrase."""
    groups: list[list[Node]] = [[]]
    for node in nodes:
        if node.token is not None and kinds[node.token] <= Kind.MARK:
            groups += [[node], []]
        else:
            groups[-1].append(node)
    whole = []
    for group in groups:
        length = sum(len(leaves(node)) for node in group)
        if length > longest and len(groups) > 1:
            whole.append(Node(_CLAUSE, tuple(group)))
        else:
            whole.extend(group)
    return tuple(whole)
