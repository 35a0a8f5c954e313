"""The words of the texts of a sheet, and the words of the source that each is aligned with.

The page has them in two attributes of the element with the text (`aligned_words.js` reads them).
`data-words` has the length of each word, "5 4 2:6", with the number of characters before it where
that is not one: characters are code points, as Python counts them. A translation has `data-links`
as well: for each of its words the numbers of the words of the source, from 0, "0 1,2  3". Where a
page has several sources, each is with its translations in an element with `data-aligned`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import regex
from rapidfuzz.distance import Indel, Postfix, Prefix

from annotation.formats.pharaoh import Links
from annotation.formats.tokens import Span, TokenizedText
from annotation.preparation.links import grow_diag_final

_WORD = regex.compile(r"\S+")


class AlignedText(NamedTuple):
    """A translation, or what a candidate has of it, and the links of its words to the source."""

    target: TokenizedText
    links: Links

    def with_targets(self, words: Callable[[int], Iterable[int]]) -> Links:
        """Return the symmetrised links, each to the words that stand for its word.

        The whole translation is symmetrised, since its other links decide which ones are added.
        """
        links = grow_diag_final(self.links)
        return Links.without_direction(
            {(source, word) for source, target in links for word in words(target)}
        )

    def part(self, positions: Sequence[int]) -> "AlignedText":
        """Return the slice of these ascending positions; its first word is word 0."""
        places = {position: (place,) for place, position in enumerate(positions)}
        links = self.with_targets(lambda target: places.get(target, ()))
        return AlignedText(self.target.part(positions), links)


class Words(NamedTuple):
    """The words of a shown text as the page has them; `links` is None for the source itself."""

    places: str
    links: str | None = None


def stored_text(text: str, tokens: str, alignment: str) -> AlignedText:
    """Return a stored translation; links that an archive has wrong are left out."""
    target = TokenizedText.stored(text, tokens)
    try:
        links = Links.stored(alignment)
    except ValueError:
        links = Links()
    inside = (tuple(link for link in direction if link[1] < len(target)) for direction in links)
    return AlignedText(target, Links(*inside))


def source_words(source: TokenizedText) -> Words:
    return Words(_lengths(source.spans))


def words_of(text: str, known: Iterable[AlignedText]) -> Words | None:
    """Return the words of a shown text, which should be one of the `known`; None without any.

    Another text, such as the degraded copy of a control sentence, gets the links of the one that is
    most like it: it must not look special.
    """
    known = list(known)
    same = next((one for one in known if one.target.text == text), None)
    if same is None:
        if not known:
            return None
        closest = max(known, key=lambda one: Indel.normalized_similarity(one.target.text, text))
        same = _adapted(text, closest)
    sources: dict[int, list[int]] = {}
    for source, target in grow_diag_final(same.links):
        sources.setdefault(target, []).append(source)
    links = (",".join(map(str, sources.get(word, ()))) for word in range(len(same.target)))
    return Words(_lengths(same.target.spans), " ".join(links))


def _lengths(spans: Iterable[Span]) -> str:
    """Return the lengths of the words, and the gaps before them."""
    written: list[str] = []
    before = -1
    for start, end in spans:
        gap = start - before
        written.append(f"{end - start}" if gap == 1 else f"{gap}:{end - start}")
        before = end
    return " ".join(written)


def _adapted(text: str, known: AlignedText) -> AlignedText:
    """Return a text that differs from the known one in one stretch, with its links.

    Words of the stretch have the links of those in their place, or of all of them where there is
    another number of them.
    """
    old, spans = known.target.text, known.target.spans
    start = Prefix.similarity(old, text)
    end = Postfix.similarity(old[start:], text[start:])
    # In both texts, the words before the stretch and after it are the same.
    first = sum(1 for _start, stop in spans if stop <= start)
    last = max(first, len(spans) - sum(1 for begin, _stop in spans if begin >= len(old) - end))
    shift = len(text) - len(old)
    begin = spans[first - 1][1] if first else 0
    stop = spans[last][0] + shift if last < len(spans) else len(text)
    changed = [found.span() for found in _WORD.finditer(text, begin, max(begin, stop))]
    after = [(begin + shift, stop + shift) for begin, stop in spans[last:]]

    def words(target: int) -> Iterable[int]:
        if target >= last:
            return (target - last + first + len(changed),)
        if target < first or len(changed) == last - first:
            return (target,)
        return range(first, first + len(changed))

    tokens = TokenizedText(text, (*spans[:first], *changed, *after))
    return AlignedText(tokens, known.with_targets(words))
