"""The wheel, installed into an environment of its own: a whole site without the checkout.

The wheel and SegRanks' own code come from the build. Third-party packages are those of the running
interpreter, because tests have no network: that pip finds and installs them is not tested here.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.judging_page import (
    expect_next_sentence,
    place_by_click,
    plan,
    segments,
    submit_button,
)
from tests.conftest import copy_tables, require
from tests.installation import REPOSITORY, Installation, Process

pytestmark = pytest.mark.process
# A former version had no webhooks: the upgrade makes their tables.
FORMER = ("webhooks", "zero")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hatchling = Path(sys.executable).with_name("hatchling")
    require(hatchling.exists(), "hatchling is missing: run `make development`.")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [hatchling, "build", "--target", "wheel", "--directory", folder],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("segranks-*.whl")
    return wheel


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `segranks` of a new environment."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = str(folder / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)],
        check=True,
    )
    (packages,) = folder.glob("lib/python*/site-packages")
    others = (path for path in sys.path if path.endswith("site-packages"))
    (packages / "others.pth").write_text("".join(f"{path}\n" for path in others))
    return folder / "bin" / "segranks"


class Packaged(Installation):
    """An installed package with its data folder; its commands run outside of the checkout."""

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__(folder / "segranks", folder / "unused")
        del self.environment["SEGRANKS_DATA"], self.environment["STATIC_ROOT"]
        self.environment |= {"XDG_DATA_HOME": str(folder), "PYTHONSAFEPATH": "1"}
        self._program = str(program)
        self.folder = folder

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.run(self._program, *arguments, check=check)

    def up(self, *options: str) -> Process:
        process = self.start(self._program, "up", "--port", "0", *options)
        process.wait_for_line("Press Ctrl-C")
        return process

    def stored(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.data / "segranks.sqlite3")) as connection:
            return connection.execute(query).fetchall()


@pytest.fixture
def packaged(program: Path, tmp_path: Path) -> Iterator[Packaged]:
    made = Packaged(program, tmp_path)
    yield made
    made.end()


def test_a_wheel_has_all_that_runs_and_nothing_else(wheel: Path, static_root: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        collected = "segranks/resources/.static/staticfiles.json"
        manifest = json.loads(archive.read(collected))
    resources = "segranks/resources/"
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rooms = {name.split("/")[0] for name in names if name.endswith("/apps.py")} | {"segranks"}
    modules = {name for name in tracked if name.split("/")[0] in rooms}
    besides = {
        resources + name
        for name in tracked
        if name.startswith(("templates/", "static/", "tools/eflomal/"))
        or name.endswith("django.mo")
    } | {f"{resources}requirements-eflomal.txt"}
    found = {
        name
        for name in names
        if not name.startswith((f"{resources}.static/", f"{resources}.docs/"))
        and ".dist-info/" not in name
    }
    assert found == modules | besides
    assert f"{resources}.docs/index.html" in names

    everything = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    left_out = everything.items() - manifest["paths"].items()
    assert manifest["paths"].items() <= everything.items()
    assert all("/redoc/" in name for name, _hashed in left_out)


def test_an_installed_package_judges_and_upgrades(
    packaged: Packaged, tables: Path, browser: Browser
) -> None:
    packaged.data.mkdir(mode=0o700)
    copy_tables(tables, packaged.data / "segranks.sqlite3")
    first = packaged.up()
    assert str(packaged.data) in first.lines[0]
    first.wait_for_line("Demo is prepared and open to judge.")
    with browser.new_context(base_url=first.address) as context:
        page = context.new_page()
        page.goto("/sign-in/")
        page.locator("input[name=username]").fill("annotator1")
        page.locator("input[name=password]").fill(first.passwords["annotator1"])
        page.locator("form:has(input[name=password]) [type=submit]").click()
        page.goto("/projects/1/judge/")
        segments(page)
        before = page.locator("input[name=assignment]").input_value()
        place_by_click(page, plan(page))
        submit_button(page).click()
        expect_next_sentence(page, before)
        # No script or style of the documentation breaks the policy of pages.
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto("/docs/")
        page.locator(".md-search__input").fill("bootstrap")
        expect(page.locator(".md-search-result__link").first).to_be_visible()
        assert complaints == []
    judgements = packaged.stored("SELECT * FROM annotation_judgement ORDER BY id")
    assert judgements
    assert first.interrupt() == 0

    packaged.manage("migrate", *FORMER, "--verbosity", "0")
    second = packaged.up()
    found = re.search(r"/\S+\.sqlite3", second.output)
    assert found, second.output
    with closing(sqlite3.connect(found.group())) as copy:
        rows = copy.execute("SELECT * FROM annotation_judgement ORDER BY id").fetchall()
    assert Path(found.group()).stat().st_mode & 0o077 == 0
    assert packaged.stored("SELECT * FROM annotation_judgement ORDER BY id") == rows == judgements
    assert second.interrupt() == 0


def test_other_code_in_our_place_is_one_sentence(packaged: Packaged) -> None:
    other = packaged.folder / "other"
    (other / "people").mkdir(parents=True)
    (other / "people" / "__init__.py").touch()
    packaged.environment["PYTHONPATH"] = str(other)
    result = packaged.manage("help", check=False)
    assert result.returncode == 1
    assert str(other / "people") in result.stderr
    assert len(result.stderr.splitlines()) == 1

    del packaged.environment["PYTHONPATH"]
    (ours,) = Path(packaged._program).parent.parent.glob("lib/python*/site-packages/api/urls.py")
    content = ours.read_bytes()
    ours.write_bytes(content + b"# of another\n")
    try:
        result = packaged.manage("help", check=False)
    finally:
        ours.write_bytes(content)
    assert result.returncode == 1
    assert str(ours) in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not os.path.exists(packaged.data)
