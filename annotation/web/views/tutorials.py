"""The page of practice sentences, and the tutorials that are added there."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.common.error_messages import localize_error, with_location
from annotation.formats.errors import InputError
from annotation.formats.tutorial_files import LARGEST_FILE, read_tutorial
from annotation.judging import practice
from annotation.models import Project
from annotation.projects.tutorials import (
    add_tutorial,
    has_tutorial,
    offers_tutorial,
    shipped_file,
    takes_tutorial,
)
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.forms.quality_checks import TutorialForm
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest


@project_view(administer=READ)
def practice_sentences(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the practice sentences, and what there is of tutorials."""
    return _show(request, project)


@csrf_exempt
@project_view(administer=POST)
def tutorial(request: ProjectRequest, project: Project) -> HttpResponse:
    """Add an uploaded tutorial, or that of SegRanks for the languages of the project.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if not stream_to_disk(request, LARGEST_FILE):
        return _too_large(request, project)
    return _add(request, project)


@csrf_protect
def _add(request: SignedInRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    own = None
    try:
        if "shipped" not in request.POST:
            form = TutorialForm(request.POST, request.FILES)
            if not form.is_valid():
                return _show(request, project, form=form, status=400)
            file = form.cleaned_data["file"]
            own = read_tutorial(file.read(), file.name)
        sheets = add_tutorial(project=project, own=own)
    except InputError as error:
        said = localize_error(error)
        problem = {"words": with_location(said), "in_english": said.in_english}
        return _show(request, project, problem=problem, status=400)
    message = ngettext(
        "Tutorial with %(count)d sheet added. Annotators do it before other sheets.",
        "Tutorial with %(count)d sheets added. Annotators do it before other sheets.",
        sheets,
    )
    messages.success(request, message % {"count": sheets})
    return redirect("practice-sentences", project.pk)


def _too_large(request: SignedInRequest, project: Project) -> HttpResponse:
    words = _("This file is too large: a tutorial is a few short documents.")
    return _show(request, project, problem={"words": words}, status=413)


@project_view(administer=READ)
def tutorial_file(request: ProjectRequest, project: Project) -> HttpResponse:
    """Send the file of SegRanks' tutorial, from which an own one can be made."""
    path = shipped_file(project)
    if path is None:
        raise Http404
    return HttpResponse(
        path.read_bytes(),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="tutorial.{path.name}"'},
    )


def _show(
    request: SignedInRequest, project: Project, *, status: int = 200, **changes: Any
) -> HttpResponse:
    """Render the page; `changes` replace parts of its context, such as a form with errors."""
    context = {
        "project": project,
        "practice": practice.practice_sentences(project),
        "takes_tutorial": takes_tutorial(project),
        "has_tutorial": has_tutorial(project),
        "shipped": offers_tutorial(project),
        "form": TutorialForm(),
    }
    return render(request, "annotation/quality/practice.html", context | changes, status=status)
