"""How often one may ask, counted for all processes together where they share a cache."""

from logging import getLogger
from time import time

from django.conf import settings
from django.core.cache import caches
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

log = getLogger(__name__)

# Seconds in which requests are counted.
WINDOW = 60


class TooOften(APIException):
    """Somebody is to wait for so many seconds."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"

    def __init__(self, wait: int) -> None:
        super().__init__(_("You ask too often: wait a little."))
        self.wait = wait


def count_request(request: Request, *, cost: int = 1, as_anonymous: bool = False) -> None:
    """Count it for the person, whatever the token, else for the address that it comes from.

    It counts as `cost` requests. Raises TooOften, with the seconds to wait, where there are too
    many within a minute.
    """
    who, most = _who(request, as_anonymous)
    now = time()
    key = f"api-{who}-{int(now // WINDOW)}"
    if _count(key, cost) > most:
        raise TooOften(WINDOW - int(now % WINDOW))


def _who(request: Request, as_anonymous: bool) -> tuple[str, int]:
    if as_anonymous or not request.user.is_authenticated:
        # Of whoever the next proxy says, where there is one.
        return f"from-{BaseThrottle().get_ident(request)}", settings.API_ANONYMOUS_RATE
    return f"user-{request.user.pk}", settings.API_RATE


def _count(key: str, cost: int) -> int:
    """Count so many more; 0 where the cache is away, which is no reason to turn anybody away."""
    counts = caches["throttles"]
    try:
        counts.add(key, 0, timeout=2 * WINDOW)
        return counts.incr(key, cost)
    except Exception as problem:
        log.warning("Requests to the API are not counted: %s", problem)
        return 0
