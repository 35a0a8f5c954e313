"""Tokens as places in the uploaded text, cut as Moses does, and never inside a word.

The text is not changed. Stretches of letters are cut by one rule for all languages; only the full
stop after an abbreviation and the clitics of some languages depend on the language. Scripts that
are written without spaces are cut into words by ICU's dictionaries, in a text of any language.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate, pairwise

import regex

from annotation.formats.errors import InputError
from annotation.formats.languages import primary_language
from annotation.formats.tokens import Span, Tokenize, TokenizedText

# Of the rules below, for the provenance.
VERSION = "segranks 2"
# They belong to the word before them: soft hyphen, non-joiner, joiner, word joiner.
_JOINERS = "\u00ad\u200c\u200d\u2060"
# They are in no token: zero-width space, byte order mark, marks of direction.
_OUTSIDE = "\u200b\ufeff\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"
# Texts that differ only in these look alike. (Joiners and non-joiners change the letters beside
# them: soft hyphen, zero-width space, word joiner and byte order mark do not.)
_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
# Scripts that are written without spaces.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
# Between letters they are part of a word: o’clock, o‘zbek, col·laborar, צה״ל, ինչո՞ւ.
_APOSTROPHES = "'’‘·׳״՛՜՞"
_LETTER = rf"[\p{{L}}\p{{N}}\p{{M}}--[{_UNSPACED}]]"
_NOT_IN_ADDRESSES = r"\s<>\"“”„«»、。，（）「」『』【】"
_ENTITY = r"&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_TOKEN = regex.compile(
    rf"""
    (?:
      (?:(?:https?|ftp)://|www\.)[^{_NOT_IN_ADDRESSES}]*[^{_NOT_IN_ADDRESSES}.,;:!?)'’\]]
    | (?<![\p{{L}}\p{{N}}_.+-])[\p{{L}}\p{{N}}_.+-]+@[\p{{L}}\p{{N}}_-]+(?:\.[\p{{L}}\p{{N}}_-]+)+
    | (?<![\p{{L}}\p{{N}}])[\#@][A-Za-z0-9_][\p{{L}}\p{{N}}\p{{M}}_--[{_UNSPACED}]]*
    | {_ENTITY}
    | [0-9\#*]\uFE0F?\u20E3 | (?=[\p{{Extended_Pictographic}}\p{{RI}}])\X
    | (?P<unspaced>[{_UNSPACED}][{_UNSPACED}\p{{M}}{_JOINERS}]*)
    | \.\.+
    | (?P<word>(?:
          # Separators within a number: 1,000 13:22 1 000
          \p{{N}}(?:[,:'’]|[\u00a0\u202f](?=\p{{N}}{{3}}(?!\p{{N}})))(?=\p{{N}})
        | {_LETTER}[{_JOINERS}]*[{_APOSTROPHES}](?={_LETTER}*[\p{{L}}])(?=\p{{L}})
        | (?<=\p{{Hebrew}})"(?=\p{{Hebrew}})
        | {_LETTER}[{_JOINERS}]*
        | (?<!\.)\.(?!\.)[{_JOINERS}]*
        | [-\u2010\u2011][{_JOINERS}]*
      )+)
    | [^\s{_OUTSIDE}{_JOINERS}]
    )[\p{{M}}{_JOINERS}]*
    """,
    regex.VERBOSE | regex.VERSION1,
)
# With a semicolon, because `html.unescape` would turn "Q&notes" into "Q¬es".
_ENTITIES = re.compile(_ENTITY)
_ENDS_IN_WORD, _BEGINS_WITH_WORD = (
    regex.compile(rf"{_LETTER}\Z", regex.VERSION1),
    regex.compile(_LETTER, regex.VERSION1),
)
_IS_UNSPACED = regex.compile(rf"[{_UNSPACED}]")
_UNSEEN = regex.compile(rf"[{_OUTSIDE}{_JOINERS}]")
_NO_TOKEN_BEFORE = regex.compile(rf"[\p{{M}}{_JOINERS}]")
_GIVEN = re.compile(r"[^ \t]+")
# English: Google's, I'll. Moses cuts before them.
_CLITIC = regex.compile(r"(?<=[\p{L}\p{N}])['’](?=(?:s|m|d|t|re|ve|ll)$)", regex.IGNORECASE)
# French, Italian, Catalan, Occitan: l'eau, dell'arte. Moses cuts after them.
_ELIDED = regex.compile(
    r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|gl|all|dall|dell|nell|sull|quest|quell|"
    r"bell|sant|tutt|dov|com)['’](?=\p{L})",
    regex.IGNORECASE,
)
_WITH_ELISION = frozenset({"fr", "it", "ca", "oc"})


def tokenizer(language: str, *, given: bool = False) -> Tokenize:
    """Return the function that cuts a text of this language into tokens.

    `language` is a code such as "en" or "cs-CZ"; for one without a list of abbreviations the
    English list is used. With `given`, tokens are what is between spaces and tabs, and a no-break
    space may be part of a token.
    """
    if given:
        return _given
    return lambda text: tokenize(text, language)


def _given(text: str) -> TokenizedText:
    return TokenizedText(text, tuple(match.span() for match in _GIVEN.finditer(text)))


def tokenize(text: str, language: str) -> TokenizedText:
    """Return the text with the places of its tokens; see `tokenizer`.

    Every visible character is in exactly one token. No token ends before a combining mark or a
    joiner, at an apostrophe between letters (but for clitics of English and elided words of French,
    Italian, Catalan and Occitan), nor inside an address, an entity, a number with its separators
    or an emoji.
    """
    spans: list[Span] = []
    found = list(_TOKEN.finditer(text))
    for number, match in enumerate(found):
        start, end = match.span()
        if match["unspaced"]:
            spans += pairwise([start, *(start + stop for stop in _word_ends(match.group()))])
            continue
        if match["word"] is None or end - start == 1:
            spans.append((start, end))
            continue
        following = found[number + 1].group() if number + 1 < len(found) else ""
        has_mark = text[end - 1] == "." and not _keeps_full_stop(
            text[start : end - 1], following, language
        )
        stop = end - 1 if has_mark else end
        cut = _clitic(text[start:stop], language)
        spans += [(start, start + cut), (start + cut, stop)] if cut else [(start, stop)]
        if has_mark:
            spans.append((stop, end))
    return TokenizedText(text, tuple(spans))


def _keeps_full_stop(word: str, following: str, language: str) -> bool:
    known, before_numbers = _abbreviations(language)
    return (
        ("." in word and any(character.isalpha() for character in word))
        or word in known
        or following[:1].islower()
        or (word in before_numbers and following[:1].isdigit())
    )


def _clitic(word: str, language: str) -> int:
    """Return where a clitic or an elided word is cut off, 0 for nowhere."""
    if "'" not in word and "’" not in word:
        return 0
    code = _known(language)
    if code == "en" and (clitic := _CLITIC.search(word)):
        return int(clitic.start())
    if code in _WITH_ELISION and (elided := _ELIDED.match(word)):
        return int(elided.end())
    return 0


@cache
def _abbreviations(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the abbreviations of the language, and those that are ones before numbers only."""
    # Imported here because it takes a quarter of a second, and most processes never tokenise.
    from sacremoses.corpus import NonbreakingPrefixes

    code = _known(language)
    known = set(NonbreakingPrefixes().available_langs.values())
    lines = [line.strip() for line in NonbreakingPrefixes().words(code if code in known else "en")]
    of_numbers = {line.split(" ")[0] for line in lines if line.endswith("#NUMERIC_ONLY#")}
    return frozenset(line for line in lines if "#" not in line), frozenset(of_numbers)


# Most stretches of a text recur in the translations of other systems.
@lru_cache(maxsize=50_000)
def _word_ends(stretch: str) -> tuple[int, ...]:
    """Return the ends of the words of a stretch that is written without spaces."""
    # Imported here because it takes 37 MB, and most processes never meet these scripts.
    from icu4py.breakers import WordBreaker

    # Its words, and not their places, which count UTF-16 units. One dictionary is of Chinese and
    # Japanese; none depends on the language.
    ends = accumulate(map(len, WordBreaker(stretch, "ja")))
    return tuple(end for end in ends if not _NO_TOKEN_BEFORE.match(stretch, end))


def is_written_without_spaces(words: Iterable[str]) -> bool:
    """Return whether most of the words are of a script that is written without spaces."""
    unspaced = spaced = 0
    for word in words:
        if _IS_UNSPACED.match(word):
            unspaced += 1
        elif any(character.isalpha() for character in word):
            spaced += 1
    return unspaced > spaced


@cache
def _known(language: str) -> str:
    try:
        return primary_language(language)
    except InputError:
        return ""


def make_one_word(before: str, after: str) -> bool:
    """Return whether words run together where one text follows the other."""
    return bool(_ENDS_IN_WORD.search(before) and _BEGINS_WITH_WORD.match(after))


def without_invisible(text: str) -> str:
    """Return the text without the characters that no token needs: joiners, marks of direction …"""
    return str(_UNSEEN.sub("", text))


def plain_words(words: Iterable[str]) -> list[str]:
    """Return the words for parsers and aligners: without entities and invisible characters."""
    return [unescape_entities(word).translate(_INVISIBLE) for word in words]


def keys(words: Iterable[str]) -> list[str]:
    """Return what the aligner compares of the words: NFKC, in lower case."""
    return [unicodedata.normalize("NFKC", word).lower() for word in plain_words(words)]


def look(text: str) -> str:
    """Return the same for all texts that look alike on a page: in NFC, with ordinary spaces.

    The only place in which texts that are shown are normalised, and only to compare them.
    """
    visible = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    return visible.replace("\u00a0", " ").strip()


def unescape_entities(text: str) -> str:
    """Return the text with the characters that HTML entities such as &amp; stand for."""
    return _ENTITIES.sub(lambda entity: html.unescape(entity.group()), text)
