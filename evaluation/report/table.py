"""A table as it goes into a paper, whatever its format."""

from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """`name` is for programs, `heading` for people; numbers are shown to `places` decimals."""

    name: str
    heading: str
    is_text: bool = False
    places: int = 3


@dataclass(frozen=True)
class Table:
    """Rows have a cell for each column; after those whose number is in `rules` there is a line."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    rules: frozenset[int] = frozenset()
