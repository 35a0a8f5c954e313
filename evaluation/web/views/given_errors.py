"""The page of errors that were marked before: who marked them, a file of more, and removal."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.formats.problems import Refused
from annotation.models import Project
from annotation.projects.given_errors import origin_summaries, remove_origin
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest
from evaluation.services.given_errors import (
    GivenFile,
    give_errors_of_annotators,
    import_uploaded_given_errors,
)
from evaluation.web.given_error_forms import GivenErrorsForm, SecondPassForm


@csrf_exempt
@project_view(administer=FORM)
def given_errors(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show who marked errors before, or store those of a posted file.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if request.method == "GET":
        return _show(request, project, GivenErrorsForm())
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _show(request, project, GivenErrorsForm.too_large(), status=413)
    return _store(request, project)


@csrf_protect
def _store(request: ProjectRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _show(request, project, GivenErrorsForm.too_large(), status=413)
    form = GivenErrorsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            stored = import_uploaded_given_errors(project=project, **form.cleaned_data)
        except (InputError, Refused) as problem:
            form.add_problems(problem)
        except NotPossible as problem:
            form.add_error("name", str(problem))
        else:
            messages.success(request, _said(stored))
            return redirect("given-errors", project.pk)
    return _show(request, project, form, status=400)


@project_view(administer=POST)
def second_pass(request: ProjectRequest, project: Project) -> HttpResponse:
    """Give what annotators have marked in a project that the user administers."""
    form = SecondPassForm(request.POST, user=request.user, project=project)
    if form.is_valid():
        try:
            origins = give_errors_of_annotators(
                project=project, judged_in=form.cleaned_data["judged_in"]
            )
        except InputError as problem:
            form.add_error("judged_in", localize_error(problem).words)
        except NotPossible as problem:
            form.add_error("judged_in", str(problem))
        else:
            given = ngettext(
                "Errors marked by %(number)d annotator are given from now on.",
                "Errors marked by %(number)d annotators are given from now on.",
                len(origins),
            )
            messages.success(request, given % {"number": len(origins)})
            return redirect("given-errors", project.pk)
    return _show(request, project, GivenErrorsForm(), again=form, status=400)


@project_view(administer=POST)
def remove(request: ProjectRequest, project: Project, origin_pk: int) -> HttpResponse:
    """Delete the errors of an origin that no sheet has shown; ask first."""
    origin = next((one for one in origin_summaries(project) if one.id == origin_pk), None)
    if origin is None:
        raise Http404
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Remove the errors marked by %(name)s?") % {"name": origin.name},
            consequences=[
                _("No sheet has shown them. New sheets will not show them."),
                _("You can upload the file again."),
            ],
            button=_("Remove"),
            back=reverse("given-errors", args=[project.pk]),
        )
    try:
        name = remove_origin(project=project, origin_id=origin_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The errors marked by %(name)s were removed.") % {"name": name})
    return redirect("given-errors", project.pk)


def _show(
    request: ProjectRequest,
    project: Project,
    form: GivenErrorsForm,
    *,
    again: SecondPassForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": project,
        "form": form,
        "second_pass": again or SecondPassForm(user=request.user, project=project),
        "origins": origin_summaries(project),
    }
    return render(request, "evaluation/given_errors.html", context, status=status)


def _said(stored: GivenFile) -> str:
    sentences = [
        ngettext(
            "%(texts)d translation has a list of errors marked by %(name)s.",
            "%(texts)d translations have a list of errors marked by %(name)s.",
            stored.texts,
        )
        % {"texts": stored.texts, "name": stored.origin.name}
    ]
    if stored.unplaced:
        sentences.append(
            ngettext(
                "%(number)d error was left out, because its place is unknown.",
                "%(number)d errors were left out, because their places are unknown.",
                stored.unplaced,
            )
            % {"number": stored.unplaced}
        )
    return " ".join(sentences)
