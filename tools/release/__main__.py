"""Build the files of a release in dist/: `python -m tools.release`.

All are built a second time in a fresh clone, in another folder and under other settings, and the
wheel a third time from the source package. A file that differs is named, and the exit status is 1.
With --check, only find out whether this clone can be released.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from tools.release.comparison import difference
from tools.release.files import Build, files_of_release

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
# What may differ between two people who build the same commit.
ELSEWHERE = {
    "HOME": "/nonexistent",
    "LANG": "C",
    "LC_ALL": "C",
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONHASHSEED": "20260101",
    "TZ": "Pacific/Kiritimati",
    "USER": "other",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    version = version_of(ROOT)
    if problem := unready(ROOT, version):
        sys.exit(problem)
    if options.check:
        print(f"This clone can be released as {version}.")
        return
    shutil.rmtree(DIST, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    environment["SOURCE_DATE_EPOCH"] = git(ROOT, "log", "-1", "--format=%ct")
    first = Build(ROOT, DIST, version, environment)
    started = time.monotonic()
    files_of_release(first)
    print(f"Built the files in {time.monotonic() - started:.0f} s.", flush=True)
    with tempfile.TemporaryDirectory(prefix="segranks-release-") as folder:
        umask = os.umask(0o077)
        problem = built_again(first, Path(folder))
        os.umask(umask)
    print(f"Built them again and compared them: {time.monotonic() - started:.0f} s in all.")
    if problem:
        sys.exit(f"The release cannot be built again from its commit: {problem}")
    files = sorted(path for path in DIST.iterdir())
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for path in files:
        print(f"{path.stat().st_size / 1e6:8.2f} MB  dist/{path.name}")


def version_of(root: Path) -> str:
    settings = (root / "segranks" / "settings.py").read_text(encoding="utf-8")
    [version] = re.findall(r'^VERSION = "(.+)"$', settings, re.MULTILINE)
    return str(version)


def unready(root: Path, version: str) -> str:
    """Return why the clone cannot be released, "" if it can."""
    if changed := git(root, "status", "--porcelain"):
        return f"These files are not committed, so the release would not be a commit:\n{changed}"
    log = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", log, re.MULTILINE):
        return f"CHANGELOG.md has no section with a date for {version}: ## [{version}] - YYYY-MM-DD"
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        return f"CITATION.cff is of another version than {version}, which segranks/settings.py has."
    return ""


def built_again(first: Build, folder: Path) -> str:
    """Build the files in new folders below this one. Return the first difference, or ""."""
    clone = folder / "a clone"
    git(first.root, "clone", "--quiet", "--no-hardlinks", str(first.root), str(clone))
    elsewhere = first.environment | ELSEWHERE
    second = Build(clone, folder / "second", first.version, elsewhere)
    files_of_release(second)
    if found := difference(first.into, second.into):
        return found
    with tarfile.open(first.into / f"segranks-{first.version}.tar.gz") as package:
        package.extractall(folder, filter="data")
    source = folder / f"segranks-{first.version}"
    third = Build(source, folder / "third", first.version, elsewhere)
    third.package("wheel")
    found = difference(first.into, third.into)
    return found and f"built from the source package, {found}"


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", root, *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    main()
