"""Coming by an invitation: with an account, or with one made on the way."""

from django.contrib import messages
from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from annotation.models import User
from people import invitations
from people.forms import AccountForm, AddressTaken, NameTaken
from people.models import Invitation
from people.registration import account_of
from people.sign_in_links import BACKEND


@never_cache
@sensitive_post_parameters()
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites to which project; take part in it when the button is pressed.

    Only the press uses it: programs that fetch links for a preview do not press.
    """
    try:
        found = invitations.find(token)
        form = AccountForm(request.POST or None, email=found.email)
        if request.method == "POST":
            if isinstance(request.user, User):
                return _join(request, token, request.user)
            if form.is_valid():
                return _join_with_new_account(request, token, form)
    except invitations.UnknownInvitation:
        return render(request, "people/invitation.html", {"unknown": True}, status=404)
    except (AddressTaken, NameTaken):
        return _show(request, found, form)
    except invitations.EndedInvitation:
        return render(request, "people/invitation.html", {"ended": True}, status=410)
    return _show(request, found, form)


def _show(request: HttpRequest, found: Invitation, form: AccountForm) -> HttpResponse:
    user = request.user
    membership = (
        found.project.memberships.filter(user=user).first() if user.is_authenticated else None
    )
    # Whoever has the link of a mail reads what goes to the address, so this tells him nothing.
    known = account_of(found.email) if found.email else None
    context = {"invitation": found, "form": form, "membership": membership, "known": known}
    status = 409 if known and form.is_bound else 400 if form.errors else 200
    return render(request, "people/invitation.html", context, status=status)


def _join(request: HttpRequest, token: str, user: User) -> HttpResponse:
    joined = invitations.accept(token=token, user=user)
    if joined.changed:
        told = _("Welcome to %(project)s: you are its %(role)s now.")
    else:
        told = _("You are in %(project)s already, as its %(role)s: nothing has changed.")
    messages.success(request, told % {"project": joined.project.name, "role": joined.role})
    return redirect("projects")


def _join_with_new_account(request: HttpRequest, token: str, form: AccountForm) -> HttpResponse:
    # No account is left where somebody else was faster and took the last place.
    with transaction.atomic():
        user = form.save()
        invitations.accept(token=token, user=user)
    login(request, user, backend=BACKEND)
    return redirect("projects")
