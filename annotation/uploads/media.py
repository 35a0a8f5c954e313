"""Media of a project from uploaded files, and from files of this machine."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.formats.errors import InputError
from annotation.formats.media_files import read_media_table
from annotation.models import Media, Project
from annotation.projects import media
from annotation.uploads.file_detection import is_zip, shown_name
from annotation.uploads.unpacking import opened_zip

# A file that is not read yet: its name, and what opens it.
Closed = tuple[str, Callable[[], AbstractContextManager[IO[bytes]]]]


def add_uploaded_media(
    *,
    project: Project,
    sent: Iterable[TemporaryUploadedFile],
    table: TemporaryUploadedFile | None = None,
) -> list[Media]:
    """Store uploaded files beside lines of the source, those in zips too; return their rows.

    `table` is a file with the line of each one. Raises what `projects.media.add_media` does, and
    Refused for a zip.
    """
    files: list[Closed] = [(_name(str(file.name)), partial(_opened, file)) for file in sent]
    if table is None:
        return _add(project, files, None)
    path = Path(table.temporary_file_path())
    try:
        return _add(project, files, path)
    except InputError as problem:
        raise problem.with_names({str(path): shown_name(str(table.name)) or "?"}) from problem


def _opened(file: TemporaryUploadedFile) -> AbstractContextManager[IO[bytes]]:
    file.seek(0)
    content: IO[bytes] = file.file  # type: ignore[assignment]
    return nullcontext(content)


def _name(given: str) -> str:
    """Return the name of a file without folders, as it is shown."""
    return PurePosixPath(shown_name(given)).name or "?"


def _add(project: Project, files: list[Closed], table: Path | None) -> list[Media]:
    # Before anything is read.
    media.refuse_unseen(project)
    lines = read_media_table(table) if table else None
    with ExitStack() as zips:
        unpacked = [each for one in files for each in _unpacked(*one, zips)]
        return media.add_media(project=project, files=_one_by_one(unpacked), table=lines)


def _one_by_one(files: Iterable[Closed]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield each file opened until the next one."""
    for name, opened in files:
        with opened() as content:
            yield name, content


def _unpacked(
    name: str, opened: Callable[[], AbstractContextManager[IO[bytes]]], zips: ExitStack
) -> list[Closed]:
    """Return the file, or the entries of a zip, which stays open with `zips`. Raise Refused."""
    with opened() as content:
        if not is_zip(content.read(8)):
            return [(name, opened)]
    archive, entries = zips.enter_context(
        opened_zip(name, zips.enter_context(opened()), int(settings.MAX_MEDIA_BYTES))
    )
    return [(_name(entry.filename), partial(archive.open, entry)) for entry in entries]
