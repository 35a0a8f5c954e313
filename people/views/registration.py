"""Making an account for oneself, where the installation allows it."""

from contextlib import suppress

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from people import mail, registration
from people.forms import AccountForm, AddressTaken, DomainForm, NameTaken
from people.sign_in_links import BACKEND


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Make an account, or, where only some domains may, have a link mailed first."""
    if not settings.SELF_REGISTRATION:
        raise Http404
    if request.user.is_authenticated:
        return redirect("projects")
    if registration.asks_for_mail():
        return _ask_for_mail(request)
    return _make_account(request, email="")


@never_cache
@sensitive_post_parameters()
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def confirm_registration(request: HttpRequest, token: str) -> HttpResponse:
    """Make an account for the owner of a mail address, who came by the link sent there."""
    if not registration.asks_for_mail():
        raise Http404
    try:
        return _make_account(request, email=registration.confirmed_address(token))
    except (registration.BadLink, AddressTaken):
        return render(request, "people/register_again.html", status=410)


def _ask_for_mail(request: HttpRequest) -> HttpResponse:
    form = DomainForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        try:
            registration.send_link(email)
        except mail.NotSent as problem:
            form.add_error("email", str(problem))
        else:
            return render(request, "people/register_sent.html", {"email": email})
    context = {"form": form, "domains": settings.REGISTRATION_DOMAINS}
    return render(request, "people/register.html", context, status=400 if form.errors else 200)


def _make_account(request: HttpRequest, *, email: str) -> HttpResponse:
    form = AccountForm(request.POST or None, email=email)
    if request.method == "POST" and form.is_valid():
        with suppress(NameTaken):
            login(request, form.save(), backend=BACKEND)
            return redirect("projects")
    context = {"form": form, "email": email}
    return render(request, "people/register.html", context, status=400 if form.errors else 200)
