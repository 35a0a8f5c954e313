"""The documentation as a site: it can be built, shows what code hosts show, and has screenshots."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.installation import REPOSITORY

PAGES = [path.relative_to(REPOSITORY / "docs") for path in (REPOSITORY / "docs").rglob("*.md")]
IMAGE = re.compile(r"!\[[^]]+\]\((?:\.\./)?images/([^)]+)\)")
TAG = re.compile(r"<(h\d|li|table|tr|th|td|pre|code|img|em|strong|blockquote)[ />]")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built twice: its links and its pages are checked by the build."""
    first, second = (tmp_path_factory.mktemp("site") for _time in range(2))
    for folder in (first, second):
        options = ("--strict", "--site-dir", folder)
        command = (sys.executable, "-m", "mkdocs", "build", *options)
        built = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
    assert contents(first) == contents(second)
    return first


def contents(folder: Path) -> dict[Path, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_has_the_lists_tables_and_code_that_code_hosts_show(site: Path, page: Path) -> None:
    folder = page.parent if page.name in {"README.md", "index.md"} else page.with_suffix("")
    html = (site / folder / "index.html").read_text(encoding="utf-8")
    [shown] = re.findall(r"<article.*?>(.*)</article>", html, re.DOTALL)
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    expected = MarkdownIt().enable("table").render(text)
    assert Counter(TAG.findall(shown)) == Counter(TAG.findall(expected))


@pytest.mark.process
def test_each_screenshot_that_pages_name_can_be_taken(chromium: str, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "tools.docs.screenshots", tmp_path)
    taken = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert taken.returncode == 0, taken.stderr
    pages = (REPOSITORY / "docs" / page for page in PAGES)
    named = {name for page in pages for name in IMAGE.findall(page.read_text(encoding="utf-8"))}
    stored = {path.name for path in (REPOSITORY / "docs" / "images").iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == named == stored
