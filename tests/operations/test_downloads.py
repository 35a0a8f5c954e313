"""Downloads over HTTP/1.0, where one that breaks off looks complete."""

from collections.abc import Iterator
from itertools import chain

import pytest
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from operations.middleware import DownloadMiddleware
from tests.factories import make_annotator, make_project


@pytest.mark.django_db
@pytest.mark.parametrize(("protocol", "status"), [("HTTP/1.0", 505), ("HTTP/1.1", 200)])
def test_a_download_needs_http_1_1(client: Client, protocol: str, status: int) -> None:
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name, more in (("export", ["csv"]), ("payment-csv", [])):
        answer = client.get(reverse(name, args=[project.pk, *more]), SERVER_PROTOCOL=protocol)
        assert (answer.status_code, answer.streaming) == (status, status == 200)
    page = client.get(reverse("results", args=[project.pk]), SERVER_PROTOCOL=protocol)
    assert page.status_code == 200


def test_the_refused_download_is_ended() -> None:
    """It may hold a transaction."""
    ended = []

    def pieces() -> Iterator[bytes]:
        try:
            yield b"first"
            yield b"second"
        finally:
            ended.append(True)

    def begun(_request: HttpRequest) -> StreamingHttpResponse:
        stream = pieces()
        return StreamingHttpResponse(chain([next(stream)], stream))

    request = HttpRequest()
    request.META["SERVER_PROTOCOL"] = "HTTP/1.0"
    assert DownloadMiddleware(begun)(request).status_code == 505
    assert ended


def test_a_file_with_a_length_is_sent_over_http_1_0() -> None:
    request = HttpRequest()
    request.META["SERVER_PROTOCOL"] = "HTTP/1.0"
    with open(__file__, "rb") as file:
        response = DownloadMiddleware(lambda _request: FileResponse(file))(request)
        assert response.status_code == 200
