"""How many requests a minute a person or an address may send, over all processes together."""

from logging import getLogger
from typing import Any, cast

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import (
    AnonRateThrottle,
    ScopedRateThrottle,
    SimpleRateThrottle,
    UserRateThrottle,
)

from annotation.process import clock
from people.client_ip import client_address

log = getLogger(__name__)

# `throttle_scope` of views that compute for seconds, and how much fewer of those are allowed.
COMPUTATION = "computation"
COMPUTATION_COST = 10


class FailOpenThrottle(SimpleRateThrottle):
    """Counts in the shared cache; lets every request through while the cache is unreachable."""

    @property
    def cache(self) -> BaseCache:  # type: ignore[override]
        return caches["throttles"]

    def timer(self) -> float:
        """Return seconds by the clock that all machines have: they count into one history."""
        return clock.now().timestamp()

    def get_ident(self, request: Request) -> str:
        # REST framework would take each address of an IPv6 network for another visitor.
        return client_address(cast(HttpRequest, request)) or "unknown"

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except Exception as problem:
            log.warning("Requests to the API are not counted: %s", problem)
            return True


class PersonThrottle(FailOpenThrottle, UserRateThrottle):
    """Counts all tokens and sessions of a person together."""

    def get_rate(self) -> str:
        return f"{settings.API_RATE}/minute"


class AnonymousThrottle(FailOpenThrottle, AnonRateThrottle):
    """Counts requests without a valid token or session by the address they come from."""

    def get_rate(self) -> str:
        return f"{settings.API_ANONYMOUS_RATE}/minute"


class ComputationThrottle(FailOpenThrottle, ScopedRateThrottle):
    """Limits views with `throttle_scope`, which compute their answer anew for each request."""

    def get_rate(self) -> str:
        return f"{max(1, settings.API_RATE // COMPUTATION_COST)}/minute"
