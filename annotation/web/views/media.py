"""Images, audio and video beside the source: a file of them, and the page that adds and removes."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.common.error_messages import (
    LocalizedMessage,
    localize,
    localized_errors,
    with_location,
)
from annotation.formats.errors import InputError
from annotation.formats.media_files import MOST_OF_LINE
from annotation.formats.problems import Refused
from annotation.kinds import kind_of
from annotation.models import Media, Project
from annotation.projects.media import file_of, remove_medium, sizes_of
from annotation.projects.permissions import LARGEST_ID
from annotation.uploads.media import add_uploaded_media
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.forms.media import MediaForm
from annotation.web.project_views import FORM, POST, READ, project_view
from annotation.web.ranged_files import ranged_file
from annotation.web.requests import ProjectRequest, SignedInRequest

ROWS_PER_PAGE = 100


@project_view(know=READ, cached=True)
def medium(request: ProjectRequest, project: Project, medium_pk: int) -> HttpResponseBase:
    """Send a medium to members of the project."""
    if medium_pk > LARGEST_ID:
        raise Http404
    row = get_object_or_404(Media, project=project, pk=medium_pk, is_missing=False)
    try:
        return ranged_file(request, file_of(row), media_type=row.media_type, version=row.sha256)
    except FileNotFoundError:
        raise Http404 from None


@csrf_exempt
@project_view(administer=FORM)
def media(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the media of the project, or add uploaded ones.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if request.method == "POST":
        if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
            return _too_large(request, project)
        return _add(request, project)
    return _show(request, project)


@project_view(administer=POST)
def remove(request: ProjectRequest, project: Project, medium_pk: int) -> HttpResponse:
    """Remove a medium, once the administrator has confirmed it."""
    if medium_pk > LARGEST_ID:
        raise Http404
    row = get_object_or_404(Media, project=project, pk=medium_pk)
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Remove %(name)s from line %(line)d?")
            % {"name": row.name, "line": row.line},
            consequences=[
                _("Annotators do not see it any more."),
                _("What annotators played of it before stays stored with their judgements."),
            ],
            button=_("Remove"),
            back=reverse("project-media", args=[project.pk]),
        )
    if remove_medium(project=project, pk=medium_pk):
        messages.success(request, _("%(name)s was removed.") % {"name": row.name})
    return redirect("project-media", project.pk)


@csrf_protect
def _add(request: SignedInRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    form = MediaForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, project, form=form, status=400)
    try:
        rows = add_uploaded_media(
            project=project, sent=form.cleaned_data["file"], table=form.cleaned_data["table"]
        )
    except Refused as refusal:
        return _refuse(request, project, [localize(refusal.problem)])
    except InputError as error:
        return _refuse(request, project, localized_errors(error))
    message = ngettext(
        "%(number)d file is beside the source.",
        "%(number)d files are beside the source.",
        len(rows),
    )
    messages.success(request, message % {"number": len(rows)})
    return redirect("project-media", project.pk)


def _refuse(
    request: SignedInRequest, project: Project, said: list[LocalizedMessage]
) -> HttpResponse:
    problems = [{"words": with_location(one), "in_english": one.in_english} for one in said]
    return _show(request, project, problems=problems, status=400)


def _too_large(request: SignedInRequest, project: Project) -> HttpResponse:
    limit = int(settings.MAX_UPLOAD_BYTES) // 1_000_000
    words = _(
        "These files are too large for one upload. The limit is %(limit)d MB: upload some of them "
        "first, or use the command add_media."
    )
    return _show(request, project, problems=[{"words": words % {"limit": limit}}], status=413)


def _show(
    request: SignedInRequest, project: Project, *, status: int = 200, **changes: Any
) -> HttpResponse:
    """Render the page; `changes` replace parts of its context, such as a form with errors."""
    rows = Paginator(project.media.order_by("line", "pk"), ROWS_PER_PAGE)
    context = {
        "project": project,
        "rows": rows.get_page(request.GET.get("page")),
        "sizes": sizes_of(project),
        "form": MediaForm(),
        "is_shown": kind_of(project).shown.source,
        "most_of_line": MOST_OF_LINE,
        "limits": {
            "file": int(settings.MAX_MEDIUM_BYTES) // 1_000_000,
            "upload": int(settings.MAX_UPLOAD_BYTES) // 1_000_000,
            "project": int(settings.MAX_MEDIA_BYTES) // 1_000_000,
        },
    }
    return render(request, "annotation/settings/media.html", context | changes, status=status)
