"""How a project is going, kept up to date while somebody looks."""

from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.selectors import judgements
from evaluation.services.overview import overview_of
from evaluation.services.permissions import project_to_evaluate
from evaluation.web.overview_texts import end_words, when_active
from evaluation.web.report_texts import age

NOT_PREPARED = (Project.State.PREPARING, Project.State.FAILED)


@never_cache
@login_required
@require_safe
def overview(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what was judged so far, by whom, who works now, their agreement, and when it ends."""
    project = project_to_evaluate(request.user, pk)
    if project.state in NOT_PREPARED:
        context = {"project": project, "summary": judgements.project_summary(project)}
        return render(request, "evaluation/overview.html", context)
    zone = _zone(request)
    context = {"project": project, "zone": zone, "live": _live(project, zone)}
    return render(request, "evaluation/overview.html", context)


@never_cache
@login_required
@require_safe
def overview_now(request: HttpRequest, pk: int) -> HttpResponse:
    """Send what the page says now, or 304 where that is what the asker has (If-None-Match).

    `?zone=Europe/Prague` says where today begins.
    """
    project = project_to_evaluate(request.user, pk)
    if project.state in NOT_PREPARED:
        return HttpResponse(status=204)
    response = HttpResponse(_live(project, _zone(request)))
    tag = quote_etag(sha256(response.content).hexdigest())
    response["ETag"] = tag
    return get_conditional_response(request, etag=tag, response=response) or response


def _live(project: Project, zone: ZoneInfo) -> str:
    now = timezone.now()
    found = overview_of(project, now=now, zone=zone)
    with timezone.override(zone):
        context: dict[str, Any] = {
            "project": project,
            "overview": found,
            "work": found.work,
            "agreement": found.agreement,
            "measured": age(now - found.agreement.made) if found.agreement else "",
            "end": end_words(found.end, found.work, now),
            "rows": [(row, when_active(row.worker.active, now)) for row in found.rows],
            "zone": zone.key,
        }
        return render_to_string("evaluation/_overview.html", context)


def _zone(request: HttpRequest) -> ZoneInfo:
    """Return the time zone that is asked for; the site's where there is none of this name."""
    try:
        return ZoneInfo(request.GET.get("zone", "") or timezone.get_default_timezone_name())
    except (KeyError, ValueError, OSError):
        return ZoneInfo(timezone.get_default_timezone_name())
