"""Inviting people to a project, accepting an invitation, and new sign-in links for members."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from annotation.common.exceptions import NotPossible
from annotation.models import Project, User
from annotation.models.secret_links import EndedLink, UnknownLink
from annotation.selectors.judged_sentences import last_submission
from annotation.selectors.judgements import Speed
from annotation.selectors.project_progress import submitted_of
from annotation.selectors.working_time import recent_speeds, working_time
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest
from people import invitations, mail, member_links
from people.forms import (
    AccountForm,
    AddressTaken,
    InvitationForm,
    InvitationListForm,
    NameTaken,
)
from people.invitations import Invited
from people.models import Invitation
from people.registration import account_of
from people.sign_in_links import BACKEND

# Members listed for a new sign-in link; others get one from the command line.
MAX_MEMBERS = 100
# Bytes of an uploaded list of addresses.
LARGEST_FILE = 500_000
# Addresses that a message names.
MOST_NAMED = 50


@project_view(administer=FORM)
def project_invitations(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the open invitations; a post creates one and shows its link this once."""
    form = _form(request)
    if request.method != "POST" or not form.is_valid():
        return _show_invitations(request, project, form, status=400 if form.errors else 200)
    address = invitations.invite(project=project, by=request.user, **form.cleaned_data)
    return _show_invitations(request, project, None, status=201, address=address)


