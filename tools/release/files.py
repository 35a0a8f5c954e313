"""The files of a release, built from a clone."""

import gzip
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from tools.release.bill_of_materials import bill_of_materials

# Beside what .dockerignore leaves: what builds and starts the images.
BUILD_FILES = (".dockerignore", "Dockerfile", "docker-compose.yml")


@dataclass(frozen=True)
class Build:
    """Builds files of this version from the folder `root` into the folder `into`."""

    root: Path
    into: Path
    version: str
    environment: dict[str, str]

    def run(self, *command: str | Path) -> None:
        """Run the command. Its output is printed only if it fails; then, exit."""
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            sys.exit(f"{done.stdout}\n{' '.join(map(str, command))}: exit status {done.returncode}")

    def package(self, *targets: str) -> None:
        """Build a wheel, a source package ("sdist"), or both."""
        chosen = (word for target in targets for word in ("--target", target))
        self.run(sys.executable, "-m", "hatchling", "build", "--directory", self.into, *chosen)

    def archive(self, name: str, folder: Path, files: Iterable[str]) -> None:
        """Write files of a folder as NAME.tar.gz, with nothing that differs between machines."""
        written = io.BytesIO()
        time = int(self.environment["SOURCE_DATE_EPOCH"])
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=written, mtime=time) as compressed,
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for file in sorted(files):
                content = (folder / file).read_bytes()
                member = tarfile.TarInfo(f"{name}/{file}")
                member.size, member.mtime = len(content), time
                member.mode = 0o755 if os.access(folder / file, os.X_OK) else 0o644
                archive.addfile(member, io.BytesIO(content))
        (self.into / f"{name}.tar.gz").write_bytes(written.getvalue())


def files_of_release(build: Build) -> None:
    """Build all files but the checksums."""
    build.package("sdist", "wheel")
    name = f"segranks-{build.version}"
    build.archive(f"{name}-images", build.root, context(build.root))
    # The clone has no environment of its own, if it is not the one that runs this.
    build.run("make", "docs", f"VENV={sys.prefix}")
    docs = build.root / ".docs"
    pages = [path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.is_file()]
    if "index.html" not in pages:
        sys.exit("`make docs` left no pages in .docs.")
    build.archive(f"{name}-docs", docs, pages)
    bill = bill_of_materials(build.root, build.version)
    (build.into / f"{name}.cdx.json").write_text(bill, encoding="utf-8")


def context(root: Path) -> list[str]:
    """Return the committed files that .dockerignore leaves, and what builds and starts images."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z"], check=True, stdout=subprocess.PIPE, text=True
    )
    files = listed.stdout.rstrip("\0").split("\0")
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    # As Git's, but each pattern is that of a whole path.
    patterns = [f"!/{line[1:]}" if line[0] == "!" else f"/{line}" for line in lines[1:] if line]
    ignored = GitIgnoreSpec.from_lines(patterns)
    return [file for file in files if file in BUILD_FILES or not ignored.match_file(file)]
