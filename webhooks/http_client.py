"""Posting a message to the URL of a webhook: one connection, no redirects, no proxy."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpcore2

from webhooks import url_policy
from webhooks.url_policy import NotAllowed

# Seconds, for each step: to connect, to send, to receive something.
TIMEOUT: Final = 10.0


@dataclass(frozen=True)
class Answer:
    """The HTTP status, if there was an answer; `error` is "" if the message was accepted.

    The rest of the answer is not read: administrators of a project must not see what a server says.
    """

    status: int | None
    error: str = ""


class CheckedNetwork(httpcore2.SyncBackend):
    """Connects to the very address that was checked, so a host name cannot change in between."""

    def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        return super().connect_tcp(url_policy.resolve(host, port), port, *args, **kwargs)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post the body and return how it went. Raises nothing for what the other side does."""
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT)
    try:
        url_policy.check(url)
        with (
            httpcore2.ConnectionPool(
                ssl_context=ssl.create_default_context(), network_backend=CheckedNetwork()
            ) as connections,
            connections.stream(
                "POST",
                url,
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": timeouts},
            ) as response,
        ):
            status = response.status
    except NotAllowed as problem:
        return Answer(None, str(problem))
    except httpcore2.TimeoutException:
        return Answer(None, f"The server did not respond within {TIMEOUT:.0f} seconds.")
    except (httpcore2.ConnectError, OSError, UnicodeError) as problem:
        return Answer(None, f"The connection failed: {_reason(problem)}.")
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as problem:
        return Answer(None, f"There was no valid answer: {_reason(problem)}.")
    if 200 <= status < 300:
        return Answer(status)
    if 300 <= status < 400:
        return Answer(status, f"The answer was {status}: redirects are not followed.")
    return Answer(status, f"The answer was {status}: only 200 to 299 means accepted.")


def _reason(problem: Exception) -> str:
    return (str(problem) or type(problem).__name__).rstrip(".")
