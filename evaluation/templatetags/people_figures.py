"""Cells of the table of people."""

from collections.abc import Collection

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.formats.rounding import rounded
from evaluation.rendering.text import UNDEFINED
from evaluation.stats.annotators.quality import Figure
from evaluation.templatetags.findings import clause, figure

register = template.Library()


@register.filter
def in_percent(share: float | str | None) -> str:
    """Return the share as a whole percentage; a dash if it is undefined."""
    if share is None or isinstance(share, str):
        return UNDEFINED
    return f"{rounded(100 * share, 0):.0f}\N{NO-BREAK SPACE}%"


@register.simple_tag
def figure_cell(
    found: Figure | str | None, unusual: Collection[str], kind: str, label: str, places: int
) -> SafeString:
    """Return the cell of a figure; one of a kind that is unusual is marked in words, too.

    κ has the number of sentences behind it.
    """
    known = found if isinstance(found, Figure) else Figure(None)
    marked = kind in unusual
    return format_html(
        '<td class="number{}" data-name="{}"{}>{}{}{}</td>',
        " unusual-cell" if marked else "",
        label,
        format_html(' title="{}"', clause(known.undefined)) if known.undefined else "",
        figure(known.value, places),
        _behind(known) if kind in ("own_kappa", "kappa") else "",
        format_html('<span class="visually-hidden"> {}</span>', _("unusual")) if marked else "",
    )


def _behind(known: Figure) -> SafeString | str:
    number = known.sentences
    if known.value is None or not number:
        return ""
    words = ngettext("on one line", "on %(number)s lines", number)
    return format_html('<span class="of">{}</span>', words % {"number": number_format(number)})
