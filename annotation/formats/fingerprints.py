"""Reading whole files, and telling one file from another."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import open_binary


@dataclass(frozen=True)
class Fingerprint:
    """What is remembered of a file that was imported."""

    name: str
    sha256: str


def fingerprint(path: Path) -> Fingerprint:
    """Return the file's name and the SHA-256 of its bytes as they lie on disk.

    Raises InputError where it is no regular file: what is imported is read more than once.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(
                _("%(file)s is not a regular file: save it as one first."), file=str(path)
            )
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise InputError(
            _("%(file)s cannot be read: %(reason)s."),
            file=str(path),
            reason=str(problem.strerror or problem),
        ) from problem
    # Bytes of the name that are not in our encoding come as lone surrogates, which nothing stores.
    name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return Fingerprint(name, digest)


def read_text(path: Path) -> str:
    """Return the whole text of a UTF-8 file, unpacked where gzipped. Raise InputError."""
    with open_binary(path) as file:
        content = file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise InputError(
            _("this is not UTF-8; save the file as UTF-8."), f"{path}, line {line}"
        ) from problem
