"""Renaming, copying, archiving and deleting a project, and having its edits accepted.

Each form is a partial template below annotation/settings, which the settings page includes too; a
form with errors, and the question before a deletion, are a page of their own.
"""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.models import Project
from annotation.pipeline import jobs
from annotation.pipeline.acceptance_project import new_acceptance_project
from annotation.pipeline.project_copy import new_copy
from annotation.projects.administration import JUDGING_SETTINGS, rename_project, set_state
from annotation.projects.deletion import request_deletion
from annotation.projects.instructions import current_instructions
from annotation.selectors.project_contents import project_contents
from annotation.uploads import storage
from annotation.web.forms.project_life import CopyForm, DeletionForm, ProjectNameForm
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest

WITHOUT_TEXTS = "without"


@project_view(administer=(*READ, *POST))
def rename(request: ProjectRequest, project: Project) -> HttpResponse:
    form = ProjectNameForm(request.POST or None, project=project)
    if form.is_valid():
        try:
            rename_project(project=project, name=form.cleaned_data["name"])
        except NotPossible as problem:
            form.add_error("name", str(problem))
        else:
            messages.success(request, _("The project was renamed."))
            return redirect("project-settings", project.pk)
    return _show(request, project, "rename", rename=form)


@project_view(administer=(*READ, *POST))
def copy(request: ProjectRequest, project: Project) -> HttpResponse:
    """Copy the project with its texts, or start a new project with its settings only."""
    form = CopyForm(request.POST or None)
    if form.is_valid():
        try:
            if form.cleaned_data["texts"] == WITHOUT_TEXTS:
                return _copy_settings(request, project, form.cleaned_data["name"])
            return _copy_texts(request, project, form.cleaned_data["name"])
        except NotPossible as problem:
            form.add_error("name", str(problem))
    return _show(request, project, "copy", copy=form)


@project_view(administer=(*READ, *POST))
def accept_edits(request: ProjectRequest, project: Project) -> HttpResponse:
    """Create a project in which people accept the edits of this one, or refuse them."""
    form = ProjectNameForm(request.POST or None)
    if form.is_valid():
        try:
            with transaction.atomic():
                job = new_acceptance_project(
                    project=project, name=form.cleaned_data["name"], by=request.user
                )
                jobs.enqueue(job.pk)
            return redirect("preparing", job.project_id)
        except NotPossible as problem:
            form.add_error("name", str(problem))
    return _show(request, project, "accept_edits", acceptance=form)


@project_view(administer=POST)
def archive(request: ProjectRequest, project: Project) -> HttpResponse:
    """Archive the project, or take it out of the archive."""
    is_back = "back" in request.POST
    try:
        set_state(
            project=project, state=Project.State.CLOSED if is_back else Project.State.ARCHIVED
        )
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        done = (
            _("The project is no longer archived. Judging is paused.")
            if is_back
            else _("The project is archived. Nothing was deleted.")
        )
        messages.success(request, done)
    return redirect("project-settings", project.pk)


@project_view(own=(*READ, *POST))
def delete(request: ProjectRequest, project: Project) -> HttpResponse:
    """Say what would be deleted; delete the project once its owner has typed its name."""
    form = DeletionForm(request.POST or None, project=project)
    if jobs.is_at_work(project):
        # A worker stores rows: its job is cancelled first, on the page of the preparation.
        return _show(request, project, "delete", at_work=True, status=409)
    if form.is_valid():
        request_deletion(project)
        message = _("“%(name)s” was deleted.") % {"name": project.name}
        messages.success(request, message)
        return redirect("projects")
    return _show(request, project, "delete", delete=form, contents=project_contents(project))


def _copy_texts(request: SignedInRequest, project: Project, name: str) -> HttpResponse:
    """Raise NotPossible as `new_copy`."""
    with transaction.atomic():
        job = new_copy(project=project, name=name, by=request.user)
        jobs.enqueue(job.pk)
    return redirect("preparing", job.project_id)


def _copy_settings(request: SignedInRequest, project: Project, name: str) -> HttpResponse:
    """Start a new project, without files yet, that has the settings and instructions of this one.

    Raises NotPossible if the user has too many unfinished projects.
    """
    upload = storage.new_upload(request.user)
    current = current_instructions(project)
    judging = {
        field: getattr(project, field) for field in JUDGING_SETTINGS if field != "description"
    }
    fields = (
        "kind",
        "answer_options",
        "description",
        "source_language",
        "target_language",
        "min_length",
        "max_length",
    )
    values = {field: getattr(project, field) for field in fields}
    values |= {"name": name, "judging": judging, "instructions": current.text if current else ""}
    storage.change(upload, roles={}, values=values)
    return redirect("new-project-files", upload.token)


def _show(
    request: SignedInRequest, project: Project, part: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Show one form on a page of its own."""
    if request.method == "POST" and status == 200:
        status = 400
    context |= {"project": project, "template": f"annotation/settings/_{part}.html"}
    return render(request, "annotation/project_life.html", context, status=status)
