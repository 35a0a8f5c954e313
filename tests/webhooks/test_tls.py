"""Nothing is sent but to whoever shows a certificate for the name, from somebody to be trusted."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest
from pytest_django import Settings

from tests.webhooks.receiver import Receiver, receiving
from webhooks import http_client, url_policy
from webhooks.http_client import Answer, post

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="it makes the certificates")
NAME = "hooks.example"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority, ca.pem, and what it certified for NAME, server.pem."""
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
def receiver(
    authority: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Receiver]:
    """Somebody who is NAME, and whom other names lead to as well; its authority is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "server.pem", authority / "server.key")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority / "ca.pem"))
    monkeypatch.setattr(url_policy, "addresses_of", lambda *_host: ["127.0.0.1"])
    with receiving(context) as listening:
        settings.WEBHOOK_HOSTS = [f"{name}:{listening.port}" for name in (NAME, "other.example")]
        settings.WEBHOOK_PRIVATE = True
        yield listening


def test_who_is_whom_he_says_he_is_is_told(receiver: Receiver) -> None:
    assert post(f"https://{NAME}:{receiver.port}/", b"{}", {}) == Answer(204)
    assert receiver.got[0].headers["Host"] == f"{NAME}:{receiver.port}"


def test_who_shows_a_certificate_of_somebody_else_is_told_nothing(receiver: Receiver) -> None:
    answer = post(f"https://other.example:{receiver.port}/", b"{}", {})
    assert answer.status is None
    assert answer.error.startswith("The connection failed: ")
    assert receiver.got == []


def test_whom_nobody_trusted_certified_is_told_nothing(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    answer = post(f"https://{NAME}:{receiver.port}/", b"{}", {})
    assert answer.status is None
    assert answer.error.startswith("The connection failed: ")
    assert receiver.got == []


def test_it_hangs_up_where_shaking_hands_takes_too_long(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip() -> None:
        connection, _from = listening.accept()
        with connection:
            try:
                for byte in b"\x16\x03\x03\x40\x00" + b"a" * 100:
                    connection.sendall(bytes([byte]))
                    sleep(0.05)
            except OSError:
                return

    monkeypatch.setattr(http_client, "WITHIN", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = [f"127.0.0.1:{port}"], True
        other_side = Thread(target=drip)
        other_side.start()
        started = monotonic()
        answer = post(f"https://127.0.0.1:{port}/", b"{}", {})
        taken = monotonic() - started
        other_side.join()
    assert taken < 2
    assert answer.error.startswith("The connection failed: it took longer than ")


def test_it_hangs_up_on_encrypted_answers_too(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "WITHIN", 0.5)
    receiver.answer = lambda _handler: sleep(1)
    answer = post(f"https://{NAME}:{receiver.port}/", b"{}", {})
    assert "it took longer than" in answer.error
