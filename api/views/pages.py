"""The pages about the API: a person's tokens, and the reference."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.web.confirmation import ask, is_confirmed
from annotation.web.requests import SignedInRequest
from api import tokens
from api.forms import TokenForm


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_tokens(request: SignedInRequest) -> HttpResponse:
    """List the tokens and create new ones; the secret of a new one is only in this answer."""
    user = request.user
    form = TokenForm(request.POST or None, user=user)
    secret = None
    if request.method == "POST" and form.is_valid():
        try:
            _token, secret = tokens.create_token(user=user, **form.cleaned_data)
        except tokens.TooManyTokens:
            message = _("You already have %(most)d tokens. Revoke one that you no longer use.")
            form.add_error(None, message % {"most": tokens.MAX_TOKENS})
        else:
            form = TokenForm(user=user)
    context = {"form": form, "secret": secret, "tokens": tokens.valid_tokens(user)}
    return render(request, "api/tokens.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
@require_POST
def revoke_token(request: SignedInRequest, token_pk: int) -> HttpResponse:
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Revoke this token?"),
            consequences=[
                _("Programs that use it are refused at once."),
                _("You cannot undo this, but you can create another token."),
            ],
            button=_("Revoke"),
            back=reverse("tokens"),
        )
    if tokens.revoke_token(user=request.user, token_id=token_pk):
        messages.success(request, _("The token was revoked and no longer works."))
    else:
        messages.info(request, _("This token was already revoked."))
    return redirect("tokens")


@never_cache
@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show the API reference to everyone."""
    return render(request, "api/documentation.html")
