"""Sending a POST again without doing it again.

The key is reserved first, so that whoever sends the same meanwhile is told so at once. The answer
is stored in the transaction of what it answers, so that either both are there or neither, whenever
a server ends. What takes files or sends mail takes long, and nobody else shall wait for it: its
answer is stored right after, and only where a server ends just in between it is done once more when
it comes again.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.transactions import writing
from annotation.models import User
from api.exceptions import AtIt, KeyReused, Problem
from api.models import StoredAnswer

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
KEPT = timedelta(hours=24)
# Whoever has been at it for so long is taken to be gone: longer than any request takes.
RESERVED = timedelta(minutes=10)
# Seconds after which to ask again for what somebody is at.
ASK_AGAIN = 2
# Old ones that are removed when a new one comes, so that their number falls.
REMOVED_AT_ONCE = 10
KEY = re.compile(r"[!-~]{1,200}")


def key_of(request: Request) -> str | None:
    """Return the key that came with the request; raise Problem for one that cannot be."""
    key = request.headers.get(HEADER)
    if key is not None and not KEY.fullmatch(key):
        told = _("Write 1 to 200 visible ASCII characters, for example a UUID.")
        raise Problem(f"{HEADER}: {told}", [{"header": HEADER, "detail": told}])
    return key


def answer_once(
    user: User,
    key: str,
    sent: str,
    answer: Callable[[], Response],
    *,
    takes_long: bool,
    shown_once: Collection[str] = (),
) -> HttpResponseBase:
    """Return what `answer` returns, or what it returned when the same was sent before.

    `sent` is the fingerprint. What is refused or fails is not stored, so that it can be tried
    again; it is undone too, where it does not take long. Of what is stored, `shown_once` is null.
    Raises KeyReused where something else came with the key, and AtIt.
    """
    _remove_old()
    stored = _reserve(user, key, sent)
    if stored.status:
        return _again(stored)
    mine = StoredAnswer.objects.filter(pk=stored.pk, status=0, created=stored.created)
    try:
        with nullcontext() if takes_long else writing():
            response = answer()
            data = response.data
            if shown_once:
                data = {**data, **dict.fromkeys(shown_once)}
            mine.update(
                status=response.status_code,
                location=response.headers.get("Location", ""),
                body="" if data is None else JSONRenderer().render(data).decode(),
            )
    except BaseException:
        mine.delete()
        raise
    return response


def _reserve(user: User, key: str, fingerprint: str) -> StoredAnswer:
    """Return the row of the key: with the answer, or with none where it is ours to find now."""
    now = timezone.now()
    with writing():
        try:
            stored, is_new = StoredAnswer.objects.get_or_create(
                user=user, key=key, defaults={"fingerprint": fingerprint}
            )
        except IntegrityError:
            # It was there, and is gone: whoever was at it has failed just now.
            raise AtIt(ASK_AGAIN) from None
        if stored.fingerprint != fingerprint:
            told = _("Something else came with this key before: make up another key.")
            raise KeyReused(told, [{"header": HEADER, "detail": told}])
        if is_new or stored.status:
            return stored
        left = StoredAnswer.objects.filter(pk=stored.pk, status=0, created__lte=now - RESERVED)
        if not left.update(created=now):
            raise AtIt(ASK_AGAIN)
        stored.created = now
        return stored


def _again(stored: StoredAnswer) -> HttpResponse:
    response = HttpResponse(stored.body, content_type="application/json", status=stored.status)
    if stored.location:
        response["Location"] = stored.location
    response[REPLAYED] = "true"
    return response


def _remove_old() -> None:
    old = StoredAnswer.objects.filter(created__lt=timezone.now() - KEPT).order_by("created")
    if ids := list(old.values_list("pk", flat=True)[:REMOVED_AT_ONCE]):
        StoredAnswer.objects.filter(pk__in=ids).delete()


def fingerprint_of(request: Request, *, has_body: bool) -> str:
    """Return what is another for another address or other things sent.

    Of a form it is what the form says: its bytes are others each time it is sent. A body that is
    not to be there is not read. Without our key nobody tells by trying what was sent, which may be
    the name of a person who is to be forgotten.
    """
    whole = salted_hmac("api.idempotency", f"{request.get_full_path()}\n", algorithm="sha256")
    for part in _parts(request) if has_body else ():
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()


def _parts(request: Request) -> Iterator[bytes]:
    if not isinstance(request.data, QueryDict):
        yield json.dumps(request.data, sort_keys=True).encode()
        return
    for name, values in sorted(request.data.lists()):
        for value in values:
            yield repr(name).encode()
            yield from (
                _content(value) if isinstance(value, UploadedFile) else [repr(value).encode()]
            )


def _content(file: Any) -> Iterator[bytes]:
    yield repr(file.name).encode()
    file.seek(0)
    yield hashlib.file_digest(file, "sha256").digest()
    file.seek(0)
