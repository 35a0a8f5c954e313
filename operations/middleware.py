"""What is done with each request, whatever it is for."""

import errno
from collections.abc import Callable
from logging import DEBUG, INFO, getLogger
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.decorators import sync_only_middleware
from django.utils.translation import gettext as _

from operations import health, logs, metrics

Answer = Callable[[HttpRequest], HttpResponseBase]

log = getLogger("operations.requests")


@sync_only_middleware
class Naming:
    """Names each request, in its answer and in every line that is logged of it, and logs it.

    Addresses are logged as their patterns, with numbers only: some hold what lets somebody sign
    in.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = monotonic()
        name = logs.name_request(request.headers.get("X-Request-ID", ""))
        # Until the request is finished: Django logs failures after all of this, and a download goes
        # on for long (see `logs.follow`).
        logs.enter(request=name)
        response = self.get_response(request)
        took = monotonic() - began
        self._log(request, response, took)
        if settings.METRICS_TOKEN:
            metrics.note_request(view_name(request), request.method, response.status_code, took)
        response["X-Request-ID"] = name
        return response

    def _log(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        level = DEBUG if request.path_info in Monitoring.PAGES else INFO
        if not log.isEnabledFor(level):
            return
        match = request.resolver_match
        fields = {
            "method": request.method,
            "route": match.route if match else None,
            "view": view_name(request),
            "status": response.status_code,
            "milliseconds": round(seconds * 1000, 1),
            **{
                key: value
                for key, value in (match.kwargs if match else {}).items()
                if _is_id(value)
            },
        }
        message = "%s %s: %s in %s ms"
        shown = (fields["method"], fields["view"], fields["status"], fields["milliseconds"])
        log.log(level, message, *shown, extra={"fields": fields})


def view_name(request: HttpRequest) -> str:
    """Return what the page is called that answered; one of few names, whatever was asked for."""
    if request.path_info in Monitoring.PAGES:
        return request.path_info.strip("/")
    match = request.resolver_match
    return (match.view_name or match.route) if match else "none"


def _is_id(value: object) -> bool:
    return isinstance(value, int)


@sync_only_middleware
class Monitoring:
    """Answers those who watch over SegRanks, by whatever name or address they know this process.

    They come from the next machine, over plain HTTP and with a Host that no visitor uses, so this
    stands before all that cares; and before sessions, so that no database is needed to answer.
    """

    PAGES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
        "/healthz": health.healthz,
        "/readyz": health.readyz,
        "/metrics": metrics.metrics,
    }

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        page = self.PAGES.get(request.path_info)
        if page is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = page(request)
        response["Cache-Control"] = "no-store"
        return response


@sync_only_middleware
class DiskFull:
    """Says it, with status 507, where a page could not write a file since there is no room."""

    ERRORS = (errno.ENOSPC, errno.EDQUOT)

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        if not isinstance(problem, OSError) or problem.errno not in self.ERRORS:
            return None
        log.error("The disk is full: %s", problem)
        told = _(
            "The server’s disk is full, so nothing of this was stored: please tell whoever runs "
            "SegRanks here, and try again later."
        )
        if request.accepts("text/html"):
            return render(request, "507.html", {"told": told}, status=507)
        return JsonResponse({"detail": told}, status=507)
