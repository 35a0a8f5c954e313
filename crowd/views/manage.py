"""The page of a project's start links and pay."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.formats.names import plain_name
from annotation.models import Project
from annotation.projects.permissions import LARGEST_ID
from annotation.web.downloads import attachment
from annotation.web.project_views import FORM, POST, READ, project_view
from annotation.web.requests import ProjectRequest
from crowd.forms import PayForm, StartLinkForm
from crowd.models import MembersPay, StartLink
from crowd.payment import payment, payment_csv
from crowd.start_links import AlreadyThere, link_rows, links_of, save_link, save_members_pay

# The page's limit; the CSV file has all.
MOST_ROWS = 300
# Of a name that is searched for.
LONGEST_NAME = 150


@project_view(administer=READ)
def crowd(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the start links, and the working time and pay of all annotators.

    `?find=` filters annotators by name or participant id.
    """
    return _show_crowd(request, project)


@project_view(administer=FORM)
def new_link(request: ProjectRequest, project: Project) -> HttpResponse:
    prolific = {"platform": "Prolific", "id_parameter": "PROLIFIC_PID"}
    link = StartLink(project=project, visit_parameter="SESSION_ID", **prolific)
    return _change(request, project, link)


@project_view(administer=FORM)
def change_link(request: ProjectRequest, project: Project, link_pk: int) -> HttpResponse:
    link = get_object_or_404(links_of(project), pk=min(link_pk, LARGEST_ID))
    return _change(request, project, link)


@project_view(administer=POST)
def change_pay(request: ProjectRequest, project: Project) -> HttpResponse:
    """Save the pay of annotators without a start link."""
    form = PayForm(request.POST)
    if not form.is_valid():
        return _show_crowd(request, project, pay=form)
    save_members_pay(project=project, values=form.cleaned_data)
    messages.success(request, _("Pay saved."))
    return redirect("crowd", pk=project.pk)


@project_view(administer=READ)
def payment_file(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Send time and payment of all annotators as CSV."""
    lines = payment_csv(payment(project))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = attachment(project, "-payment.csv")
    return response


def _show_crowd(
    request: HttpRequest, project: Project, *, pay: PayForm | None = None
) -> HttpResponse:
    wanted = plain_name(request.GET.get("find", ""))[:LONGEST_NAME]
    rows = [row for row in payment(project) if row.is_called(wanted)]
    stored = MembersPay.objects.filter(project=project).first()
    context = {
        "project": project,
        "links": link_rows(project, request.build_absolute_uri("/").rstrip("/")),
        "wanted": wanted,
        "rows": rows[:MOST_ROWS],
        "more_rows": max(len(rows) - MOST_ROWS, 0),
        "any_controls": any(row.controls for row in rows),
        "pay": pay or PayForm(instance=stored),
    }
    return render(request, "crowd/crowd.html", context, status=400 if pay else 200)


def _change(request: HttpRequest, project: Project, link: StartLink) -> HttpResponse:
    is_new = link.pk is None
    form = StartLinkForm(request.POST if request.method == "POST" else None, instance=link)
    if form.is_valid():
        try:
            save_link(cast(StartLink, form.instance))
        except AlreadyThere as problem:
            form.add_error("platform", str(problem))
        else:
            messages.success(request, _("Start link saved."))
            return redirect("crowd", pk=project.pk)
    context = {"project": project, "form": form, "is_new": is_new}
    return render(request, "crowd/link.html", context, status=400 if form.is_bound else 200)
