"""The systems of a project: adding one while people judge, and how far that is."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from annotation.common.error_messages import localize, localize_error, with_location
from annotation.formats.errors import InputError
from annotation.formats.problems import Refused
from annotation.models import Project, User
from annotation.pipeline import jobs
from annotation.projects.permissions import project_to_administer
from annotation.selectors.systems import adding, system_rows
from annotation.uploads.add_system import add_system as add_sent_system
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.forms.systems import SystemForm
from annotation.web.views.manage_page import SystemProblem, back_to, show_page

PART = "systems"


@never_cache
@login_required
@csrf_exempt
@require_POST
def add_system(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a system from files, and queue the rest; what is wrong is told with the form.

    Django's protection against forged requests reads the whole form, so it comes once it is known
    who may send files, and how much.
    """
    project = project_to_administer(_user(request), pk)
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _too_large(request, project)
    return _take(request, project)


@never_cache
@login_required
@require_POST
def go_on(request: HttpRequest, pk: int, system_pk: int) -> HttpResponse:
    """Queue once more what is left to do for a system that was not added to its end."""
    project = project_to_administer(_user(request), pk)
    system = get_object_or_404(project.systems, pk=system_pk)
    rows = system_rows(project, adding(project))
    unfinished = {row.system for row in rows if row.is_unfinished}
    if system not in unfinished:
        messages.info(request, _("Nothing is left to do for this system."))
        return back_to(project, PART)
    try:
        jobs.queue_system(project, system.name)
    except jobs.Busy:
        messages.error(request, _busy())
    return back_to(project, PART)


@never_cache
@login_required
@require_safe
def state(request: HttpRequest, pk: int) -> JsonResponse:
    """Answer how far adding a system is, once a second; "done" where none is being added."""
    at_work = adding(project_to_administer(_user(request), pk))
    if at_work is None:
        return JsonResponse({"state": "done"})
    names = ("state", "words", "done", "total")
    return JsonResponse({name: getattr(at_work, name) for name in names})


@csrf_protect
def _take(request: HttpRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    if project.state not in (Project.State.OPEN, Project.State.CLOSED):
        told = _("The project is not prepared yet: add the system once it is.")
        return show_page(request, project, system_problem=SystemProblem(told))
    form = SystemForm(request.POST, request.FILES, project=project)
    if not form.is_valid():
        return show_page(request, project, system=form)
    given = form.cleaned_data
    try:
        add_sent_system(
            project=project,
            name=given["system_name"],
            text=given["text_file"],
            links=given["links_file"],
            tokenized=given["tokenized"],
        )
    except jobs.Busy:
        problem = SystemProblem(_busy())
    except Refused as refusal:
        problem = SystemProblem(with_location(localize(refusal.problem)))
    except InputError as error:
        said = localize_error(error)
        problem = SystemProblem(with_location(said), said.in_english)
    else:
        told = _("“%(name)s” is stored; it gets its candidates now.")
        messages.success(request, told % {"name": given["system_name"]})
        return back_to(project, PART)
    return show_page(request, project, system=form, system_problem=problem)


def _too_large(request: HttpRequest, project: Project) -> HttpResponse:
    limit = int(settings.MAX_UPLOAD_BYTES) // 1_000_000
    told = _("These files are too large: an upload takes at most %(limit)d MB.") % {"limit": limit}
    response = show_page(request, project, system_problem=SystemProblem(told))
    response.status_code = 413
    return response


def _busy() -> str:
    return _("Another system is being added at the moment: add this one once that is done.")


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
