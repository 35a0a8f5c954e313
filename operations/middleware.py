"""Request ids, health checks and metrics, and the answers to requests that fail."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from logging import DEBUG, INFO, getLogger
from time import monotonic

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import sync_only_middleware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import defaults

from annotation.common.database_errors import Refusal, refusal_of
from annotation.common.exceptions import Busy
from annotation.models import Project
from annotation.process import log_context
from operations import health, logs, metrics

Answer = Callable[[HttpRequest], HttpResponseBase]

log = getLogger("operations.requests")


@sync_only_middleware
class RequestIdMiddleware:
    """Give each request an id, which the response and all its log lines carry, and log it.

    The log has the URL pattern and its integers, because some URLs contain a sign-in token.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = monotonic()
        name = logs.request_id(request.headers.get("X-Request-ID", ""))
        # `logs` clears it when the request is finished: Django logs errors after the middleware,
        # and a download is streamed after it.
        log_context.enter(request=name)
        with metrics.counted_in_progress():
            response = self.get_response(request)
        took = monotonic() - began
        self._log(request, response, took)
        if settings.METRICS_TOKEN:
            metrics.count_request(view_name(request), request.method, response.status_code, took)
        response["X-Request-ID"] = name
        return response

    def _log(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        level = DEBUG if request.path_info in MonitoringMiddleware.PAGES else INFO
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
    """Return the name of the URL pattern; unknown addresses all have the same name."""
    if request.path_info in MonitoringMiddleware.PAGES:
        return request.path_info.strip("/")
    match = request.resolver_match
    return (match.view_name or match.route) if match else "none"


def _is_id(value: object) -> bool:
    return isinstance(value, int)


@sync_only_middleware
class MonitoringMiddleware:
    """Answer /healthz, /readyz and /metrics.

    Monitoring uses plain HTTP and the address of the container, so this comes before the middleware
    that checks the host and redirects to HTTPS. It also comes before sessions, so that /healthz
    needs no database.
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
class MethodNotAllowedMiddleware:
    """Show a page to browsers that open an address which only takes forms.

    Signing in again after the session has expired leads there: the form was not saved.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if (
            isinstance(response, HttpResponseNotAllowed)
            and request.method == "GET"
            and request.accepts("text/html")
        ):
            page = render(request, "405.html", status=response.status_code)
            page["Allow"] = response["Allow"]
            # The page shows the user's name.
            add_never_cache_headers(page)
            return page
        return response


NEEDS_HTTP_1_1 = gettext_lazy(
    "Downloads need HTTP/1.1: over HTTP/1.0, one that breaks off would look complete. If your "
    "browser or program uses HTTP/1.1, ask the site administrator to let the proxy use it too."
)


def would_look_complete(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether the client would take the response for complete if it broke off.

    HTTP/1.0 ends a response without a length by closing the connection.
    """
    streams = response.streaming and not response.has_header("Content-Length")
    return streams and request.META.get("SERVER_PROTOCOL") == "HTTP/1.0"


@sync_only_middleware
class DownloadMiddleware:
    """Answer with status 505 instead of streaming a download over HTTP/1.0."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not would_look_complete(request, response):
            return response
        # This ends its generator, which may hold a transaction; `close()` would end the request.
        del response
        page = render(request, "505.html", {"message": NEEDS_HTTP_1_1}, status=505)
        add_never_cache_headers(page)
        return page


@sync_only_middleware
class NulMiddleware:
    """Refuse requests with a NUL in the path, the query, a cookie or another header.

    PostgreSQL stores and compares no text with a NUL, and no text of people has one. Forms and the
    readers of JSON refuse it in bodies.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        headers = (str(value) for name, value in request.META.items() if name.startswith("HTTP_"))
        texts = [*headers, *request.COOKIES.values()]
        if not request.path_info.startswith("/api/"):
            # The API names the parameter that is wrong.
            texts.append(request.path_info)
            texts += [text for name, values in request.GET.lists() for text in (name, *values)]
        if any("\0" in text for text in texts):
            message = _("The address or a header of the request has a NUL character.")
            return _refused(request, Refusal(HTTPStatus.BAD_REQUEST, "invalid", message))
        return self.get_response(request)


@sync_only_middleware
class FailureMiddleware:
    """Answer what views raise because the database is busy, a disk is full, or a row was deleted.

    The API does the same for its views.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        if isinstance(problem, Project.DoesNotExist):
            # It was deleted after the view had looked for it.
            return defaults.page_not_found(request, Http404())
        return failure_response(request, problem)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a request that failed in the middleware, too: the `handler500` of the site."""
    problem = sys.exc_info()[1]
    refused = failure_response(request, problem) if problem else None
    return refused or defaults.server_error(request)


def failure_response(request: HttpRequest, problem: BaseException) -> HttpResponse | None:
    """Return the page of a failure that is no fault of the code, or problem details; else None."""
    refusal = refusal_of(problem)
    if refusal is None:
        return None
    if not isinstance(problem, Busy):
        log.error("%s: %s", type(problem).__name__, problem)
    return _refused(request, refusal)


def _refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    response: HttpResponse
    if request.path_info.startswith("/api/") or not request.accepts("text/html"):
        body = {
            "type": f"urn:segranks:problem:{refusal.code}",
            "title": refusal.status.phrase,
            "status": refusal.status,
            "detail": refusal.message,
            "instance": request.path,
            "errors": [],
        }
        content_type = "application/problem+json"
        response = JsonResponse(body, status=refusal.status, content_type=content_type)
    else:
        # Without the request: the account may be what cannot be read.
        context = {"message": refusal.message}
        page = render_to_string(f"{refusal.status.value}.html", context)
        response = HttpResponse(page, status=refusal.status)
    if refusal.wait:
        response["Retry-After"] = str(refusal.wait)
    add_never_cache_headers(response)
    return response
