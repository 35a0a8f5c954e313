"""Clients send bodies slowly through the proxies of docs/deployment.md; pages still come quickly.

Needs nginx and Caddy, which `make development` does not install.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from tests import services
from tests.conftest import require
from tests.installation import Installation, wait_until
from tests.operations.proxy_examples import example

CLIENTS = 24
THREADS = 12
# More than a proxy or a kernel holds in its buffers anyway.
SENT_AT_ONCE, LENGTH = 50_000, 100_000
WATCHED = 8.0
# Seconds that a page may take; the slow machines of tests need some.
QUICK = 3.0
# The oldest Caddy that docs/deployment.md allows.
CADDY = (2, 8)


@pytest.fixture
def web(tmp_path: Path, static_root: Path) -> Iterator[Installation]:
    installation = Installation(
        tmp_path / "data",
        static_root,
        ALLOWED_HOSTS="127.0.0.1",
        # One process, because several do not accept equally many connections.
        WEB_CONCURRENCY="1",
        WEB_THREADS=str(THREADS),
    )
    try:
        installation.manage("migrate", "--verbosity", "0")
        yield installation
    finally:
        installation.end()


def start_gunicorn(web: Installation) -> int:
    """Start gunicorn and return its port."""
    port = services.free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:segranks.gunicorn"]
    web.start(*command, "--bind", f"127.0.0.1:{port}", "segranks.wsgi", own_group=True)
    wait_until(lambda: answers(port), every=0.1)
    return port


def start_nginx(folder: Path, web: Installation, to: int) -> int:
    """Start nginx with our example, but without TLS, and return its port."""
    require(shutil.which("nginx"), "Install nginx to try its example.")
    port = services.free_port()
    server = example("proxy_pass")
    lines = [line for line in server.splitlines() if "ssl_certificate" not in line]
    server = "\n".join(lines).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    server = server.replace("127.0.0.1:8000", f"127.0.0.1:{to}")
    server = server.replace("/var/log/nginx/", f"{folder}/")
    folders = "\n".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        # Otherwise its processes may not write bodies to the folder, and answer 500.
        f"{'user root; ' if os.getuid() == 0 else ''}"
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off;\n{folders}\n{server} }}\n"
    )
    web.start("nginx", "-c", str(folder / "nginx.conf"), own_group=True)
    return port


def start_caddy(folder: Path, web: Installation, to: int) -> int:
    """Start Caddy with our example, but without TLS, and return its port."""
    require(shutil.which("caddy"), "Install Caddy to try its example.")
    shown = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, shown.split()[0].removeprefix("v").split(".")[:3]))
    require(version >= CADDY, f"Caddy {shown.strip()} is too old for our example.")
    port = services.free_port()
    file = example("reverse_proxy").replace("{\n", "{\n    admin off\n", 1)
    file = file.replace("\nrank.example.org {", f"\nhttp://127.0.0.1:{port} {{")
    (folder / "Caddyfile").write_text(file.replace("127.0.0.1:8000", f"127.0.0.1:{to}"))
    # Caddy keeps its state there.
    web.environment["HOME"] = web.environment["XDG_DATA_HOME"] = str(folder)
    web.start(
        *("caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")),
        own_group=True,
    )
    return port


def answers(port: int, within: float = 5) -> bool:
    with suppress(OSError):
        address = f"http://127.0.0.1:{port}/sign-in/"
        return bool(urllib.request.urlopen(address, timeout=within).status == 200)
    return False


def occupy(port: int, clients: ExitStack) -> Event:
    """Begin the requests, and send a byte of each twice a second until the event is set."""
    head = (
        f"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {LENGTH}\r\n"
        f"Cookie: csrftoken={'a' * 32}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
    )
    opened = []
    for _client in range(CLIENTS):
        client = clients.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        client.sendall(head.encode() + b"a" * SENT_AT_ONCE)
        opened.append(client)
    ended = Event()

    def drip() -> None:
        while not ended.wait(0.5):
            for client in opened:
                with suppress(OSError):
                    client.sendall(b"a")

    Thread(target=drip, daemon=True).start()
    return ended


@pytest.mark.parametrize("start", [start_nginx, start_caddy])
def test_slow_bodies_do_not_stop_the_site(
    web: Installation, tmp_path: Path, start: Callable[[Path, Installation, int], int]
) -> None:
    port = start(tmp_path, web, start_gunicorn(web))
    wait_until(lambda: answers(port), every=0.1)
    with ExitStack() as clients:
        ended = occupy(port, clients)
        clients.callback(ended.set)
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            began = time.monotonic()
            assert answers(port, within=WATCHED)
            assert time.monotonic() - began < QUICK
            time.sleep(0.5)


def test_slow_bodies_stop_gunicorn_without_a_proxy(web: Installation) -> None:
    """This is what the other test would find if a proxy streamed bodies."""
    port = start_gunicorn(web)
    with ExitStack() as clients:
        ended = occupy(port, clients)
        clients.callback(ended.set)
        time.sleep(1)
        assert not answers(port, within=QUICK)