@csrf_exempt
@project_view(administer=POST)
def invite_list(request: ProjectRequest, project: Project) -> HttpResponse:
    """Invite many people by email; where no email is configured, show their links this once.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if not stream_to_disk(request, LARGEST_FILE):
        return _too_large(request, project)
    return _invite_list(request, project)


@csrf_protect
def _invite_list(request: ProjectRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    form = _list_form(request.POST, request.FILES, may_own=request.rights.may_own)
    if not form.is_valid():
        return _show_invitations(request, project, None, status=400, list_form=form)
    fields = {name: form.cleaned_data[name] for name in ("role", "days", "note")}
    try:
        invited = invitations.invite_list(
            project=project, by=request.user, emails=form.read.addresses, **fields
        )
    except NotPossible as problem:
        form.add_error("addresses", str(problem))
        return _show_invitations(request, project, None, status=400, list_form=form)
    for level, words in _outcome(invited, form.read.repeated):
        messages.add_message(request, level, words)
    if invited.links:
        return _show_invitations(request, project, None, status=201, links=invited.links)
    return redirect("project-invitations", pk=project.pk)


def _too_large(request: ProjectRequest, project: Project) -> HttpResponse:
    messages.error(request, _("This file is too large. Invite people in several parts."))
    return _show_invitations(request, project, None, status=413)


def _outcome(invited: Invited, repeated: list[str]) -> Iterator[tuple[int, str]]:
    """Yield messages, with their levels, on who was invited and who was not."""
    number = len(invited.invited)
    if number and not invited.links:
        words = ngettext(
            "%(n)d invitation is being sent.", "%(n)d invitations are being sent.", number
        )
        yield messages.SUCCESS, words % {"n": number}
    left_out = (
        (_("In the project already: %(emails)s"), invited.members),
        (_("Invited before, with an open invitation: %(emails)s"), invited.invited_before),
        (_("Listed more than once, invited once: %(emails)s"), repeated),
    )
    for words, emails in left_out:
        if emails:
            more = len(emails) - MOST_NAMED
            named = ", ".join(emails[:MOST_NAMED])
            if more > 0:
                named = _("%(emails)s and %(more)d more") % {"emails": named, "more": more}
            yield messages.WARNING, words % {"emails": named}


@project_view(administer=POST)
def send_again(request: ProjectRequest, project: Project, invitation_pk: int) -> HttpResponse:
    """Mail an open invitation again, with a new link."""
    try:
        invitation = invitations.send_again(project=project, by=request.user, pk=invitation_pk)
    except UnknownLink:
        raise Http404 from None
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        words = _("The invitation to %(email)s is being sent again.")
        messages.success(request, words % {"email": invitation.email})
    return redirect("project-invitations", pk=project.pk)


@project_view(administer=POST)
def revoke_invitation(
    request: ProjectRequest, project: Project, invitation_pk: int
) -> HttpResponse:
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Revoke this invitation?"),
            consequences=[
                _("Its link stops working at once."),
                _("People who have accepted it stay in the project."),
                _("You can send a new invitation, which has another link."),
            ],
            button=_("Revoke"),
            back=reverse("project-invitations", args=[project.pk]),
        )
    try:
        invitations.revoke(project=project, by=request.user, pk=invitation_pk)
    except UnknownLink:
        raise Http404 from None
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("Invitation revoked."))
    return redirect("project-invitations", pk=project.pk)


@project_view(administer=POST)
def new_link(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Create a sign-in link for a member, and show it this once."""
    try:
        member, address = member_links.new_link(project=project, by=request.user, user_id=user_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
        return redirect("project-invitations", pk=project.pk)
    return _show_invitations(request, project, None, status=201, address=address, helped=member)


def _form(request: ProjectRequest, *, empty: bool = False) -> InvitationForm:
    posted = None if empty else request.POST or None
    return InvitationForm(posted, may_own=request.rights.may_own)


def _list_form(*posted: Any, may_own: bool) -> InvitationListForm:
    """Return the form with ids of its own, as the page has another one with the same fields."""
    return InvitationListForm(*posted, may_own=may_own, auto_id="list_%s")


def _show_invitations(
    request: ProjectRequest,
    project: Project,
    form: InvitationForm | None,
    *,
    status: int,
    address: str = "",
    helped: User | None = None,
    list_form: InvitationListForm | None = None,
    links: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Show the page; `address` is a new link: a sign-in link if `helped`, else an invitation.

    `links` are new links by email address, which SegRanks does not send.
    """
    context: dict[str, Any] = {
        "project": project,
        "form": form or _form(request, empty=True),
        "invitations": invitations.open_invitations(project),
        "members_to_help": member_links.members_to_help(project)[:MAX_MEMBERS],
        "mail_is_configured": mail.is_configured(),
        "address": address,
        "list_form": list_form or _list_form(may_own=request.rights.may_own),
        "links": links,
        "helped": helped,
        "work": _work(project),
    }
    return render(request, "people/invitations.html", context, status=status)


def _work(project: Project) -> dict[str, Any] | None:
    """Return the time that judging takes, and the hours left if some of it is done."""
    submitted, wanted = submitted_of(project)
    if not wanted:
        return None
    speed = sum(recent_speeds(project, last_submission(project)).values(), Speed())
    time = working_time(project, sentences=wanted // project.judges_per_sentence, speed=speed)
    return {"time": time, "left": time.hours_of(wanted - submitted) if submitted else None}


@never_cache
@sensitive_post_parameters()
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites to which project; a post accepts, and creates an account if needed.

    Programs that fetch links for a preview do not post, so they do not use up the invitation.
    """
    try:
        found = invitations.find(token)
        form = AccountForm(request.POST or None, email=found.confirmed_email)
        if request.method == "POST":
            if isinstance(request.user, User):
                return _welcome(request, invitations.accept(token=token, user=request.user))
            if form.is_valid():
                # In one transaction: no account is left if the last place is taken meanwhile.
                with transaction.atomic():
                    user = form.save()
                    joined = invitations.accept(token=token, user=user)
                login(request, user, backend=BACKEND)
                return _welcome(request, joined)
    except UnknownLink:
        return render(request, "people/invitation.html", status=404)
    except (AddressTaken, NameTaken):
        return _show_invitation(request, found, form)
    except EndedLink:
        return render(request, "people/invitation.html", {"ended": True}, status=410)
    return _show_invitation(request, found, form)


def _show_invitation(request: HttpRequest, found: Invitation, form: AccountForm) -> HttpResponse:
    user = request.user
    membership = (
        found.project.memberships.filter(user=user).first() if user.is_authenticated else None
    )
    # Only if the link was mailed to this address: saying that it has an account reveals nothing.
    known = account_of(found.confirmed_email) if found.confirmed_email else None
    context = {"invitation": found, "form": form, "membership": membership, "known": known}
    status = 409 if known and form.is_bound else 400 if form.errors else 200
    return render(request, "people/invitation.html", context, status=status)


def _welcome(request: HttpRequest, joined: invitations.Joined) -> HttpResponse:
    if joined.changed:
        message = _("Welcome to %(project)s. Your role: %(role)s.")
    else:
        message = _("You are already in %(project)s as %(role)s. Nothing has changed.")
    messages.success(request, message % {"project": joined.project.name, "role": joined.role})
    return redirect("projects")
