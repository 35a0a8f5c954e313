"""How figures are written on pages."""

from django import template
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation import text_tables
from evaluation.agreement import Undefined

register = template.Library()

STAGES = {
    "tokens": gettext_lazy("splitting texts into tokens"),
    "segments": gettext_lazy("cutting out segments"),
    "alignment": gettext_lazy("aligning words"),
    "candidates": gettext_lazy("collecting candidates"),
}


@register.filter
def figure(number: float | None, places: int) -> str:
    """Return the number as the reader's language writes it; a dash where it is undefined."""
    if number is None:
        return text_tables.UNDEFINED
    return str(floatformat(number, places)).replace("-", "−")


@register.filter
def duration(seconds: float | None) -> str:
    return text_tables.duration(seconds)


@register.filter
def stage(name: str) -> str:
    """Return what a stage of the preparation does; its own name where we know no better."""
    return str(STAGES.get(name, name))


@register.filter
def reason(undefined: Undefined) -> str:
    """Return why there is no κ."""
    reasons = {
        Undefined.NOTHING_COMPARED: _("no two judgements of the same segment to compare yet"),
        Undefined.ALL_TIED: _("all candidates are always tied, so agreement means nothing"),
    }
    return reasons[undefined]
