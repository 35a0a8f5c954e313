"""How names are put in order where people read them."""

import re


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key by which "annotator2" comes before "annotator10"."""
    return tuple(
        (0, int(part), part) if part.isdecimal() else (1, 0, part.casefold())
        for part in re.split(r"(\d+)", name)
        if part
    )
