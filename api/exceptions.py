"""Every refusal is answered as problem details (RFC 9457)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from logging import getLogger
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.signals import got_request_exception
from django.http import Http404, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions, status

from annotation.common.database_errors import Refusal, refusal_of
from annotation.common.error_messages import localize, localized_errors, with_location
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.formats.problems import Refused
from annotation.judging.errors import JudgingError, NotAssigned
from annotation.models import Project
from annotation.pipeline.jobs import JobInProgress

log = getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# A URN, so that the type of a problem is the same on every installation.
TYPE = "urn:segranks:problem:"


class Problem(exceptions.APIException):
    """A refusal; `errors` name the field (`pointer`), `parameter` or `header` of each mistake."""

    status_code: int = status.HTTP_400_BAD_REQUEST
    default_code = "invalid"
    # Seconds after which the same request may succeed; None if only another request may.
    wait: int | None = None

    def __init__(self, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(detail)
        self.errors = list(errors)


@contextmanager
def problems_of_files() -> Iterator[None]:
    """Answer with what is wrong with uploaded files: the first problem, and the list of them."""
    try:
        yield
    except Refused as refusal:
        said = [with_location(localize(refusal.problem))]
    except InputError as error:
        said = [with_location(one) for one in localized_errors(error)]
    else:
        return
    raise Problem(said[0], [{"pointer": "#", "detail": one} for one in said])


class Conflict(Problem):
    """The request cannot be fulfilled in the present state of the project."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class RequestInProgress(Conflict):
    """The same request, with the same Idempotency-Key, is still being processed."""


class TooLarge(Problem):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class KeyReused(Problem):
    """The Idempotency-Key belongs to another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "key_reused"


class Busy(Problem):
    """The person must wait until what they requested before is done."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"
    wait = 30


class Failed(Problem):
    """The database is busy, a disk is full, or what the request is about was deleted."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        # DRF has taken the code from the class.
        self.detail = exceptions.ErrorDetail(refusal.message, refusal.code)
        self.status_code, self.wait = refusal.status, refusal.wait


class MailFailed(Problem):
    """The mail server refused a message."""

    status_code = status.HTTP_502_BAD_GATEWAY
    default_code = "not_sent"


class HttpVersionNotSupported(Problem):
    """The answer cannot be streamed over HTTP/1.0."""

    status_code = status.HTTP_505_HTTP_VERSION_NOT_SUPPORTED
    default_code = "http_version_not_supported"


def bad_query(errors: Mapping[str, Any]) -> Problem:
    """Return the problem of a query string, from the errors of its serializer."""
    found = [{"parameter": name, "detail": str(text)} for name in errors for text in errors[name]]
    return Problem(f"{found[0]['parameter']}: {found[0]['detail']}", found)


def bad_body(errors: Any) -> Problem:
    """Return the problem of a body, from the errors of its serializer or form."""
    found = [{"pointer": pointer, "detail": text} for pointer, text in _with_pointers(errors)]
    field, detail = found[0]["pointer"].removeprefix("#").strip("/"), found[0]["detail"]
    return Problem(f"{field}: {detail}" if field else detail, found)


def problem_response(exception: Exception, context: dict[str, Any]) -> JsonResponse:
    """Return the answer to an exception of a view: REST framework's EXCEPTION_HANDLER."""
    request = context["request"]
    problem = _as_problem(exception)
    if problem is None:
        log.exception("The API failed: %s", type(exception).__name__)
        got_request_exception.send(sender=None, request=request)
        problem = exceptions.APIException(_("Internal server error. Please try again later."))
    headers = {}
    if problem.status_code == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = getattr(problem, "auth_header", "")
    if wait := getattr(problem, "wait", None):
        headers["Retry-After"] = str(int(wait))
    body = {
        "type": f"{TYPE}{problem.get_codes()}",
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": str(problem.detail),
        "instance": request.path,
        "errors": getattr(problem, "errors", []),
    }
    return JsonResponse(body, status=problem.status_code, headers=headers, content_type=MEDIA_TYPE)


def _as_problem(exception: Exception) -> exceptions.APIException | None:
    """Return the problem that the caller gets for the exception; None if the fault is ours."""
    match exception:
        case exceptions.ValidationError():
            return bad_body(exception.detail)
        case exceptions.APIException():
            return exception
        # A project may be deleted after its permissions were checked.
        case Http404() | NotAssigned() | Project.DoesNotExist():
            return exceptions.NotFound(_("Not found, or not visible to you."))
        case PermissionDenied():
            return exceptions.PermissionDenied(str(exception) or None)
        case RequestDataTooBig() | TooManyFieldsSent() | TooManyFilesSent():
            return TooLarge(_("The request is too large."))
        case SuspiciousOperation():
            return Problem(_("The request cannot be read."))
        case NotPossible() | JudgingError():
            return Conflict(str(exception))
        case JobInProgress():
            return Conflict(
                _("A background job is running in this project. Try again when it has finished.")
            )
    if refusal := refusal_of(exception):
        log.error("%s: %s", type(exception).__name__, exception)
        return Failed(refusal)
    return None


def _with_pointers(errors: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each message with a JSON Pointer (RFC 6901) to its field, "#" for the whole body."""
    if isinstance(errors, Mapping):
        for name, below in errors.items():
            if str(name) in ("non_field_errors", "__all__"):
                yield from _with_pointers(below, path)
            else:
                escaped = str(name).replace("~", "~0").replace("/", "~1")
                yield from _with_pointers(below, f"{path}/{escaped}")
    elif isinstance(errors, list | tuple):
        for place, below in enumerate(errors):
            nested = isinstance(below, Mapping | list | tuple)
            yield from _with_pointers(below, f"{path}/{place}" if nested else path)
    else:
        yield f"#{path}", str(errors)
