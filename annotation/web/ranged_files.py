"""Files in parts: what browsers ask for to play audio and video from any place (RFC 9110)."""

import re
from collections.abc import Iterator
from typing import Final

from django.core.files import File
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag

_CHUNK: Final = 256 * 1024
_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


def ranged_file(
    request: HttpRequest, file: "File[bytes]", *, media_type: str, version: str
) -> HttpResponseBase:
    """Answer a GET or HEAD with an open file, or with the range of its bytes that is asked for.

    `version` changes with the content. Browsers may keep the file, and ask each time whether it is
    still the same. Several ranges at once are answered with the whole file, as HTTP permits. The
    file is closed once the answer is sent.
    """
    etag = quote_etag(version)
    answer: HttpResponseBase
    if _has_it(request, etag):
        file.close()
        answer = HttpResponse(status=304)
        del answer.headers["Content-Type"]
    else:
        answer = _file(request, file, etag)
        if answer.status_code != 416:
            answer.headers["Content-Type"] = media_type
    answer.headers["ETag"] = etag
    answer.headers["Accept-Ranges"] = "bytes"
    answer.headers["Content-Disposition"] = "inline"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


def _has_it(request: HttpRequest, etag: str) -> bool:
    """Return whether the browser has this version of the file."""
    kept = [one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))]
    return etag in kept or kept == ["*"]


def _file(request: HttpRequest, file: "File[bytes]", etag: str) -> HttpResponseBase:
    size = file.seek(0, 2)
    start, end = 0, size
    status = 200
    if asked := _asked(request, size, etag):
        start, end = asked
        status = 206
        if start >= end:
            file.close()
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    headers = {"Content-Length": str(end - start)}
    if status == 206:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    if request.method == "HEAD":
        file.close()
        return HttpResponse(status=status, headers=headers)
    return StreamingHttpResponse(_pieces(file, start, end), status=status, headers=headers)


def _asked(request: HttpRequest, size: int, etag: str) -> tuple[int, int] | None:
    """Return the range that is asked for, empty for one beyond the file; None for the whole file.

    A range is only of GET. With If-Range, it is of the version that the browser has a part of.
    """
    range_ = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    if request.method != "GET" or not range_ or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = range_.groups()
    if not first:
        # The last bytes of the file.
        return (max(size - int(last), 0), size) if last else None
    if last and int(last) < int(first):
        return None
    return int(first), min(int(last) + 1, size) if last else size


def _pieces(file: "File[bytes]", start: int, end: int) -> Iterator[bytes]:
    with file:
        file.seek(start)
        while start < end and (piece := file.read(min(_CHUNK, end - start))):
            start += len(piece)
            yield piece
