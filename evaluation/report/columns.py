"""Columns of tables that only files and terminals have, with headings in English."""

from typing import Final

from evaluation.rendering.tables import Column, Kind, Name, Number, P

Cell = str | int | float | None
NAME: Final = Name()


def column_of(
    name: str, heading: str, is_text: bool = False, places: int = 3, is_p: bool = False
) -> Column:
    """Return a column of words or of numbers with so many decimals."""
    kind: Kind = NAME if is_text else P(places) if is_p else Number(places)
    return Column(name, heading, kind)
