"""What the overview says of the end, and of when people were there, in the reader's language."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.selectors.project_progress import ProjectProgress
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd
from evaluation.web.report_texts import age

# Older than this, people want the date.
LONG_AGO: Final = timedelta(days=30)
REASONS: Final = {
    NoEnd.NOTHING_TO_JUDGE: gettext_lazy("there is nothing to judge"),
    NoEnd.ALL_JUDGED: gettext_lazy("every sentence has all its judges"),
    NoEnd.PAUSED: gettext_lazy("judging is paused"),
    NoEnd.NOTHING_LATELY: gettext_lazy("nothing new was judged in the last seven days"),
    NoEnd.TOO_LITTLE: gettext_lazy("too little was judged so far to tell"),
}


@dataclass(frozen=True)
class EndWords:
    """When it ends, in large type, and below that what this is taken from, or why it is unknown."""

    when: str
    how: str


def end_words(end: EstimatedEnd, work: ProjectProgress, now: datetime) -> EndWords:
    """Say when the project ends. Dates are in the current time zone."""
    if end.unknown is not None:
        when = _("Done") if end.unknown == NoEnd.ALL_JUDGED else "–"
        return EndWords(when, _reason(end.unknown, work))
    if end.hours is not None:
        hours = max(1, ceil(end.hours))
        return EndWords(
            ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours},
            _("of judging as it went so far; which day that is can be told after the first one"),
        )
    pace = {"pace": _a_day(end.a_day or 0.0)}
    if end.when is None:
        return EndWords("–", _("in more than two years; sentences a day now: %(pace)s") % pace)
    how = _("if it goes on as in the last days; sentences a day: %(pace)s") % pace
    return EndWords(_day(end.when, now), how)


def _reason(unknown: NoEnd, work: ProjectProgress) -> str:
    if unknown != NoEnd.TOO_FEW_JUDGES:
        return str(REASONS[unknown])
    return _(
        "judges that a sentence still needs: %(lacking)d; people who may judge: %(judges)d"
    ) % {
        "lacking": work.missing_judges,
        "judges": work.judges,
    }


def _a_day(pace: float) -> str:
    # Rounded here: Django cuts off.
    places = 0 if pace >= 10 else 1
    return str(number_format(round(pace, places), decimal_pos=places))


def _day(when: datetime, now: datetime) -> str:
    day, today = timezone.localtime(when), timezone.localtime(now)
    days = (day.date() - today.date()).days
    if days == 0:
        return _("today")
    if days == 1:
        return _("tomorrow")
    if day.year == today.year:
        return date_format(day, _("l, j F"))
    return date_format(day, "DATE_FORMAT")


def when_active(active: datetime | None, now: datetime) -> str:
    """Say when somebody was last there."""
    if active is None:
        return _("never")
    if now - active > LONG_AGO:
        return date_format(timezone.localtime(active), "DATE_FORMAT")
    return age(now - active)
