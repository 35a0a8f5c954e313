"""Idempotency-Key: a POST that is sent again is answered again, and not processed twice.

The key is reserved first, so that the same request is refused while the first is in progress. The
answer is stored in the same transaction as the work itself. Requests that take files, send mail or
sample would block other writers for too long: their answer is stored right after the work, and only
if the server stops in between is the work done again when the request is repeated.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from datetime import timedelta
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.db.models import Q, QuerySet
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.transactions import retried, writing
from annotation.models import User
from annotation.process import clock
from api.exceptions import KeyReused, Problem, RequestInProgress
from api.models import StoredAnswer

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
KEY_PATTERN = "[!-~]{1,200}"
ANSWERS_KEPT = timedelta(hours=24)
# After this time a reservation without an answer is free again: longer than any request takes.
RESERVED = timedelta(minutes=10)
# Seconds after which a request that is still in progress may be asked for again.
SHORTEST_WAIT, LONGEST_WAIT = 2, 60

Post = Callable[..., Response]


def idempotent(
    *, long: bool = False, secret_fields: Collection[str] = ()
) -> Callable[[Post], Callable[..., HttpResponseBase]]:
    """Decorate the `post` of a view, so that it can be repeated with an Idempotency-Key.

    `long`: it takes files, sends mail or samples, so that it must not run in one transaction.
    Fields that are secret are stored, and so repeated, as null. Refusals and failures are not
    stored.

    The decorated method raises KeyReused if the key came with another request, and
    RequestInProgress.
    """

    def decorate(post: Post) -> Callable[..., HttpResponseBase]:
        @wraps(post)
        def post_once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            key = _read_key(request)
            if key is None:
                return post(view, request, *args, **kwargs)
            stored = _reserve(view.user, key, _fingerprint(request))
            if stored.status:
                return _repeat(stored)
            reservation = StoredAnswer.objects.filter(
                pk=stored.pk, status=0, created=stored.created
            )

            def post_and_store() -> Response:
                with nullcontext() if long else writing():
                    response = post(view, request, *args, **kwargs)
                    _store_response(reservation, response, secret_fields)
                return response

            try:
                return post_and_store() if long else retried(post_and_store)()
            except BaseException:
                reservation.delete()
                raise

        return post_once

    return decorate


def expired_answers() -> QuerySet[StoredAnswer]:
    return StoredAnswer.objects.filter(created__lt=clock.now() - ANSWERS_KEPT)


def delete_answers_about(user: User, **_signal: Any) -> None:
    """Delete the stored answers to, or about, a person who is being anonymised."""
    about = Q(user=user)
    for name in filter(None, {user.username, user.display_name, user.email}):
        about |= Q(body__icontains=json.dumps(name, ensure_ascii=False))
    StoredAnswer.objects.filter(about).delete()


def _read_key(request: Request) -> str | None:
    key = request.headers.get(HEADER)
    if key is not None and not re.fullmatch(KEY_PATTERN, key):
        message = _("Write 1 to 200 visible ASCII characters, for example a UUID.")
        raise Problem(f"{HEADER}: {message}", [{"header": HEADER, "detail": message}])
    return key


def _reserve(user: User, key: str, fingerprint: str) -> StoredAnswer:
    """Return the row of the key: with its answer, or reserved for this request."""
    now = clock.now()
    with writing():
        expired_answers().filter(user=user, key=key).delete()
        try:
            stored, is_new = StoredAnswer.objects.get_or_create(
                user=user, key=key, defaults={"fingerprint": fingerprint}
            )
        except IntegrityError:
            # The row existed, and was deleted since: the other request has just failed.
            raise _in_progress(timedelta()) from None
        if stored.fingerprint != fingerprint:
            message = _("This key was used for another request. Choose a new key.")
            raise KeyReused(message, [{"header": HEADER, "detail": message}])
        if is_new or stored.status:
            return stored
        abandoned = StoredAnswer.objects.filter(pk=stored.pk, status=0, created__lte=now - RESERVED)
        if not abandoned.update(created=now):
            raise _in_progress(now - stored.created)
        stored.created = now
        return stored


def _in_progress(duration: timedelta) -> RequestInProgress:
    """Return the refusal of a request that has taken so long; the wait doubles with each try."""
    problem = RequestInProgress(
        _("This request is still being processed. Send it again in a moment.")
    )
    problem.wait = min(max(int(duration.total_seconds()), SHORTEST_WAIT), LONGEST_WAIT)
    return problem


def _store_response(reservation: Any, response: Response, secret_fields: Collection[str]) -> None:
    data = response.data
    if secret_fields:
        data = {**data, **dict.fromkeys(secret_fields)}
    reservation.update(
        status=response.status_code,
        location=response.headers.get("Location", ""),
        body="" if data is None else JSONRenderer().render(data).decode(),
    )


def _repeat(stored: StoredAnswer) -> HttpResponse:
    response = HttpResponse(stored.body, content_type="application/json", status=stored.status)
    if stored.location:
        response["Location"] = stored.location
    response[REPLAYED] = "true"
    return response


def _fingerprint(request: Request) -> str:
    """Return a keyed hash of the address and the content of the request.

    The bytes of a form differ each time it is sent, so its fields and files are hashed. The key
    keeps a person's name, which is to be forgotten, from being guessed by trying.
    """
    whole = salted_hmac("api.idempotency", f"{request.get_full_path()}\n", algorithm="sha256")
    for part in _body_parts(request.data):
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()


def _body_parts(data: Any) -> Iterator[bytes]:
    if not isinstance(data, QueryDict):
        yield json.dumps(data, sort_keys=True).encode()
        return
    for name, values in sorted(data.lists()):
        for value in values:
            yield repr(name).encode()
            if isinstance(value, UploadedFile):
                yield repr(value.name).encode()
                file: Any = value
                file.seek(0)
                yield hashlib.file_digest(file, "sha256").digest()
                file.seek(0)
            else:
                yield repr(value).encode()
