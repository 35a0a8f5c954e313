"""What a sentence costs the web: `python -m tests.load.cycle [--sentences 1000] [--times 200]`.

Where `tests.load.campaign` measures a server under load, this asks one process, as gunicorn would
and without a network between, for three drafts and a submission, whose answer has the next sheet,
over and over, and now and then for the page. It prints queries and milliseconds of processor time
of each: the median, and the least, which other work on the machine cannot lower. A page that does
nothing is the baseline. `--profile KIND` prints instead where the time of these requests goes.
"""

import argparse
import cProfile
import io
import json
import os
import pstats
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.load.annotators import ADDRESS, DRAFTS, FRAME, TOKEN, found, placements
from tests.load.figures import machine
from tests.load.served import site

KINDS = ("nothing", "page", "draft", "submission")


@dataclass
class Browser:
    """A signed-in annotator, and what the requests cost."""

    application: Any
    session: str
    profiled: str | None
    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    queries: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    profile: cProfile.Profile = field(default_factory=cProfile.Profile)
    token: str = ""
    sheet: str = ""
    frame: str = ""

    def ask(self, kind: str, method: str, address: str, body: Any = None) -> str:
        """Answer one request and return the text of it."""
        content = b"" if body is None else json.dumps(body).encode()
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": urlsplit(address).path,
            "QUERY_STRING": "",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1:8000",
            "HTTP_COOKIE": f"sessionid={self.session}; csrftoken={self.token}".removesuffix(
                "; csrftoken="
            ),
            "HTTP_X_CSRFTOKEN": self.token,
            "HTTP_ACCEPT_LANGUAGE": "en",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(content)),
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
        }
        answered: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], *_rest: object) -> None:
            answered.update(status=status, headers=headers)

        with self._counted(kind):
            answer = self.application(environ, start)
            text = b"".join(answer).decode()
            answer.close()
        assert answered["status"][:3] in ("200", "201"), (kind, answered["status"], text[:300])
        for name, value in answered["headers"]:
            if name == "Set-Cookie" and value.strip().startswith("csrftoken="):
                self.token = value.split("=", 1)[1].split(";")[0]
        return text

    @contextmanager
    def _counted(self, kind: str) -> Iterator[None]:
        asked = 0

        def count(execute: Any, *rest: Any) -> Any:
            nonlocal asked
            asked += 1
            return execute(*rest)

        from django.db import connection

        profiled = kind == self.profiled
        with connection.execute_wrapper(count):
            if profiled:
                self.profile.enable()
            began = time.process_time()
            yield
            self.milliseconds[kind].append(1000 * (time.process_time() - began))
            if profiled:
                self.profile.disable()
        self.queries[kind].append(asked)

    def judge(self, project: int) -> None:
        self.ask("nothing", "GET", "/healthz")
        if not self.sheet:
            self.sheet = self.ask("page", "GET", f"/projects/{project}/judge/")
            self.frame = found(FRAME, self.sheet)
        addresses, choices = dict(ADDRESS.findall(self.sheet)), placements(self.sheet)
        for version in range(DRAFTS):
            placed = dict(list(choices.items())[: -(-len(choices) * (version + 1) // DRAFTS)])
            draft = {"base": version, "choices": placed, "active_seconds": 7.5}
            self.ask("draft", "PUT", addresses["draft"], draft)
        judged = {"token": found(TOKEN, self.sheet), "choices": choices, "active_seconds": 30.0}
        answer = self.ask(
            "submission", "POST", addresses["submission"], judged | {"frame": self.frame}
        )
        self.sheet = json.loads(answer)["next"] or ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--profile", choices=KINDS[1:])
    options = parser.parse_args()
    with site() as made:
        made.make_project(options.sentences, judges=5)
        project, sessions = made.sign_in(4)
        made.manage("collectstatic", "--noinput", "-v0")
        os.environ.update(made.environment)
        import django

        django.setup()
        from segranks.wsgi import application

        browsers = [Browser(application, session, options.profile) for session in sessions]
        print(machine())
        for number in range(options.times):
            if number == options.times // 4:
                for browser in browsers:
                    # Before, modules and templates are loaded.
                    browser.milliseconds.clear()
                    browser.queries.clear()
                    browser.profile.clear()
            browser = browsers[number % len(browsers)]
            if number // len(browsers) % 10 == 0:
                browser.sheet = ""
            browser.judge(project)
        show(browsers)
        if options.profile:
            stats = pstats.Stats(browsers[0].profile)
            for browser in browsers[1:]:
                stats.add(browser.profile)
            stats.sort_stats("tottime").print_stats(45)
            stats.sort_stats("cumtime").print_stats(90)
        from django.db import connection

        connection.close()


def show(browsers: list[Browser]) -> None:
    print(f"{'':12}{'queries':>8}{'median':>8}{'least':>8}  ms of processor time")
    whole = [0.0, 0.0]
    for kind in KINDS:
        spent = [one for browser in browsers for one in browser.milliseconds[kind]]
        asked = max(one for browser in browsers for one in browser.queries[kind])
        median, least = statistics.median(spent), min(spent)
        print(f"{kind:12}{asked:8}{median:8.2f}{least:8.2f}")
        # A sentence takes no page of its own.
        if times := {"draft": DRAFTS, "submission": 1}.get(kind):
            whole = [whole[0] + times * median, whole[1] + times * least]
    print(f"{'a sentence':20}{whole[0]:8.2f}{whole[1]:8.2f}")


if __name__ == "__main__":
    main()
