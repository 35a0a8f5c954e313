"""Marks of the words in which translations side by side differ."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.judging_page import submit
from tests.browser.site import Site

TEXTS = {
    "source": "The old house stands here.\n",
    "documents": "news/1\n",
    "alfa": "Starý dům stojí tady.\n",
    "beta": "Starý dům stojí zde.\n",
    "gama": "Stará budova stojí tady.\n",
}


@pytest.fixture
def project(site: Site, tmp_path: Path) -> int:
    """A project with one sheet, which one annotator judges."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    texts = ["--source", tmp_path / "source", "--documents", tmp_path / "documents"]
    files = {name: tmp_path / name for name in list(TEXTS)[2:]}
    systems = [part for name, path in files.items() for part in ("--system", f"{name}={path}")]
    kind = ["--languages", "en-cs", "--kind", "contrastive_error_spans"]
    given = map(str, ["create_project", tmp_path.name, *kind, *texts, *systems])
    site.installation.manage(*given)
    return int(site.query(f"Project.objects.get(name={tmp_path.name!r}).pk"))


def marked(page: Page) -> set[str]:
    return {text.strip(" .") for text in page.locator(".marked-text .differs").all_inner_texts()}


def test_differences_are_marked_beside_errors_and_stored(
    inspected: Any, site: Site, project: int
) -> None:
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    assert marked(page) == set()
    page.keyboard.press("d")
    assert marked(page) == {"zde", "Stará", "budova"}
    inspected.look("differences beside errors")
    # The words of the text are the same, and an error is marked over a difference.
    text = page.locator(".marked-text", has_text="budova")
    text.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("2")
    expect(text).to_have_text("Stará budova stojí tady.")
    expect(text.locator(".error")).to_have_text("Stará budova")
    assert marked(page) == {"zde", "Stará", "budova"}
    page.locator(".differences-switch").click()
    assert marked(page) == set()
    for field in page.locator(".score-number").all():
        field.fill("70")
        field.press("Tab")
    submit(page)
    assert site.query(
        f"list(Assignment.objects.filter(project={project}).values_list('aids', flat=True))"
    ) == [{"differences": True}]
