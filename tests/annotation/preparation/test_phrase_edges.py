import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.phrase_edges import phrase_edges
from annotation.preparation.tokens import tokenize


def pieces(text: str, language: str) -> list[str]:
    """Return the text between the edges, with | between its tokens."""
    tokens = tokenize(text, language)
    found: list[str] = []
    for word, begins in zip(tokens.words, phrase_edges(tokens, language), strict=False):
        if begins:
            found.append(word)
        else:
            found[-1] += f"|{word}"
    return found


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("国境の長いトンネルを抜けると", "ja", ["国境|の", "長い", "トンネル|を", "抜ける|と"]),
        ("他们要去北京的机场", "zh", ["他们", "要", "去", "北京|的", "机场"]),
        ("我們要去北京參加會議", "zh", ["我們", "要", "去", "北京", "參加", "會議"]),
        ("วันนี้อากาศดี", "th", ["วัน", "นี้", "อากาศ", "ดี"]),
    ],
)
def test_places_between_phrases_are_edges(text: str, language: str, expected: list[str]) -> None:
    assert pieces(text, language) == expected


@pytest.mark.parametrize(("text", "language"), [("ខ្ញុំចង់ទៅភ្នំពេញ", "km"), ("a small river", "en")])
def test_each_token_has_edges_in_other_scripts(text: str, language: str) -> None:
    assert pieces(text, language) == tokenize(text, language).words


def test_kana_are_japanese_in_a_text_of_any_language() -> None:
    assert pieces("トンネルを抜けると", "en") == ["トンネル|を", "抜ける|と"]


def test_the_language_decides_about_han_alone() -> None:
    text = "東京都知事選挙結果発表"
    assert pieces(text, "ja") == ["東京|都知事|選挙|結果", "発表"]
    assert pieces(text, "zh") == ["東京", "都知事|選挙", "結果", "発表"]


def test_a_particle_after_a_closing_bracket_begins_no_phrase() -> None:
    assert pieces("「国境」の長いトンネル", "ja") == ["「", "国境", "」|の", "長い", "トンネル"]


def test_a_blank_belongs_to_a_phrase() -> None:
    assert pieces("国境の 長い", "ja") == ["国境|の", "長い"]


def test_characters_outside_the_basic_plane_shift_nothing() -> None:
    assert pieces("👍🏽𠮷野家の牛丼を食べた", "ja")[-1] == "食|べた"


def test_the_ends_of_a_text_are_edges() -> None:
    assert phrase_edges(tokenize("", "ja"), "ja") == [True]


@given(
    st.text("国境の長いトンネル的了 、「」a1Ωกา", max_size=30),
    st.sampled_from(["ja", "zh", "und", "?"]),
)
def test_there_is_a_place_beside_each_token(text: str, language: str) -> None:
    tokens = tokenize(text, language)
    edges = phrase_edges(tokens, language)
    assert len(edges) == len(tokens) + 1
    assert edges[0]
    assert edges[-1]
