"""Language pairs as files of WMT write them: cs-en, Czech-English, cze-eng, en_US-cs_CZ."""

from collections.abc import Collection

from langcodes import find

from annotation.formats.errors import InputError
from annotation.formats.languages import UNDETERMINED, parse_language_pair, primary_language


def is_pair(text: str) -> bool:
    """Tell whether a text is a pair of language codes with a hyphen between them."""
    try:
        parse_language_pair(text)
    except InputError:
        return False
    return "-" in text


def pair_in_codes(pair: str) -> str:
    """Return the pair in codes without scripts and regions; a side that is unknown, as it is."""
    sides = parse_language_pair(pair) if is_pair(pair) else pair.split("-")
    return "-".join(map(_code, sides))


def _code(side: str) -> str:
    """Return the code of a language that is given by a code or by its English name."""
    try:
        return primary_language(side)
    except InputError:
        pass
    try:
        found = find(side, "en")
    except LookupError:
        return side
    # A name that only begins like that of a language is found, too.
    is_its_name = found.display_name("en").lower() == side.lower()
    return primary_language(found.to_tag()) if is_its_name else side


def same_pair(pair: str, other: str) -> bool:
    """Tell whether two pairs may be one: a file may not know both of its languages, or neither."""
    if not pair or not other:
        return True
    sides, others = pair_in_codes(pair).split("-"), pair_in_codes(other).split("-")
    return len(sides) == len(others) and all(
        one == two or UNDETERMINED in (one, two) for one, two in zip(sides, others, strict=True)
    )


def find_pair(pair: str, known: Collection[str]) -> str | None:
    """Return the known pair that is meant: the same text, or the only one of the same languages."""
    if pair in known:
        return pair
    found = [other for other in known if pair_in_codes(other) == pair_in_codes(pair)]
    return found[0] if len(found) == 1 else None
