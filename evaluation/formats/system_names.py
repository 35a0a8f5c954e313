"""The map from a file's names of systems to a project's names, as a tab-separated file.

A system that the project does not have has nothing after the tab.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.formats.tab_separated import read_columns
from evaluation.stats.judgements import natural_key

# newstest2014.NAME.N.cs-en, newstest2015.NAME.N.cs-en.txt, wmt23.NAME: the set in front and the
# language pair behind are no part of the name, nor is the number of the submission.
SYSTEM_ID: Final = re.compile(
    r"(?:(?:newstest|wmt)[0-9]\w*\.)?(?P<name>.+?)(?:\.[a-z]{2,3}-[a-z]{2,3})?(?:\.txt)?"
)
NUMBERED: Final = re.compile(r"(?P<name>.+?)(?:\.(?P<number>[0-9]+))?", re.DOTALL)

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
                f"{where}: there is no system {ours!r} here; there are {listed(known)}. Leave the "
                "name empty for a system that is not here."
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


def system_of_id(text: str) -> str:
    """Return a system's name without its test set, language pair and the ending of a file."""
    match = SYSTEM_ID.fullmatch(text)
    return match["name"] if match else text


def same_systems(of_file: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Return the known names of systems of a file that are written with other additions.

    Additions are those of `system_of_id`, and a number at the end (`Facebook-AI.7`) that only one
    of the names has. A name counts only if without them it is one system of the file and one known
    system.
    """
    bare_of_file, bare_known = _by_bare_name(of_file), _by_bare_name(known)
    same = {}
    for bare, names in bare_of_file.items():
        if len(names) != 1 or len(bare_known.get(bare, ())) != 1:
            continue
        (theirs, number), (ours, our_number) = names[0], bare_known[bare][0]
        if theirs != ours and (number == our_number or not number or not our_number):
            same[theirs] = ours
    return same


def _by_bare_name(names: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Return names with their numbers, or "", by what is left without all additions."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        match = NUMBERED.fullmatch(system_of_id(name))
        assert match is not None
        found.setdefault(match["name"], []).append((name, match["number"] or ""))
    return found


def listed(names: Collection[str]) -> str:
    """Return the names in natural order, joined by commas."""
    in_order = sorted(names, key=natural_key)
    more = f" and {len(in_order) - LISTED} more" if len(in_order) > LISTED else ""
    return (", ".join(in_order[:LISTED]) or "none") + more
