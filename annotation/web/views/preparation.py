"""The progress of a preparation, cancelling and repeating it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.pipeline import jobs
from annotation.projects.instructions import current_instructions
from annotation.selectors.exclusion import excluded_of
from annotation.selectors.preparation_status import Report, report
from annotation.selectors.preparation_summary import how_prepared
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest


@project_view(administer=READ)
def preparing(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the progress of the preparation, or its result."""
    context = {
        "project": project,
        "report": report(project),
        "excluded": excluded_of(project),
        "how_prepared": how_prepared(project),
        "has_instructions": current_instructions(project) is not None,
    }
    return render(request, "annotation/preparing.html", context)


@project_view(administer=READ)
def state(request: ProjectRequest, project: Project) -> JsonResponse:
    """Return the progress as JSON, which the page asks for every second."""
    return JsonResponse(_as_json(report(project)))


@project_view(administer=POST)
def cancel(request: ProjectRequest, project: Project) -> HttpResponse:
    """Stop the preparation and delete the project, unless it is prepared already; ask first."""
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Delete “%(name)s”?") % {"name": project.name},
            consequences=[
                _("The preparation stops, and the project is deleted with its texts."),
                _("You cannot undo this."),
            ],
            button=_("Delete project"),
            back=reverse("preparing", args=[project.pk]),
        )
    if not jobs.cancel(project):
        messages.info(request, _("The project has already been prepared and was not deleted."))
        return redirect("preparing", project.pk)
    message = _("“%(name)s” was cancelled and deleted.") % {"name": project.name}
    messages.success(request, message)
    return redirect("projects")


@project_view(administer=POST)
def retry(request: ProjectRequest, project: Project) -> HttpResponse:
    """Enqueue a failed preparation again."""
    if not jobs.retry(project):
        messages.info(request, _("The preparation did not fail."))
    return redirect("preparing", project.pk)


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
