"""Names of systems, documents, projects and campaigns as parts of names of files."""

import re
from collections.abc import Callable, Sequence
from itertools import chain, count

from annotation.formats.names import plain_name

# In bytes: names of files have at most 255, with endings and numbers.
MOST_BYTES = 200


def name_for_files(text: str) -> str:
    """Return a name without white space and slashes, which a file can have."""
    name = re.sub(r"[\s/\\]+", "_", text).lstrip(".")
    return name.encode()[:MOST_BYTES].decode(errors="ignore") or "_"


def case_of_files(name: str) -> str:
    """Return what names have in common that are one file on systems that ignore case."""
    return plain_name(name.casefold())


def distinct_names(
    names: Sequence[str],
    shorten: Callable[[str], str],
    alike: Callable[[str], str] = case_of_files,
) -> list[str]:
    """Return `shorten` of each name, numbered from 2 where `alike` is that of another name.

    Names that `shorten` returns as they are keep them, before others get theirs.
    """
    found = dict.fromkeys(range(len(names)), "")
    taken: set[str] = set()
    for place in sorted(found, key=lambda place: shorten(names[place]) != names[place]):
        short = shorten(names[place])
        numbered = (f"{short}--{number}" for number in count(2))
        found[place] = next(name for name in chain([short], numbered) if alike(name) not in taken)
        taken.add(alike(found[place]))
    return list(found.values())
