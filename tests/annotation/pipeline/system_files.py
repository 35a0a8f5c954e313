"""The outputs of a system that is added to the project of `make_project`."""

from pathlib import Path

from annotation.models import Project, System
from annotation.pipeline.system_outputs import read_system, store_system

# The source is "the old house stands near the river": segments 0-2 and 4-6.
LINKS = "0-0 1-0 2-1 4-2 5-2 6-3"


def files(folder: Path, *lines: str) -> tuple[Path, Path]:
    text, links = folder / "D.txt", folder / "D.links"
    text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    links.write_text("".join(f"{LINKS if line else ''}\n" for line in lines), encoding="utf-8")
    return text, links


def store(
    project: Project,
    name: str,
    path: Path,
    links: Path | None = None,
    *,
    tokenized: bool = False,
    judge: int | None = None,
) -> System:
    with read_system(
        project=project, name=name, path=path, links=links, tokenized=tokenized, judge=judge
    ) as read:
        return store_system(read)
