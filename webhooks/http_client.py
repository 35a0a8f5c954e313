"""Posting to an address that somebody gave: one connection, one answer, no redirect, no proxy."""

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic

from webhooks import url_policy
from webhooks.url_policy import NotAllowed

# Seconds until the other side takes the connection, and until all is over.
CONNECT_WITHIN = 5.0
WITHIN = 15.0


@dataclass(frozen=True)
class Answer:
    """The status that was answered, if any; `error` says why it does not count, "" if it does.

    Whatever else was answered is not even read: nobody learns here what a server has to say.
    """

    status: int | None
    error: str = ""


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post the body and return how it went; whatever the other side does is no exception."""
    try:
        target = url_policy.parse(address)
        ip = url_policy.resolve(target)
    except NotAllowed as problem:
        return Answer(None, str(problem))
    except (OSError, UnicodeError) as problem:
        return Answer(None, f"The host has no address: {_reason(problem)}.")
    try:
        # To this very address, whatever the name leads to by now.
        connection = socket.create_connection((ip, target.port), CONNECT_WITHIN)
    except OSError as problem:
        return Answer(None, f"The connection failed: {_reason(problem)}.")
    with _encrypted(connection, target) as connection:
        return _ask(connection, target, body, headers)


def _encrypted(connection: socket.socket, target: url_policy.Target) -> socket.socket:
    """Return what speaks TLS over the connection once hands are shaken, or the very connection."""
    if not target.is_https:
        return connection
    return ssl.create_default_context().wrap_socket(
        connection, server_hostname=target.host, do_handshake_on_connect=False
    )


def _ask(
    connection: socket.socket, target: url_policy.Target, body: bytes, headers: Mapping[str, str]
) -> Answer:
    http = HTTPConnection(target.host, target.port)
    http.sock = connection
    connection.settimeout(WITHIN)
    # A byte now and then would renew the time of the socket for ever.
    end = Timer(WITHIN, _hang_up, [connection])
    started = monotonic()
    end.start()
    failed = "The connection failed"
    try:
        if isinstance(connection, ssl.SSLSocket):
            connection.do_handshake()
        failed = "There was no answer"
        http.request("POST", target.path, body, {"Host": target.named, **headers})
        status = http.getresponse().status
    except (OSError, HTTPException) as problem:
        late = monotonic() >= started + WITHIN
        why = f"it took longer than {WITHIN:.0f} seconds" if late else _reason(problem)
        return Answer(None, f"{failed}: {why}.")
    finally:
        end.cancel()
    return Answer(status, _what_is_wrong(status))


def _hang_up(connection: socket.socket) -> None:
    try:
        # That of TLS would first take away what the other thread reads with.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        # The other side was faster.
        return


def _what_is_wrong(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"The answer was {status}, a redirect, and redirects are not followed."
    return f"The answer was {status}: only 200 to 299 count as taken."


def _reason(problem: Exception) -> str:
    """Return what went wrong, without a stop at its end."""
    words = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return str(words).rstrip(".")
