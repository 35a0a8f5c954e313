"""Every address of SegRanks, from the URL configuration."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Address:
    """A URL pattern; its name is "" if it has none."""

    name: str
    route: str
    parameters: tuple[str, ...]

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
            yield Address(pattern.name or "", route, tuple(_parameters(pattern)))


def _parameters(pattern: URLPattern) -> list[str]:
    route: Any = pattern.pattern
    # Of a regular expression, its groups.
    return list(route.converters or getattr(route.regex, "groupindex", ()))
