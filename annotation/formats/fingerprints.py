"""Names and checksums of imported files."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _


@dataclass(frozen=True)
class Fingerprint:
    """What a project records of an imported file."""

    name: str
    sha256: str


# Those of the files that people gave, by the paths of the copies that are read in their place.
Originals = Mapping[Path, Fingerprint]
NO_COPIES: Originals = MappingProxyType({})


def check_regular(path: Path) -> None:
    """Raise InputError for a pipe or a folder, since imports read a file more than once."""
    # To open a file that cannot even be looked at says why.
    with suppress(OSError):
        if path.exists() and not path.is_file():
            raise InputError(
                _("%(file)s is not a regular file: save it to a file first."), file=str(path)
            )


def fingerprint(path: Path, originals: Originals = NO_COPIES) -> Fingerprint:
    """Return the name and the SHA-256 of a file, or of its original if it is a copy.

    Raises InputError if it is not a regular file.
    """
    if path in originals:
        return originals[path]
    check_regular(path)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise InputError(
            _("%(file)s cannot be read: %(reason)s."),
            file=str(path),
            reason=str(problem.strerror or problem),
        ) from problem
    # Undecodable bytes of the name appear as lone surrogates, which no database stores.
    name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return Fingerprint(name, digest)
