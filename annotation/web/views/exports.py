"""The page of exports, and the files that it offers."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from annotation.common.exceptions import NotPossible
from annotation.import_export.exports import DOWNLOADS, KIND_DOWNLOADS, RESTRICTED
from annotation.models import Project
from annotation.web.downloads import download
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest


@project_view(observe=READ)
def exports(request: ProjectRequest, project: Project) -> HttpResponse:
    return render(request, "annotation/exports.html", {"project": project})


@project_view(administer=READ)
def archive(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Stream the archive, which has what only administrators may see."""
    return _send(request, project, RESTRICTED)


@project_view(observe=READ)
def export(request: ProjectRequest, project: Project, name: str) -> HttpResponseBase:
    """Stream the project in one format. The archive has a view of its own."""
    if name == RESTRICTED or name not in DOWNLOADS | KIND_DOWNLOADS:
        raise Http404
    return _send(request, project, name)


def _send(request: ProjectRequest, project: Project, name: str) -> HttpResponseBase:
    try:
        return download(project, name)
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("exports", project.pk)
