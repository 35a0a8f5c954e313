"""The pages that import judgements into a project, and a project from its archive."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotation.formats.errors import InputError
from annotation.formats.languages import pair_name
from annotation.formats.problems import Refused
from annotation.import_export.judgements_import import ImportedJudgements
from annotation.import_export.left_out import left_out_sentence
from annotation.models import Project
from annotation.projects.permissions import may_create_projects
from annotation.uploads.imports import (
    create_uploaded_campaign,
    import_uploaded_judgements,
    restore_uploaded_project,
)
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.forms.imports import ArchiveForm, CampaignForm, ImportForm, JudgementsForm
from annotation.web.project_views import FORM, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest


@csrf_exempt
@project_view(administer=FORM)
def judgements(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the form, or import the posted judgements.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if request.method == "GET":
        return _show_judgements(request, project, JudgementsForm())
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _show_judgements(request, project, JudgementsForm.too_large(), status=413)
    return _import_judgements(request, project)


@never_cache
@login_required
@csrf_exempt
@require_http_methods(["GET", "POST"])
def archive(request: SignedInRequest) -> HttpResponse:
    """Show the form, or restore the project of the posted archive; checks as above."""
    if not may_create_projects(request.user):
        raise PermissionDenied
    if request.method == "GET":
        return _show_archive(request, ArchiveForm())
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _show_archive(request, ArchiveForm.too_large(), status=413)
    return _restore(request)


@never_cache
@login_required
@csrf_exempt
@require_http_methods(["GET", "POST"])
def campaign(request: SignedInRequest) -> HttpResponse:
    """Show the form, or create the project of the posted campaign of Pearmut; checks as above."""
    if not may_create_projects(request.user):
        raise PermissionDenied
    if request.method == "GET":
        return _show_campaign(request, CampaignForm())
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _show_campaign(request, CampaignForm.too_large(), status=413)
    return _create_campaign(request)


@csrf_protect
def _create_campaign(request: SignedInRequest) -> HttpResponse:
    if not came_whole(request):
        return _show_campaign(request, CampaignForm.too_large(), status=413)
    form = CampaignForm(request.POST, request.FILES)
    if form.is_valid():
        values = form.cleaned_data
        try:
            project, left_out = create_uploaded_campaign(
                owner=request.user,
                file=values["file"],
                name=values["name"],
                languages=pair_name(values["source_language"], values["target_language"]),
                campaign_id=values["campaign"],
            )
        except (InputError, Refused) as problem:
            form.add_problems(problem)
        else:
            message = _("“%(name)s” is being prepared.") % {"name": project.name}
            messages.success(request, f"{message} {left_out_sentence(left_out)}".rstrip())
            return redirect("overview", project.pk)
    return _show_campaign(request, form, status=400)


@csrf_protect
def _import_judgements(request: SignedInRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _show_judgements(request, project, JudgementsForm.too_large(), status=413)
    form = JudgementsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            imported = import_uploaded_judgements(
                project=project,
                file=form.cleaned_data["file"],
                revised=form.cleaned_data["revised"],
            )
        except (InputError, Refused) as problem:
            form.add_problems(problem)
        else:
            messages.success(request, _said(imported))
            return redirect("import-judgements", project.pk)
    return _show_judgements(request, project, form, status=400)


@csrf_protect
def _restore(request: SignedInRequest) -> HttpResponse:
    if not came_whole(request):
        return _show_archive(request, ArchiveForm.too_large(), status=413)
    form = ArchiveForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            project = restore_uploaded_project(
                owner=request.user,
                file=form.cleaned_data["file"],
                name=form.cleaned_data["name"] or None,
            )
        except (InputError, Refused) as problem:
            form.add_problems(problem)
        else:
            message = _("“%(name)s” is restored. Its annotators are kept by name; invite people.")
            messages.success(request, message % {"name": project.name})
            return redirect("overview", project.pk)
    return _show_archive(request, form, status=400)


def _said(imported: ImportedJudgements) -> str:
    new, there = imported.judgements, imported.there_already
    sentences = [
        ngettext("%(number)d judgement was imported.", "%(number)d judgements were imported.", new)
        % {"number": new}
    ]
    if there:
        sentences.append(
            ngettext("%(number)d was there already.", "%(number)d were there already.", there)
            % {"number": there}
        )
    return " ".join([*sentences, left_out_sentence(imported.left_out)]).rstrip()


def _show_judgements(
    request: SignedInRequest, project: Project, form: ImportForm, *, status: int = 200
) -> HttpResponse:
    context = {"project": project, "form": form}
    return render(request, "annotation/import_judgements.html", context, status=status)


def _show_archive(request: SignedInRequest, form: ImportForm, *, status: int = 200) -> HttpResponse:
    return render(request, "annotation/import_archive.html", {"form": form}, status=status)


def _show_campaign(
    request: SignedInRequest, form: ImportForm, *, status: int = 200
) -> HttpResponse:
    return render(request, "annotation/import_campaign.html", {"form": form}, status=status)
