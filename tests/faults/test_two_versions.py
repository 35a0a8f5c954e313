"""nginx, as docs/deployment.md says, in front of two web hosts with different versions.

Needs nginx, which `make development` does not install.
"""

import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError

import pytest

from tests import services
from tests.conftest import require
from tests.installation import Installation, wait_until
from tests.operations.proxy_examples import example

TRIES = 10


class Host(ThreadingHTTPServer):
    """A web host that has the page / and one script."""

    def __init__(self, script: str) -> None:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path in ("/", script) else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_values: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Answer)
        Thread(target=self.serve_forever, daemon=True).start()

    def end(self) -> None:
        self.shutdown()
        self.server_close()


@pytest.fixture
def hosts() -> Iterator[list[Host]]:
    with ExitStack() as running:
        made = [Host("/static/judge.0123456789ab.js"), Host("/static/judge.ba9876543210.js")]
        for host in made:
            running.callback(host.end)
        yield made


@pytest.fixture
def nginx(hosts: list[Host], tmp_path: Path) -> Iterator[str]:
    require(shutil.which("nginx"), "Install nginx to try its example.")
    upstream = example("upstream web")
    port = services.free_port()
    for address, host in zip(("10.0.0.1:8000", "10.0.0.2:8000"), hosts, strict=True):
        assert upstream.count(address) == 1
        upstream = upstream.replace(address, f"127.0.0.1:{host.server_port}")
    server = f"server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://web; }} }}"
    folders = "\n".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off;\n{folders}\n{upstream}\n{server} }}\n"
    )
    run = Installation(tmp_path / "data", tmp_path / "static")
    address = f"http://127.0.0.1:{port}"
    run.start("nginx", "-c", str(tmp_path / "nginx.conf"), own_group=True)
    wait_until(lambda: status(address) == 200, every=0.05)
    yield address
    run.end()


def status(address: str) -> int:
    try:
        return int(urllib.request.urlopen(address, timeout=10).status)
    except HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def test_each_page_gets_its_scripts(nginx: str) -> None:
    for script in ("judge.0123456789ab.js", "judge.ba9876543210.js"):
        assert {status(f"{nginx}/static/{script}") for _try in range(TRIES)} == {200}
    assert {status(f"{nginx}/static/unknown.js") for _try in range(TRIES)} == {404}


def test_pages_come_while_one_host_is_stopped(nginx: str, hosts: list[Host]) -> None:
    hosts[0].end()
    assert {status(f"{nginx}/") for _try in range(TRIES)} == {200}
