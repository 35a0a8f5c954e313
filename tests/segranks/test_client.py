"""`segranks.client` where servers and networks fail; test_documented_client.py uses all of it."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests

from segranks.client import ApiError, Client, PreparationFailed
from segranks.command_line import PACKAGES
from tests.installation import REPOSITORY

# A status, headers and a body; None closes the connection without an answer.
Answer = tuple[int, dict[str, str], bytes] | None


def as_json(value: object, status: int = 200, **headers: str) -> Answer:
    return status, headers, json.dumps(value).encode()


@contextmanager
def site(*answers: Answer) -> Iterator[tuple[str, list[tuple[str, dict[str, str], bytes]]]]:
    """Serve these answers, one after another; yield the address, and the requests that came."""
    left, came = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            came.append((f"{self.command} {self.path}", dict(self.headers), body))
            answer = left.pop(0)
            if answer is None:
                self.close_connection = True
                return
            status, headers, content = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            if "Transfer_Encoding" not in headers:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            if "Transfer_Encoding" in headers:
                self.close_connection = True

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", came
        server.shutdown()


def test_it_imports_neither_django_nor_celery_nor_another_module_of_segranks() -> None:
    program = "import segranks.client, sys; print(*sys.modules)"
    run = [sys.executable, "-c", program]
    loaded = subprocess.run(run, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    unwanted = {*PACKAGES, "celery", "django", "kombu"}
    ours = {name for name in loaded.split() if name.partition(".")[0] in unwanted}
    assert ours == {"segranks", "segranks.client"}


def test_a_post_is_sent_again_with_its_files_and_the_same_key(tmp_path: Path) -> None:
    text = tmp_path / "source.txt"
    text.write_text("Starý dům\n" * 1000)
    in_progress = as_json({}, 409, Retry_After="1")
    with site(None, in_progress, as_json({"id": 7}, 201)) as (address, came):
        values = {"name": "Zprávy", "open_at_once": False, "answer_options": ["a", "b"]}
        sent = Client(address, "sr_secret").post("projects/", values, {"source": text})
    assert sent == {"id": 7}
    assert [request for request, _headers, _body in came] == ["POST /api/v1/projects/"] * 3
    assert len({headers["Idempotency-Key"] for _request, headers, _body in came}) == 1
    assert len({body for _request, _headers, body in came}) == 1
    body = came[-1][2].decode()
    assert re.findall('name="([a-z_]+)"', body) == [*values, "answer_options", "source"]
    assert 'filename="source.txt"' in body
    assert "\r\n\r\nfalse\r\n" in body
    assert f"\r\n\r\n{text.read_text()}\r\n" in body


def test_it_sends_the_token_to_its_site_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login jana password other\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with site() as (elsewhere, stolen):
        monkeypatch.setenv("http_proxy", elsewhere)
        monkeypatch.delenv("no_proxy", raising=False)
        moved: Answer = (302, {"Location": f"{elsewhere}/"}, b"")
        page = as_json({"results": [1], "next": f"{elsewhere}/?cursor=b%3D"})
        last = as_json({"results": [2], "next": None})
        with site(page, last, moved) as (address, came):
            client = Client(address, "sr_secret")
            assert list(client.pages("members/", limit=1)) == [1, 2]
            with pytest.raises(ApiError, match=elsewhere):
                client.get("projects/")
    assert not stolen
    assert [request for request, _headers, _body in came][:2] == [
        "GET /api/v1/members/?limit=1",
        "GET /api/v1/members/?cursor=b%3D",
    ]
    assert {headers["Authorization"] for _request, headers, _body in came} == {"Bearer sr_secret"}


def test_what_a_repeated_deletion_does_not_find_is_deleted() -> None:
    refused, gone = as_json({}, 429, Retry_After="0"), as_json({}, 404)
    with site(None, gone, refused, gone) as (address, _came):
        client = Client(address, "sr_secret")
        assert client.delete("projects/7/members/3/") is None
        # A refused request deleted nothing.
        with pytest.raises(ApiError):
            client.delete("projects/7/members/3/")


def test_a_file_that_cannot_be_read_is_an_error_at_once(tmp_path: Path) -> None:
    with site() as (address, came), pytest.raises(IsADirectoryError):
        Client(address, "sr_secret").post("projects/", {}, {"source": tmp_path})
    assert not came


@pytest.mark.parametrize("address", ["http://rank.example.org", "rank.example.org", "ftp://::1"])
def test_it_refuses_addresses_without_encryption(address: str) -> None:
    with pytest.raises(ValueError, match="https://"):
        Client(address, "sr_secret")


def test_a_download_that_breaks_off_leaves_the_former_file(tmp_path: Path) -> None:
    target = tmp_path / "judgements.csv"
    target.write_text("former")
    broken: Answer = (200, {"Transfer_Encoding": "chunked"}, b"3\r\nnew\r\n")
    whole: Answer = (200, {"Transfer_Encoding": "chunked"}, b"3\r\nnew\r\n0\r\n\r\n")
    with site(broken, whole) as (address, _came):
        client = Client(address, "sr_secret")
        with pytest.raises(requests.RequestException):
            client.download("projects/7/exports/csv/", target)
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
            ("judgements.csv", "former")
        ]
        assert client.download("projects/7/exports/csv/", target) == target
    assert target.read_text() == "new"


def test_an_error_says_what_is_wrong_where() -> None:
    errors = [
        {"pointer": "#/name", "detail": "Too long."},
        {"parameter": "limit", "detail": "A valid integer is required."},
        {"pointer": "#", "detail": "source.txt, line 3: empty."},
    ]
    kind = {"Content_Type": "application/problem+json"}
    refused = as_json({"detail": "name: Too long.", "errors": errors}, 400, **kind)
    missing = as_json({"detail": "Not found.", "errors": []}, 404, **kind)
    with site(refused, missing, (502, {}, b"<html>")) as (address, _came):
        client = Client(address, "sr_secret")
        raised = []
        for _time in range(3):
            with pytest.raises(ApiError) as problem:
                client.get("projects/")
            raised.append((problem.value.status, str(problem.value)))
    several = "name: Too long.\nlimit: A valid integer is required.\nsource.txt, line 3: empty."
    assert raised == [(400, several), (404, "Not found."), (502, "502 Bad Gateway")]


def test_a_failed_preparation_is_an_error() -> None:
    states = [as_json({"id": 7, "state": state}) for state in ("preparing", "failed")]
    answers = [as_json({"id": 7}, 201), *states, as_json({"error": "No parser."})]
    with (
        site(*answers) as (address, _came),
        pytest.raises(PreparationFailed, match=r"^No parser\.$"),
    ):
        Client(address, "sr_secret").create_project({"name": "News"}, {})
