"""The page from which administrators invite people, and help those who cannot sign in."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.common.exceptions import NotPossible
from annotation.models import Project, User
from annotation.projects.permissions import project_to_administer, rights
from people import invitations, mail, member_links
from people.forms import InvitationForm

# Whoever is not among them is helped from the command line.
MOST_TO_HELP = 100


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def project_invitations(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the open invitations; a post makes one, and shows its link this once."""
    user = cast(User, request.user)
    project = project_to_administer(user, pk)
    form = _form(request, project)
    if request.method != "POST" or not form.is_valid():
        return _show(request, project, form, status=400 if form.errors else 200)
    fields = form.cleaned_data | {"project": project, "by": user}
    if not fields.pop("email", ""):
        address = invitations.invite(**fields)
        return _show(request, project, None, status=201, address=address)
    return _send(request, project, form)


@never_cache
@login_required
@require_POST
def revoke_invitation(request: HttpRequest, pk: int, invitation_pk: int) -> HttpResponse:
    user = cast(User, request.user)
    project = project_to_administer(user, pk)
    try:
        invitations.revoke(project=project, by=user, pk=invitation_pk)
    except invitations.UnknownInvitation:
        raise Http404 from None
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("Nobody more gets in by this invitation."))
    return redirect("project-invitations", pk=project.pk)


@never_cache
@login_required
@require_POST
def new_link(request: HttpRequest, pk: int, user_pk: int) -> HttpResponse:
    """Make a new link to sign in for a member, and show it this once."""
    user = cast(User, request.user)
    project = project_to_administer(user, pk)
    try:
        member, address = member_links.new_link(project=project, by=user, user_id=user_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("project-invitations", pk=project.pk)
    return _show(request, project, None, status=201, address=address, helped=member)


def _form(request: HttpRequest, project: Project, *, empty: bool = False) -> InvitationForm:
    may_own = rights(request.user, project).may_own
    return InvitationForm(None if empty else request.POST or None, may_own=may_own)


def _send(request: HttpRequest, project: Project, form: InvitationForm) -> HttpResponse:
    fields = form.cleaned_data | {"project": project, "by": cast(User, request.user)}
    del fields["most_uses"]
    try:
        invitations.invite_by_mail(**fields)
    except mail.NotSent as problem:
        form.add_error("email", str(problem))
        return _show(request, project, form, status=502)
    told = _("The invitation is on its way to %(email)s.") % {"email": fields["email"]}
    messages.success(request, told)
    return redirect("project-invitations", pk=project.pk)


def _show(
    request: HttpRequest,
    project: Project,
    form: InvitationForm | None,
    *,
    status: int,
    address: str = "",
    helped: User | None = None,
) -> HttpResponse:
    """Show the page; `address` is a link just made, for whom it was made if not for anybody."""
    context: dict[str, Any] = {
        "project": project,
        "form": form or _form(request, project, empty=True),
        "invitations": invitations.open_invitations(project),
        "members_to_help": member_links.members_to_help(project)[:MOST_TO_HELP],
        "mail_is_configured": mail.is_configured(),
        "address": address,
        "helped": helped,
        "now": timezone.now(),
    }
    return render(request, "people/invitations.html", context, status=status)
