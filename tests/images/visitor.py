"""A person who prepares, judges and reads a project in a browser, on a site anywhere."""

import re
import shutil

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.judging_page import place_by_click, plan, submit
from tests.installation import TEXT

# Milliseconds.
TIMEOUT = 60_000
SYSTEMS = ("north", "south")


class Visitor:
    """A browser window of its own; use it in a `with` statement."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> "Visitor":
        self._playwright = sync_playwright().start()
        self._browser: Browser = self._playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--no-sandbox"],
        )
        self.page: Page = self._browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.set_default_timeout(TIMEOUT)
        expect.set_options(timeout=TIMEOUT)
        return self

    def __exit__(self, *_problem: object) -> None:
        self._browser.close()
        self._playwright.stop()

    def sign_in(self, name: str, password: str) -> None:
        self.page.goto(f"{self.address}/sign-in/")
        self.page.locator("#id_username").fill(name)
        self.page.locator("#id_password").fill(password)
        self.page.locator("form:has(#id_password) button[type=submit]").click()
        expect(self.page.locator("#id_password")).to_have_count(0)

    def prepare(self, name: str, lines: int = 40) -> int:
        """Upload texts, accept the preview, wait for the preparation, open; return the project."""
        page = self.page
        page.goto(f"{self.address}/projects/new/")
        sources, north = zip(*(TEXT[number % len(TEXT)] for number in range(lines)), strict=True)
        south = [" ".join(reversed(line.split())) for line in north]
        files = [
            {
                "name": f"{name}.txt",
                "mimeType": "text/plain",
                "buffer": "".join(f"{line}\n" for line in texts).encode(),
            }
            for name, texts in (("source", sources), ("north", north), ("south", south))
        ]
        page.locator("input[type=file]").first.set_input_files(files)  # type: ignore[arg-type]
        page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
        page.locator("#id_name").fill(name)
        page.locator("#id_source_language").select_option("en")
        page.locator("#id_target_language").select_option("cs")
        page.locator("#files button[name=go-on]").click()
        # A worker computes the preview.
        expect(page.locator(".shown:visible").first).to_be_visible()
        page.locator("#lengths button[name=go-on]").click()
        page.locator("button[name=prepare]").click()
        page.wait_for_url("**/preparing/")
        expect(page.locator(".ready")).to_be_visible()
        with page.expect_navigation():
            page.locator(".ready button[value=open]").click()
        found = re.search(r"/projects/(\d+)/", page.url)
        assert found, page.url
        return int(found[1])

    def judge(self, project: int) -> None:
        """Place every candidate of a sentence, and submit it."""
        self.page.goto(f"{self.address}/projects/{project}/judge/")
        places = plan(self.page)
        assert places
        place_by_click(self.page, places)
        submit(self.page)

    def read_report(self, project: int, *, new: bool = False) -> None:
        """Wait until the report, or a `new` one, ranks the systems; download a figure of it."""
        page = self.page
        page.goto(f"{self.address}/projects/{project}/report/")
        rows = page.locator("#ranking-ratio_of_wins tbody tr")
        expect(rows).to_have_count(len(SYSTEMS))
        if new:
            with page.expect_navigation():
                page.locator("form[action$='/report/refresh/'] button").first.click()
            expect(rows).to_have_count(len(SYSTEMS))
        drawn = page.request.get(
            f"{self.address}/projects/{project}/report/figures/win-rates.png", timeout=TIMEOUT
        )
        assert drawn.ok, drawn.status
        assert drawn.body().startswith(b"\x89PNG")

    def judged(self, project: int) -> int:
        """Return how many sentences the person has submitted."""
        self.page.goto(f"{self.address}/projects/{project}/mine/")
        return int(str(self.page.locator("#submitted").get_attribute("data-assignments")))
