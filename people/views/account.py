"""One's own account: the name shown, and where one is signed in."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import User
from annotation.projects.permissions import LARGEST_ID
from people import mail, sessions
from people.forms import NameForm


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show the account; a post changes the name shown."""
    user = cast(User, request.user)
    # Another object: what is refused must not be shown as the name in the head of the page.
    form = NameForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your name is saved."))
        return redirect("account")
    context = {
        "form": form,
        "places": sessions.places(request, user),
        "mail_is_configured": mail.is_configured(),
    }
    return render(request, "people/account.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
@require_POST
def end_session(request: HttpRequest, signed_in_pk: int) -> HttpResponse:
    """Sign out of another browser, or of this one."""
    user = cast(User, request.user)
    if signed_in_pk > LARGEST_ID or not sessions.end(user, signed_in_pk):
        raise Http404
    messages.success(request, _("That browser is signed out."))
    return redirect("account")


@never_cache
@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    number = sessions.end_others(request, cast(User, request.user))
    told = ngettext("%(n)d browser is signed out.", "%(n)d browsers are signed out.", number)
    messages.success(request, told % {"n": number})
    return redirect("account")
