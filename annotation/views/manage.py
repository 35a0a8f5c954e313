"""The page from which administrators run a project; every form of it has an address of its own."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation import assignment, managing
from annotation.access import project_to_administer
from annotation.forms_manage import InstructionsForm, MemberForm, SettingsForm
from annotation.instructions import as_html
from annotation.models import Instructions, Project, User

# More are counted, not shown.
MOST_SKIPS = 200


@never_cache
@login_required
@require_safe
def manage(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything; `?version=` puts an earlier version of the instructions into the editor."""
    project = project_to_administer(_user(request), pk)
    return _show(request, project, version=request.GET.get("version"))


@never_cache
@login_required
@require_POST
def set_state(request: HttpRequest, pk: int) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    state = request.POST.get("state", "")
    try:
        managing.set_state(project=project, state=state)
    except managing.NotPossible as problem:
        messages.error(request, str(problem))
    else:
        paused = state == Project.State.CLOSED
        done = _("Judging is paused.") if paused else _("Judging is open again.")
        messages.success(request, done)
    return _back(project)


@never_cache
@login_required
@require_POST
def change_settings(request: HttpRequest, pk: int) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    form = SettingsForm(request.POST, instance=project)
    if not form.is_valid():
        return _show(request, project, settings=form)
    managing.change_settings(project=project, values=form.by_name())
    messages.success(request, _("The settings are saved."))
    return _back(project)


@never_cache
@login_required
@require_POST
def change_instructions(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the text, or only show what it would look like where `preview` was pressed."""
    user = _user(request)
    project = project_to_administer(user, pk)
    form = InstructionsForm(request.POST)
    if not form.is_valid() or "preview" in request.POST:
        return _show(request, project, instructions=form)
    saved = managing.change_instructions(
        project=project, author=user, text=form.cleaned_data["text"]
    )
    if saved is None:
        messages.info(request, _("These instructions hold already."))
    else:
        messages.success(request, _("The instructions are saved; they hold from now on."))
    return _back(project, "instructions")


@never_cache
@login_required
@require_POST
def release(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Give an open sentence back to the others."""
    project = project_to_administer(_user(request), pk)
    try:
        assignment.release(project=project, assignment_id=assignment_pk)
    except assignment.NotOpen as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The sentence went back to the others."))
    return _back(project, "open")


@never_cache
@login_required
@require_POST
def set_role(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a member, or change a member's role."""
    user = _user(request)
    project = project_to_administer(user, pk)
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = managing.set_role(project=project, by=user, **form.cleaned_data)
        except managing.NotPossible as problem:
            form.add_error("username", str(problem))
        else:
            told = _("%(name)s is a member with this role now.") % {"name": member.shown_name}
            messages.success(request, told)
            return _back(project, "members")
    return _show(request, project, member=form)


def _show(
    request: HttpRequest,
    project: Project,
    *,
    settings: SettingsForm | None = None,
    instructions: InstructionsForm | None = None,
    member: MemberForm | None = None,
    version: str | None = None,
) -> HttpResponse:
    versions = list(managing.versions(project))
    current = versions[0] if versions and versions[0].text else None
    wanted = next((one for one in versions if str(one.version) == version), None)
    skips = managing.skips(project)
    some_skips = list(skips[: MOST_SKIPS + 1])
    context: dict[str, Any] = {
        "project": project,
        "now": timezone.now(),
        "settings": settings or SettingsForm(instance=project),
        "instructions": instructions or _editor(wanted or current),
        "preview": _preview(instructions),
        "wanted": wanted,
        "current": current,
        "current_html": as_html(current) if current else "",
        "versions": versions,
        "open_assignments": managing.open_assignments(project),
        "skips": some_skips[:MOST_SKIPS],
        "more_skips": skips.count() - MOST_SKIPS if len(some_skips) > MOST_SKIPS else 0,
        "member": member or MemberForm(),
        "members": managing.members(project),
    }
    forms = (settings, instructions, member)
    wrong = any(form is not None and not form.is_valid() for form in forms)
    return render(request, "annotation/manage.html", context, status=400 if wrong else 200)


def _editor(version: Instructions | None) -> InstructionsForm:
    return InstructionsForm(initial={"text": version.text if version else ""})


def _preview(form: InstructionsForm | None) -> str:
    """Return what a text looks like that is not saved ("" = nothing to show)."""
    text = form.cleaned_data["text"] if form is not None and form.is_valid() else ""
    return as_html(Instructions(text=text)) if text else ""


def _back(project: Project, part: str = "") -> HttpResponseRedirect:
    address = reverse("manage-project", args=[project.pk])
    return HttpResponseRedirect(f"{address}#{part}" if part else address)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
