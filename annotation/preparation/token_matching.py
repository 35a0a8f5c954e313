"""Match the words of a dependency tree with our tokens, by their characters."""

import unicodedata
from collections.abc import Sequence
from itertools import accumulate, pairwise

from annotation.formats.conllu import Word
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.preparation.tokens import unescape_entities, without_invisible
from annotation.preparation.trees import unescape

# Characters that texts and treebanks write differently.
_SAME = str.maketrans(
    # A double quotation mark may be two single ones.
    dict.fromkeys('"“”„«»', "''") | dict.fromkeys("‘’`", "'") | dict.fromkeys("–—−‐‑", "-")
)
_SHOWN = 20
# The relation between the tokens of one word.
_PART = "flat"

Surface = tuple[str, int, int]
Span = tuple[int, int]


def to_tokens(
    words: Sequence[Word], surfaces: Sequence[Surface], tokens: Sequence[str], where: str
) -> list[Word]:
    """Return the dependency tree of the tokens, given that of the words of the same text.

    `surfaces` are (text, first, stop): the text of the words [first, stop). A word belongs to the
    token with most of its characters. A token of several words has the head of the topmost word.
    The other tokens of a word depend on the token to which it belongs. Raises InputError, beginning
    with `where`, at the first difference of the texts.
    """
    token_spans, text = _spans([_plain(token) for token in tokens])
    word_spans, other = _word_spans(words, surfaces)
    if text != other:
        raise _difference(text, other, where)
    owners = [_owner(span, token_spans) for span in word_spans]
    depths = _depths(words)
    tops: dict[int, int] = {}
    for word, owner in enumerate(owners):
        best = tops.get(owner)
        if best is None or _rank(words, depths, word) < _rank(words, depths, best):
            tops[owner] = word
    return [
        _moved(words[tops[token]], form, owners)
        if token in tops
        else _part(words, form, token, token_spans, word_spans, owners)
        for token, form in enumerate(tokens)
    ]


def _rank(words: Sequence[Word], depths: Sequence[int], word: int) -> tuple[int, bool, int]:
    """Return the sort key of the words of one token: the topmost first, verbs before others."""
    return depths[word], words[word].upos not in {"VERB", "AUX"}, word


def _moved(word: Word, form: str, owners: Sequence[int]) -> Word:
    head = owners[word.head] if word.head >= 0 else -1
    return Word(form, word.upos, head, word.relation, word.features)


def _part(
    words: Sequence[Word],
    form: str,
    token: int,
    token_spans: Sequence[Span],
    word_spans: Sequence[Span],
    owners: Sequence[int],
) -> Word:
    """Return a token to which no word belongs; it depends on the token that shares its word."""
    start, stop = token_spans[token]
    word = next(
        (n for n, (first, last) in enumerate(word_spans) if first < stop and start < last),
        None,
    )
    if word is None:
        # A token without characters.
        return Word(form, "X", owners[0] if owners else -1, _PART)
    is_mark = not any(character.isalnum() for character in form)
    return Word(form, "PUNCT" if is_mark else words[word].upos, owners[word], _PART)


def _plain(text: str) -> str:
    """Return the text for comparison: without spaces and escapes, and normalised."""
    text = without_invisible(unescape_entities(unescape(text)))
    text = unicodedata.normalize("NFC", text)
    if text == "@-@":
        return "-"
    text = unicodedata.normalize("NFKC", text.translate(_SAME))
    return "".join(text.split())


def _spans(texts: Sequence[str]) -> tuple[list[Span], str]:
    ends = [0, *accumulate(map(len, texts))]
    return list(pairwise(ends)), "".join(texts)


def _word_spans(words: Sequence[Word], surfaces: Sequence[Surface]) -> tuple[list[Span], str]:
    """Return the span of each word in the joined text of the surfaces, and that text.

    If the words do not spell their surface (zum = zu + dem), each has the span of the surface.
    """
    around, text = _spans([_plain(surface) for surface, _first, _stop in surfaces])
    spans: list[Span] = []
    for (start, stop), (_text, first, last) in zip(around, surfaces, strict=True):
        inside, spelt = _spans([_plain(word.form) for word in words[first:last]])
        if spelt == text[start:stop]:
            spans += [(start + begin, start + end) for begin, end in inside]
        else:
            spans += [(start, stop)] * (last - first)
    return spans, text


def _owner(span: Span, tokens: Sequence[Span]) -> int:
    """Return the token with most characters of the span; in a tie, the first."""
    return max(
        range(len(tokens)),
        key=lambda n: (min(span[1], tokens[n][1]) - max(span[0], tokens[n][0]), -n),
    )


def _depths(words: Sequence[Word]) -> list[int]:
    depths = [-1] * len(words)
    for number in range(len(words)):
        path = []
        while number >= 0 and depths[number] < 0:
            path.append(number)
            number = words[number].head
        depth = depths[number] if number >= 0 else -1
        for above, word in enumerate(reversed(path), start=1):
            depths[word] = depth + above
    return depths


def _difference(text: str, other: str, where: str) -> InputError:
    at = next(
        (n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b),
        min(len(text), len(other)),
    )
    found, wanted = other[at : at + _SHOWN], text[at : at + _SHOWN]
    if not at:
        return InputError(
            _(
                "the words are not those of the source: they begin with %(found)r where the source "
                "has %(wanted)r."
            ),
            where,
            found=found,
            wanted=wanted,
        )
    return InputError(
        _(
            "the words are not those of the source: after %(before)r they go on with %(found)r "
            "where the source has %(wanted)r."
        ),
        where,
        before=text[max(0, at - _SHOWN) : at],
        found=found,
        wanted=wanted,
    )
