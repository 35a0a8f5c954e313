"""What is given more than once, in one file or in several: it counts once.

An answer that the files identify (by its time, or by the number of its task) is found wherever it
is given again. Of answers that nothing identifies, equal ones may be different answers, and only a
whole file is found that another one contains, such as an earlier export beside a longer one.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def once(
    rows: Iterable[Row],
    identity: Callable[[Row], Hashable | None],
    again: Callable[[Row, Row], object] = lambda _row, _first: None,
) -> list[Row]:
    """Return the rows without those whose identity an earlier one has; None is no identity.

    Calls `again` with each row that is left out and the first one, which it may contradict.
    """
    kept: list[Row] = []
    first: dict[Hashable, Row] = {}
    for row in rows:
        key = identity(row)
        before = row if key is None else first.setdefault(key, row)
        if before is row:
            kept.append(row)
        else:
            again(row, before)
    return kept


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
