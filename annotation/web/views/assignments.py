"""The sentences that annotators have open, and those that they skipped."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.judging import assignment
from annotation.judging.errors import NotAssigned, NotAvailable
from annotation.models import Project
from annotation.process import clock
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest

# More skipped sentences are counted, not shown.
MAX_SKIPS = 200


@project_view(administer=READ)
def open_assignments(request: ProjectRequest, project: Project) -> HttpResponse:
    context = {
        "project": project,
        "now": clock.now(),
        "open_assignments": administration.open_assignments(project),
    }
    return render(request, "annotation/sentences/open_assignments.html", context)


@project_view(administer=POST)
def release(request: ProjectRequest, project: Project, assignment_pk: int) -> HttpResponse:
    """Make a sentence that an annotator has open available to the others; ask first."""
    if not is_confirmed(request):
        open_ones = administration.open_assignments(project)
        one = get_object_or_404(open_ones, pk=min(assignment_pk, LARGEST_ID))
        values = {"number": one.sentence.source_number, "name": one.annotator.shown_name}
        return ask(
            request,
            question=_("Release line %(number)d?") % values,
            consequences=[
                _("It goes to another annotator.") % values,
                _("%(name)s can only submit it if it becomes free again.") % values,
            ],
            button=_("Release"),
            back=reverse("open-assignments", args=[project.pk]),
        )
    try:
        assignment.release(project=project, assignment_id=assignment_pk)
    except NotAssigned:
        raise Http404 from None
    except NotAvailable as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The assignment was released."))
    return redirect("open-assignments", project.pk)


@project_view(administer=READ)
def skipped(request: ProjectRequest, project: Project) -> HttpResponse:
    skips = administration.skips(project)
    shown = list(skips[: MAX_SKIPS + 1])
    more = skips.count() - MAX_SKIPS if len(shown) > MAX_SKIPS else 0
    context = {"project": project, "skips": shown[:MAX_SKIPS], "more_skips": more}
    return render(request, "annotation/sentences/skipped.html", context)
