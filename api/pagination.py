"""Long lists, a page at a time, by cursors: what comes or goes meanwhile moves no page."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from annotation.projects.permissions import LARGEST_ID
from api.exceptions import bad_query
from api.serializers import Fields

Row = TypeVar("Row", bound=Model)
Listed = TypeVar("Listed")

DEFAULT_LIMIT = 50
MOST = 500


@dataclass(frozen=True)
class Cursor:
    """Goes on after the row with this id; `back` the other way, to the rows before it."""

    id: int
    back: bool = False

    def __str__(self) -> str:
        return urlsafe_b64encode(json.dumps([self.id, int(self.back)]).encode()).decode()


class Paging(Fields):
    """Which part of a list is asked for; lists of more have their filters beside these."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MOST, default=DEFAULT_LIMIT, help_text="The most rows of a page."
    )
    cursor = serializers.CharField(
        max_length=200, required=False, help_text="Where a page begins, as its links say."
    )

    def validate_cursor(self, text: str) -> Cursor:
        try:
            number, back = json.loads(urlsafe_b64decode(text.encode("ascii")))
            known = isinstance(number, int) and 0 <= number <= LARGEST_ID and back in (0, 1)
        except (ValueError, TypeError, RecursionError):
            known = False
        if not known:
            raise serializers.ValidationError(_("No such place: follow the links of a page."))
        return Cursor(number, bool(back))


@dataclass(frozen=True)
class Page:
    """Some rows, and the addresses of the pages after and before them (None = none)."""

    rows: list[Any]
    next: str | None
    previous: str | None

    def shown(self, results: Any) -> dict[str, Any]:
        """Return what is answered where the rows look like that."""
        return {"results": results, "next": self.next, "previous": self.previous}


def page_of(
    rows: QuerySet[Row], request: Request, *, limit: int, cursor: Cursor | None, newest: bool
) -> Page:
    """Return the page of the rows by id, the newest first or last. One query."""
    descending = newest != bool(cursor and cursor.back)
    if cursor:
        rows = rows.filter(**{"pk__lt" if descending else "pk__gt": cursor.id})
    found = list(rows.order_by("-pk" if descending else "pk")[: limit + 1])
    return _page(found, attrgetter("pk"), request, limit, cursor)


def page_of_list(
    rows: Sequence[Listed],
    id_of: Callable[[Listed], int],
    request: Request,
    *,
    limit: int,
    cursor: Cursor | None,
) -> Page:
    """Return the page of rows that are in memory, and in the order of these ids."""
    if cursor and cursor.back:
        rows = [row for row in reversed(rows) if id_of(row) < cursor.id]
    elif cursor:
        rows = [row for row in rows if id_of(row) > cursor.id]
    return _page(list(rows[: limit + 1]), id_of, request, limit, cursor)


def refuse_paging(request: Request, told: str) -> None:
    """Raise Problem where a page is asked for of what comes whole."""
    if asked := sorted({"limit", "cursor"} & set(request.query_params)):
        raise bad_query({name: [told] for name in asked})


def _page(
    found: list[Any],
    id_of: Callable[[Any], int],
    request: Request,
    limit: int,
    cursor: Cursor | None,
) -> Page:
    """Return the page of what was found from the cursor on, one row more than a page has."""
    back = bool(cursor and cursor.back)
    more, found = len(found) > limit, found[:limit]
    if back:
        found.reverse()
    goes_on, came_from = (True, more) if back else (more, cursor is not None)
    address = remove_query_param(request.build_absolute_uri(), "cursor")

    def link(there: bool, at: int, is_back: bool) -> str | None:
        if not there or not found:
            return None
        return str(replace_query_param(address, "cursor", str(Cursor(id_of(found[at]), is_back))))

    return Page(found, link(goes_on, -1, False), link(came_from, 0, True))
