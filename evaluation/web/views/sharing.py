"""Links to a report and to documents: making and revoking them, and the report of their readers."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from annotation.common.exceptions import NotPossible
from annotation.models import Project
from annotation.models.secret_links import EndedLink, UnknownLink
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.options import ReportOptions
from evaluation.findings.pseudonyms import without_names
from evaluation.findings.report import Report
from evaluation.findings.serialisation import from_json
from evaluation.models import SharedLink
from evaluation.services import reports, shared_links
from evaluation.services.quality import flagged_in_agreement
from evaluation.services.report_kinds import data_of
from evaluation.web.report_texts import sampled_units
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


# For which a browser may keep a page of documents; caches that people share may not.
DOCUMENT_SECONDS: Final = 300


class SharingForm(forms.Form):
    pages = forms.ChoiceField(
        label=gettext_lazy("Readers can open"), choices=SharedLink.Pages.choices
    )
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
            try:
                _link, token = shared_links.share(
                    project=project,
                    by=request.user,
                    options=options,
                    days=days,
                    pages=form.cleaned_data["pages"],
                )
                address = request.build_absolute_uri(reverse("shared-report", args=[token]))
                status = 201
            except NotPossible as problem:
                form.add_error("pages", str(problem))
    units = sampled_units(project)
    links = [
        (link, filters_of(stored), units[stored.unit])
        for link in reports.open_links(project)
        for stored in [from_json(link.options, ReportOptions)]
    ]
    context = {
        "project": project,
        "form": form,
        "filters": filters_of(options),
        "units": units[options.unit],
        "links": links,
        "address": address,
        "is_finished": project.state in shared_links.FINISHED,
    }
    return render(request, "evaluation/report_sharing.html", context, status=status)


@project_view(administer=POST)
def revoke(request: ProjectRequest, project: Project, shared_pk: int) -> HttpResponse:
    """Revoke a link; ask first."""
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Revoke this link?"),
            consequences=[
                _("Its readers can no longer open the pages."),
                _("You can create another link, which has another address."),
            ],
            button=_("Revoke"),
            back=reverse("report-sharing", args=[project.pk]),
        )
    try:
        shared_links.revoke(project=project, pk=shared_pk)
    except UnknownLink:
        raise Http404 from None
    messages.success(request, _("Link revoked."))
    return redirect("report-sharing", project.pk)


def bearers_view(seconds: int = 0) -> Callable[[View], View]:
    """Find the link by its token, and keep the answer out of search engines and logs.

    Browsers may keep a page for so many seconds; 0 keeps it out of all caches.
    """

    def decorate(view: View) -> View:
        @require_safe
        @sensitive_variables("token")
        @wraps(view)
        def found(request: HttpRequest, token: str, **names: Any) -> HttpResponse:
            try:
                response = view(request, shared_links.find(token), **names)
            except UnknownLink:
                response = render(request, "evaluation/shared_report_ended.html", status=404)
            except EndedLink:
                response = render(request, "evaluation/shared_report_ended.html", status=410)
            if seconds and response.status_code == 200:
                patch_cache_control(response, private=True, max_age=seconds)
            else:
                add_never_cache_headers(response)
            response["X-Robots-Tag"] = "noindex, nofollow"
            return response

        return found

    return decorate


for_bearers = bearers_view()


@for_bearers
def report(request: HttpRequest, link: SharedLink) -> HttpResponse:
    """Show the stored report without names; `?method=` selects the ranking.

    A link to documents alone leads to these.
    """
    if not link.has_report:
        return redirect(f"{request.path}documents/")
    stored = shared_links.read(link)
    options = from_json(link.options, ReportOptions)
    context: dict[str, Any] = {
        "shared": True,
        "project": link.project,
        "stored": stored,
        "options": options,
        "filters": filters_of(options),
        "units": sampled_units(link.project)[options.unit],
        "at": request.path,
        "has_documents": shared_links.shows_documents(link),
    }
    found: Report | None = data_of(stored) if stored else None
    if stored is not None and stored.data and found is not None:
        named = without_names(stored.data, shared_links.numbers_by_name(link), _("Annotator"))
        context |= contents(named, request.GET.get("method", ""))
        context["flagged"] = flagged_in_agreement(link.project, found)
    return render(request, "evaluation/shared_report.html", context)


@for_bearers
def figure(request: HttpRequest, link: SharedLink, name: str) -> HttpResponse:
    return PAGE.send_figure(request, _data(link, _("Annotator")), name)


@for_bearers
def image(request: HttpRequest, link: SharedLink, name: str, extension: str) -> HttpResponse:
    return PAGE.send_image(link.project, _data(link, _("Annotator")), name, extension)


@for_bearers
def table(request: HttpRequest, link: SharedLink, name: str, extension: str) -> HttpResponse:
    return PAGE.send_table(link.project, _data(link), name, extension)


@for_bearers
def whole(request: HttpRequest, link: SharedLink) -> HttpResponse:
    return PAGE.send_whole(link.project, _data(link))


@for_bearers
def everything(request: HttpRequest, link: SharedLink) -> HttpResponse:
    return PAGE.send_everything(link.project, _data(link))


def _data(link: SharedLink, word: str = "Annotator") -> Report:
    """Return the report without names. Raises Http404 if there is none."""
    stored = shared_links.read(link) if link.has_report else None
    if stored is None or not stored.data or reports.has_other_shape(stored):
        raise Http404
    return without_names(stored.data, shared_links.numbers_by_name(link), word)
