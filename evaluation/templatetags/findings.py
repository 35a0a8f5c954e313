"""Filters for figures and reasons on pages."""

from collections.abc import Sequence

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext as translated  # no msgid is extracted
from django.utils.translation import gettext_lazy, ngettext

from annotation.formats.rounding import rounded
from annotation.judging.aids import AIDS
from evaluation.findings.agreement import reading as reading_of
from evaluation.metrics.names import written_name
from evaluation.rendering.text import UNDEFINED

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
def aid(name: str) -> str:
    """Return what judgements that were made with the aid are called; else its name."""
    return str(AIDS.get(name, name))


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
    return written_name(name)


@register.filter
def metric_names(metrics: Sequence[str]) -> SafeString:
    """Return the names of metrics as a list in words."""
    return names([metric_name(name) for name in metrics])


@register.filter
def percent(share: float | None) -> str:
    """Return the share as an unlocalised number from 0 to 100, for drawing."""
    return f"{100 * min(1.0, max(0.0, share or 0.0)):.2f}"
