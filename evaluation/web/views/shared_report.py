"""Links to a report: making and revoking them, and what their readers see without an account."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.models.secret_links import EndedLink, UnknownLink
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.options import ReportOptions
from evaluation.findings.pseudonyms import without_names
from evaluation.findings.report import Report
from evaluation.findings.serialisation import from_json
from evaluation.models import SharedReport
from evaluation.services import reports, shared_reports
from evaluation.services.quality import flagged_in_agreement
from evaluation.services.report_kinds import data_of
from evaluation.web.report_texts import SAMPLED
from evaluation.web.views.report import PAGE, contents, filters_of, options_of
from evaluation.web.views.stored_report import explaining_refusals

View = Callable[..., HttpResponse]

NEVER: Final = "never"
LIFETIMES: Final = (
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("one year")),
    (NEVER, gettext_lazy("until you revoke it")),
)


class SharingForm(forms.Form):
    days = forms.ChoiceField(label=gettext_lazy("Valid for"), choices=LIFETIMES)


@project_view(administer=FORM)
@explaining_refusals("report-sharing")
def sharing(request: ProjectRequest, project: Project) -> HttpResponse:
    """List the links to reports; a post makes one, for the options of the query, and shows it."""
    options = options_of(request, project)
    form = SharingForm(request.POST or None)
    address, status = "", 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            chosen = form.cleaned_data["days"]
            days = None if chosen == NEVER else int(chosen)
            token = shared_reports.share(
                project=project, by=request.user, options=options, days=days
            )
            address = request.build_absolute_uri(reverse("shared-report", args=[token]))
            status = 201
    links = [
        (link, filters_of(stored), SAMPLED[stored.unit])
        for link in reports.open_links(project)
        for stored in [from_json(link.options, ReportOptions)]
    ]
    context = {
        "project": project,
        "form": form,
        "filters": filters_of(options),
        "units": SAMPLED[options.unit],
        "links": links,
        "address": address,
    }
    return render(request, "evaluation/report_sharing.html", context, status=status)


@project_view(administer=POST)
def revoke(request: ProjectRequest, project: Project, shared_pk: int) -> HttpResponse:
    """Revoke a link; ask first."""
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Revoke this link to the report?"),
            consequences=[
                _("Its readers can no longer open the report."),
                _("You can create another link, which has another address."),
            ],
            button=_("Revoke"),
            back=reverse("report-sharing", args=[project.pk]),
        )
    try:
        shared_reports.revoke(project=project, pk=shared_pk)
    except UnknownLink:
        raise Http404 from None
    messages.success(request, _("Link revoked."))
    return redirect("report-sharing", project.pk)


def for_bearers(view: View) -> View:
    """Find the link by its token, and keep the answer out of caches, search engines and logs."""

    @never_cache
    @require_safe
    @sensitive_variables("token")
    @wraps(view)
    def found(request: HttpRequest, token: str, **names: str) -> HttpResponse:
        try:
            response = view(request, shared_reports.find(token), **names)
        except UnknownLink:
            response = render(request, "evaluation/shared_report_ended.html", status=404)
        except EndedLink:
            response = render(request, "evaluation/shared_report_ended.html", status=410)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return found


@for_bearers
def report(request: HttpRequest, link: SharedReport) -> HttpResponse:
    """Show the stored report without names; `?method=` selects the ranking."""
    stored = shared_reports.read(link)
    options = from_json(link.options, ReportOptions)
    context: dict[str, Any] = {
        "shared": True,
        "project": link.project,
        "stored": stored,
        "options": options,
        "filters": filters_of(options),
        "units": SAMPLED[options.unit],
        "at": request.path,
    }
    found: Report | None = data_of(stored) if stored else None
    if stored is not None and stored.data and found is not None:
        named = without_names(stored.data, _key(link), _("Annotator"))
        context |= contents(named, request.GET.get("method", ""))
        context["flagged"] = flagged_in_agreement(link.project, found)
    return render(request, "evaluation/shared_report.html", context)


@for_bearers
def figure(request: HttpRequest, link: SharedReport, name: str) -> HttpResponse:
    return PAGE.send_figure(request, _data(link, _("Annotator")), name)


@for_bearers
def image(request: HttpRequest, link: SharedReport, name: str, extension: str) -> HttpResponse:
    return PAGE.send_image(link.project, _data(link, _("Annotator")), name, extension)


@for_bearers
def table(request: HttpRequest, link: SharedReport, name: str, extension: str) -> HttpResponse:
    return PAGE.send_table(link.project, _data(link), name, extension)


@for_bearers
def whole(request: HttpRequest, link: SharedReport) -> HttpResponse:
    return PAGE.send_whole(link.project, _data(link))


@for_bearers
def everything(request: HttpRequest, link: SharedReport) -> HttpResponse:
    return PAGE.send_everything(link.project, _data(link))


def _data(link: SharedReport, word: str = "Annotator") -> Report:
    """Return the report without names. Raises Http404 if there is none."""
    stored = shared_reports.read(link)
    if stored is None or not stored.data or reports.has_other_shape(stored):
        raise Http404
    return without_names(stored.data, _key(link), word)


def _key(link: SharedReport) -> bytes:
    return salted_hmac("annotators of a shared report", str(link.pk)).digest()
