"""Names of languages in the language of the page."""

import unicodedata
from collections.abc import Mapping

from django.utils.translation import get_language
from langcodes import Language

from annotation.formats.languages import COMMON


def language_name(code: str) -> str:
    """Return the name that CLDR has for a code: "Portuguese (Brazil)" for "pt-BR".

    A language that it does not name in the language of the page has its English name.
    """
    return Language.get(code).display_name(get_language() or "en")


def in_this_language(texts: Mapping[str, str]) -> str:
    """Return the text in the language of the page, else the English one, else the first one.

    They are by the codes of their languages; one for all readers may have "".
    """
    wanted = (get_language() or "en").partition("-")[0]
    for code in (wanted, "", "en", *texts):
        if code in texts:
            return texts[code]
    return ""


def languages_by_name() -> list[tuple[str, str]]:
    """Return codes and names, in the alphabetical order of the page's language."""

    def without_accents(row: tuple[str, str]) -> str:
        decomposed = unicodedata.normalize("NFKD", row[1])
        return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()

    named = ((code, language_name(code)) for code in COMMON.split())
    return sorted(named, key=without_accents)
