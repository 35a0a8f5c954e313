"""The parts of the judging form that appear most often on a page."""

from collections.abc import Iterable
from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.rank_fields import CardFields

register = template.Library()
CHECKED, NOT_CHECKED = SafeString(" checked"), SafeString("")


@register.filter
def marked(pieces: Iterable[tuple[str, bool]]) -> SafeString:
    """Return the source text with the pieces of the segment marked."""
    parts = (format_html("<mark>{}</mark>" if inside else "{}", text) for text, inside in pieces)
    return SafeString("".join(parts))


@register.simple_tag
def candidate(card: CardFields, language: str) -> SafeString:
    """Return the candidate and its radio buttons; `language` is that of the candidate.

    The template is rendered once for each number of ranks. Filling in the result takes a tenth
    of the time.
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
    """Return the template in the reader's language, with {fields} to fill in."""
    context = {"ranks": range(1, ranks + 1), "missing": missing}
    return render_to_string("annotation/judge/_candidate.html", context)
