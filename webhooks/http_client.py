"""Posting a message to the URL of a webhook: one connection, no redirects, no proxy."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import httpcore2

from webhooks import url_policy
from webhooks.url_policy import NotAllowed

# Seconds, for each step: to connect, to send, to receive something.
TIMEOUT: Final = 10.0
# Seconds from the connection to the end: a byte now and then would prolong a step for ever.
TIMEOUT_IN_ALL: Final = 30.0


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
        address = url_policy.resolve(host, port)
        end = monotonic() + TIMEOUT_IN_ALL
        return TimedStream(super().connect_tcp(address, port, *args, **kwargs), end)


class TimedStream(httpcore2.NetworkStream):
    """A connection that is of no use any more once the monotonic clock has reached `end`."""

    def __init__(self, stream: httpcore2.NetworkStream, end: float) -> None:
        self._stream, self._end = stream, end

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._step())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._step())

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:
        kwargs["timeout"] = self._step()
        return TimedStream(self._stream.start_tls(*args, **kwargs), self._end)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _step(self) -> float:
        """Return the seconds that the next step may take. Raise ReadTimeout at the end."""
        left = self._end - monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout
        return min(left, TIMEOUT)


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
        return Answer(None, "The server did not respond within the time allowed.")
    except (httpcore2.NetworkError, OSError, UnicodeError) as problem:
        return Answer(None, f"The connection failed: {_reason(problem)}.")
    except httpcore2.ProtocolError:
        # Its message quotes what the server said, such as the banner of another service.
        return Answer(None, "The server ended the connection without a valid HTTP answer.")
    if 200 <= status < 300:
        return Answer(status)
    if 300 <= status < 400:
        return Answer(status, f"The answer was {status}: redirects are not followed.")
    return Answer(status, f"The answer was {status}: only 200 to 299 means accepted.")


def _reason(problem: Exception) -> str:
    return (str(problem) or type(problem).__name__).rstrip(".")
