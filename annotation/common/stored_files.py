"""The files of uploads and media, which all web processes and workers read.

They are in Django's default storage: a folder, or the database where hosts share no folder. Each
host has a folder of its own besides (`MEDIA_ROOT`), in which a file has the same name: the storage
itself, or copies of what was read here as a path. Content never changes under a name, so that no
copy is ever out of date.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from annotation.process import clock

# The folders of the storage: a folder in it for each upload, and for each project.
UPLOADS: Final = "uploads"
MEDIA: Final = "media"
_CHUNK: Final = 1024 * 1024


# --- on this host -------------------------------------------------------------------------------


def path_of(name: str) -> Path:
    """Return where this host has the stored file, or would have its copy."""
    return Path(settings.MEDIA_ROOT) / name


def name_of(path: Path) -> str:
    """Return the name of the stored file that has this path."""
    return path.relative_to(settings.MEDIA_ROOT).as_posix()


def own_folder(name: str) -> Path:
    """Return this host's folder of this name; create it, for its owner only, if missing."""
    Path(settings.MEDIA_ROOT).mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = path_of(name)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def incoming() -> Path:
    """Return the folder of this host in which files are written that are not stored yet."""
    return own_folder("incoming")


def fetch(name: str) -> Path:
    """Copy a stored file to its path, unless it is there; return the path.

    If there is no such file, nothing is at the path, and its readers say so.
    """
    path = path_of(name)
    if not path.exists():
        with suppress(FileNotFoundError), default_storage.open(name) as content:
            own_folder(name.rpartition("/")[0])
            with _whole(path) as copy:
                shutil.copyfileobj(content, copy, _CHUNK)
    return path


@contextmanager
def _whole(path: Path) -> Iterator[Any]:
    """Yield a new file that gets the path when it is complete, since others may write it too."""
    with NamedTemporaryFile(dir=incoming(), prefix="copy-", delete=False) as file:
        try:
            yield file
            file.flush()
            # Before the rename: after a power loss, the path has the whole file, or none.
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


# --- in the storage -----------------------------------------------------------------------------


class _OfThisHost(File):  # type: ignore[type-arg]
    """A file that a folder takes by a rename; other storages read it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"))
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


def keep(path: Path, name: str) -> None:
    """Store a file of this host under a name; afterwards, the file may have left its path.

    Raises OSError, or an error of the database, if there is no space.
    """
    with _OfThisHost(path) as content:
        default_storage.save(name, content)


def files_in(folder: str) -> list[str]:
    """Return the names of the stored files of a folder."""
    return [f"{folder}/{name}" for name in _listed(folder)[1]]


def folders_in(folder: str) -> list[str]:
    """Return the names of the folders in a folder of the storage, without their parents."""
    return _listed(folder)[0]


def _listed(folder: str) -> tuple[list[str], list[str]]:
    try:
        return default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []


def is_older(name: str, age: timedelta) -> bool:
    """Return whether a file was stored longer ago; False if it is not there any more."""
    try:
        return default_storage.get_modified_time(name) < clock.now() - age
    except FileNotFoundError:
        return False


def delete(name: str) -> None:
    """Delete a file, if it is there, and its copy on this host."""
    path_of(name).unlink(missing_ok=True)
    default_storage.delete(name)


def delete_folder(folder: str, *, most: int | None = None) -> bool:
    """Delete a folder with its files, and what this host has of it. May be called again.

    With `most`, it deletes at most so many files of a storage elsewhere; it returns whether none is
    left.
    """
    shutil.rmtree(path_of(folder), ignore_errors=True)
    names = files_in(folder)
    for name in names[:most]:
        default_storage.delete(name)
    return most is None or len(names) <= most
