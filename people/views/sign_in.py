"""Signing in and out, with a password or a one-time link."""

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from people import sign_in_links
from people.sign_in_links import BACKEND, BY_LINK


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
            owner = sign_in_links.link_owner(token)
            return render(request, "annotation/sign_in_link.html", {"owner": owner})
        user = sign_in_links.use_link(token)
    except sign_in_links.UnknownLink:
        return render(request, "annotation/sign_in_link.html", {"unknown": True}, status=404)
    except sign_in_links.SpentLink:
        return render(request, "annotation/sign_in_link.html", {"spent": True}, status=410)
    login(request, user, backend=BACKEND)
    request.session[BY_LINK] = True
    return redirect("projects" if user.has_usable_password() else "set-password")
