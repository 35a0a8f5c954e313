"""Names of languages in the language of the page, and the direction of their texts."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language
from langcodes import Language

from annotation.formats.languages import COMMON, UNDETERMINED

# ISO 15924: the scripts of living languages that are written from right to left.
_IN_EVERY_FONT: Final = frozenset({"Latn", "Grek", "Cyrl"})
_RIGHT_TO_LEFT: Final = frozenset(
    {"Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"}
)


def language_name(code: str) -> str:
    """Return the name that CLDR has for a code: "Portuguese (Brazil)" for "pt-BR".

    A language that it does not name in the language of the page has its English name.
    """
    return Language.get(code).display_name(get_language() or "en")


@lru_cache(maxsize=1000)
def direction(code: str) -> str:
    """Return "rtl" or "ltr", by the script that CLDR has for a code; "auto" for no language.

    By the language, not by the text: an Arabic sentence may begin with a Latin name.
    """
    if code in ("", UNDETERMINED):
        return "auto"
    return "rtl" if Language.get(code).maximize().script in _RIGHT_TO_LEFT else "ltr"


@lru_cache(maxsize=1000)
def needs_fonts(code: str) -> bool:
    """Return whether letters of the language are not in every font: no Latin, Greek or Cyrillic."""
    if code in ("", UNDETERMINED):
        return True
    return Language.get(code).maximize().script not in _IN_EVERY_FONT


def page_language() -> str:
    """Return the code of the language of the page, without its region."""
    return (get_language() or "en").partition("-")[0]


def language_for_page(texts: Mapping[str, str]) -> str:
    """Return the language of the text to show: that of the page, else English, else the first.

    Texts are by the codes of their languages; one for all readers has "". Without texts it is "".
    """
    wanted = (page_language(), "", "en", *texts)
    return next((code for code in wanted if code in texts), "")


def in_this_language(texts: Mapping[str, str]) -> str:
    """Return the text to show on the page, or "" where there is none."""
    return texts.get(language_for_page(texts), "")


def languages_by_name() -> list[tuple[str, str]]:
    """Return codes and names, in the alphabetical order of the page's language."""

    def without_accents(row: tuple[str, str]) -> str:
        decomposed = unicodedata.normalize("NFKD", row[1])
        return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()

    named = ((code, language_name(code)) for code in COMMON.split())
    return sorted(named, key=without_accents)
