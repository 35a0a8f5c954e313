import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.tokens import (
    is_written_without_spaces,
    keys,
    look,
    plain_words,
    tokenize,
    tokenizer,
)

LANGUAGES = st.sampled_from(["en", "cs", "de", "fr", "it", "zh", "xx", "en-GB", ""])
MARKS = "'’-./@#&;:,\u0301\u00ad\u200b\u200c\u200d\u00a0"
TEXTS = st.text(st.sampled_from("ab1é中ก👩🇨" + MARKS) | st.characters(exclude_categories=["Cs"]))
# What is in no token.
INVISIBLE = {*"\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u061c"} | {
    *map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
}


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("en", "I can't see Google's car.", "I|can|'t|see|Google|'s|car|."),
        ("en", "Mr O’Brien’s rock isn’t over.", "Mr|O’Brien|’s|rock|isn|’t|over|."),
        ("en", 'I don\'t know... maybe — "yes"?!', 'I|don|\'t|know|...|maybe|—|"|yes|"|?|!'),
        ("en", "At 10:30 p.m. it cost 1,000.50.", "At|10:30|p.m.|it|cost|1,000.50|."),
        ("en", "C:\\new of C++ #tag @user 5-6 km/h", "C|:|\\|new|of|C|+|+|#tag|@user|5-6|km|/|h"),
        (
            "en",
            "See https://a.example/b?c=1, or x.y@z.eu.",
            "See|https://a.example/b?c=1|,|or|x.y@z.eu|.",
        ),
        ("en", "AT&amp;T &lt;3 Q&notes", "AT|&amp;|T|&lt;|3|Q|&|notes"),
        ("en", "Family 👨‍👩‍👧 🇨🇿 👍🏿 1️⃣", "Family|👨‍👩‍👧|🇨🇿|👍🏿|1️⃣"),
        ("cs", "Řekl: „Ahoj,“ a odešel.", "Řekl|:|„|Ahoj|,|“|a|odešel|."),
        ("cs", "O 50 % víc, tj. 1\u00a0000 Kč, č. 5.", "O|50|%|víc|,|tj.|1\u00a0000|Kč|,|č.|5|."),
        ("cs", "spo\u00adjovník Kava\u0301rna", "spo\u00adjovník|Kava\u0301rna"),
        ("uk", "Сім’я купила м’яч.", "Сім’я|купила|м’яч|."),
        ("fr", "L’eau de l'école !", "L’|eau|de|l'|école|!"),
        ("it", "dell’arte un’altra", "dell’|arte|un’|altra"),
        ("ga", "d’fhág b’fhéidir", "d’fhág|b’fhéidir"),
        ("tr", "Ankara’da", "Ankara’da"),
        ("de", "4:1-Niederlage und/oder <URL>", "4:1-Niederlage|und|/|oder|<|URL|>"),
        ("fa", "او می‌رود و کتاب‌ها را", "او|می‌رود|و|کتاب‌ها|را"),
        ("hi", "राष्ट्रीय हिन्दी।", "राष्ट्रीय|हिन्दी|।"),
        ("my", "မြန်မာ", "မြန်မာ"),
        ("my", "မြန်မာစာတွင်", "မြန်မာ|စာ|တွင်"),
        ("th", "ภาษาไทยไม่มี ช่องว่าง", "ภาษา|ไทย|ไม่มี|ช่อง|ว่าง"),
        ("km", "ភាសាខ្មែរគ្មានចន្លោះ", "ភាសាខ្មែរ|គ្មាន|ចន្លោះ"),
        ("lo", "ພາສາລາວບໍ່ມີ", "ພາສາ|ລາວ|ບໍ່ມີ"),
        ("ja", "吾輩は猫である。", "吾輩|は|猫|で|ある|。"),
        # By script and not by language, beside characters of two UTF-16 units.
        ("en", "GDP在2020年😀𠮷野家の", "GDP|在|2020|年|😀|𠮷|野家|の"),
        ("ca", "col·laborar", "col·laborar"),
        ("uz", "o‘zbek", "o‘zbek"),
        ("he", 'צה"ל "כן"', 'צה"ל|"|כן|"'),
        ("en", "COVID\u201119 e-\u2060mail", "COVID\u201119|e-\u2060mail"),
        (
            "en",
            "®\u00ad a@b.org\u00ad #tag\u200d ...\u2060",
            "®\u00ad|a@b.org\u00ad|#tag\u200d|...\u2060",
        ),
        ("zh", "价格为１２元～１５元。", "价格|为|１２|元|～|１５|元|。"),
        ("xx", "nothing\u2028but\x85one\x0cline", "nothing|but|one|line"),
    ],
)
def test_tokens_end_where_words_end(language: str, text: str, tokens: str) -> None:
    assert tokenize(text, language).words == tokens.split("|")


