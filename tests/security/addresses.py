"""Every address of SegRanks, from the URL configuration."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.projects.permissions import Right
from api.base_views import ApiView
from api.permissions import ProjectPermission

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Address:
    """A URL pattern; its name is "" if it has none.

    `rights` is the right in the project that each method requires, as the view is marked.
    """

    name: str
    route: str
    parameters: tuple[str, ...]
    rights: Mapping[str, Right]

    @property
    def is_below_a_project(self) -> bool:
        return re.match(r"(api/)?(v1/)?projects/<int:", self.route) is not None

    @property
    def is_admin(self) -> bool:
        return self.route.startswith("admin/")


def addresses() -> list[Address]:
    return list(_walk(get_resolver().url_patterns, ""))


def own_addresses() -> list[Address]:
    """Return the addresses outside Django's administration."""
    return [address for address in addresses() if not address.is_admin]


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Address]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            rights = _rights(pattern.callback)
            yield Address(pattern.name or "", route, tuple(_parameters(pattern)), rights)


def _parameters(pattern: URLPattern) -> list[str]:
    route: Any = pattern.pattern
    # Of a regular expression, its groups.
    return list(route.converters or getattr(route.regex, "groupindex", ()))


def _rights(view: Any) -> Mapping[str, Right]:
    """Return the rights of a page's view, or of the permission classes of an API view."""
    if not issubclass(getattr(view, "cls", object), ApiView):
        return getattr(view, "rights", {})
    found: dict[str, Right] = {}
    for method in METHODS:
        operation = view.cls(request=HttpRequest())
        operation.request.method = method
        for permission in operation.get_permissions():
            if isinstance(permission, ProjectPermission) and hasattr(operation, method.lower()):
                found[method] = permission.right
    return found
