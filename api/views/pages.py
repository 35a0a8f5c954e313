"""The pages about the API: one's tokens, and what the API can do."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import User
from api import tokens
from api.docs_page import sections
from api.forms import TokenForm


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens; a new one is shown as the answer to making it, and never again."""
    user = _user(request)
    form = TokenForm(request.POST or None, user=user)
    word = None
    if request.method == "POST" and form.is_valid():
        try:
            _token, word = tokens.make_token(user=user, **form.cleaned_data)
        except tokens.TooMany:
            told = _("You have %(most)d tokens already: revoke one that is not used any more.")
            form.add_error(None, told % {"most": tokens.MOST_TOKENS})
        else:
            form = TokenForm(user=user)
    context = {"form": form, "word": word, "tokens": tokens.good_tokens(user)}
    return render(request, "api/tokens.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
@require_POST
def revoke_token(request: HttpRequest, token_pk: int) -> HttpResponse:
    if tokens.revoke(user=_user(request), token_id=token_pk):
        messages.success(request, _("The token is revoked: nobody gets in with it any more."))
    else:
        messages.info(request, _("There is no such token any more."))
    return redirect("tokens")


@never_cache
@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show what the schema says, for people: everybody may know it."""
    return render(request, "api/documentation.html", {"sections": sections()})


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
