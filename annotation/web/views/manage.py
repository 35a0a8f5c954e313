"""The page from which administrators run a project; every form of it has an address of its own."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.judging import assignment
from annotation.judging.errors import NotAssigned, NotAvailable
from annotation.models import Project, User
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID, project_to_administer
from annotation.selectors.members import members
from annotation.web.forms.settings import InstructionsForm, LimitForm, MemberForm, SettingsForm
from annotation.web.views.manage_page import back_to, show_page


@never_cache
@login_required
@require_safe
def manage(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything; `?version=` puts an earlier version of the instructions into the editor."""
    project = project_to_administer(_user(request), pk)
    return show_page(request, project, version=request.GET.get("version"))


@never_cache
@login_required
@require_POST
def set_state(request: HttpRequest, pk: int) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    state = request.POST.get("state", "")
    try:
        administration.set_state(project=project, state=state)
    except administration.NotPossible as problem:
        messages.error(request, str(problem))
    else:
        paused = state == Project.State.CLOSED
        done = _("Judging is paused.") if paused else _("Judging is open again.")
        messages.success(request, done)
    return back_to(project)


@never_cache
@login_required
@require_POST
def change_settings(request: HttpRequest, pk: int) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    form = SettingsForm(request.POST, instance=project)
    if not form.is_valid():
        return show_page(request, project, settings=form)
    administration.change_settings(project=project, values=form.by_name())
    messages.success(request, _("The settings are saved."))
    return back_to(project)


@never_cache
@login_required
@require_POST
def change_instructions(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the text, or only show what it would look like where `preview` was pressed."""
    user = _user(request)
    project = project_to_administer(user, pk)
    form = InstructionsForm(request.POST)
    if not form.is_valid() or "preview" in request.POST:
        return show_page(request, project, instructions=form)
    saved = administration.change_instructions(
        project=project, author=user, text=form.cleaned_data["text"]
    )
    if saved is None:
        messages.info(request, _("These instructions hold already."))
    else:
        messages.success(request, _("The instructions are saved; they hold from now on."))
    return back_to(project, "instructions")


@never_cache
@login_required
@require_POST
def release(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Give an open sentence back to the others."""
    project = project_to_administer(_user(request), pk)
    try:
        assignment.release(project=project, assignment_id=assignment_pk)
    except NotAssigned:
        raise Http404 from None
    except NotAvailable as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The sentence went back to the others."))
    return back_to(project, "open")


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
            member = administration.set_role(project=project, by=user, **form.cleaned_data)
        except administration.NotPossible as problem:
            form.add_error("username", str(problem))
        else:
            told = _("%(name)s is a member with this role now.") % {"name": member.shown_name}
            messages.success(request, told)
            return back_to(project, "members")
    return show_page(request, project, member=form)


@never_cache
@login_required
@require_POST
def limit_member(request: HttpRequest, pk: int, user_pk: int) -> HttpResponse:
    """Set how many sentences a member is given at most."""
    project = project_to_administer(_user(request), pk)
    member = get_object_or_404(members(project), user=min(user_pk, LARGEST_ID))
    form = LimitForm(request.POST, instance=member)
    if not form.is_valid():
        return show_page(request, project, limit=form)
    try:
        administration.limit_sentences(
            project=project, user_id=user_pk, most=form.cleaned_data["most_sentences"]
        )
    except administration.NotPossible as problem:
        messages.error(request, str(problem))
    else:
        told = _("The limit for %(name)s is saved.") % {"name": member.user.shown_name}
        messages.success(request, told)
    return back_to(project, "members")


@never_cache
@login_required
@require_POST
def remove_member(request: HttpRequest, pk: int, user_pk: int) -> HttpResponse:
    """End a membership; nothing that was judged goes with it."""
    user = _user(request)
    project = project_to_administer(user, pk)
    try:
        removed = administration.remove_member(project=project, by=user, user_id=user_pk)
    except administration.NotPossible as problem:
        messages.error(request, str(problem))
    else:
        told = _("%(name)s is not a member any more; what was judged stays.")
        messages.success(request, told % {"name": removed.shown_name})
    return back_to(project, "members")


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
