"""Whatever goes wrong is told as problem details (RFC 9457)."""

import sys
from collections.abc import Iterator, Mapping, Sequence
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
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.exceptions import NotPossible
from annotation.judging.assignment import NotOpen, NotYours
from annotation.judging.submission import Refused
from annotation.pipeline.jobs import Busy

log = getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# A URN, so that it names the kind of problem wherever this is installed.
TYPE = "urn:segranks:problem:"
# Where in what was sent a problem is: in its body, its query, or a header of it.
WHERE = ("pointer", "parameter", "header")

# Kinds that REST framework tells apart, and nobody who asks has to.
SAME = {"parse_error": "invalid", "authentication_failed": "not_authenticated"}

Errors = Sequence[Mapping[str, str]]


class Problem(exceptions.APIException):
    """A refusal, in one sentence; `errors` say what of it is where (see `WHERE`)."""

    status_code: int = status.HTTP_400_BAD_REQUEST
    default_code = "invalid"

    def __init__(self, detail: str, errors: Errors = ()) -> None:
        super().__init__(detail)
        self.errors = errors


class Conflict(Problem):
    """What is asked for cannot be done as things are now."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class AtIt(Conflict):
    """Somebody is at the very same: it is answered to whoever asks so many seconds later."""

    def __init__(self, wait: int) -> None:
        super().__init__(_("This was sent already and is being done: send it again in a moment."))
        self.wait = wait


class TooLarge(Problem):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class NotSent(Problem):
    """A mail server did not take a mail."""

    status_code = status.HTTP_502_BAD_GATEWAY
    default_code = "not_sent"


class KeyReused(Problem):
    """An Idempotency-Key came again with something else."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "key_reused"


def bad_query(errors: Mapping[str, Any]) -> Problem:
    """Return what is wrong with parameters, as serializers tell it."""
    told = [{"parameter": name, "detail": str(text)} for name in errors for text in errors[name]]
    return Problem(_one_sentence(told, "parameter"), told)


def bad_body(errors: Any) -> Problem:
    """Return what is wrong with a body, as serializers tell it."""
    told = [{"pointer": _pointer(path), "detail": text} for path, text in _told(errors)]
    return Problem(_one_sentence(told, "pointer"), told)


def answer(problem: Exception, context: dict[str, Any]) -> Response:
    """Return the answer to whatever a view raised."""
    request: Request = context["request"]
    known = _known(problem)
    if known is None:
        log.error("The API failed: %s", type(problem).__name__, exc_info=sys.exc_info())
        got_request_exception.send(sender=None, request=request._request)
        known = exceptions.APIException(
            _("Something went wrong here. Nothing of it is yours to mend; please try again later.")
        )
    headers = {}
    if known.status_code == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = getattr(known, "auth_header", "")
    wait = getattr(known, "wait", None)
    if wait:
        headers["Retry-After"] = str(int(wait))
    code = str(known.get_codes())
    body = {
        "type": f"{TYPE}{SAME.get(code, code)}",
        "title": HTTPStatus(known.status_code).phrase,
        "status": known.status_code,
        "detail": str(known.detail),
        "instance": request.path,
        "errors": list(getattr(known, "errors", ())),
    }
    return Response(body, known.status_code, headers=headers, content_type=MEDIA_TYPE)


def _known(problem: Exception) -> exceptions.APIException | None:
    """Return what is told of it; None where it is a mistake of ours."""
    match problem:
        case exceptions.ValidationError():
            return bad_body(problem.detail)
        case exceptions.APIException():
            return problem
        case Http404() | NotYours():
            return exceptions.NotFound(_("There is nothing here that you may see."))
        case PermissionDenied():
            return exceptions.PermissionDenied(str(problem) or None)
        case RequestDataTooBig() | TooManyFieldsSent() | TooManyFilesSent():
            return TooLarge(_("This is larger than anything that can be sent here."))
        case SuspiciousOperation():
            return Problem(_("This cannot be read."))
        case NotPossible() | NotOpen() | Refused():
            return Conflict(str(problem))
        case Busy():
            return Conflict(
                _("Something is being done with the project: try again once it is done.")
            )
    return None


def _told(errors: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each sentence with the path to what it is about, "" for all of it."""
    if isinstance(errors, Mapping):
        for name, below in errors.items():
            step = "" if name == "non_field_errors" else _escaped(str(name))
            yield from _told(below, f"{path}/{step}".strip("/") if step else path)
    elif isinstance(errors, list | tuple):
        for place, below in enumerate(errors):
            nested = isinstance(below, Mapping | list | tuple)
            yield from _told(below, f"{path}/{place}".strip("/") if nested else path)
    else:
        yield path, str(errors)


def _escaped(name: str) -> str:
    """Return it as a JSON Pointer has it (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def _pointer(path: str) -> str:
    return "#/" + path if path else "#"


def _one_sentence(told: Sequence[Mapping[str, str]], where: str) -> str:
    if not told:
        return _("This cannot be read.")
    place = told[0][where].removeprefix("#").strip("/")
    return f"{place}: {told[0]['detail']}" if place else told[0]["detail"]
