"""Upload and removal of files with scores of metrics, on the page of metrics."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.common.error_messages import localize_error, with_location
from annotation.formats.errors import InputError
from annotation.formats.problems import MOST_OF_A_FILE, InputErrors
from annotation.models import Project
from annotation.projects.permissions import LARGEST_ID
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import POST, project_view
from annotation.web.requests import ProjectRequest
from evaluation.services.score_file_changes import (
    MOST_BYTES,
    add_score_files,
    remove_score_file,
)
from evaluation.services.score_files import score_files


@csrf_exempt
@project_view(administer=POST)
def add(request: ProjectRequest, project: Project) -> HttpResponse:
    """Store uploaded files of scores, and request an evaluation with their metrics.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if not stream_to_disk(request, MOST_BYTES):
        return _too_large(request, project)
    return _store(request, project)


@csrf_protect
def _store(request: HttpRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    given = [(file.name or "", file.read()) for file in request.FILES.getlist("score_files")]
    try:
        add_score_files(
            project=project, files=given, lower_is_better="lower_is_better" in request.POST
        )
    except InputError as problem:
        errors = problem.errors if isinstance(problem, InputErrors) else [problem]
        for error in errors[:MOST_OF_A_FILE]:
            messages.error(request, with_location(localize_error(error)))
        found = len(errors) + (problem.more if isinstance(problem, InputErrors) else 0)
        more = found - MOST_OF_A_FILE
        if more > 0:
            messages.error(
                request,
                ngettext("%(count)d more problem.", "%(count)d more problems.", more)
                % {"count": more},
            )
    else:
        messages.success(request, _("The scores were added. They are being compared with people."))
    return _back(project)


@project_view(administer=POST)
def remove(request: ProjectRequest, project: Project, score_file_pk: int) -> HttpResponse:
    """Delete a file of scores, and request an evaluation without its metrics; ask first."""
    file = get_object_or_404(score_files(project), pk=min(score_file_pk, LARGEST_ID))
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Remove the scores of %(name)s?") % {"name": file.name},
            consequences=[
                _("The metrics are compared with people again, without these scores."),
                _("You can upload the file again."),
            ],
            button=_("Remove"),
            back=reverse("metrics", args=[project.pk]),
        )
    remove_score_file(file)
    messages.success(request, _("The scores were removed."))
    return _back(project)


def _too_large(request: HttpRequest, project: Project) -> HttpResponse:
    limit = MOST_BYTES // 1_000_000
    messages.error(
        request, _("These files are too large. The limit is %(limit)d MB.") % {"limit": limit}
    )
    return _back(project)


def _back(project: Project) -> HttpResponse:
    return redirect("metrics", project.pk)
