"""Batches of rows: iterate over and update many with bounded memory."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)
ROWS_PER_BATCH = 500
# Rows fetched at once where many are streamed: memory stays bounded.
CHUNK = 10_000


def pages(rows: QuerySet[Row]) -> Iterator[list[Row]]:
    """Yield the rows by primary key, a page at a time; rows may be changed in between."""
    last = 0
    while page := list(rows.filter(pk__gt=last).order_by("pk")[:ROWS_PER_BATCH]):
        last = page[-1].pk
        yield page


def update_rows(rows: Sequence[Model], *fields: str) -> None:
    """Store these fields of rows that exist and were read with all their fields.

    This is an upsert. Django's `bulk_update` writes a CASE for each row and takes seven times as
    long.
    """
    if rows:
        type(rows[0])._default_manager.bulk_create(
            rows, ROWS_PER_BATCH, update_conflicts=True, unique_fields=["pk"], update_fields=fields
        )
