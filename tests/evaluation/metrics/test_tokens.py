import pytest

from evaluation.metrics import tokens
from evaluation.metrics.tokens import MOSES, TERCOM, Tokenizer, special_tokenizer


@pytest.mark.parametrize(
    ("tokenizer", "line", "words"),
    [
        (Tokenizer("13a"), "It's 3,500.5 (km).", ["It's", "3,500.5", "(", "km", ")", "."]),
        (Tokenizer("intl", lower=True), "Říká: „Ne!“", ["říká", ":", "„", "ne", "!", "“"]),
        (Tokenizer("none", lower=True), "A b.", ["a", "b."]),
        (Tokenizer(MOSES, "en"), "I don't know.", ["I", "don", "'t", "know", "."]),
        (
            Tokenizer(MOSES, "en-GB", lower=True),
            "`` So,'' he said",
            ['"', "so", ",", '"', "he", "said"],
        ),
        # The virama and the nukta are words of their own.
        (Tokenizer(MOSES, "hi"), "क्या", ["क", "\u094d", "या"]),
        (Tokenizer(MOSES, "cs"), " ", []),
        (Tokenizer("zh"), "GDP增长3.5%。", ["GDP", "增", "长", "3.5", "%", "。"]),
        (Tokenizer("char"), "ไทย a", list("ไทยa")),
        # Each ideograph is a word, and a stretch of kana between them is one.
        (
            Tokenizer(TERCOM, lower=True),
            "GDPは7月、増えた。",
            ["gdpは7", "月", "、", "増", "えた", "。"],
        ),
    ],
)
def test_words(tokenizer, line, words):
    assert tokenizer.words([line]) == [tuple(words)]


@pytest.mark.parametrize(
    ("language", "without_mecab", "with_mecab"),
    [
        ("zh", "zh", "zh"),
        ("ja", "char", "ja-mecab"),
        ("ko", None, "ko-mecab"),
        *((language, "char", "char") for language in ("km", "lo", "my", "th")),
        ("cs", None, None),
    ],
)
def test_languages_with_a_tokeniser_of_their_own(language, without_mecab, with_mecab, monkeypatch):
    monkeypatch.setattr(tokens, "find_spec", lambda package: None)
    assert special_tokenizer(language) == without_mecab
    monkeypatch.setattr(tokens, "find_spec", lambda package: package)
    assert special_tokenizer(language) == with_mecab


def test_a_text_is_split_once():
    tokenizer = Tokenizer("13a")

    (first,), (second,) = tokenizer.words(["a b"]), tokenizer.words(["a b"])

    assert first is second


def test_the_signature_says_case_tokeniser_and_language():
    assert Tokenizer("intl", "cs", lower=True).signature == "case:lc|tok:intl"
    assert Tokenizer(MOSES, "cs-CZ").signature.startswith("case:mixed|tok:moses-cs+quotes+virama")
    assert Tokenizer(TERCOM, lower=True).signature == (
        "case:lc|tok:tercom|norm:yes|punct:yes|asian:yes"
    )


def test_it_compares_by_its_options():
    left, right = Tokenizer("13a"), Tokenizer("13a")
    left.words(["a"])

    assert left == right
