"""The page on which a project is prepared before one's eyes."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.models import User
from annotation.pipeline import jobs
from annotation.projects.permissions import project_to_administer
from annotation.selectors.preparation_status import Report, report
from annotation.selectors.preparation_summary import how_prepared


@never_cache
@login_required
@require_safe
def preparing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how far the preparation is; one that is over shows what came out."""
    project = project_to_administer(_user(request), pk)
    context = {
        "project": project,
        "report": report(project),
        "how_prepared": how_prepared(project),
    }
    return render(request, "annotation/preparing.html", context)


@never_cache
@login_required
@require_safe
def state(request: HttpRequest, pk: int) -> JsonResponse:
    """Answer with the same in JSON, once a second."""
    project = project_to_administer(_user(request), pk)
    return JsonResponse(_as_json(report(project)))


@never_cache
@login_required
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop the preparation and delete the project, whole; one that is prepared stays."""
    project = project_to_administer(_user(request), pk)
    if not jobs.cancel(project):
        messages.info(request, _("It was prepared already, and stays."))
        return redirect("preparing", pk)
    told = _("“%(name)s” is cancelled, and nothing of it is left.") % {"name": project.name}
    messages.success(request, told)
    return redirect("projects")


@never_cache
@login_required
@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue a preparation that failed once more."""
    project = project_to_administer(_user(request), pk)
    if not jobs.retry(project):
        messages.info(request, _("It did not fail, so there is nothing to try again."))
    return redirect("preparing", pk)


def _as_json(made: Report) -> dict[str, Any]:
    return {
        "state": made.state,
        "announcement": made.announcement,
        "left": made.left_in_words,
        "stages": [
            {"name": row.name, "state": row.state, "share": row.share, "detail": row.detail}
            for row in made.stages
        ],
    }


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
