"""Shorter names of systems, where there is little room: on axes and in a terminal."""

from collections.abc import Sequence


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Return names of at most `width` characters, or more where two of them would be equal.

    If some are longer, all lose what they begin and end with alike ("newstest2016.", ".en-cs"), and
    those that are still longer lose their middle.
    """
    if len(names) > 1 and max(map(len, names)) > width:
        parts = [name.split(".") for name in names]
        for end in (0, -1):
            while min(map(len, parts)) > 1 and len({part[end] for part in parts}) == 1:
                parts = [part[1:] if end == 0 else part[:-1] for part in parts]
        names = [".".join(part) for part in parts]
    head = width // 2
    tail = width - head - 1
    short = [name if len(name) <= width else f"{name[:head]}…{name[-tail:]}" for name in names]
    return short if len(set(short)) == len(names) else short_names(names, width + 1)


def axis_names(names: Sequence[str], width: int) -> dict[str, str]:
    """Return what an axis shows for each name if it cuts labels after `width` characters.

    The names are short where they would look alike, and whole otherwise.
    """
    alike = len({name[:width] for name in names}) < len(names)
    return dict(zip(names, short_names(names, width) if alike else names, strict=True))
