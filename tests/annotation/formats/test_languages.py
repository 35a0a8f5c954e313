import pytest

from annotation.formats.errors import InputError
from annotation.formats.languages import (
    pair_name,
    parse_language,
    parse_language_pair,
    parse_target_language,
    primary_language,
)

TAGS = {
    "en": "en EN eng ENG en_Latn eng_Latn",
    # ISO 639-2 has two codes of Czech and of German.
    "cs": "cs ces cze CZE ces_Latn",
    "de": "de deu ger",
    "fr": "fr fra fre",
    # What ISO 639-3 calls the language itself, beside the macrolanguage.
    "zh": "zh zho chi cmn Cmn",
    "ar": "ar ara arb arb_Arab",
    "sw": "sw swa swh swh_Latn",
    "et": "et est ekk",
    "fa": "fa fas per pes",
    "nb": "nb nob",
    "no": "no nor",
    # Without codes of two letters.
    "yue": "yue zh-yue zh_YUE",
    "hsb": "hsb HSB",
    "apc": "apc",
    # Codes that were replaced.
    "he": "he heb iw",
    "id": "id ind in",
    "zh-Hans": "zh-Hans zh_hans ZH-HANS zho_Hans cmn_Hans",
    "pt-BR": "pt-BR pt_BR pt-br PT_br por_BR",
    "cs-CZ": "cs-CZ cs_CZ ces_CZ",
    "zh-Hant-TW": "zh-Hant-TW zh_hant_tw zho_Hant_TW",
    "sr-Cyrl-RS": "sr_Cyrl_RS",
    "es-419": "es-419 spa_419",
    "en-GB": "en-GB en_UK",
}


@pytest.mark.parametrize(
    ("code", "tag"), [(code, tag) for tag, codes in TAGS.items() for code in codes.split()]
)
def test_a_language_has_one_tag(code, tag):
    assert parse_language(f" {code} ") == tag
    assert primary_language(code) == tag.split("-")[0]


@pytest.mark.parametrize(
    "code",
    [
        *("", "-", "e", "english", "xx", "xyz", "cz", "en-ZH", "en-zho", "en-xx", "en-cs-de"),
        *("en--GB", "en\0", "č", "en;GB", "x" * 200, "en-x-" + "-".join(["abcdefgh"] * 4)),
    ],
)
def test_unknown_codes_are_refused_in_one_sentence(code):
    with pytest.raises(InputError) as refused:
        parse_language(code)
    assert str(refused.value) == (
        f"{code!r} is not a known language code: write one such as en, ces, pt-BR or zh-Hans."
    )


@pytest.mark.parametrize(
    ("pair", "languages"),
    [
        *((pair, ("en", "cs")) for pair in ("en-cs", "EN-CS", "eng-ces", "eng-cze", "en_cs")),
        *((pair, ("en", "zh")) for pair in ("en-zh", "EN-ZH", "en-zho", "eng-chi", "en-cmn")),
        # Not German in the region DE, and not Portuguese in the region BR.
        *((pair, ("en", "de")) for pair in ("en-de", "EN-DE", "en_de")),
        *((pair, ("pt", "br")) for pair in ("pt-br", "pt-BR")),
        *((pair, ("en", "zh-Hans")) for pair in ("en-zh-Hans", "en-zh_Hans", "eng_Latn-zho_Hans")),
        *((pair, ("en", "pt-BR")) for pair in ("en-pt-BR", "en-pt_BR", "en-pt_br", "EN-PT_BR")),
        *((pair, ("pt-BR", "en")) for pair in ("pt-BR-en", "pt_BR-en", "pt-br-en")),
        ("en_PT-br", ("en-PT", "br")),
        ("en_US-cs_CZ", ("en-US", "cs-CZ")),
        ("zh-Hant-TW-en-US", ("zh-Hant-TW", "en-US")),
        ("en-en", ("en", "en")),
        ("und-cs", ("und", "cs")),
    ],
)
def test_pairs(pair, languages):
    assert parse_language_pair(pair) == languages
    assert parse_language_pair(pair_name(*languages)) == languages


@pytest.mark.parametrize("pair", ["", "en", "english", "en-xx", "xx-en", "en-cz", "-en", "en--cs"])
def test_what_is_no_pair_is_refused_with_what_to_write(pair):
    with pytest.raises(InputError) as refused:
        parse_language_pair(pair)
    assert str(refused.value) == (
        f"{pair!r} is not a pair of language codes: write two with a hyphen between them, such as "
        "en-cs, eng-ces, en-zh_Hans or pt_BR-en."
    )


@pytest.mark.parametrize("pair", ["en-pt-br", "EN-PT-BR"])
def test_a_pair_with_two_readings_is_refused_with_both(pair):
    with pytest.raises(InputError, match="may be en-pt_BR or en_PT-br: write the one that you"):
        parse_language_pair(pair)


@pytest.mark.parametrize(
    ("code", "languages"),
    [
        *((code, ("und", "zh")) for code in ("zh", "chi", "CMN")),
        *((code, ("und", "pt-BR")) for code in ("pt-BR", "pt_BR", "pt_br", "pt-br")),
        ("zh-tw", ("und", "zh-TW")),
        *((code, ("und", "en-GB")) for code in ("en-GB", "EN-GB")),
        *((code, ("en", "zh")) for code in ("en-zh", "EN-ZH", "en_zh", "eng-zho")),
        # Also English in the region DE, but only "en-DE" is written so.
        *((code, ("en", "de")) for code in ("en-de", "EN-DE")),
        ("en-DE", ("und", "en-DE")),
        ("en-pt-BR", ("en", "pt-BR")),
    ],
)
def test_one_language_or_a_pair(code, languages):
    assert parse_target_language(code) == languages


@pytest.mark.parametrize(
    ("code", "problem"),
    [("xx", "language code"), ("en-xx", "a pair"), ("xx_yy", "a pair"), ("en-pt-br", "may be")],
)
def test_what_is_neither_is_refused(code, problem):
    with pytest.raises(InputError, match=f"^'{code}' .*{problem}"):
        parse_target_language(code)
