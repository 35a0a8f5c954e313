"""The settings of a project, its instructions, and whether people may judge."""

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.markdown import as_html, as_markdown
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.pipeline.sheet_systems import can_choose_systems, choose_systems_again
from annotation.projects import administration
from annotation.projects.instructions import html_of
from annotation.web.forms.settings import (
    InstructionsForm,
    OptionsForm,
    SettingsForm,
    SheetChoiceForm,
)
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest


@project_view(administer=FORM)
def settings(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the settings, or save the posted ones."""
    posted = request.POST if request.method == "POST" else None
    asked = kind_of(project).answer.options_asked
    own = None if asked is None else OptionsForm(posted, project=project)
    form = SettingsForm(posted, instance=project)
    if form.is_valid() and (own is None or own.is_valid()):
        try:
            with transaction.atomic():
                if own:
                    options = own.cleaned_data["answer_options"].splitlines()
                    administration.change_answer_options(project=project, options=options)
                administration.change_settings(project=project, values=form.by_name())
        except NotPossible as problem:
            assert own
            own.add_error("answer_options", str(problem))
        else:
            messages.success(request, _("Settings saved."))
            return redirect("project-settings", project.pk)
    status = 400 if form.is_bound else 200
    return _show_settings(request, project, settings=form, own=own, status=status)


def _show_settings(
    request: ProjectRequest, project: Project, *, status: int = 200, **forms: BaseForm | None
) -> HttpResponse:
    """Show the forms, those that are missing with what is stored."""
    if "settings" not in forms:
        asked = kind_of(project).answer.options_asked
        forms |= {
            "settings": SettingsForm(instance=project),
            "own": None if asked is None else OptionsForm(None, project=project),
        }
    if kind_of(project).unit.is_document:
        can_choose = can_choose_systems(project)
        forms.setdefault("sheets", SheetChoiceForm.of(project, disabled=not can_choose))
    return render(
        request, "annotation/settings/settings.html", {"project": project, **forms}, status=status
    )


@project_view(administer=POST)
def choose_systems(request: ProjectRequest, project: Project) -> HttpResponse:
    """Prepare the sheets of documents again, with another choice of their systems."""
    form = SheetChoiceForm(request.POST)
    if not form.is_valid():
        return _show_settings(request, project, sheets=form, status=400)
    try:
        choose_systems_again(
            project=project,
            choice=form.cleaned_data["sheet_choice"],
            sheets=form.cleaned_data["sheets_of_document"],
            first=form.cleaned_data["first_documents"],
        )
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("project-settings", project.pk)
    return redirect("preparing", project.pk)


@project_view(administer=POST)
def set_state(request: ProjectRequest, project: Project) -> HttpResponse:
    """Pause judging, or open it."""
    state = request.POST.get("state", "")
    try:
        administration.set_state(project=project, state=state)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        paused = state == Project.State.CLOSED
        done = _("Judging is paused.") if paused else _("Judging is open.")
        messages.success(request, done)
    return redirect("project-settings", project.pk)


@project_view(administer=FORM)
def instructions(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the editor of the instructions, a preview of the posted text, or save this text.

    `?version=` loads an earlier version into the editor, which starts with what annotators see. The
    default text is stored as no text, so that annotators go on seeing it in their languages.
    """
    if request.method == "GET":
        return _show_instructions(request, project)
    form = InstructionsForm(request.POST)
    if not form.is_valid():
        return _show_instructions(request, project, form, status=400)
    text = form.cleaned_data["text"]
    if "preview" in request.POST:
        preview = as_html(text) if text else ""
        return _show_instructions(request, project, form, preview=preview)
    own = "" if text == _default_instructions(project) else text
    saved = administration.change_instructions(project=project, author=request.user, text=own)
    if saved is None:
        messages.info(request, _("The instructions have not changed."))
    else:
        messages.success(request, _("Instructions saved. Annotators see them from now on."))
    return redirect("project-instructions", project.pk)


def _show_instructions(
    request: SignedInRequest,
    project: Project,
    form: InstructionsForm | None = None,
    *,
    preview: str = "",
    status: int = 200,
) -> HttpResponse:
    versions = list(administration.versions(project))
    current = versions[0] if versions and versions[0].text else None
    asked = request.GET.get("version")
    loaded = next((one for one in versions if str(one.version) == asked), None)
    shown = loaded or current
    text = shown.text if shown else _default_instructions(project)
    context = {
        "project": project,
        "versions": versions,
        "current": current,
        "current_html": html_of(current.pk, current) if current else "",
        "loaded": loaded,
        "preview": preview,
        "instructions": form or InstructionsForm(initial={"text": text}),
    }
    return render(request, "annotation/settings/instructions.html", context, status=status)


def _default_instructions(project: Project) -> str:
    kind = kind_of(project)
    return as_markdown(render_to_string("annotation/kinds/_instructions.html", {"kind": kind}))
