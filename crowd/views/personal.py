"""Downloading and anonymising personal data."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from annotation.common.exceptions import NotPossible
from annotation.models import Project, User
from annotation.projects.permissions import LARGEST_ID
from annotation.web.project_views import FORM, READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest
from crowd.anonymisation import anonymise, member_of, refuse_to_anonymise
from crowd.data_export import personal_data
from people.lockout import is_password_of


@never_cache
@login_required
@require_safe
def my_data(request: SignedInRequest) -> HttpResponse:
    return render(request, "crowd/my_data.html")


@never_cache
@login_required
@require_safe
def my_data_file(request: SignedInRequest) -> StreamingHttpResponse:
    return _download(request.user)


@never_cache
@login_required
@sensitive_post_parameters()
@require_POST
def anonymise_me(request: SignedInRequest) -> HttpResponse:
    """Anonymise one's own account, after its user name was typed; sign out.

    Accounts with a password need it, too: a browser may have been left open. Wrong passwords count
    towards the lock-out.
    """
    user = request.user
    password = request.POST.get("password", "")
    try:
        if user.has_usable_password() and not is_password_of(request, user, password):
            raise NotPossible(_("Wrong password. Nothing was changed."))
        anonymise(user, typed_name=request.POST.get("username", ""))
    except NotPossible as problem:
        return render(request, "crowd/my_data.html", {"problem": problem}, status=400)
    logout(request)
    messages.success(request, _("Your account has been anonymised. Thank you for your judgements."))
    return redirect("sign-in")


@project_view(administer=READ)
def member_data_file(
    request: ProjectRequest, project: Project, user_pk: int
) -> StreamingHttpResponse:
    """Send an administrator a member's data in their project."""
    return _download(_member(project, user_pk), project)


@project_view(own=FORM)
def anonymise_member(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Let an owner anonymise a member, after the member's user name was typed."""
    member = _member(project, user_pk)
    context: dict[str, Any] = {"project": project, "member": member}
    try:
        refuse_to_anonymise(member, project=project, by=request.user)
    except NotPossible as problem:
        context |= {"problem": problem, "refused": True}
        status = 200 if request.method == "GET" else 400
        return render(request, "crowd/anonymise.html", context, status=status)
    if request.method == "GET":
        return render(request, "crowd/anonymise.html", context)
    try:
        name = anonymise(member, typed_name=request.POST.get("username", ""))
    except NotPossible as problem:
        return render(request, "crowd/anonymise.html", context | {"problem": problem}, status=400)
    messages.success(request, _("Anonymised. The judgements are now by %(name)s.") % {"name": name})
    return redirect("crowd", pk=project.pk)


def _member(project: Project, user_pk: int) -> User:
    member = member_of(project, user_pk) if user_pk <= LARGEST_ID else None
    if member is None:
        raise Http404
    return member


def _download(user: User, project: Project | None = None) -> StreamingHttpResponse:
    pieces = personal_data(user, project_id=project.pk if project else None)
    response = StreamingHttpResponse(pieces, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="data-of-account-{user.pk}.json"'
    return response
