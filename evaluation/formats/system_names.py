"""The map from a file's names of systems to a project's names, as a tab-separated file.

A system that the project does not have has nothing after the tab.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.formats.tab_separated import read_columns
from evaluation.stats.judgements import natural_key

COLUMNS: Final = ("the file's name of a system", "the project's name of it, or nothing")
# Names that an error lists at most.
LISTED: Final = 30

# The project's name by the file's; None for a system that is left out.
SystemNames = dict[str, str | None]


def read_system_names(path: Path, known: Collection[str]) -> SystemNames:
    """Read the file of names; `known` are those of the project. Raises InputError, with line.

    Several names of the file may be one system of the project; names without a ranking are fine.
    """
    names: SystemNames = {}
    lines: dict[str, int] = {}
    for line, columns in read_columns(path, COLUMNS):
        where = f"{path}, line {line}"
        name, ours = map(plain_name, columns)
        if not name:
            raise InputError(f"{where}: the file's name of a system is missing before the tab.")
        if name in names:
            raise InputError(
                f"{where}: the system {name!r} is given twice; the first is in line {lines[name]}."
            )
        if ours and ours not in known:
            raise InputError(
                f"{where}: the project has no system {ours!r}; it has {listed(known)}. Leave the "
                "name empty for a system that the project does not have."
            )
        names[name], lines[name] = ours or None, line
    return names


def name_systems(
    of_file: Iterable[str], known: Collection[str], given: SystemNames | None, where: str
) -> SystemNames:
    """Return the project's name of each system of the file; it is the same if not in `given`.

    Raises InputError where the project has no such system, naming all of them.
    """
    of_file = set(of_file)
    names: SystemNames = {name: name for name in known}
    names |= given or {}
    unknown = of_file - names.keys()
    if unknown:
        raise InputError(
            f"{where} has systems that the project does not have: {listed(unknown)}. It has "
            f"{listed(known)}. Give --map FILE with a line for each of the former: its name in the "
            "file, a tab, and its name in the project, or nothing if it is not to be compared."
        )
    return {name: names[name] for name in of_file}


def listed(names: Collection[str]) -> str:
    """Return the names in natural order, joined by commas."""
    in_order = sorted(names, key=natural_key)
    more = f" and {len(in_order) - LISTED} more" if len(in_order) > LISTED else ""
    return (", ".join(in_order[:LISTED]) or "none") + more
