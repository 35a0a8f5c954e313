"""The page of one's own account: display name, email address, sessions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import User
from annotation.models.secret_links import EndedLink, UnknownLink
from annotation.projects.permissions import LARGEST_ID
from annotation.web.requests import SignedInRequest
from people import email_change, mail, sessions
from people.forms import NameForm, NewAddressForm


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    """Show the account; a post changes the display name."""
    user = request.user
    # Another object, so that the head of the page does not show a name that was refused.
    form = NameForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Display name saved."))
        return redirect("account")
    context = {
        "form": form,
        "sessions": sessions.sessions_of(request, user),
        "mail_is_configured": mail.is_configured(),
    }
    return render(request, "people/account.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
@require_POST
def end_session(request: SignedInRequest, signed_in_pk: int) -> HttpResponse:
    user = request.user
    if signed_in_pk > LARGEST_ID or not sessions.end(user, signed_in_pk):
        raise Http404
    messages.success(request, _("Session signed out."))
    return redirect("account")


@never_cache
@login_required
@require_POST
def end_other_sessions(request: SignedInRequest) -> HttpResponse:
    number = sessions.end_others(request, request.user)
    message = ngettext("%(n)d session signed out.", "%(n)d sessions signed out.", number)
    messages.success(request, message % {"n": number})
    return redirect("account")


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def new_address(request: SignedInRequest) -> HttpResponse:
    """Mail a confirmation link to a new address.

    The response does not reveal whether the address has an account.
    """
    user = request.user
    context: dict[str, Any] = {"mail_is_configured": mail.is_configured()}
    if not mail.is_configured() or not user.has_usable_password():
        status = 409 if request.method == "POST" else 200
        return render(request, "people/new_address.html", context, status=status)
    form = NewAddressForm(request.POST or None, request=request)
    status = 200
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        try:
            email_change.request_change(user=user, email=email)
            context["sent_to"] = email
        except email_change.RequestedRecently:
            message = _("We just sent an email to this address. Try again in 5 minutes.")
            form.add_error("email", message)
            status = 429
        except mail.NotSent as problem:
            form.add_error("email", str(problem))
            status = 502
    elif form.errors:
        status = 400
    return render(request, "people/new_address.html", context | {"form": form}, status=status)


@never_cache
@login_required
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def confirm_address(request: SignedInRequest, token: str) -> HttpResponse:
    """Show which address the link confirms; a post changes it."""
    user = request.user
    try:
        if request.method == "POST":
            email = email_change.confirm(token=token, user=user)
            messages.success(request, _("Your email address is now %(email)s.") % {"email": email})
            return redirect("account")
        requested = email_change.find(token=token, user=user)
    except (UnknownLink, EndedLink):
        return render(request, "people/confirm_address.html", status=410)
    return render(request, "people/confirm_address.html", {"email": requested.email})
