"""Tokenise and detokenise texts as Moses does (sacremoses)."""

import html
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import version as installed_version
from itertools import accumulate
from typing import Any, TypeVar

Owner = TypeVar("Owner")

# Up to this size thousands of layouts are cached, about 10 kB each.
_SHORT_TOKENS, _SHORT_CHARACTERS = 60, 500
# A detokenised text and the span [start, end) of each token in it.
Layout = tuple[str, tuple[tuple[int, int], ...]]

# With a semicolon, because `html.unescape` would turn "Q&notes" into "Q¬es".
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Soft hyphen, zero-width space and byte order mark would become invisible tokens.
_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\ufeff")
# Quotation marks and apostrophes differ between languages („takto“), and the tokens of the thesis
# keep them. Only full-width and other presentation forms are normalised.
_KEPT_PUNCTUATION = frozenset("“”’")
# sacremoses joins "I 'm" but not "I ’ m". "’ s" and so on after a letter is never two words.
_CONTRACTION = re.compile(r"(?<=\w) ’ (?=(?:d|ll|m|re|s|t|ve)\b)", re.IGNORECASE)
# Languages that sacremoses supports without a list of abbreviations.
_MORE_LANGUAGES = frozenset({"ja", "ko"})
# A private-use character that no text contains; see `_sacremoses_text`.
_END = "\ue000"


def tokens_of(text: str, language: str, *, given: bool) -> list[str]:
    """Return the tokens of one sentence, with those of the text itself if they are `given`.

    Given tokens are separated by spaces and tabs; a no-break space may be part of a token.
    """
    if given:
        return [token for token in text.replace("\t", " ").split(" ") if token]
    return tokenize(text, language)


def tokenize(text: str, language: str) -> list[str]:
    """Return the Moses tokens of one sentence; none for a blank one.

    HTML entities are unescaped and full-width punctuation is normalised first; the tokens
    are not escaped and their casing is kept. `language` is a code such as "en" or "cs-CZ";
    an unknown one is treated as English.
    """
    text = unescape_entities(text)
    text = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    tokenizer, punctuation = _tokenizer(_known(language))
    tokens: list[str] = tokenizer.tokenize(punctuation.replace_unicode_punct(text), escape=False)
    return tokens


def unescape_entities(text: str) -> str:
    """Return the text with the characters that HTML entities such as &amp; stand for."""
    return _ENTITY.sub(lambda entity: html.unescape(entity.group()), text)


def detokenize(tokens: Sequence[str], language: str) -> str:
    """Return the detokenised text: without a space before a comma, and so on."""
    return _layout(tuple(tokens), _known(language))[0]


def highlight(
    tokens: Sequence[str], indices: Collection[int], language: str
) -> list[tuple[str, bool]]:
    """Return the pieces of the detokenised text, True for those that the indices cover.

    Joined, the pieces are exactly `detokenize(tokens, language)`. The space between two
    covered neighbours is covered; indices may have gaps, and those outside are ignored.
    """
    owned = divide(tokens, dict.fromkeys(indices, 0), language)
    return [(text, owner is not None) for text, owner in owned]


def divide(
    tokens: Sequence[str], owners: Mapping[int, Owner], language: str
) -> list[tuple[str, Owner | None]]:
    """Return the pieces of the detokenised text with their owners, or None.

    `owners` maps an index to its owner. Joined, the pieces are exactly `detokenize(tokens,
    language)`. The space between two adjacent tokens belongs to their owner if they share one.
    """
    text, spans = _layout(tuple(tokens), _known(language))
    pieces: list[tuple[str, Owner | None]] = []
    end = 0
    for index, (start, stop) in enumerate(spans):
        owner, before = owners.get(index), owners.get(index - 1)
        _append(pieces, text[end:start], owner if owner == before else None)
        _append(pieces, text[start:stop], owner)
        end = stop
    _append(pieces, text[end:], None)
    return pieces


def version() -> str:
    """Return the version of sacremoses, on which the tokens depend."""
    return installed_version("sacremoses")


