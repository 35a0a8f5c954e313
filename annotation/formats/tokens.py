"""A text and the places of its tokens: what is shown and exported are slices of the text itself."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self, TypeVar

from annotation.formats.names import find_text

Owner = TypeVar("Owner")
# The characters [start, end) of a text.
Span = tuple[int, int]
# Stands for the words between two stretches of a slice.
GAP: Final = " … "


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text and the place of each token in it, ascending and never overlapping."""

    text: str
    spans: tuple[Span, ...]

    @classmethod
    def stored(cls, text: str, places: str) -> Self:
        """Return the text with places as `places` writes them. Raise ValueError for others."""
        pairs = (place.split("-") for place in places.split())
        spans = tuple((int(start), int(end)) for start, end in pairs)
        if any(start > end for start, end in spans):
            raise ValueError("a token ends before its start")
        if any(end > start for (_, end), (start, _) in pairwise((*spans, (len(text),) * 2))):
            raise ValueError("tokens overlap, or are beyond the end of the text")
        return cls(text, spans)

    @property
    def places(self) -> str:
        """The places of the tokens as they are stored: "0-5 6-11"."""
        return " ".join(f"{start}-{end}" for start, end in self.spans)

    @property
    def words(self) -> list[str]:
        return [self.text[start:end] for start, end in self.spans]

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.spans)

    def slice(self, positions: Iterable[int]) -> str:
        """Return the text of these ascending positions, with GAP between stretches."""
        return GAP.join(self.text[start:end] for start, end in self.stretches(positions))

    def part(self, positions: Iterable[int]) -> Self:
        """Return the slice of these ascending positions with the places of its tokens in it."""
        positions = list(positions)
        spans: list[Span] = []
        shift, before = 0, None
        for position in positions:
            start, end = self.spans[position]
            if before is None:
                shift = -start
            elif position > before + 1:
                shift = spans[-1][1] + len(GAP) - start
            spans.append((start + shift, end + shift))
            before = position
        return type(self)(self.slice(positions), tuple(spans))

    def stretches(self, positions: Iterable[int]) -> list[Span]:
        """Return the characters of each run of neighbours among these ascending positions."""
        found: list[Span] = []
        before = None
        for position in positions:
            start, end = self.spans[position]
            if before is not None and position == before + 1:
                start = found.pop()[0]
            found.append((start, end))
            before = position
        return found

    def are_words(self, text: str, positions: Collection[int]) -> bool:
        """Return whether a file may have these tokens so: as a slice, or joined by spaces."""
        words = self.words
        known = {self.slice(positions), " ".join(words[at] for at in positions)}
        return find_text(text, known) is not None

    def divide(self, owners: Mapping[int, Owner]) -> list[tuple[str, Owner | None]]:
        """Return the pieces of the text with their owners, or None; joined, they are the text.

        `owners` maps the position of a token to its owner. What is between two neighbours belongs
        to their owner if they share one.
        """
        pieces: list[tuple[str, Owner | None]] = []

        def append(text: str, owner: Owner | None) -> None:
            if pieces and text and pieces[-1][1] == owner:
                pieces[-1] = (pieces[-1][0] + text, owner)
            elif text:
                pieces.append((text, owner))

        end = 0
        for position, (start, stop) in enumerate(self.spans):
            owner, before = owners.get(position), owners.get(position - 1)
            append(self.text[end:start], owner if owner == before else None)
            append(self.text[start:stop], owner)
            end = stop
        append(self.text[end:], None)
        return pieces

    def highlight(self, positions: Iterable[int]) -> list[tuple[str, bool]]:
        """Return the pieces of the text, True for those that these tokens cover."""
        pieces = self.divide(dict.fromkeys(positions, 0))
        return [(text, owner is not None) for text, owner in pieces]


# Cuts a text into tokens.
Tokenize = Callable[[str], TokenizedText]


def split_at_spaces(text: str) -> TokenizedText:
    """Return the text with the tokens between single spaces; two spaces have an empty one."""
    spans: list[Span] = []
    start = 0
    for word in text.split(" "):
        spans.append((start, start + len(word)))
        start += len(word) + 1
    return TokenizedText(text, tuple(spans))
