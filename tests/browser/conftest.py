"""One running SegRanks for all browser tests, and browser windows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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

from tests.browser.axe import Inspector
from tests.browser.site import Site
from tests.conftest import copy_tables
from tests.installation import Installation

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
# Milliseconds. Generous: the browser and the server share a machine that may be slow.
TIMEOUT = 30_000
expect.set_options(timeout=TIMEOUT / 2)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all browser tests."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, static_root: Path, tables: Path, chromium: str
) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("data")
    copy_tables(tables, data / "segranks.sqlite3")
    installation = Installation(
        data, static_root, SELF_REGISTRATION="1", WEBHOOK_HOSTS="hooks.example"
    )
    try:
        yield Site.start(installation)
    finally:
        installation.end()


# Not for the whole session: while Playwright runs, Django takes database calls of other tests for
# calls from asynchronous code and refuses them.
@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """One person's browser window, and all errors that it reported."""

    site: Site
    context: BrowserContext
    page: Page
    name: str = ""
    complaints: list[str] = field(default_factory=list)
    excused: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._on_request(request.url))

    def sign_in(self, role: str = "annotator", project: int = 0) -> None:
        """Sign in as a new member of the project, by default the one that all tests share."""
        self.name, cookie = self.site.add_user(role, project or self.site.project)
        self._set_session(cookie)

    def sign_in_as_administrator(self) -> None:
        """Sign in as the administrator of the whole site."""
        self.name = "admin"
        self._set_session(self.site.session_of("admin"))

    def sign_in_like(self, other: "Visitor") -> None:
        """Sign in as the same person on another device, which is this window."""
        self.name = other.name
        self.context.add_cookies(other.context.cookies())  # type: ignore[arg-type]

    def judge(self, project: int = 0) -> None:
        """Sign in as a new annotator and open the judging page."""
        self.sign_in(project=project)
        self.page.goto(self.site.url("judge", project))

    def excuse(self, *words: str) -> None:
        """Accept console messages with these words, such as the status of a refused request."""
        self.excused += words

    def unexcused(self) -> list[str]:
        return [line for line in self.complaints if not any(word in line for word in self.excused)]

    def _set_session(self, cookie: str) -> None:
        self.context.add_cookies(
            [{"name": "sessionid", "value": cookie, "url": self.site.address, "httpOnly": True}]
        )

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
    """Open windows with the given options; fail if any of them reported an error."""
    visitors: list[Visitor] = []

    def open_window(**options: Any) -> Visitor:
        defaults = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
        context = browser.new_context(**(defaults | options))
        context.set_default_timeout(TIMEOUT)
        visitor = Visitor(site, context, context.new_page())
        visitor.watch()
        visitors.append(visitor)
        return visitor

    yield open_window
    for visitor in visitors:
        visitor.context.close()
    assert [line for visitor in visitors for line in visitor.unexcused()] == []


@pytest.fixture(
    params=[
        pytest.param(("en", False), id="once"),
        pytest.param(("en", True), id="everywhere", marks=pytest.mark.slow),
        pytest.param(("cs", False), id="czech", marks=pytest.mark.slow),
    ]
)
def inspected(request: pytest.FixtureRequest, visit: Callable[..., Visitor]) -> Iterator[Inspector]:
    """A window whose pages are checked by axe: once, or on all screens and in Czech (`slow`)."""
    locale, everywhere = request.param
    # Nothing moves while axe looks, and no animation takes the time of the processor.
    visitor = visit(locale=locale, reduced_motion="reduce")
    inspector = Inspector(visitor, everywhere=everywhere)
    yield inspector
    assert inspector.found == []
