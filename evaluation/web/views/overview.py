"""The overview of a project while people judge, and what its page polls."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from math import ceil
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.formats import number_format
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.formats.rounding import rounded
from annotation.models import Project
from annotation.process import clock
from annotation.projects.added_systems import sampled_systems
from annotation.selectors import judgements
from annotation.selectors.project_progress import ProjectProgress
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.headline import standing
from evaluation.findings.report import Report
from evaluation.services.kinds import unit_of
from evaluation.services.overview import overview_of
from evaluation.services.report_kinds import data_of
from evaluation.services.reports import new_since, stored_estimates, stored_report
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd
from evaluation.web.report_texts import age

NOT_PREPARED: Final = (Project.State.PREPARING, Project.State.FAILED)
# Units of the chart of submissions: the width of a day, and the height of all.
DAY_WIDTH: Final = 10
CHART_HEIGHT: Final = 60
# Longer ago, the date is shown.
LONG_AGO: Final = timedelta(days=30)
REASONS: Final = {
    NoEnd.NOTHING_TO_JUDGE: gettext_lazy("there is nothing to judge"),
    NoEnd.ALL_JUDGED: gettext_lazy("everything has been judged"),
    NoEnd.PAUSED: gettext_lazy("judging is not open"),
    NoEnd.NOTHING_LATELY: gettext_lazy("nothing new was judged in the last seven days"),
    NoEnd.TOO_LITTLE: gettext_lazy("not enough data yet"),
}


@project_view(observe=READ)
def overview(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show progress, active annotators and the estimated end."""
    if project.state in NOT_PREPARED:
        context = {"project": project, "summary": judgements.project_summary(project)}
        return render(request, "evaluation/overview.html", context)
    zone = _zone(request)
    sampled = sampled_systems(project)
    stored = stored_report(project)
    found: Report | None = data_of(stored) if stored else None
    context = {
        "project": project,
        "zone": zone,
        "live": _live(request, project, zone),
        "stored": stored if found else None,
        "standing": standing(found) if found else [],
        "age": age(clock.now() - stored.made) if stored and stored.made else "",
        "new": new_since(stored) if stored and found else 0,
        "sampled": sampled,
        "estimates": stored_estimates(project) if sampled else None,
    }
    return render(request, "evaluation/overview.html", context)


@project_view(observe=READ)
def overview_now(request: ProjectRequest, project: Project) -> HttpResponse:
    """Answer with the changing part of the page, or 304 if it is the same (If-None-Match).

    `?zone=Europe/Prague` is the time zone of "today".
    """
    if project.state in NOT_PREPARED:
        return HttpResponse(status=204)
    response = HttpResponse(_live(request, project, _zone(request)))
    tag = quote_etag(sha256(response.content).hexdigest())
    response["ETag"] = tag
    return get_conditional_response(request, etag=tag, response=response) or response


def _live(request: ProjectRequest, project: Project, zone: ZoneInfo) -> str:
    now = clock.now()
    found = overview_of(project, now=now, zone=zone)
    with timezone.override(zone):
        context: dict[str, Any] = {
            "project": project,
            "overview": found,
            "work": found.work,
            "lines": unit_of(project).count_lines(project),
            "end": end_words(found.end, found.work, now),
            "bars": day_bars(found.days),
            "most_a_day": max(found.days.values()),
            "chart_height": CHART_HEIGHT,
            "chart_width": DAY_WIDTH * len(found.days),
            "rows": [(row, when_active(row.worker.active, now)) for row in found.rows],
            "zone": zone.key,
        }
        return render_to_string("evaluation/_overview.html", context, request)


@dataclass(frozen=True)
class DayBar:
    """The submissions of a day as a bar: `x` and `height` in units of the chart."""

    day: date
    submitted: int
    x: int
    height: int

    @property
    def y(self) -> int:
        return CHART_HEIGHT - self.height


def day_bars(days: Mapping[date, int]) -> list[DayBar]:
    """Return the bars of the days; none if nothing was submitted before the last one."""
    most = max(days.values(), default=0)
    if sum(list(days.values())[:-1]) == 0:
        return []
    return [
        DayBar(day, submitted, number * DAY_WIDTH, ceil(CHART_HEIGHT * submitted / most))
        for number, (day, submitted) in enumerate(days.items())
    ]


def _zone(request: HttpRequest) -> ZoneInfo:
    """Return the time zone of the request, or the default time zone if it is invalid."""
    try:
        return ZoneInfo(request.GET.get("zone", "") or timezone.get_default_timezone_name())
    except (KeyError, ValueError, OSError):
        return ZoneInfo(timezone.get_default_timezone_name())


@dataclass(frozen=True)
class EndWords:
    """The estimated end in words or as a day, and how it was estimated or why it is unknown."""

    when: str
    how: str
    day: datetime | None = None


def end_words(end: EstimatedEnd, work: ProjectProgress, now: datetime) -> EndWords:
    """Return the end in words; dates are in the current time zone."""
    if end.unknown is not None:
        when = _("Done") if end.unknown == NoEnd.ALL_JUDGED else "–"
        return EndWords(when, _reason(end.unknown, work))
    if end.hours is not None:
        hours = max(1, ceil(end.hours))
        return EndWords(
            ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours},
            _("of judging at the current pace; a date is estimated after the first day"),
        )
    pace = {"pace": _a_day(end.a_day or 0.0)}
    if end.when is None:
        return EndWords("–", _("more than two years; assignments a day now: %(pace)s") % pace)
    how = _("at the pace of the last days; assignments a day: %(pace)s") % pace
    near = _near(end.when, now)
    return EndWords(near, how, None if near else end.when)


def _reason(unknown: NoEnd, work: ProjectProgress) -> str:
    if unknown != NoEnd.TOO_FEW_JUDGES:
        return str(REASONS[unknown])
    return _("judges still needed: %(lacking)d; members who can judge: %(judges)d") % {
        "lacking": work.missing_judges,
        "judges": work.judges,
    }


def _a_day(pace: float) -> str:
    places = 0 if pace >= 10 else 1
    return str(number_format(rounded(pace, places), places))


def _near(when: datetime, now: datetime) -> str:
    """Return "today", "tomorrow", or "" for a later day."""
    day, today = timezone.localtime(when), timezone.localtime(now)
    days = (day.date() - today.date()).days
    if days == 0:
        return _("today")
    return _("tomorrow") if days == 1 else ""


def when_active(active: datetime | None, now: datetime) -> str:
    """Return the time of the last activity in words; "" if it was LONG_AGO."""
    if active is None:
        return _("never")
    return "" if now - active > LONG_AGO else age(now - active)
