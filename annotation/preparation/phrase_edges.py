"""Where phrases may begin and end in a text without spaces, by its script.

BudouX finds the phrases of Japanese, Chinese and Thai. It knows only the text: a place counts if a
token ends there. In other scripts a phrase may begin and end with any token.
"""

from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

import regex

from annotation.formats.errors import InputError
from annotation.formats.languages import primary_language
from annotation.formats.tokens import TokenizedText
from annotation.preparation.phrase_chunker import is_mark

if TYPE_CHECKING:
    from budoux import Parser

_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HAN = regex.compile(r"\p{Han}")
_THAI = regex.compile(r"\p{Thai}")
_CLOSING_MARK = regex.compile(r"[\p{Pe}\p{Pf}]")
# Characters of only one of these sets tell in which form a Chinese text is written.
_SIMPLIFIED: Final = "gb2312"
_TRADITIONAL: Final = "big5"
# Chinese words that belong to the phrase before them; BudouX cuts before them.
_CHINESE_PARTICLES = frozenset("的了着們们嗎吗呢吧")


def phrase_edges(tokens: TokenizedText, language: str) -> list[bool]:
    """Return for each place before, between and after the tokens whether a phrase may end there.

    `language` decides only where the script does not: about Han without kana, which is Chinese
    unless the text is Japanese.
    """
    words = tokens.words
    parser = _parser(tokens.text, language)
    if parser is None or not words:
        return [True] * (len(words) + 1)
    cuts = set(accumulate(map(len, parser.parse(tokens.text))))
    edges = [True]
    for (before, after), ((_, end), (start, _)) in zip(
        pairwise(words), pairwise(tokens.spans), strict=True
    ):
        # What is between two tokens, such as a blank, is in the phrase before it or after it.
        is_cut = any(place in cuts for place in range(end, start + 1))
        if after in _CHINESE_PARTICLES:
            is_cut = False
        # What follows a closing bracket may be a particle.
        opens = is_mark(before) and not _CLOSING_MARK.fullmatch(before)
        edges.append(is_cut or opens or is_mark(after))
    return [*edges, True]


def _parser(text: str, language: str) -> "Parser | None":
    if _KANA.search(text):
        return _model("japanese")
    if _HAN.search(text):
        if _is_japanese(language):
            return _model("japanese")
        return (
            _model("traditional_chinese") if _is_traditional(text) else _model("simplified_chinese")
        )
    return _model("thai") if _THAI.search(text) else None


@cache
def _is_japanese(language: str) -> bool:
    try:
        return primary_language(language) == "ja"
    except InputError:
        return False


def _is_traditional(text: str) -> bool:
    han = "".join(_HAN.findall(text))
    return len(han.encode(_TRADITIONAL, "ignore")) > len(han.encode(_SIMPLIFIED, "ignore"))


@cache
def _model(name: str) -> "Parser":
    # Imported where it is needed: most projects have sources with spaces.
    import budoux

    parser: Parser = getattr(budoux, f"load_default_{name}_parser")()
    return parser
