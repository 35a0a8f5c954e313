import pytest

from evaluation.formats.language_pairs import find_pair, pair_in_codes, same_pair


@pytest.mark.parametrize(
    ("pair", "codes"),
    [
        ("Czech-English", "cs-en"),
        ("cze-eng", "cs-en"),
        ("en_US-cs_CZ", "en-cs"),
        ("EN-ZH", "en-zh"),
        ("eng_Latn-zho_Hans", "en-zh"),
        ("en-zh-Hans", "en-zh"),
        ("Gujarati-English", "gu-en"),
        ("Upper Sorbian-German", "hsb-de"),
        ("Nosuch-eng", "Nosuch-en"),
        ("xx-yy", "xx-yy"),
        ("", ""),
    ],
)
def test_pairs_in_codes(pair, codes):
    assert pair_in_codes(pair) == codes


@pytest.mark.parametrize(
    ("pair", "other", "same"),
    [
        ("en-cs", "English-Czech", True),
        ("en-cs", "und-cs", True),
        ("en-cs", "", True),
        ("en-cs", "cs-en", False),
        ("en-cs", "en", False),
    ],
)
def test_unknown_languages_may_be_any(pair, other, same):
    assert same_pair(pair, other) is same


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        *(("Czech-English", "Czech-English"), ("ces-eng", "Czech-English"), ("en-cs", None)),
        *(("en-pt_BR", "en-pt_BR"), ("eng-por", None), ("en-zho", "en-zh_CN")),
    ],
)
def test_a_pair_is_found_by_other_codes_of_its_languages(pair, found):
    assert find_pair(pair, ["Czech-English", "en-pt_BR", "en-pt_PT", "en-zh_CN"]) == found
