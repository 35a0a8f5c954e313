"""Filters for figures and reasons on pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext as translated  # no msgid is extracted
from django.utils.translation import gettext_lazy, ngettext

from annotation.formats.rounding import rounded
from evaluation.findings.agreement import reading as reading_of
from evaluation.rendering import formats
from evaluation.rendering.text import UNDEFINED
from evaluation.report.metric_names import written_name

register = template.Library()

STAGES = {
    "tokens": gettext_lazy("splitting texts into tokens"),
    "segments": gettext_lazy("extracting segments"),
    "alignment": gettext_lazy("aligning words"),
    "candidates": gettext_lazy("collecting candidates"),
    "batches": gettext_lazy("dividing translations into batches"),
    "import": gettext_lazy("Importing the segments"),
}


@register.filter
def figure(number: float | str | None, places: int) -> str:
    """Return the number in the reader's language; a dash if it is undefined, "" if not given."""
    if number is None:
        return UNDEFINED
    if isinstance(number, str):
        # How templates pass a part of something that is missing.
        return ""
    return str(number_format(rounded(number, places), places)).replace("-", "−")


@register.filter
def as_percent(share: float | None) -> str:
    """Return the share as a whole percentage; a dash if it is undefined."""
    return UNDEFINED if share is None else f"{figure(100 * share, 0)}\N{NO-BREAK SPACE}%"


@register.filter
def probability(p: float | None, places: int) -> str:
    """Return p in the reader's language, "< 0.0001" where it would be 0; a dash if undefined."""
    least = 10.0**-places
    small = p is not None and p < least
    return f"<\N{NO-BREAK SPACE}{figure(least, places)}" if small else figure(p, places)


@register.filter
def names(systems: Sequence[str]) -> SafeString:
    """Return the names as a list in words, each with its own text direction."""
    first = format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in systems[:-1]))
    last = format_html_join("", "<bdi>{}</bdi>", ((name,) for name in systems[-1:]))
    return format_html(_("{first} and {last}"), first=first, last=last) if first else last


@register.filter
def duration(seconds: float | None) -> str:
    return formats.duration(seconds)


@register.filter
def work_time(seconds: float | None) -> str:
    """Return about how long annotators work, such as "12 hours"; "" if it is unknown or nothing."""
    if not seconds:
        return ""
    hours = round(seconds / 3600)
    if hours:
        words = ngettext("about %(n)s hour of work", "about %(n)s hours of work", hours)
        return words % {"n": number_format(hours)}
    minutes = max(1, round(seconds / 60))
    words = ngettext("about %(n)s minute of work", "about %(n)s minutes of work", minutes)
    return words % {"n": number_format(minutes)}


@register.filter
def stage(name: str) -> str:
    """Return the description of a stage of the preparation, or its name."""
    return str(STAGES.get(name, name))


@register.filter
def clause(undefined: str) -> str:
    """Return the reason for an undefined figure in the reader's language."""
    # `report_texts.CLAUSES` lists all reasons for translation.
    return translated(undefined) if undefined else ""


@register.filter
def reading(kappa: float | None) -> str:
    """Return the interpretation of κ by Landis and Koch; a dash if it is undefined."""
    read = reading_of(kappa)
    return translated(read.message) if read else UNDEFINED


@register.filter
def metric_name(name: str) -> str:
    """Return how the literature writes the name of a metric, or the name itself."""
    return str(SCORES_OF_CANDIDATES.get(name) or written_name(name))


@register.filter
def metric_names(metrics: Sequence[str]) -> SafeString:
    """Return the names of metrics as a list in words."""
    return names([metric_name(name) for name in metrics])


@register.filter
def empty_columns(rows: Iterable[Mapping[str, Any]], part: str = "") -> frozenset[str]:
    """Return the names of the columns with nothing in any row, which tables leave out.

    The columns are keys of the rows, or of their `part`; of other parts, "part.key".
    """
    names: set[str] = set()
    filled: set[str] = set()
    for row in rows:
        for name, value in _cells(row[part] if part else row):
            names.add(name)
            if value is not None and value != "" and value != []:
                filled.add(name)
    return frozenset(names - filled)


def _cells(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _cells(value, f"{before}{name}.")
        else:
            yield before + name, value


@register.filter
def percent(share: float | None) -> str:
    """Return the share as an unlocalised number from 0 to 100, for drawing."""
    return f"{100 * min(1.0, max(0.0, share or 0.0)):.2f}"


SCORES_OF_CANDIDATES = {
    "words": gettext_lazy("words found in the reference"),
    "characters": gettext_lazy("characters found in the reference"),
    "consensus": gettext_lazy("similarity to other systems"),
    "combined": gettext_lazy("the two before together"),
    "another annotator": gettext_lazy("another annotator"),
    "the same annotator again": gettext_lazy("the same annotator again"),
}
