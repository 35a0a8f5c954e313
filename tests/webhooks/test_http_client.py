"""Posting to a real server on this machine, over plain HTTP and TLS."""

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import sleep

import pytest
from pytest_django import Settings

from tests.services import free_port
from tests.webhooks.receiver import Receiver, receiving
from webhooks import http_client, url_policy
from webhooks.http_client import Answer, post

NAME = "hooks.example"


def test_it_posts_the_body_and_headers(receiver: Receiver) -> None:
    assert post(receiver.address, "žluť".encode(), {"X-This": "that"}) == Answer(204)
    [got] = receiver.got
    assert (got.path, got.body) == ("/hook?for=tests", "žluť".encode())
    assert (got.headers["X-This"], got.headers["Host"]) == ("that", receiver.listed)


@pytest.mark.parametrize("status", [301, 307, 400, 404, 503])
def test_it_accepts_only_2xx_and_follows_no_redirect(receiver: Receiver, status: int) -> None:
    receiver.statuses = [status]
    answer = post(receiver.address, b"{}", {})
    assert answer.status == status
    assert f"The answer was {status}: " in answer.error
    assert len(receiver.got) == 1


def test_it_connects_to_the_address_that_was_checked(
    receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the name is resolved once."""
    settings.WEBHOOK_HOSTS = [f"rebinding.example:{receiver.port}"]
    answers = iter(["127.0.0.1"])
    monkeypatch.setattr(url_policy, "resolve", lambda *_host: next(answers))
    assert post(f"http://rebinding.example:{receiver.port}/", b"{}", {}) == Answer(204)
    assert receiver.got[0].headers["Host"] == f"rebinding.example:{receiver.port}"


def test_it_uses_no_proxy(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    assert post(receiver.address, b"{}", {}) == Answer(204)


def test_it_sends_nothing_to_hosts_that_are_no_longer_allowed(
    receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_HOSTS = []
    assert post(receiver.address, b"{}", {}).error
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = [f"127.0.0.1:{receiver.port}"], False
    assert post(receiver.address, b"{}", {}).error
    private = post(receiver.address.replace("http:", "https:"), b"{}", {})
    assert "not a public internet address" in private.error
    assert receiver.got == []


def test_it_reports_why_there_is_no_connection(receiver: Receiver, settings: Settings) -> None:
    port = free_port()
    settings.WEBHOOK_HOSTS = [f"127.0.0.1:{port}", receiver.listed, "hooks.invalid"]
    for url in (
        f"http://127.0.0.1:{port}/",
        "https://hooks.invalid/",
        # A server without TLS.
        receiver.address.replace("http:", "https:"),
    ):
        answer = post(url, b"{}", {})
        assert answer.status is None
        assert answer.error.startswith("The connection failed: ")
    assert receiver.got == []


def test_it_does_not_wait_for_a_slow_server(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "TIMEOUT", 0.3)
    receiver.answer = lambda _handler: sleep(1)
    answer = post(receiver.address, b"{}", {})
    assert answer.status is None
    assert "did not respond within" in answer.error


def test_it_does_not_wait_for_a_server_that_sends_a_byte_now_and_then(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "TIMEOUT_IN_ALL", 0.5, raising=False)

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        try:
            for _byte in range(30):
                handler.wfile.write(b"a")
                sleep(0.1)
        except (BrokenPipeError, ConnectionResetError):
            pass

    receiver.answer = drip
    answer = post(receiver.address, b"{}", {})
    assert answer.status is None
    assert "did not respond within" in answer.error


def endless_header(handler: BaseHTTPRequestHandler) -> None:
    try:
        while True:
            handler.wfile.write(b"a" * 65536)
    except (BrokenPipeError, ConnectionResetError):
        pass


def endless_body(handler: BaseHTTPRequestHandler) -> None:
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        endless_header(handler)
    except (BrokenPipeError, ConnectionResetError):
        pass


def test_it_reads_a_limited_amount(receiver: Receiver) -> None:
    receiver.answer = endless_header
    answer = post(receiver.address, b"{}", {})
    assert answer.status is None
    assert answer.error
    receiver.answer = endless_body
    assert post(receiver.address, b"{}", {}) == Answer(200)


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.2", b"HTTP/1.1 200 OK\r\nSSH-2.0"])
def test_an_error_does_not_quote_what_the_server_said(receiver: Receiver, said: bytes) -> None:
    def speak(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(said + b"\r\n\r\n")

    receiver.answer = speak
    answer = post(receiver.address, b"{}", {})
    assert answer.error
    assert answer.status is None
    assert "SSH" not in answer.error


# --- TLS -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a certificate authority, ca.pem, and its certificate for NAME."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificates")
    folder = tmp_path_factory.mktemp("tls")
    new = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    ca = ["-subj", "/CN=CA", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2"]
    server = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-days", "2"]
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "basicConstraints=critical,CA:FALSE"]
    files = ["-keyout", "server.key", "-out", "server.pem"]
    for options in (ca, [*server, *signed, *files]):
        subprocess.run(["openssl", *new, *options], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def tls_receiver(
    authority: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Receiver]:
    """A server that is NAME, reached by another name too; its authority is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "server.pem", authority / "server.key")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority / "ca.pem"))
    monkeypatch.setattr(url_policy, "resolve", lambda *_host: "127.0.0.1")
    with receiving(context) as listening:
        settings.WEBHOOK_HOSTS = [f"{name}:{listening.port}" for name in (NAME, "other.example")]
        yield listening


def test_it_posts_to_a_server_with_a_valid_certificate(tls_receiver: Receiver) -> None:
    assert post(f"https://{NAME}:{tls_receiver.port}/", b"{}", {}) == Answer(204)
    assert tls_receiver.got[0].headers["Host"] == f"{NAME}:{tls_receiver.port}"


def test_it_refuses_other_certificates(
    tls_receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong_name = post(f"https://other.example:{tls_receiver.port}/", b"{}", {})
    monkeypatch.delenv("SSL_CERT_FILE")
    unknown_authority = post(f"https://{NAME}:{tls_receiver.port}/", b"{}", {})
    for answer in (wrong_name, unknown_authority):
        assert answer.status is None
        assert answer.error.startswith("The connection failed: ")
    assert tls_receiver.got == []
