"""A real HTTP server on this machine that keeps what it receives."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Got:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    port: int
    # Statuses to answer with, in this order; the last one repeats.
    statuses: list[int] = field(default_factory=lambda: [204])
    got: list[Got] = field(default_factory=list)
    # Writes the answer itself, instead of a status.
    answer: Answer | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?for=tests"

    @property
    def listed(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def receiving(tls: SSLContext | None = None) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            receiver.got.append(Got(self.path, dict(self.headers), self.rfile.read(length)))
            if receiver.answer:
                receiver.answer(self)
                return
            several = len(receiver.statuses) > 1
            self.send_response(receiver.statuses.pop(0) if several else receiver.statuses[0])
            self.send_header("Content-Length", "0")
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def do_GET(self) -> None:
            receiver.got.append(Got(self.path, dict(self.headers), b""))
            self.send_error(405)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        receiver = Receiver(server.server_address[1])
        thread = Thread(target=server.serve_forever, args=[0.02])
        thread.start()
        yield receiver
        server.shutdown()
        thread.join()
