"""Signing in with a password or a one-time link, and registering."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from annotation.models.secret_links import EndedLink, UnknownLink
from people import mail, registration, sign_in_links
from people.forms import AccountForm, AddressTaken, DomainForm, NameTaken
from people.sign_in_links import BACKEND, BY_LINK


class SignIn(LoginView):
    template_name = "people/sign_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"may_register": settings.SELF_REGISTRATION}


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("token")
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whom the link signs in; a post signs them in.

    Programs that fetch links for a preview do not post, so they do not use up the link.
    """
    try:
        if request.method == "GET":
            owner = sign_in_links.link_owner(token)
            return render(request, "people/sign_in_link.html", {"owner": owner})
        user = sign_in_links.use_link(token)
    except UnknownLink:
        return render(request, "people/sign_in_link.html", status=404)
    except EndedLink:
        return render(request, "people/sign_in_link.html", {"spent": True}, status=410)
    login(request, user, backend=BACKEND)
    request.session[BY_LINK] = True
    return redirect("projects" if user.has_usable_password() else "set-password")


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Create an account; if only some email domains may register, mail a link first."""
    if not settings.SELF_REGISTRATION:
        raise Http404
    if request.user.is_authenticated:
        return redirect("projects")
    if not registration.requires_email():
        return _create_account(request, email="")
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


@never_cache
@sensitive_post_parameters()
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def confirm_registration(request: HttpRequest, token: str) -> HttpResponse:
    """Create an account with the email address that the link confirms."""
    if not registration.requires_email():
        raise Http404
    try:
        return _create_account(request, email=registration.confirmed_address(token))
    except (registration.BadLink, AddressTaken):
        return render(request, "people/register_again.html", status=410)


def _create_account(request: HttpRequest, *, email: str) -> HttpResponse:
    form = AccountForm(request.POST or None, email=email)
    if request.method == "POST" and form.is_valid():
        with suppress(NameTaken):
            login(request, form.save(), backend=BACKEND)
            return redirect("projects")
    context = {"form": form, "email": email}
    return render(request, "people/register.html", context, status=400 if form.errors else 200)
