"""Lock-out after too many wrong passwords; django-axes counts them."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers


class LockOut(AxesStandaloneBackend):  # type: ignore[misc]  # has no types
    """Refuses to authenticate while locked out. Authentication without a request is not counted."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is not None:
            super().authenticate(request, **credentials)


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any]
) -> HttpResponse:
    """Return a page that says when to try again. It does not reveal whether the account exists."""
    attempts = AxesProxyHandler.get_implementation().get_user_attempts(request, credentials)[0]
    last = attempts.aggregate(last=Max("attempt_time"))["last"] or timezone.now()
    until = last + settings.AXES_COOLOFF_TIME
    page = render(request, "people/locked_out.html", {"until": until}, status=429)
    page["Retry-After"] = str(max(1, round((until - timezone.now()).total_seconds())))
    add_never_cache_headers(page)
    return page