def _append(pieces: list[tuple[str, Owner | None]], text: str, owner: Owner | None) -> None:
    if pieces and text and pieces[-1][1] == owner:
        pieces[-1] = (pieces[-1][0] + text, owner)
    elif text:
        pieces.append((text, owner))


def _layout(tokens: tuple[str, ...], language: str) -> Layout:
    """Return the detokenised text and where its tokens are; cached, few of the long ones."""
    is_long = len(tokens) > _SHORT_TOKENS or sum(map(len, tokens)) > _SHORT_CHARACTERS
    return (_long_layout if is_long else _short_layout)(tokens, language)


@lru_cache(maxsize=8192)
def _short_layout(tokens: tuple[str, ...], language: str) -> Layout:
    return _new_layout(tokens, language)


# The longest sentences take half a megabyte each.
@lru_cache(maxsize=64)
def _long_layout(tokens: tuple[str, ...], language: str) -> Layout:
    return _new_layout(tokens, language)


def _new_layout(tokens: tuple[str, ...], language: str) -> Layout:
    text = _sacremoses_text(tokens, language)
    shown = tuple(_unescape(token, language) for token in tokens)
    return _find_tokens(shown, text) or _joined(shown)


def _unescape(word: str, language: str) -> str:
    """Undo the escapes of Moses, which imported tokens may have."""
    if word == "@-@":
        return "-"
    return str(_detokenizer(language).unescape_xml(word)) if "&" in word else word


def _sacremoses_text(tokens: tuple[str, ...], language: str) -> str:
    if not any(token.strip() for token in tokens):
        return ""
    # sacremoses 0.2 looks for Czech decimal numbers at the end of the sentence instead of before
    # the token, and joins "v roce" and "2013" in a sentence that ends in "5 ." _END hides that end.
    try:
        text = _detokenizer(language).detokenize([*tokens, _END])
    except TypeError:  # its Czech rule for "-li" after an apostrophe fails
        return ""
    text = str(text).removesuffix(_END).rstrip()
    return _CONTRACTION.sub("’", text) if language == "en" else text


def _find_tokens(tokens: tuple[str, ...], text: str) -> Layout | None:
    """Find each token in the text; return None if their characters differ."""
    spans: list[tuple[int, int]] = []
    position = 0
    for token in tokens:
        starts = []
        for word in token.split():
            at = text.find(word, position)
            if at < 0 or text[position:at].strip():
                return None
            starts.append(at)
            position = at + len(word)
        spans.append((starts[0] if starts else position, position))
    return None if text[position:].strip() else (text, tuple(spans))


def _joined(tokens: tuple[str, ...]) -> Layout:
    ends = accumulate(len(token) + 1 for token in tokens)
    spans = tuple((end - 1 - len(token), end - 1) for token, end in zip(tokens, ends, strict=True))
    return " ".join(tokens), spans


@cache
def _known(language: str) -> str:
    """Return the language code for sacremoses; English if it has no rules for the language."""
    from sacremoses.corpus import NonbreakingPrefixes

    code = re.split("[-_]", language.strip().lower())[0]
    known = set(NonbreakingPrefixes().available_langs.values()) | _MORE_LANGUAGES
    return code if code in known else "en"


@cache
def _tokenizer(language: str) -> tuple[Any, Any]:
    # Imported here because it takes a quarter of a second, and most processes never tokenise.
    from sacremoses import MosesPunctNormalizer, MosesTokenizer

    punctuation = MosesPunctNormalizer(lang=language)
    punctuation.REPLACE_UNICODE_PUNCTUATION = [
        (re.compile(pattern), replacement)
        for pattern, replacement in MosesPunctNormalizer.REPLACE_UNICODE_PUNCTUATION
        if pattern not in _KEPT_PUNCTUATION
    ]
    return MosesTokenizer(lang=language), punctuation


@cache
def _detokenizer(language: str) -> Any:
    from sacremoses import MosesDetokenizer

    return MosesDetokenizer(lang=language)
