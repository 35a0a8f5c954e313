"""Checks a page with axe-core, a checker of accessibility, and that no content overflows it."""

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from tests.browser.conftest import Visitor

AXE = next(Path(__file__).parent.glob("vendor/axe-core-*/axe.min.js")).read_text()
# The default rules and the size of targets. Axe does not list what passes, which would take a third
# of the time. Transitions end first: axe would take the colours in the middle of one for those that
# people read. Bars stop being sticky meanwhile: what one of them half covers at this position
# of the page, people scroll to.
RUN = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  // A cancelled animation rejects.
  await Promise.allSettled(document.getAnimations().map(animation => animation.finished));
  const bars = [...document.querySelectorAll("body *")].filter(
    element => getComputedStyle(element).position === "sticky");
  bars.forEach(bar => { bar.style.position = "static"; });
  const result = await axe.run({
    rules: {"target-size": {enabled: true}},
    resultTypes: ["violations"],
  });
  bars.forEach(bar => { bar.style.position = ""; });
  return result.violations.flatMap(rule => rule.nodes.map(
    node => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}


class Inspector:
    """Collects what axe finds on the pages of one window."""

    def __init__(self, visitor: "Visitor", *, everywhere: bool = False) -> None:
        """`everywhere` checks each page wide and narrow, light and dark, else narrow and light."""
        self.visitor = visitor
        self.page: Page = visitor.page
        self.found: list[str] = []
        self._sizes = (WIDE, NARROW) if everywhere else (NARROW,)
        self._schemes = ("light", "dark") if everywhere else ("light",)
        # The console reports expected statuses, and a request of axe that has no address.
        visitor.excuse("server responded with a status", "'url': ''")

    def look(self, name: str) -> None:
        wait_for_report(self.page)
        before = self.page.viewport_size
        self.page.wait_for_load_state()
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE)
        for size in self._sizes:
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            if overflow := overflow_of(self.page):
                self.found.append(f"{name}: {overflow} px wider than {size['width']} px")
            for scheme in self._schemes:
                self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                complaints = self.page.evaluate(RUN)
                self.found += [f"{name}, {size['width']} {scheme}: {c}" for c in complaints]
        if before:
            self.page.set_viewport_size(before)


def wait_for_report(page: Page) -> None:
    """Wait until the page does not reload itself to show a report or an evaluation.

    Until then it may show an earlier one.
    """
    expect(page.locator("[data-waiting=yes]")).to_have_count(0, timeout=60_000)


def overflow_of(page: Page) -> int:
    """Return by how many pixels the content is wider than the window."""
    return int(page.evaluate("Math.max(document.documentElement.scrollWidth - innerWidth, 0)"))
