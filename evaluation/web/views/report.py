"""The report of a project: what is best, how sure that is, and how reliably it was judged."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Project
from annotation.projects.permissions import project_to_administer
from annotation.selectors import judgements
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import BadOption, ReportOptions, share
from evaluation.services import stored_reports
from evaluation.services.permissions import project_to_evaluate
from evaluation.web.report_texts import METHODS, age
from evaluation.web.views.report_contents import contents

View = Callable[[HttpRequest, int], HttpResponse]


def refusing_bad_options(view: View) -> View:
    """Lead from an address with options that mean nothing to the usual report, and say why."""

    @wraps(view)
    def inner(request: HttpRequest, pk: int) -> HttpResponse:
        try:
            return view(request, pk)
        except BadOption as problem:
            messages.error(request, str(problem))
            return redirect("report", pk)

    return inner


@never_cache
@login_required
@require_safe
@refusing_bad_options
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the stored report and its age; where there is none, have it made and wait.

    `?method=` chooses the ranking; the other parameters what is left out (see `options_of`).
    """
    project = project_to_evaluate(request.user, pk)
    # To count all that a project holds takes long, and most pages do not say it.
    summary = SimpleLazyObject(lambda: judgements.project_summary(project))
    context: dict[str, Any] = {"project": project, "summary": summary}
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        return render(request, "evaluation/report.html", context)
    options = options_of(request)
    stored = stored_reports.report_of(project, options)
    context |= _around(request, project, stored, options)
    if stored.data is not None:
        context |= contents(stored.data, request.GET.get("method", ""))
    return render(request, "evaluation/report.html", context)


@never_cache
@login_required
@require_safe
def state(request: HttpRequest, pk: int) -> JsonResponse:
    """Say whether the report is still being made, and of when the last one is."""
    project = project_to_evaluate(request.user, pk)
    stored = find(project, request, without_data=True)
    if stored is None:
        return JsonResponse({"waiting": False, "made": None})
    made = stored.made.isoformat() if stored.made else None
    return JsonResponse({"waiting": stored.is_waiting, "made": made})


@never_cache
@login_required
@require_POST
@refusing_bad_options
def refresh(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the report made anew."""
    project = project_to_evaluate(request.user, pk)
    options = options_of(request)
    stored_reports.request(stored_reports.report_of(project, options))
    return _back(project, options, request.GET.get("method", ""))


@never_cache
@login_required
@require_POST
def set_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose how often the report is made anew by itself."""
    project = project_to_administer(request.user, pk)
    try:
        stored_reports.set_schedule(project, request.POST.get("every", ""))
    except ValueError:
        messages.error(request, _("Choose one of the three."))
    else:
        messages.success(request, _("The schedule of the report is saved."))
    return redirect("report", pk)


def options_of(request: HttpRequest) -> ReportOptions:
    """Return what `?minimum_kappa=0.2&minimum_controls=0.8&repeats=no&skill=yes` asks for.

    Raises BadOption.
    """
    given = request.GET
    return ReportOptions(
        minimum_kappa=share(given.get("minimum_kappa", "")),
        minimum_controls=share(given.get("minimum_controls", "")),
        repeats=given.get("repeats", "") != "no",
        skill=given.get("skill", "") == "yes",
    )


def find(
    project: Project, request: HttpRequest, *, without_data: bool = False
) -> StoredReport | None:
    """Return the report with the options of the request, if it was ever asked for."""
    try:
        key = options_of(request).key
    except BadOption:
        return None
    reports = StoredReport.objects.filter(project=project, key=key)
    return (reports.defer("data") if without_data else reports).first()


def _around(
    request: HttpRequest, project: Project, stored: StoredReport, options: ReportOptions
) -> dict[str, Any]:
    return {
        "stored": stored,
        "options": options,
        "parameters": _parameters(options),
        "waiting": stored.is_waiting,
        "age": age(timezone.now() - stored.made) if stored.made else "",
        "new": stored_reports.new_since(stored) if stored.made else 0,
        "schedule": stored_reports.schedule_of(project),
        "schedules": ReportSchedule.Every.choices,
    }


def _parameters(options: ReportOptions, method: str = "") -> str:
    """Return the options as the end of an address; "" for the usual ones."""
    chosen = {
        "minimum_kappa": _written(options.minimum_kappa),
        "minimum_controls": _written(options.minimum_controls),
        "repeats": "" if options.repeats else "no",
        "skill": "yes" if options.skill else "",
        "method": method,
    }
    return urlencode({name: value for name, value in chosen.items() if value})


def _written(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def _back(project: Project, options: ReportOptions, method: str) -> HttpResponseRedirect:
    parameters = _parameters(options, method if method in METHODS else "")
    address = reverse("report", args=[project.pk])
    return HttpResponseRedirect(f"{address}?{parameters}" if parameters else address)
