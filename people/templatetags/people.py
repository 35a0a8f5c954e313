"""Filters for the pages of people."""

from collections.abc import Iterable

from django import template
from django.utils.formats import localize
from django.utils.html import format_html
from django.utils.translation import gettext as _

from people.questionnaires import AnswerRow, Value, plain_value

register = template.Library()


@register.filter
def with_questions(row: AnswerRow, questions: Iterable[str]) -> list[tuple[str, Value | None]]:
    """Return the values of the row, each with its question."""
    return list(zip(questions, row.values, strict=True))


@register.filter
def answer(value: Value | None) -> str:
    """Return an answer as a page shows it; a dash where there is none."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, float):
        return str(localize(int(value) if value.is_integer() else value))
    return format_html("<bdi>{}</bdi>", plain_value(value))
