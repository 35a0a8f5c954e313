"""Choosing a password, and choosing another when it is forgotten."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.models import User
from people import mail, password_reset, sessions
from people.forms import MailForm
from people.sign_in_links import BACKEND, BY_LINK


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
        sessions.go_on_with_new_password(request, user)
        request.session.pop(BY_LINK, None)
        messages.success(request, _("Your password is set."))
        return redirect("projects")
    return render(request, "people/set_password.html", {"form": form, "first": first})


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Have a link mailed to the address, or say whom to ask where there is no mail.

    The answer is the same whether anybody has this address.
    """
    if not mail.is_configured():
        return render(request, "people/forgotten_password.html")
    form = MailForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    status = 400 if form.errors else 200
    if request.method == "POST" and form.is_valid():
        context["asked"] = password_reset.ask_for_link(form.cleaned_data["email"])
        context["failed"] = not context["asked"]
        status = 200 if context["asked"] else 503
    return render(request, "people/forgotten_password.html", context, status=status)


@method_decorator(require_http_methods(["GET", "POST"]), name="dispatch")
class ResetPassword(PasswordResetConfirmView):
    """Choose a password by a link that was mailed; it signs in, whoever is locked out."""

    template_name = "people/reset_password.html"
    success_url = reverse_lazy("projects")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your password is set."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 200 if self.validlink else 410
        return super().render_to_response(context, status=status, **kwargs)
