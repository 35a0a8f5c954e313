"""Files that one web host takes, and that a worker and the other web host read: no common folder.

    python -m tests.hosts.uploads SERVER SITE TOKEN FOLDER

By the API, through the proxy: a preview of uploaded texts, a project of ready-made segments, and a
picture beside a line, asked for in parts and so often that both web hosts send it. Prints one line
that says what was done; fails where an answer is not as it should be.
"""

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import requests

from tests.hosts.cluster import ADDRESS, HOSTS, PEOPLE, SITE, Cluster
from tests.installation import REPOSITORY
from tests.load.exchange import write_files

OWNER = """
from annotation.models import User
User.objects.create_superuser("owner")
"""
SENTENCES = 60
# What begins as a picture does.
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
WITHIN = 120.0
# Requests of one medium, which the proxy sends to both web hosts in turn.
REQUESTS = 6


def upload(cluster: Cluster, folder: Path) -> str:
    """Upload files from the host of the annotators, and return what was done."""
    cluster.manage("shell", "--no-imports", "-c", OWNER)
    asked = ["create_token", "uploads", "--user", "owner", "--scope", "write"]
    token = cluster.manage(*asked).strip().splitlines()[-1]
    folder.mkdir()
    write_files(folder, SENTENCES)
    server = ADDRESS.format(HOSTS.index("proxy") + 1)
    program = [sys.executable, "-m", "tests.hosts.uploads", server, SITE, token, str(folder)]
    return cluster.hosts[PEOPLE].run(*program, folder=str(REPOSITORY)).strip()


class Client:
    """A program with a token."""

    def __init__(self, server: str, site: str, token: str) -> None:
        self._address = f"http://{server}/api/v1/"
        self._session = requests.Session()
        self._session.headers.update({"Host": site, "Authorization": f"Bearer {token}"})

    def ask(self, method: str, path: str, status: int, **options: Any) -> requests.Response:
        answer = self._session.request(
            method, self._address + path, timeout=60, allow_redirects=False, **options
        )
        assert answer.status_code == status, (path, answer.status_code, answer.text[:500])
        return answer

    def wait(self, path: str, states: set[str]) -> str:
        """Return the state, one of these, that what is at the path gets in time."""
        deadline = time.monotonic() + WITHIN
        while (state := self.ask("GET", path, 200).json()["state"]) not in states:
            assert time.monotonic() < deadline, (path, state)
            time.sleep(0.3)
        return str(state)


def main(server: str, site: str, token: str, folder: Path) -> None:
    client = Client(server, site, token)
    details = {"source_language": "en", "target_language": "cs"}
    lines = [f"The old house number {number} stands there ." for number in range(SENTENCES)]
    others = [f"Starý dům číslo {number} tam stojí ." for number in range(SENTENCES)]
    with ExitStack() as opened:
        texts = [
            ("source", ("source.txt", "\n".join(lines))),
            ("systems", ("one.txt", "\n".join(others))),
            ("systems", ("two.txt", "\n".join(line.lower() for line in others))),
        ]
        preview = client.ask(
            "POST", "projects/preview/", 202, data=details | {"name": "Previewed"}, files=texts
        ).json()
        state = client.wait(f"projects/preview/{preview['id']}/", {"made", "failed"})
        assert state == "made", state
        ready = {
            name: (f"{name}.tsv", opened.enter_context((folder / file).open("rb")))
            for name, file in (("ready_segments", "segments"), ("ready_systems", "systems"))
        }
        project = client.ask(
            "POST", "projects/", 201, data=details | {"name": "Uploaded"}, files=ready
        ).json()
    path = f"projects/{project['id']}/"
    state = client.wait(path, {"open", "paused", "failed"})
    assert state != "failed", state
    sent = {"file": ("1.png", PICTURE)}
    [medium] = client.ask("POST", f"{path}media/", 201, files=sent).json()["results"]
    for number in range(REQUESTS):
        first = number * 10
        part = client.ask(
            "GET",
            f"{path}media/{medium['id']}/",
            206,
            headers={"Range": f"bytes={first}-{first + 9}"},
        )
        assert part.content == PICTURE[first : first + 10]
    print(
        f"A worker previewed {SENTENCES} uploaded lines and imported segments of as many; "
        f"{REQUESTS} parts of a medium came from both web hosts."
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
