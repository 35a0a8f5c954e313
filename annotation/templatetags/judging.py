"""Parts of the judging form that there are many of."""

from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.judging.rank_fields import GARBAGE, CardFields

register = template.Library()
CHECKED, NOT_CHECKED = SafeString(" checked"), SafeString("")


@register.simple_tag
def candidate(card: CardFields, language: str) -> SafeString:
    """Return the candidate, which is in this language, and the radio buttons of its places.

    Its template is asked once for each number of ranks: candidates are half of the page, and
    filling in a text takes a tenth of what a template takes.
    """
    places = [*map(str, range(1, card.ranks + 1)), GARBAGE]
    return format_html(
        _candidate(card.ranks, card.missing, get_language()),
        key=card.key,
        text=card.text,
        language=language,
        **{f"at_{place}": CHECKED if place == card.placed else NOT_CHECKED for place in places},
    )


@cache
def _candidate(ranks: int, missing: bool, _language: str | None) -> str:
    """Return how candidates look, in the language of whoever looks, with {fields} to fill in."""
    context = {"ranks": range(1, ranks + 1), "missing": missing}
    return render_to_string("annotation/judge/_candidate.html", context)
