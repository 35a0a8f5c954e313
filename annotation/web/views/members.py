"""The members of a project: their roles and limits."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.common.exceptions import NotPossible
from annotation.models import Project
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID, project_to_administer
from annotation.selectors.members import members, members_with_work
from annotation.web.forms.settings import LimitForm, MemberForm
from annotation.web.requests import SignedInRequest


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def people(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the members; add the posted one, or change their role."""
    project = project_to_administer(request.user, pk)
    if request.method == "GET":
        return _show_people(request, project)
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = administration.set_role(project=project, by=request.user, **form.cleaned_data)
        except NotPossible as problem:
            form.add_error("username", str(problem))
        else:
            message = _("%(name)s is now a member with this role.") % {"name": member.username}
            messages.success(request, message)
            return redirect("people", project.pk)
    return _show_people(request, project, member=form, status=400)


@never_cache
@login_required
@require_POST
def limit_member(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    """Set the maximum number of sentences for a member."""
    project = project_to_administer(request.user, pk)
    member = get_object_or_404(members(project), user=min(user_pk, LARGEST_ID))
    form = LimitForm(request.POST, instance=member)
    if not form.is_valid():
        return _show_people(request, project, limit=form, status=400)
    try:
        administration.limit_sentences(
            project=project, user_id=user_pk, most=form.cleaned_data["sentence_limit"]
        )
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        message = _("Limit for %(name)s saved.") % {"name": member.user.username}
        messages.success(request, message)
    return redirect("people", project.pk)


@never_cache
@login_required
@require_POST
def remove_member(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    """End a membership; the member's judgements are kept."""
    project = project_to_administer(request.user, pk)
    try:
        removed = administration.remove_member(project=project, by=request.user, user_id=user_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        message = _("%(name)s was removed. Their judgements are kept.")
        messages.success(request, message % {"name": removed.username})
    return redirect("people", project.pk)


def _show_people(
    request: SignedInRequest, project: Project, *, status: int = 200, **forms: Any
) -> HttpResponse:
    context = {"project": project, "member": MemberForm(), "members": members_with_work(project)}
    return render(request, "annotation/people/people.html", context | forms, status=status)
