"""Project segments to candidates, and merge identical candidates of several systems.

Where neighbouring words of the source are linked to neighbouring words of the translation, a
candidate is all that is linked to the segment (method of the thesis). Where languages are less
alike, grow-diag-final links each word to something, and candidates would be scattered words. There
a candidate is the best stretch of words: links of the segment count for a word, links of other
words against it.
"""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import inf
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from annotation.formats.pharaoh import Link, Links
from annotation.formats.tokens import TokenizedText
from annotation.preparation.links import grow_diag_final

# A text with a larger share of scattered stretches is projected by stretches. English to
# Czech has .13 to .22 (human translations .37), and English to German .50 (docs/languages.md).
SCATTERED: Final = 0.4
# The source tokens of a stretch that is looked at.
_STRETCH = 4
# If a link of both directions counts 1: what a link of one direction counts, the share of it that a
# link of another word counts against a word, and what a gap and a word without links cost.
_ONE_WAY, _OUTSIDE, _GAP, _UNLINKED = 0.3, 0.5, 0.75, 0.05
# Unicode has them among punctuation.
_READ_AS_WORDS: Final = frozenset("%‰‱٪&@#§′")


class Projected(NamedTuple):
    """What a translation has for a segment; "" is nothing."""

    text: str
    has_gap: bool = False


class AlignedPair(NamedTuple):
    """The tokens of a source sentence, and a translation of it, with their links."""

    source: Sequence[str]
    target: TokenizedText
    links: Links


class ProjectionRule(Struct, frozen=True, omit_defaults=True):
    """How segments are projected, and the share of stretches of the source that are scattered.

    It is None where it was not measured, as of links from files.
    """

    name: Literal["links", "stretches"] = "links"
    scattered: float | None = None

    def positions(self, segment: Collection[int], pair: AlignedPair) -> list[int]:
        """Return the positions in the translation of what is there for the segment, ascending.

        Segments are 0-based positions in the source. Nothing is there only if none of its words is
        linked.
        """
        if self.name == "links":
            return sorted(linked(segment, grow_diag_final(pair.links)))
        if not segment:
            return []
        length = len(pair.target)
        found = _best_stretches(segment, _of_like_tokens(pair), length) or _best_stretches(
            segment, pair.links, length
        )
        return _without_stray_marks(found, segment, pair)

    def project(self, segment: Collection[int], pair: AlignedPair) -> Projected:
        """Return the slice of the translation at these positions."""
        positions = self.positions(segment, pair)
        text = visible(pair.target.slice(positions))
        return Projected(text, bool(text) and _has_gap(positions))


@dataclass
class ScatterCounts:
    """How many stretches of four source tokens a text has, and of how many the links are scattered.

    They are if the words of the translation that are linked to the four are not next to each other.
    """

    stretches: int = 0
    scattered: int = 0

    def counting(self, links: Iterable[Links]) -> Iterator[Links]:
        """Yield the links of each pair, and count them."""
        for of_pair in links:
            of_stretch: dict[int, set[int]] = {}
            for source, target in grow_diag_final(of_pair):
                of_stretch.setdefault(source // _STRETCH, set()).add(target)
            self.stretches += len(of_stretch)
            self.scattered += sum(map(_has_gap, of_stretch.values()))
            yield of_pair

    @property
    def rule(self) -> ProjectionRule:
        """The rule by which the text is projected."""
        share = round(self.scattered / self.stretches, 4) if self.stretches else None
        is_scattered = share is not None and share > SCATTERED
        return ProjectionRule("stretches" if is_scattered else "links", share)


def _has_gap(positions: Collection[int]) -> bool:
    return max(positions) - min(positions) >= len(positions)


def _best_stretches(segment: Collection[int], links: Links, length: int) -> list[int]:
    """Return the target positions whose values have the greatest sum, less the cost of gaps.

    Each stretch of them begins and ends with a word that is linked to the segment.
    """
    wanted, ahead, back = set(segment), set(links.forward), set(links.reverse)
    values = [0.0] * length
    own: set[int] = set()
    for link in ahead | back:
        source, target = link
        weight = 1.0 if link in ahead and link in back else _ONE_WAY
        if source in wanted:
            own.add(target)
            values[target] += weight
        else:
            values[target] -= weight * _OUTSIDE
    for free in set(range(length)).difference(target for _source, target in ahead | back):
        values[free] = -_UNLINKED
    before = [0.0, *accumulate(values)]
    # The best choice that ends with each word: its sum, its previous word, and whether the words
    # from that one on are chosen, too.
    places = sorted(own)
    best: list[tuple[float, int, bool]] = []
    # Of the words so far: which one is best continued without a gap, and which one after a gap.
    joined = apart = (-inf, -1)
    for number, place in enumerate(places):
        total, earlier, is_joined = max(
            (0.0, -1, False),
            (joined[0] + before[place], joined[1], True),
            (apart[0] - _GAP, apart[1], False),
            key=itemgetter(0),
        )
        total += values[place]
        best.append((total, earlier, is_joined))
        joined = max(joined, (total - before[place + 1], number), key=itemgetter(0))
        apart = max(apart, (total, number), key=itemgetter(0))
    chosen: set[int] = set()
    at = max(range(len(best)), key=lambda number: best[number][0], default=-1)
    while at >= 0:
        _sum, earlier, is_joined = best[at]
        chosen.update(range(places[earlier] + 1 if is_joined else places[at], places[at] + 1))
        at = earlier
    return sorted(chosen)


def _of_like_tokens(pair: AlignedPair) -> Links:
    """Return the links of words with words and of marks with marks: no mark translates a word."""
    source = [is_mark(word) for word in pair.source]
    target = [is_mark(word) for word in pair.target.words]
    return Links(
        *(
            tuple((place, other) for place, other in links if source[place] == target[other])
            for links in pair.links
        )
    )


def _without_stray_marks(
    found: Sequence[int], segment: Collection[int], pair: AlignedPair
) -> list[int]:
    """Return the positions without marks at an end where the segment has none at that end.

    Those of nothing but marks stay.
    """
    target = pair.target.words
    has_mark = [is_mark(pair.source[at]) for at in (min(segment), max(segment))]
    first, last = 0, len(found)
    while first < last and not has_mark[0] and is_mark(target[found[first]]):
        first += 1
    while first < last and not has_mark[1] and is_mark(target[found[last - 1]]):
        last -= 1
    return list(found[first:last] or found)


@lru_cache(maxsize=100_000)
def is_mark(word: str) -> bool:
    """Return whether a token has neither letter nor digit nor symbol: a punctuation mark.

    Signs that are read as words, such as the percent sign, are symbols.
    """
    return all(
        unicodedata.category(character)[0] in "PZC" and character not in _READ_AS_WORDS
        for character in unicodedata.normalize("NFKC", word)
    )


def visible(text: str) -> str:
    """Return the text if it has a visible character, else ""."""
    is_visible = any(character.isprintable() and not character.isspace() for character in text)
    return text if is_visible else ""


def merge(projected: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the systems of each unique candidate, given the candidate of each system.

    Only texts that are the same character for character are one candidate. Candidates and systems
    keep the order of their first occurrence. An empty text is not a candidate.
    """
    candidates: dict[str, list[str]] = {}
    for system, candidate in projected.items():
        if candidate:
            candidates.setdefault(candidate, []).append(system)
    return candidates


def linked(positions: Collection[int], links: Iterable[Link]) -> set[int]:
    """Return the target positions that are linked to any of the source positions."""
    wanted = set(positions)
    return {target for source, target in links if source in wanted}
