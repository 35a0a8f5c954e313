"""Lock-out after too many wrong passwords; django-axes counts them.

Every page that asks for a password calls `authenticate` or `is_password_of`, so that it counts.
"""

from typing import Any

from axes.backends import AxesStandaloneBackend
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from annotation.models import User
from annotation.process import clock
from people.client_ip import client_address


class LockOut(AxesStandaloneBackend):  # type: ignore[misc]  # has no types
    """Refuses to authenticate while the name or the address is locked out, before any hashing.

    Authentication without a request is not counted.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is None:
            return
        super().authenticate(request, **credentials)
        if is_address_locked_out(request):
            # So that the answer is the page, and this attempt does not prolong the lock-out.
            request.axes_locked_out = True  # type: ignore[attr-defined]
            raise PermissionDenied


def is_password_of(request: HttpRequest, user: User, password: str) -> bool:
    """Tell whether it is the user's password; a wrong one counts towards the lock-out.

    While locked out, it is False, and the middleware of django-axes replaces the response.
    """
    return authenticate(request, username=user.username, password=password) == user


def is_address_locked_out(request: HttpRequest) -> bool:
    """Tell whether the address of the request had too many failures, for any names. One query."""
    behind_unknown_proxy = settings.HTTPS and not settings.PROXIES
    if behind_unknown_proxy or client_address(request) is None:
        # All visitors seem to have the same address: anyone could lock out everyone.
        return False
    counted = _failures_from_address(request).aggregate(failures=Sum("failures_since_start"))
    return (counted["failures"] or 0) >= settings.ADDRESS_FAILURE_LIMIT


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any]
) -> HttpResponse:
    """Return a page that says when to try again. It does not reveal whether the account exists."""
    of_address = is_address_locked_out(request)
    attempts = (
        _failures_from_address(request)
        if of_address
        else AxesProxyHandler.get_implementation().get_user_attempts(request, credentials)[0]
    )
    last = attempts.aggregate(last=Max("attempt_time"))["last"] or clock.now()
    until = last + settings.AXES_COOLOFF_TIME
    context = {"until": until, "of_address": of_address}
    page = render(request, "people/locked_out.html", context, status=429)
    page["Retry-After"] = str(max(1, round((until - clock.now()).total_seconds())))
    add_never_cache_headers(page)
    return page


def _failures_from_address(request: HttpRequest) -> QuerySet[Any]:
    since = clock.now() - settings.AXES_COOLOFF_TIME
    attempts: QuerySet[Any] = AccessAttempt.objects.filter(attempt_time__gte=since)
    return attempts.filter(ip_address=client_address(request))
