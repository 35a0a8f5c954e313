"""The input of the embedded parser: the word pieces and the shape of each word."""

import unicodedata
from collections.abc import Sequence
from enum import IntEnum

# A word of more pieces keeps its first and last ones.
MOST_PIECES = 6
_LONGEST_WORD = 100
_CACHE_SIZE = 50_000
PADDING, UNKNOWN, BEGIN, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
_PLAIN = str.maketrans("“”„«»‘’‚–—", '"""""\'\'\'--')


class Shape(IntEnum):
    """The casing of a word; the numbers are rows of a table of weights."""

    EDGE = 0  # before and after the sentence
    LOWER = 1
    TITLE = 2
    LETTER = 3  # one capital letter
    UPPER = 4
    MIXED = 5
    NUMBER = 6
    CODE = 7  # digits and letters
    MARK = 8


class Pieces:
    """Splits words into pieces, greedily the longest first (WordPiece: Wu et al. 2016).

    `vocabulary` lists the pieces by number; those that continue a word begin with "##".
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._cache: dict[str, tuple[int, ...]] = {}
        self.padding = self._numbers[PADDING]
        self.begin = self._numbers[BEGIN]
        self.end = self._numbers[END]

    def __call__(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the one to six pieces of any string."""
        found = self._cache.get(word)
        if found is None:
            found = self._find(word)
            if len(word) <= _LONGEST_WORD and len(self._cache) < _CACHE_SIZE:
                self._cache[word] = found
        return found

    def _find(self, word: str) -> tuple[int, ...]:
        pieces = [number for part in _split_word(word) for number in self._greedy(part)]
        if not pieces:
            return (self._numbers[UNKNOWN],)
        if len(pieces) > MOST_PIECES:
            half = MOST_PIECES // 2
            pieces = pieces[:half] + pieces[-half:]
        return tuple(pieces)

    def _greedy(self, part: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                number = self._numbers.get(("##" if start else "") + part[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self._numbers[UNKNOWN]]
        return found


def _split_word(word: str) -> list[str]:
    """Lowercase a word, remove accents, and split it at punctuation."""
    plain = unicodedata.normalize("NFD", word[:_LONGEST_WORD].translate(_PLAIN).lower())
    parts = [""]
    for character in plain:
        if character.isalnum():
            parts[-1] += character
        elif unicodedata.category(character) not in ("Mn", "Cc", "Cf", "Zs"):
            parts += [character, ""]
    return [part for part in parts if part]


def shape(word: str) -> Shape:
    if not any(character.isalnum() for character in word):
        return Shape.MARK
    if any(character.isdigit() for character in word):
        return Shape.CODE if any(character.isalpha() for character in word) else Shape.NUMBER
    if word.islower() or not any(character.isupper() for character in word):
        return Shape.LOWER
    if word.isupper():
        return Shape.UPPER if len(word) > 1 else Shape.LETTER
    return Shape.TITLE if word[0].isupper() and word[1:].islower() else Shape.MIXED
