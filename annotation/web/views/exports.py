"""The page of exports, and the files that it offers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.export_formats import (
    DOWNLOADS,
    OBSERVABLE,
    ExportFormat,
    ExportOption,
    counts_of,
)
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.web.downloads import download
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest


@dataclass(frozen=True)
class OfferedFormat:
    """A format, and its options with what was given for them."""

    format: ExportFormat
    options: Sequence[tuple[ExportOption, str]]


@project_view(observe=READ)
def exports(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the formats; `?count=FORMAT` says how much is in one of them and is left out."""
    given, kind = request.GET.dict(), kind_of(project)
    may_have = DOWNLOADS if request.rights.may_administer else OBSERVABLE
    sections: dict[str, list[OfferedFormat]] = {}
    for one in may_have.values():
        if one.has_kind(kind):
            options = [(option, given.get(option.name, "")) for option in one.options]
            sections.setdefault(one.section, []).append(OfferedFormat(one, options))
    counts, name = None, given.get("count", "")
    if name in OBSERVABLE:
        try:
            counts = counts_of(project, name, **OBSERVABLE[name].read_options(given))
        except InputError as problem:
            messages.error(request, str(localize_error(problem)))
    context = {"project": project, "sections": sections, "counts": counts, "counted": name}
    return render(request, "annotation/exports.html", context)


@project_view(administer=READ)
def archive(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Stream the archive, which has what only administrators may see."""
    return _send(request, project, "archive")


@project_view(observe=READ)
def export(request: ProjectRequest, project: Project, name: str) -> HttpResponseBase:
    """Stream the project in one format. The archive has a view of its own."""
    if name not in OBSERVABLE:
        raise Http404
    return _send(request, project, name)


def _send(request: ProjectRequest, project: Project, name: str) -> HttpResponseBase:
    try:
        return download(project, name, request.GET.dict())
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("exports", project.pk)
