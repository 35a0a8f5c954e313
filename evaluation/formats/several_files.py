"""What several files have in common: a longer export holds what an earlier one has."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def without_held(
    files: Sequence[Sequence[Row]], content: Callable[[Row], Hashable]
) -> list[Sequence[Row]]:
    """Return the files, but those all of whose rows another file has, too, as often, are empty.

    Of equal files the first is kept. For rows whose `content` does not identify them, so that equal
    rows of two files may be different judgements.
    """
    counts = [Counter(map(content, rows)) for rows in files]
    return [
        []
        if any(
            own <= other and (own != other or at < place)
            for at, other in enumerate(counts)
            if at != place
        )
        else rows
        for place, (rows, own) in enumerate(zip(files, counts, strict=True))
    ]
