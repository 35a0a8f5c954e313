"""Times on pages."""

from datetime import datetime

from django import template
from django.template.defaultfilters import date

register = template.Library()


@register.filter(expects_localtime=True)
def date_and_time(moment: datetime) -> str:
    """Return the time in the format of the reader's language, with the name of its zone."""
    return f"{date(moment, 'DATETIME_FORMAT')} {date(moment, 'T')}"
