"""A running SegRanks with its demo project, and a browser that looks at it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.conftest import copy_tables
from tests.installation import Installation, Process, wait_until

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
NUMBERS = count(1)
# The demo project has forty sentences: so many people may have one before all are given back.
MOST_PEOPLE = 15
# Milliseconds: several browsers, servers and aligners share a machine that may be slow.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE / 2)


@dataclass
class Site:
    """The installation under test: its address, its demo project, and what it has stored."""

    installation: Installation
    process: Process
    project: int = 0
    people: int = 0

    @property
    def address(self) -> str:
        return self.process.address

    @property
    def judge(self) -> str:
        return f"{self.address}/projects/{self.project}/judge/"

    def add_user(self, role: str = "annotator") -> tuple[str, str]:
        """Add somebody to the demo project; return the name and the sign-in link."""
        self.people += 1
        name = f"person{next(NUMBERS)}"
        said = self.installation.call(
            "add_user", name, "--project", "Demo", "--role", role, "--address", self.address
        )
        return name, said.split()[-1]

    def give_back_sentences(self) -> None:
        """Take what they have not submitted from all who have left, once they are many."""
        if self.people < MOST_PEOPLE:
            return
        self.installation.query(
            "[Draft.objects.filter(assignment__state='open').delete()[0],"
            " ShownCandidate.objects.filter(assignment__state='open').delete()[0],"
            " Assignment.objects.filter(state='open').delete()[0]]"
        )
        self.people = 0

    def placements(self, name: str) -> dict[str, str]:
        """Return what is stored of the one sentence that this person has submitted.

        As the page had it: "<segment>-<position>" → rank or "garbage".
        """
        shown, placed = self.installation.query(
            "[list(rows) for rows in ("
            "ShownCandidate.objects.filter(assignment__state='submitted',"
            f" assignment__annotator__username={name!r}).order_by('candidate__segment')"
            ".values_list('candidate__segment', 'position', 'candidate'),"
            "Placement.objects.filter(judgement__submission__current=True,"
            f" judgement__submission__assignment__annotator__username={name!r})"
            ".values_list('candidate', 'rank'))]"
        )
        ranks = dict(placed)
        segments = list(dict.fromkeys(segment for segment, _position, _candidate in shown))
        return {
            f"{segments.index(segment) + 1}-{position}": str(ranks[candidate] or "garbage")
            for segment, position, candidate in shown
        }


@pytest.fixture(scope="package")
def site(
    tmp_path_factory: pytest.TempPathFactory, static_root: Path, tables: Path, chromium: str
) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("data")
    copy_tables(tables, data / "segranks.sqlite3")
    installation = Installation(
        data,
        static_root,
        DJANGO_SETTINGS_MODULE="tests.browser.quick_settings",
        SELF_REGISTRATION="1",
        WEBHOOK_HOSTS="hooks.example",
    )
    try:
        made = Site(installation, installation.up())
        wait_until(lambda: _open_projects(installation))
        made.project = _open_projects(installation)[0]
        yield made
    finally:
        installation.end()


def _open_projects(installation: Installation) -> list[int]:
    ids: list[int] = installation.query(
        "list(Project.objects.filter(name='Demo', state='open').values_list('pk', flat=True))"
    )
    return ids


# Not for the whole session: while it is there, Django thinks that its database calls are made
# from asynchronous code and refuses them.
@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """One person's browser window, and all that went wrong in it."""

    site: Site
    context: BrowserContext
    page: Page
    name: str = ""
    complaints: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._on_request(request.url))

    def sign_in(self, role: str = "annotator") -> None:
        """Be added to the demo project, and follow the one-time link."""
        self.name, link = self.site.add_user(role)
        self.page.goto(link)
        self.page.locator("main form button").click()
        self.page.wait_for_url("**/password/")

    def sign_in_by_password(self, name: str, password: str) -> None:
        """Fill in and send the form of the page for signing in."""
        self.page.locator("#id_username").fill(name)
        self.page.locator("#id_password").fill(password)
        self.page.locator("#id_password").press("Enter")
        self.page.wait_for_load_state()

    def judge(self) -> None:
        """Sign in and open the judging page of the demo project."""
        self.sign_in()
        self.page.goto(self.site.judge)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.text} ({message.location})")

    def _on_request(self, url: str) -> None:
        parts = urlsplit(url)
        if (
            parts.scheme not in {"data", "blob"}
            and parts.netloc != urlsplit(self.site.address).netloc
        ):
            self.complaints.append(f"another host was asked: {url}")


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Open a window with these options; at the end nothing may have gone wrong in any of them."""
    site.give_back_sentences()
    visitors: list[Visitor] = []

    def open_window(**options: Any) -> Visitor:
        defaults = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
        context = browser.new_context(**(defaults | options))
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(site, context, context.new_page())
        visitor.watch()
        visitors.append(visitor)
        return visitor

    yield open_window
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []
