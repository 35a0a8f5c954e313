"""Codes of languages and of pairs of them: many ways to write a language, one that is stored."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from langcodes import Language, standardize_tag, tag_is_valid

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

# What BCP 47 asks programs to have room for (RFC 5646, section 4.4.1).
LONGEST_LANGUAGE_CODE: Final = 35
# The languages that pages offer; others are given by their codes. Of two readings of a code, one in
# such a language is meant.
COMMON: Final = """
af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu ha he hi hr hsb hu hy
id is it ja ka kk km kn ko ku ky la lb lo lt lv mk ml mn mr ms mt my ne nl no pa pl ps pt ro rom ru
si sk sl so sq sr sv sw ta te tg th tr uk ur uz vi xh yo zh zu
"""
# The code of a language that a file does not name.
UNDETERMINED: Final = "und"
# Regions for private use; XK is Kosovo.
_NO_REGION: Final = re.compile("AA|Q[M-Z]|X[A-JL-Z]|ZZ")


@lru_cache(maxsize=1000)
def parse_language(code: str) -> str:
    """Return the tag of BCP 47 for a code: "zh" for zho, chi and cmn, "pt-BR" for pt_br.

    A code is one of ISO 639-1, 639-2 or 639-3, perhaps with a script and a region, in any case,
    with hyphens or underscores. Of several tags of one language, CLDR's choice is returned, without
    a script that goes without saying. Raises InputError for what IANA's registry does not have.
    """
    if tag := _tag(code.strip()):
        return tag
    raise InputError(
        _("%(code)r is not a known language code: write one such as en, ces, pt-BR or zh-Hans."),
        code=code.strip(),
    )


def primary_language(code: str) -> str:
    """Return the language without script and region: "zh" for zho_Hans. Raises InputError."""
    return parse_language(code).partition("-")[0]


@lru_cache(maxsize=1000)
def parse_language_pair(pair: str) -> tuple[str, str]:
    """Return source and target, as `parse_language` does, of a pair such as "en-cs".

    What separates the codes is a hyphen or, where no hyphen can, an underscore. If several can, the
    case of the letters decides: "en-pt-BR" is not en-PT and br. Raises InputError for what is no
    pair, and for one that can still be read in two ways.
    """
    written = pair.strip()
    for separator in "-_":
        found = list(_splits(written, separator))
        standard = [sides for sides in found if all(map(_is_standard, sides))]
        readings = standard if len(standard) == 1 else found
        if len(readings) == 1:
            ((source, target),) = readings
            return parse_language(source), parse_language(target)
        if readings:
            first, second = (pair_name(*map(parse_language, sides)) for sides in readings[:2])
            raise InputError(
                _("%(pair)r may be %(first)s or %(second)s: write the one that you mean."),
                pair=written,
                first=first,
                second=second,
            )
    raise InputError(
        _(
            "%(pair)r is not a pair of language codes: write two with a hyphen between them, such "
            "as en-cs, eng-ces, en-zh_Hans or pt_BR-en."
        ),
        pair=written,
    )


def parse_target_language(code: str) -> tuple[str, str]:
    """Return source and target of a pair; of a single code, UNDETERMINED and its language.

    "pt-BR", "pt_br" and "zh-tw" are one language, "en-de" and "EN-DE" are pairs. Raises InputError.
    """
    written = code.strip()
    tag = _tag(written)
    if tag and ("-" not in written or _is_standard(written)):
        return UNDETERMINED, tag
    if not tag and "-" not in written and "_" not in written:
        return UNDETERMINED, parse_language(written)
    try:
        source, target = parse_language_pair(written)
    except InputError:
        if tag:
            return UNDETERMINED, tag
        raise
    if tag and primary_language(target) not in COMMON.split():
        return UNDETERMINED, tag
    return source, target


def pair_name(source: str, target: str) -> str:
    """Return how a pair of stored languages is written: "en-pt_BR", which has one reading."""
    return f"{source.replace('-', '_')}-{target.replace('-', '_')}"


def _tag(code: str) -> str | None:
    """Return the tag to store for a code, None if the code is unknown or too long."""
    written = code.replace("_", "-")
    if len(written) > LONGEST_LANGUAGE_CODE or not tag_is_valid(written):
        return None
    tag = standardize_tag(written, macro=True)
    language = Language.get(tag)
    # langcodes takes "en-zho" and "en-xx": Chinese as a kind of English, and no region.
    if language.extlangs or _NO_REGION.fullmatch(language.territory or ""):
        return None
    return tag if len(tag) <= LONGEST_LANGUAGE_CODE else None


def _is_standard(code: str) -> bool:
    """Tell whether a code is in the case that BCP 47 recommends: zh-Hans-CN."""
    written = code.replace("_", "-")
    return Language.get(written, normalize=False).to_tag() == written


def _splits(pair: str, separator: str) -> Iterator[tuple[str, str]]:
    """Yield both sides of each separator that has a code of a language on both."""
    parts = pair.split(separator) if len(pair) <= 2 * LONGEST_LANGUAGE_CODE + 1 else []
    for place in range(1, len(parts)):
        source, target = separator.join(parts[:place]), separator.join(parts[place:])
        if _tag(source) and _tag(target):
            yield source, target
