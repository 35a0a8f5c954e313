"""Segments of sources that no parser can parse: what a reference translates by a phrase.

Of all stretches of `min_length` to `max_length` tokens that begin and end at an edge of a phrase
(`phrase_edges`) and have no punctuation mark inside, those are chosen that do not overlap and have
the greatest sum of

    (consistency - worth) * length

The consistency is the share of the links of a stretch that the best stretch of the reference holds:
links of the segment count for a word of the reference, links of other words 0.6 against it, and a
link of one direction counts half. The worth is 0.45 if no parser can parse the reference either.
Otherwise it is 0.25 if the stretch of the reference, perhaps with neighbours that are not linked,
is a phrase of its tree, and 0.65 if not; in a source with spaces, whose edges are unknown, only
phrases count. Of several references, the mean of the values decides. Without references that
are linked, every stretch is as good as its length: phrases are only grouped. If nothing is worth
choosing, the best stretch is chosen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pharaoh import Links
from annotation.formats.tokens import Span, TokenizedText
from annotation.preparation.parsers import PhrasesParser, parser_of_language
from annotation.preparation.phrase_chunker import is_mark
from annotation.preparation.phrase_edges import phrase_edges
from annotation.preparation.predicates import Segment
from annotation.preparation.segmenters import COVERAGES, LINKED, Cut, ParsedSegments
from annotation.preparation.tokens import is_written_without_spaces
from annotation.preparation.trees import Node, leaves

# The consistency above which a stretch is chosen: without a tree, of a phrase, of anything else.
_WORTH, _WORTH_OF_PHRASE, _WORTH_OF_OTHER = 0.45, 0.25, 0.65
# What a link of one direction counts, if one of both directions counts 1, and what a link of
# another word counts against a stretch.
_ONE_WAY, _OUTSIDE = 0.5, 0.6

# How the parts of speech of content words begin, in Penn's treebank and in Universal Dependencies.
_CONTENT = ("NN", "VB", "JJ", "RB", "CD", "NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM")


def are_linked(
    parser: str,
    language: str,
    words: Iterable[str],
    target_language: str,
    *,
    has_references: bool,
    models: Path | None = None,
) -> bool:
    """Return whether segments are cut by links, and not by a parser of the source.

    With the parser "auto" they are where no parser knows the language, and it is written without
    spaces, as the first `words` tell, or has references that a parser knows. Figures are in
    docs/languages.md. `models` is the folder of stanza's models. Raises InputError if the parser
    "linked" has nothing by which to cut.
    """
    if parser == "auto":
        if parser_of_language(language, models):
            return False
        is_known = parser_of_language(target_language, models) is not None
        return is_written_without_spaces(words) or (has_references and is_known)
    if parser == LINKED and not (has_references or is_written_without_spaces(words)):
        raise InputError(
            _(
                "The parser linked finds segments by the links of words to a reference: give a "
                "reference, or choose the parser phrases."
            )
        )
    return parser == LINKED


class Reference(NamedTuple):
    """The links of a source sentence with a reference, and the tree of the reference, if any."""

    links: Links
    tree: Node | None = None


class LinkedSegments:
    """Segments of `min_length` to `max_length` tokens that references translate by phrases.

    `references` has those of each sentence; without it, segments are groups of phrases. `language`
    is that of the source. Sentences with spaces that no reference is linked to are cut as by the
    parser `phrases`, which learns from the first sentences of the text, the `beginning`.
    """

    name = LINKED
    # They cover what Algorithm 1 would, without its trees.
    coverage = ""

    def __init__(
        self,
        language: str,
        min_length: int,
        max_length: int,
        references: Iterable[Sequence[Reference]] | None = None,
        beginning: Iterable[list[str]] = (),
    ) -> None:
        by = "phrases of the source" if references is None else "references"
        self.version = f"1, budoux {version('budoux')}, by {by}"
        self._language = language
        self._lengths = min_length, max_length
        self._references = references
        self._beginning = beginning

    def cut(self, sentences: Iterable[TokenizedText]) -> Iterator[Cut]:
        if self._references is None:
            rows = [(sentence, list[Reference]()) for sentence in sentences]
        else:
            rows = list(zip(sentences, map(list, self._references), strict=True))
        # Without links, nothing tells where phrases between spaces begin and end.
        unknown = [row for row, references in rows if not _can_cut(row, references)]
        parser = PhrasesParser(*self._lengths, self._beginning)
        others = ParsedSegments(parser, *self._lengths, COVERAGES[0]).cut(unknown)
        for sentence, references in rows:
            if _can_cut(sentence, references):
                yield None, self._segments(sentence, references)
            else:
                yield next(others)

    def _segments(self, sentence: TokenizedText, references: Sequence[Reference]) -> list[Segment]:
        words = sentence.words
        stretches = _stretches(
            phrase_edges(sentence, self._language), [is_mark(word) for word in words], self._lengths
        )
        worth_of_other = _WORTH_OF_OTHER if is_written_without_spaces(words) else 1.0
        values = [
            _Values(reference, worth_of_other) for reference in references if any(reference.links)
        ]
        if not values:
            return _best({stretch: float(stretch[1] - stretch[0]) for stretch in stretches})
        return _best({stretch: fmean(value(*stretch) for value in values) for stretch in stretches})


def _can_cut(sentence: TokenizedText, references: Iterable[Reference]) -> bool:
    return any(any(reference.links) for reference in references) or is_written_without_spaces(
        sentence.words
    )


class _Values:
    """The values of the stretches of a source sentence by one reference."""

    def __init__(self, reference: Reference, worth_of_other: float) -> None:
        links, tree = reference
        both = set(links.forward) & set(links.reverse)
        self._of_source: dict[int, list[tuple[int, float]]] = {}
        self._of_target: dict[int, float] = {}
        for source, target in sorted({*links.forward, *links.reverse}):
            weight = 1.0 if (source, target) in both else _ONE_WAY
            self._of_source.setdefault(source, []).append((target, weight))
            self._of_target[target] = self._of_target.get(target, 0.0) + weight
        last = max(self._of_target, default=-1)
        # The links of all words of the reference before each word.
        self._before = [0.0, *accumulate(self._of_target.get(at, 0.0) for at in range(last + 1))]
        self._phrases = frozenset[Span]() if tree is None else _phrases(tree)
        self._length = max((stop for _start, stop in self._phrases), default=0)
        self._worth = _WORTH if tree is None else worth_of_other

    def __call__(self, start: int, stop: int) -> float:
        share, place = self._best_stretch(start, stop)
        worth = self._worth
        if place is not None and self._is_phrase(*place):
            worth = _WORTH_OF_PHRASE
        return (share - worth) * (stop - start)

    def _best_stretch(self, start: int, stop: int) -> tuple[float, Span | None]:
        """Return the consistency of the source tokens [start, stop), and the best stretch."""
        own: dict[int, float] = {}
        for source in range(start, stop):
            for target, weight in self._of_source.get(source, ()):
                own[target] = own.get(target, 0.0) + weight
        best, place = 0.0, None
        total, first, reached = 0.0, 0, 0
        for target in sorted(own):
            total -= _OUTSIDE * (self._before[target] - self._before[reached])
            if total <= 0:
                total, first = 0.0, target
            total += own[target] - _OUTSIDE * (self._of_target[target] - own[target])
            reached = target + 1
            if total > best:
                best, place = total, (first, reached)
        return best / sum(own.values()) if own else 0.0, place

    def _is_phrase(self, first: int, last: int) -> bool:
        """Return whether words that are linked to nothing complete the stretch to a phrase."""
        starts, stops = [first], [last]
        while starts[-1] > 0 and starts[-1] - 1 not in self._of_target:
            starts.append(starts[-1] - 1)
        while stops[-1] < self._length and stops[-1] not in self._of_target:
            stops.append(stops[-1] + 1)
        return any((start, stop) in self._phrases for start in starts for stop in stops)


def _phrases(tree: Node) -> frozenset[Span]:
    """Return the tokens [start, stop) of a tree's constituents of several words, without gaps, and
    of its content words."""
    found, waiting = set(), [tree]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        positions = leaves(node)
        is_phrase = len(positions) > 1 and positions[-1] - positions[0] < len(positions)
        if is_phrase or (positions and node.label.startswith(_CONTENT)):
            found.add((positions[0], positions[-1] + 1))
    return frozenset(found)


def _stretches(
    edges: Sequence[bool], marks: Sequence[bool], lengths: tuple[int, int]
) -> Iterator[Span]:
    """Yield the stretches of such lengths, between edges and without marks, by their ends."""
    shortest, longest = lengths
    for stop in range(1, len(marks) + 1):
        for start in range(stop - 1, max(-1, stop - longest - 1), -1):
            if marks[start] or not edges[stop]:
                break
            if edges[start] and stop - start >= shortest:
                yield start, stop


def _best(values: Mapping[Span, float]) -> list[Segment]:
    """Return the stretches that do not overlap and have the greatest sum of values.

    They are ascending. If no value is positive, the stretch with the greatest one is returned.
    """
    if not values:
        return []
    if max(values.values()) <= 0:
        return [tuple(range(*max(values, key=lambda stretch: values[stretch])))]
    of_stop: dict[int, list[Span]] = {}
    for stretch in values:
        of_stop.setdefault(stretch[1], []).append(stretch)
    # Of the tokens before each place: the greatest sum, and the last stretch of those that have it.
    sums, last = [0.0], list[Span | None]([None])
    for stop in range(1, max(of_stop) + 1):
        total, latest = sums[-1], last[-1]
        for stretch in of_stop.get(stop, ()):
            if sums[stretch[0]] + values[stretch] > total:
                total, latest = sums[stretch[0]] + values[stretch], stretch
        sums.append(total)
        last.append(latest)
    found: list[Segment] = []
    at = last[-1]
    while at is not None:
        found.append(tuple(range(*at)))
        at = last[at[0]]
    return found[::-1]
