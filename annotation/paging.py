"""Going through many rows with the memory of a few."""

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)
PAGE = 500


def pages(rows: QuerySet[Row]) -> Iterator[list[Row]]:
    """Yield the rows by primary key, a page at a time; rows may be changed in between."""
    last = 0
    while page := list(rows.filter(pk__gt=last).order_by("pk")[:PAGE]):
        last = page[-1].pk
        yield page