@given(TEXTS, LANGUAGES)
def test_every_visible_character_is_in_one_token(text: str, language: str) -> None:
    tokenized = tokenize(text, language)
    assert tokenized.text == text
    inside = [place for start, end in tokenized.spans for place in range(start, end)]
    assert inside == sorted(set(inside))
    outside = "".join(text[place] for place in {*range(len(text))} - {*inside})
    assert not {*"".join(outside.split())} - INVISIBLE
    assert all(tokenized.words)


@given(TEXTS, LANGUAGES)
def test_no_token_ends_before_a_mark_or_a_joiner(text: str, language: str) -> None:
    for _start, end in tokenize(text, language).spans:
        following = text[end : end + 1]
        assert following not in {"\u200c", "\u200d", "\u00ad"} or not following
        assert not following or not unicodedata.category(following).startswith("M")


@pytest.mark.parametrize("blank", ["", " ", "\t\u00a0\u200b"])
def test_a_blank_text_has_no_tokens(blank: str) -> None:
    assert tokenize(blank, "en").words == []


def test_given_tokens_are_what_is_between_spaces_and_tabs() -> None:
    cut = tokenizer("en", given=True)
    assert cut("ca n't  see\t1\u00a0000 .").words == ["ca", "n't", "see", "1\u00a0000", "."]


def test_programs_for_words_see_no_entities_and_no_soft_hyphens() -> None:
    assert plain_words(["&amp;", "spo\u00adjovník", "Q&notes"]) == ["&", "spojovník", "Q&notes"]


def test_the_aligner_compares_words_without_case_and_width() -> None:
    assert keys(["Cafe\u0301", "１２", "&quot;"]) == ["café", "12", '"']


def test_texts_look_alike_that_differ_in_composition_and_invisible_characters() -> None:
    assert look("Kava\u0301rna\u00a0je\u200b zde ") == look("Kavárna je zde")
    assert look("Kavárna  je zde") != look("Kavárna je zde")
    assert look("می‌رود") != look("میرود")
    assert look("A") != look("a")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "language", "different"),
    [("source", "en", 125), ("reference", "cs", 30), ("systems/onlineB", "cs", 20)],
)
def test_it_gives_the_tokens_of_the_thesis(
    shared: Path, name: str, language: str, different: int
) -> None:
    data = shared / "data" / "wmt14-en-cs"
    texts = (data / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    tokenised = (data / "first-half" / "tokenised" / f"{name}.txt").read_text(encoding="utf-8")
    wanted = tokenised.split("\n")[:1500]
    ours = [" ".join(plain_words(tokenize(text, language).words)) for text in texts[:1500]]
    assert len(wanted) == 1500
    assert sum(one != other for one, other in zip(ours, wanted, strict=True)) <= different


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ja", "ＪＣが全国の各ブロックに呼び掛けた（2020年）。", True),
        ("th", "ภาษาไทยไม่มี ช่องว่าง iPhone 15", True),
        ("en", "The word 漢字 means Chinese characters.", False),
        ("ko", "한국어는 띄어쓰기를 한다.", False),
        ("en", "2020: 50 %", False),
    ],
)
def test_the_script_of_most_words_tells_whether_spaces_are_written(
    language: str, text: str, expected: bool
) -> None:
    assert is_written_without_spaces(tokenize(text, language).words) == expected
