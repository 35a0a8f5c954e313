"""How long a sentence may be, so that the page on which it is judged stays small.

Each segment is shown with its whole sentence, so a page grows with their product.
"""

from collections.abc import Callable, Sized

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

MOST_TOKENS = 2000
MOST_CHARACTERS = 20_000
MOST_SEGMENTS = 200
# The fields of the form in which the sentence is judged (DATA_UPLOAD_MAX_NUMBER_FIELDS).
MOST_CANDIDATES = 20_000
# A text of so few characters has fewer than MOST_TOKENS tokens, so it need not be tokenised.
_SURELY_SHORT = 500


def check_sentence(text: str, tokenise: Callable[[str], Sized], where: str) -> None:
    """Raise InputError where a sentence, or its translation, is too long."""
    if len(text) <= _SURELY_SHORT:
        return
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            _(
                "the sentence has more than %(most)d characters: give a text with one sentence a "
                "line."
            ),
            where,
            most=MOST_CHARACTERS,
        )
    check_tokens(len(tokenise(text)), where)


def check_tokens(count: int, where: str) -> None:
    """Raise InputError where a sentence, or its translation, has so many tokens."""
    if count > MOST_TOKENS:
        raise InputError(
            _(
                "the sentence has %(count)d tokens, and at most %(most)d are possible: give a text "
                "with one sentence a line."
            ),
            where,
            count=count,
            most=MOST_TOKENS,
        )


def check_segments(count: int, sentence: int, where: str = "") -> None:
    """Raise InputError where the sentence of this number has so many segments."""
    if count > MOST_SEGMENTS:
        raise InputError(
            _(
                "sentence %(sentence)d has more than %(most)d segments: choose longer segments, or "
                "divide the sentence."
            ),
            where,
            sentence=sentence,
            most=MOST_SEGMENTS,
        )


def check_candidates(count: int, sentence: int, where: str) -> None:
    """Raise InputError where the segments of this sentence have so many candidates in all."""
    if count > MOST_CANDIDATES:
        raise InputError(
            _(
                "sentence %(sentence)d has more than %(most)d candidates: leave out systems, or "
                "divide the sentence."
            ),
            where,
            sentence=sentence,
            most=MOST_CANDIDATES,
        )
