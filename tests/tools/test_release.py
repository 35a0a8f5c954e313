"""What `make release` refuses, packs and compares."""

import gzip
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.installation import REPOSITORY
from tools.release.__main__ import unready
from tools.release.comparison import difference
from tools.release.files import context

RELEASED = {
    "CHANGELOG.md": "# Changelog\n\n## [1.2.0] - 2027-01-31\n",
    "CITATION.cff": "title: SegRanks\nversion: 1.2.0\nlicense: Apache-2.0\n",
}


@pytest.mark.parametrize(
    ("changed", "uncommitted", "problem"),
    [
        ({}, {}, ""),
        ({}, {"new.py": ""}, "new.py"),
        ({"CHANGELOG.md": "## [1.2.0]\n"}, {}, "CHANGELOG.md"),
        ({"CITATION.cff": "version: 1.1.0\n"}, {}, "CITATION.cff"),
    ],
)
def test_a_clone_that_is_no_release_is_refused(
    changed: dict[str, str], uncommitted: dict[str, str], problem: str, tmp_path: Path
) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=jana", "-c", "user.email=jana@example.org")
        subprocess.run(["git", "-C", tmp_path, *who, *arguments], check=True, capture_output=True)

    git("init")
    for name, text in (RELEASED | changed).items():
        (tmp_path / name).write_text(text)
    git("add", ".")
    git("commit", "--message", "Release")
    for name, text in uncommitted.items():
        (tmp_path / name).write_text(text)

    found = unready(tmp_path, "1.2.0")

    assert problem in found
    assert bool(found) == bool(problem)


def test_what_images_are_built_from_has_no_tests_or_data() -> None:
    files = context(REPOSITORY)
    assert {"Dockerfile", "docker-compose.yml", "manage.py", "people/urls.py"} <= set(files)
    assert {"tools/eflomal/build.sh", "locale/cs/LC_MESSAGES/django.mo"} <= set(files)
    assert {"docs/index.md", "mkdocs.yml", "tools/docs/hooks.py"} <= set(files)
    # The documentation links to this one.
    tests = {name for name in files if name.startswith("tests/")}
    assert tests == {"tests/load/README.md"}
    assert not [name for name in files if name.startswith("tools/release")]
    assert not [name for name in files if name.endswith(".po")]


def wheel(path: Path, content: str, year: int) -> None:
    with zipfile.ZipFile(path / "a.whl", "w") as file:
        file.writestr(zipfile.ZipInfo("one"), "1")
        file.writestr(zipfile.ZipInfo("two", (year, 1, 1, 0, 0, 0)), content)


def package(path: Path, content: str, year: int) -> None:
    with (
        gzip.GzipFile(path / "a.tar.gz", "wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as file,
    ):
        for name, text, time in (("one", "1", 0), ("two", content, year)):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(text), time
            file.addfile(member, io.BytesIO(text.encode()))


@pytest.mark.parametrize("write", [wheel, package])
def test_the_first_member_that_differs_is_named(write, tmp_path: Path) -> None:
    for name, content, year in [
        ("first", "2", 1999),
        ("same", "2", 1999),
        ("other", "3", 1999),
        ("later", "2", 2000),
    ]:
        (tmp_path / name).mkdir()
        write(tmp_path / name, content, year)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.whl").touch()

    def found(name: str) -> str:
        return difference(tmp_path / "first", tmp_path / name)

    assert found("same") == ""
    assert "the content of two" in found("other")
    assert "times, owners or modes of two" in found("later")
    assert "only one of them has b.whl" in found("more")
