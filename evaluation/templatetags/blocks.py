"""Writes tables, their notes and figures as HTML, in the reader's language."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext as translated  # no msgid is extracted
from django.utils.translation import ngettext as pluralised

from annotation.templatetags.languages import text_attributes
from evaluation.rendering.figures import Figure
from evaluation.rendering.tables import Column, Name, Scale, SentenceLink, Table, Tag
from evaluation.rendering.text import Language, Listed, Text
from evaluation.templatetags.findings import figure as written_figure
from evaluation.templatetags.findings import work_time

register = template.Library()

PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")


class PageLanguage(Language):
    """Texts are HTML: messages and values are escaped, and names have a direction of their own."""

    def text(self, text: Text | str) -> SafeString:
        return conditional_escape(text) if isinstance(text, str) else self._filled(text, "")

    def title(self, text: Text | str) -> SafeString:
        """Return the text without the full stop that captions have in papers."""
        if isinstance(text, str):
            return conditional_escape(text.removesuffix("."))
        return self._filled(text, ".")

    def _filled(self, text: Text, end: str) -> SafeString:
        message = self.message(text).removesuffix(end) if text.message else ""
        if not text.values:
            return conditional_escape(message)
        # Words and names of values in turn.
        parts = PLACEHOLDER.split(message)
        return format_html_join(
            "",
            "{}",
            (
                (self.value(text.values[part]) if n % 2 else part.replace("%%", "%"),)
                for n, part in enumerate(parts)
            ),
        )

    def value(self, value: object) -> str:
        if isinstance(value, Listed):
            return format_html_join(", ", "{}", ((self.value(each),) for each in value.values))
        is_name = isinstance(value, str) and not isinstance(value, SafeString)
        return format_html("<bdi>{}</bdi>", value) if is_name else super().value(value)


PAGE = PageLanguage(translated, pluralised, written_figure, work_time, below="<\N{NO-BREAK SPACE}")


@register.filter
def words(text: Text | str) -> SafeString:
    return PAGE.text(text)


@register.inclusion_tag("evaluation/_table.html", takes_context=True)
def table(context: Context, name: str, *, only: str = "", without: str = "") -> dict[str, Any]:
    """Write a table of the report with its caption, in a region that scrolls.

    `only` and `without` are names of columns. Columns in which nothing is known are left out if
    they may be; tags stand beside the name of their row; a body is a group of rows.
    """
    made = _find(context, name)
    if only:
        made = made.only(*only.split())
    if without:
        made = made.without(*without.split())
    made = made.filled
    header = next((n for n, column in enumerate(made.columns) if column.is_text), 0)
    bodies: list[list[Any]] = [[]]
    for number, row in enumerate(made.rows):
        if number in made.rules:
            bodies.append([])
        bodies[-1].append(_row(made, row, header, context))
    return {
        "made": made,
        "caption": PAGE.title(made.caption),
        "columns": [column for column in made.columns if not isinstance(column.kind, Tag)],
        "bodies": bodies,
        "total": made.total and _row(made, made.total, header, context),
        "has_main": any(column.is_main for column in made.columns),
    }


def _row(
    made: Table, row: Sequence[Any], header: int, context: Context
) -> list[tuple[bool, str, SafeString]]:
    """Return whether each cell is the header of the row, its class, and what it shows."""
    cells = list(zip(row, made.columns, strict=True))
    tags = [_tag(cell, column.kind) for cell, column in cells if isinstance(column.kind, Tag)]
    shown = []
    for n, (cell, column) in enumerate(cells):
        if isinstance(column.kind, Tag):
            continue
        of, words = _cell(cell, column, context)
        if n == header:
            words = format_html_join(" ", "{}", ((each,) for each in (words, *tags) if each))
        shown.append((n == header, of, words))
    return shown


def _tag(cell: Any, kind: Tag) -> SafeString:
    if cell is None:
        return SafeString("")
    of = "tag tag-good" if kind.is_good else "tag"
    return format_html('<span class="{}">{}</span>', of, kind.write(cell, PAGE))


def _find(context: Context, name: str) -> Table:
    tables: Mapping[str, Table] = context["tables"]
    return tables[name]


def _cell(cell: Any, column: Column, context: Context) -> tuple[str, SafeString]:
    """Return the class of the cell and what it shows."""
    if isinstance(column.kind, Scale):
        return "scale-cell", _drawn_scale(*cell)
    if isinstance(column.kind, SentenceLink):
        return "wrap", _in_sentence(cell, context)
    shown = conditional_escape(column.kind.write(cell, PAGE))
    if isinstance(column.kind, Name):
        shown = format_html("<bdi>{}</bdi>", shown)
    for aside in column.kind.asides(cell, PAGE):
        shown = format_html('{} <span class="of">{}</span>', shown, aside)
    if column.is_text:
        return "" if isinstance(column.kind, Name) else "wrap", shown
    return "number score" if column.is_main else "number", shown


def _drawn_scale(value: float | None, low: float | None, high: float | None) -> SafeString:
    """Draw the figure and its interval on a scale from 0 to 1; nothing if it is undefined."""
    if value is None:
        return SafeString("")
    known = low is not None and high is not None
    width = max(0.0, min(1.0, high or 0) - max(0.0, low or 0)) if known else 0.0
    row = {"value": value, "low": low, "width": width}
    return render_to_string("evaluation/_scale.html", {"row": row})


def _in_sentence(cell: tuple[str | int, int, int | None], context: Context) -> SafeString:
    """Write a source text, or the number of its sentence, as a link for those with an account."""
    shown, number, segment = cell
    project = context["project"]
    if segment is None:
        heading, figure = gettext("Sentence"), written_figure(number, 0)
        words = format_html('<span class="visually-hidden">{} </span>{}', heading, figure)
    else:
        words = format_html("<span{}>{}</span>", text_attributes(project.source_language), shown)
    if context.get("shared"):
        return words
    address = reverse("sentence", args=[project.pk, number])
    place = "" if segment is None else f"#segment-{segment}"
    return format_html('<a href="{}{}">{}</a>', address, place, words)


@register.simple_tag(takes_context=True)
def notes(context: Context, name: str) -> SafeString:
    """Write the notes of a table of the report as a paragraph."""
    made = _find(context, name)
    if not made.notes:
        return SafeString("")
    shown = format_html_join(" ", "{}", ((PAGE.text(note),) for note in made.notes))
    return format_html('<p class="note">{}</p>', shown)


@register.inclusion_tag("evaluation/_computed.html", takes_context=True)
def computed(context: Context, *names: str) -> dict[str, Any]:
    """Write how tables of the report were computed: the signatures of those that it has."""
    tables: Mapping[str, Table] = context["tables"]
    found = (detail for name in names if name in tables for detail in tables[name].details)
    return {"signatures": list(dict.fromkeys(found))}


@register.inclusion_tag("evaluation/_figure.html", takes_context=True)
def figure(context: Context, name: str) -> dict[str, Any]:
    """Write a figure of the report; nothing if there are too few data to draw it."""
    found: Figure | None = context["figures"].get(name)
    return {
        "name": name,
        "caption": found and PAGE.text(found.caption),
        "table": found and found.table,
        "described": found and f"{found.table}-caption",
        "drawn": [name] if found else [],
        "at": context["at"],
        "parameters": context.get("parameters", ""),
        "images": context["images"],
    }
