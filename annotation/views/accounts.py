"""Signing in and out, with a password or a one-time link; choosing a password; registering."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from annotation import accounts
from annotation.forms import RegistrationForm
from annotation.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"
BY_LINK = "signed-in-by-link"


class SignIn(LoginView):
    """Sign in with a user name and a password."""

    template_name = "annotation/sign_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"may_register": settings.SELF_REGISTRATION}


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("token")
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whom the link signs in; sign them in when the button is pressed.

    Only the press uses the link up: programs that fetch links for a preview do not press.
    """
    try:
        if request.method == "GET":
            owner = accounts.link_owner(token)
            return render(request, "annotation/sign_in_link.html", {"owner": owner})
        user = accounts.use_link(token)
    except accounts.UnknownLink:
        return render(request, "annotation/sign_in_link.html", {"unknown": True}, status=404)
    except accounts.SpentLink:
        return render(request, "annotation/sign_in_link.html", {"spent": True}, status=410)
    login(request, user, backend=BACKEND)
    request.session[BY_LINK] = True
    return redirect("projects" if user.has_usable_password() else "set-password")


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def set_password(request: HttpRequest) -> HttpResponse:
    """Choose a password; whoever has one and signed in with it has to know it."""
    user = cast(User, request.user)
    first = not user.has_usable_password()
    by_link = first or BY_LINK in request.session
    form_class = SetPasswordForm if by_link else PasswordChangeForm
    form = form_class(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, user)
        request.session.pop(BY_LINK, None)
        messages.success(request, _("Your password is set."))
        return redirect("projects")
    return render(request, "annotation/set_password.html", {"form": form, "first": first})


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Make an account for oneself, where the installation allows it."""
    if not settings.SELF_REGISTRATION:
        raise Http404
    if request.user.is_authenticated:
        return redirect("projects")
    form = RegistrationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), backend=BACKEND)
        return redirect("projects")
    return render(request, "annotation/register.html", {"form": form})
