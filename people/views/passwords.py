"""Choosing a password, and resetting a forgotten one."""

from logging import getLogger
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from kombu.exceptions import OperationalError as BrokerError

from annotation.web.requests import SignedInRequest
from people import mail, sessions
from people.forms import NewPasswordForm, PasswordLinkForm
from people.sign_in_links import BACKEND, BY_LINK
from people.tasks import send_reset_links

log = getLogger(__name__)


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def set_password(request: SignedInRequest) -> HttpResponse:
    """Set a password. Users who have one must enter it, unless they came by a sign-in link."""
    user = request.user
    first = not user.has_usable_password()
    by_link = first or BY_LINK in request.session
    data = request.POST or None
    form = SetPasswordForm(user, data) if by_link else NewPasswordForm(user, data, request=request)
    if request.method == "POST" and form.is_valid():
        form.save()
        sessions.keep_after_new_password(request, user)
        request.session.pop(BY_LINK, None)
        messages.success(request, _("Password saved."))
        return redirect("projects")
    return render(request, "people/set_password.html", {"form": form, "first": first})


@method_decorator(never_cache, name="dispatch")
class ForgottenPassword(PasswordResetView):
    """Send a link for a new password to an email address.

    A worker looks up the address and sends the email, so that neither the page nor the time it
    takes reveals whether the address has an account.
    """

    template_name = "people/forgotten_password.html"
    form_class = PasswordLinkForm
    http_method_names = ["get", "post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not mail.is_configured():
            return self.get(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordLinkForm) -> HttpResponse:
        email, failed = form.cleaned_data["email"], False
        if mail.is_first_request("new-password", email):
            try:
                send_reset_links.delay(email, get_language())
            except BrokerError as problem:
                log.warning("No link for a new password: the broker is away. %s", problem)
                mail.forget_request("new-password", email)
                failed = True
        context = self.get_context_data(form=form, asked=not failed, failed=failed)
        return self.render_to_response(context, status=503 if failed else 200)

    def form_invalid(self, form: PasswordLinkForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"mail_is_configured": mail.is_configured()}


@method_decorator(require_http_methods(["GET", "POST"]), name="dispatch")
class ResetPassword(PasswordResetConfirmView):
    """Set a password by a link that was mailed; this signs in, even during a lock-out."""

    template_name = "people/reset_password.html"
    success_url = reverse_lazy("projects")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Password saved."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 200 if self.validlink else 410
        return super().render_to_response(context, status=status, **kwargs)
