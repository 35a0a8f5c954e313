"""Files that are written completely or not at all."""

import gzip
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import uuid4

from annotation.formats.errors import InputError

# The mode of a new file, before the umask of the process.
NEW_FILE = 0o666


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the pieces, gzipped if the name ends in .gz.

    They are written to a temporary file in the same folder, which replaces the file at the end, so
    that a failure keeps the old content. Raises InputError if the file cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            # A device or a pipe cannot be replaced.
            with path.open("wb") as file:
                _write(file, pieces, gzipped=path.suffix == ".gz")
        else:
            with _replacing(path.resolve()) as file:
                _write(file, pieces, gzipped=path.suffix == ".gz")
    except FileNotFoundError as problem:
        raise InputError(
            f"{path} cannot be written: there is no folder {path.parent}. Create it, or choose "
            "another one."
        ) from problem
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}.") from problem


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    part = path.with_name(f".{path.name[:100]}.{uuid4().hex}.part")
    # With the umask of the process, which threads cannot read without setting it for all.
    handle = os.open(
        part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, NEW_FILE if mode is None else 0o600
    )
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _write(file: IO[bytes], pieces: Iterable[bytes], *, gzipped: bool) -> None:
    if not gzipped:
        file.writelines(pieces)
        return
    # Without name and time, the same content gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        for piece in pieces:
            packed.write(piece)
