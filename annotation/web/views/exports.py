"""The page of exports, and the files that it offers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.common.exceptions import NotPossible
from annotation.import_export.exports import DOWNLOADS, KIND_DOWNLOADS, RESTRICTED
from annotation.projects.permissions import project_to_administer, project_to_observe
from annotation.web.downloads import download
from annotation.web.requests import SignedInRequest


@never_cache
@login_required
@require_safe
def exports(request: SignedInRequest, pk: int) -> HttpResponse:
    project = project_to_observe(request.user, pk)
    return render(request, "annotation/exports.html", {"project": project})


@never_cache
@login_required
@require_safe
def export(request: SignedInRequest, pk: int, name: str) -> HttpResponseBase:
    """Stream the project in one format; only administrators may have the archive."""
    if name not in DOWNLOADS | KIND_DOWNLOADS:
        raise Http404
    find = project_to_administer if name == RESTRICTED else project_to_observe
    project = find(request.user, pk)
    try:
        return download(project, name)
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("exports", project.pk)
