"""Categories of errors (MQM) as Pearmut 1.1.6 has them, and as names of a project.

A campaign has main categories with their subcategories. An error is of "Main/Sub", and of a main
category without subcategories "Main/Main": there, a project has the name "Main" alone.
Source: web/src/utils.ts of zouharvi/pearmut.
"""

from collections.abc import Iterable, Mapping
from typing import Final

# Where a campaign says nothing.
DEFAULT_SEVERITIES: Final = ("Minor", "Major")
DEFAULT_CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    "Terminology": (
        "Inconsistent with terminology resource",
        "Inconsistent use of terminology",
        "Wrong term",
    ),
    "Accuracy": (
        "Mistranslation",
        "Overtranslation",
        "Undertranslation",
        "Addition",
        "Omission",
        "Do not translate",
        "Untranslated",
    ),
    "Linguistic conventions": (
        "Grammar",
        "Punctuation",
        "Spelling",
        "Unintelligible",
        "Character encoding",
        "Textual conventions",
    ),
    "Style": (
        "Organization style",
        "Third-party style",
        "Inconsistent with external reference",
        "Language register",
        "Awkward style",
        "Unidiomatic style",
        "Inconsistent style",
    ),
    "Locale convention": (
        "Number format",
        "Currency format",
        "Measurement format",
        "Time format",
        "Date format",
        "Address format",
        "Telephone format",
        "Shortcut key",
    ),
    "Audience appropriateness": ("Culture-specific reference", "Offensive"),
    "Design and markup": (
        "Layout",
        "Markup tag",
        "Truncation/text expansion",
        "Missing text",
        "Link/cross-reference",
    ),
    "Other": (),
}


def category_names(categories: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the categories of a campaign by the names that a project has for them.

    The empty choices that lists of Pearmut begin with are left out.
    """
    names: list[str] = []
    for main, subcategories in categories.items():
        inner = [one for one in subcategories if one.strip()]
        if main.strip():
            names += [name_of(f"{main}/{one}") for one in inner] or [main]
    return tuple(dict.fromkeys(names))


def categories_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return categories of a project as those of a campaign, in their order."""
    found: dict[str, list[str]] = {}
    for name in names:
        main, _slash, inner = category_of(name).partition("/")
        found.setdefault(main, []).append(inner)
    return {main: () if inner == [main] else tuple(inner) for main, inner in found.items()}


def name_of(category: str) -> str:
    """Return the name that a project has for the category of an error in annotations."""
    main, slash, inner = category.partition("/")
    return main if slash and inner == main else category


def category_of(name: str) -> str:
    """Return what annotations have for the category of a project."""
    return name if "/" in name else f"{name}/{name}"
