"""Times on pages."""

from datetime import datetime
from math import ceil

from django import template
from django.template.defaultfilters import date
from django.utils.translation import ngettext

register = template.Library()


@register.filter(expects_localtime=True)
def date_and_time(moment: datetime) -> str:
    """Return the time in the format of the reader's language, with the name of its zone."""
    return f"{date(moment, 'DATETIME_FORMAT')} {date(moment, 'T')}"


@register.filter
def hours_in_words(hours: float) -> str:
    """Return the time as whole hours, rounded up, or as minutes if it is less than an hour."""
    if hours > 1:
        number = ceil(hours)
        return ngettext("%(n)d hour", "%(n)d hours", number) % {"n": number}
    number = ceil(hours * 60)
    return ngettext("%(n)d minute", "%(n)d minutes", number) % {"n": number}
