"""Giving one's account another mail address."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from annotation.models import User
from people import email_change, mail
from people.forms import NewAddressForm


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def new_address(request: HttpRequest) -> HttpResponse:
    """Have a link mailed to another address, or say why that cannot be.

    The answer is the same whether the address has an account.
    """
    user = cast(User, request.user)
    if not mail.is_configured() or not user.has_usable_password():
        context = {"mail_is_configured": mail.is_configured()}
        status = 409 if request.method == "POST" else 200
        return render(request, "people/new_address.html", context, status=status)
    form = NewAddressForm(request.POST or None, request=request)
    if request.method == "POST" and form.is_valid():
        return _ask(request, user, form)
    return _show(request, form, status=400 if form.errors else 200)


@never_cache
@login_required
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Show which address the link gives the account; give it when the button is pressed."""
    user = cast(User, request.user)
    try:
        if request.method == "POST":
            email = email_change.confirm(token=token, user=user)
            messages.success(request, _("Your address is %(email)s now.") % {"email": email})
            return redirect("account")
        wanted = email_change.find(token=token, user=user)
    except email_change.BadLink:
        return render(request, "people/confirm_address.html", status=410)
    return render(request, "people/confirm_address.html", {"email": wanted.email})


def _ask(request: HttpRequest, user: User, form: NewAddressForm) -> HttpResponse:
    email = form.cleaned_data["email"]
    try:
        email_change.ask(user=user, email=email)
    except email_change.JustMailed:
        told = _("A mail went to this address a moment ago: please ask again in five minutes.")
        form.add_error("email", told)
        return _show(request, form, status=429)
    except mail.NotSent as problem:
        form.add_error("email", str(problem))
        return _show(request, form, status=502)
    return _show(request, form, status=200, sent_to=email)


def _show(request: HttpRequest, form: NewAddressForm, *, status: int, **more: Any) -> HttpResponse:
    context = {"form": form, "mail_is_configured": True} | more
    return render(request, "people/new_address.html", context, status=status)
