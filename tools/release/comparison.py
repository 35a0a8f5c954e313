"""The first difference between two folders of files, archives among them."""

import tarfile
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any


def difference(first: Path, second: Path) -> str:
    """Return how the files of the second folder differ from those of the first, "" if they do not.

    Names the first file and, of an archive, the first member.
    """
    for file in sorted(second.iterdir()):
        other = first / file.name
        if not other.exists():
            return f"only one of them has {file.name}."
        if other.read_bytes() != file.read_bytes():
            return f"{file.name} differs: {_of_members(other, file)}."
    return ""


def _of_members(first: Path, second: Path) -> str:
    for one, other in zip_longest(_members(first), _members(second)):
        if one is None or other is None or one[0] != other[0]:
            return f"where one has {one and one[0]}, the other has {other and other[0]}"
        if one[2] != other[2]:
            return f"the content of {one[0]}"
        if one[1] != other[1]:
            return f"times, owners or modes of {one[0]}: {one[1]} and {other[1]}"
    return "all members are the same"


def _members(path: Path) -> Iterator[tuple[str, Any, bytes]]:
    """Yield the name, what is stored beside the content, and the content of each member."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for member in wheel.infolist():
                beside = (member.date_time, oct(member.external_attr), member.compress_type)
                yield member.filename, beside, wheel.read(member)
    elif path.name.endswith(".tar.gz"):
        with tarfile.open(path) as archive:
            for entry in archive:
                file = archive.extractfile(entry)
                owner = (entry.uid, entry.gid, entry.uname, entry.gname)
                yield (
                    entry.name,
                    (entry.mtime, oct(entry.mode), owner),
                    file.read() if file else b"",
                )
    else:
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            yield f"line {number}", None, line
