"""Long lists, one page at a time."""

from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, LimitOffsetPagination

from api.exceptions import bad_query
from api.serializers import StrictSerializer

DEFAULT_LIMIT = 50
MAX_LIMIT = 500


class PageQuery(StrictSerializer):
    """The query string of a paginated list; lists with filters add theirs."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text="Rows per page."
    )
    cursor = serializers.CharField(
        max_length=200, required=False, help_text="Copied from `next` or `previous` of a page."
    )


class NullableLinksMixin:
    """REST framework writes "nullable", which OpenAPI 3.1 does not know."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = cast(Any, super()).get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            page["properties"][name] = {"type": ["string", "null"], "format": "uri"}
        page["required"] = list(page["properties"])
        return cast(dict[str, Any], page)


class OldestFirstPagination(NullableLinksMixin, CursorPagination):
    """Pages by id: rows that are added or removed meanwhile do not move other rows."""

    ordering: Any = "pk"
    page_size = DEFAULT_LIMIT
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValueError):
            # REST framework answers 404 to a cursor it cannot decode, and fails on a position that
            # is not a number.
            message = _("Invalid cursor: follow the links of a page.")
            raise bad_query({"cursor": [message]}) from None


class NewestFirstPagination(OldestFirstPagination):
    ordering = "-pk"


class InMemoryPagination(NullableLinksMixin, LimitOffsetPagination):
    """For lists that are computed rather than read from a table."""

    default_limit = DEFAULT_LIMIT
    max_limit = MAX_LIMIT
