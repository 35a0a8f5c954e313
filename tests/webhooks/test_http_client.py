"""What the other side may do, and how long: a real server on this machine."""

import socket
from http.server import BaseHTTPRequestHandler
from time import monotonic, sleep

import pytest
from pytest_django import Settings

from tests.services import free_port
from tests.webhooks.receiver import Receiver
from webhooks import http_client, url_policy
from webhooks.http_client import Answer, post


def test_it_posts_what_it_was_given(receiver: Receiver) -> None:
    assert post(receiver.address, "žluť".encode(), {"X-This": "that"}) == Answer(204)
    [got] = receiver.got
    assert (got.path, got.body) == ("/hook?for=tests", "žluť".encode())
    assert (got.headers["X-This"], got.headers["Host"]) == ("that", receiver.listed)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_it_follows_no_redirect(receiver: Receiver, status: int) -> None:
    receiver.statuses = [status]
    answer = post(receiver.address, b"{}", {})
    assert answer == Answer(
        status, f"The answer was {status}, a redirect, and redirects are not followed."
    )
    assert len(receiver.got) == 1


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_any_other_answer_does_not_count(receiver: Receiver, status: int) -> None:
    receiver.statuses = [status]
    assert post(receiver.address, b"{}", {}).error.startswith(f"The answer was {status}: ")


def test_it_connects_to_the_address_that_was_looked_at_and_asks_once(
    receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere the next time (DNS rebinding) leads nowhere."""
    settings.WEBHOOK_HOSTS = [f"rebinding.example:{receiver.port}"]
    answers = iter([["127.0.0.1"]])
    monkeypatch.setattr(url_policy, "addresses_of", lambda *_host: next(answers))
    assert post(f"http://rebinding.example:{receiver.port}/", b"{}", {}) == Answer(204)
    assert receiver.got[0].headers["Host"] == f"rebinding.example:{receiver.port}"


def test_it_asks_no_proxy(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    assert post(receiver.address, b"{}", {}) == Answer(204)


def test_nothing_is_sent_to_what_is_not_allowed_any_more(
    receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_HOSTS = []
    assert "has to allow it first" in post(receiver.address, b"{}", {}).error
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = [f"127.0.0.1:{receiver.port}"], False
    assert "begin with https" in post(receiver.address, b"{}", {}).error
    assert "not an address" in post(receiver.address.replace("http:", "https:"), b"{}", {}).error
    assert receiver.got == []


def test_where_nobody_listens_is_said(settings: Settings) -> None:
    port = free_port()
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = [f"127.0.0.1:{port}"], True
    assert post(f"http://127.0.0.1:{port}/", b"{}", {}) == Answer(
        None, "The connection failed: Connection refused."
    )


def test_a_host_without_an_address_is_said(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = ["hooks.invalid"]
    assert post("https://hooks.invalid/", b"{}", {}).error.startswith("The host has no address: ")


def test_a_server_without_tls_is_none(receiver: Receiver) -> None:
    answer = post(receiver.address.replace("http:", "https:"), b"{}", {})
    assert answer.error.startswith("The connection failed: ")
    assert receiver.got == []


def drip(handler: BaseHTTPRequestHandler) -> None:
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X: " + b"a" * 1000:
        handler.wfile.write(bytes([byte]))
        sleep(0.05)


def say_nothing(handler: BaseHTTPRequestHandler) -> None:
    sleep(1.5)


@pytest.mark.parametrize("slowly", [drip, say_nothing])
def test_it_hangs_up_where_an_answer_takes_too_long(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, slowly: object
) -> None:
    monkeypatch.setattr(http_client, "WITHIN", 0.5)
    receiver.answer = slowly  # type: ignore[assignment]
    started = monotonic()
    answer = post(receiver.address, b"{}", {})
    assert monotonic() - started < 1.4
    assert answer.status is None
    assert "it took longer than" in answer.error


def talk_for_ever(handler: BaseHTTPRequestHandler) -> None:
    try:
        while True:
            handler.wfile.write(b"a" * 65536)
    except (BrokenPipeError, ConnectionResetError):
        pass


def test_it_does_not_listen_to_whoever_talks_for_ever(receiver: Receiver) -> None:
    receiver.answer = talk_for_ever
    answer = post(receiver.address, b"{}", {})
    assert answer.status is None
    assert answer.error.startswith("There was no answer: ")


def test_an_answer_that_is_none_is_said() -> None:
    left, right = socket.socketpair()
    with left, right:
        right.sendall(b"SSH-2.0-OpenSSH\r\n")
        target = url_policy.Target("http", "example.org", 80, "/")
        assert http_client._ask(left, target, b"{}", {}).error.startswith("There was no answer: ")
