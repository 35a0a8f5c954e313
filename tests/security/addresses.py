"""Every address that SegRanks answers at, from the configuration itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SAFE = ("GET",)


@dataclass(frozen=True)
class Address:
    """A pattern: its name ("" = none), and the names of what stands in it."""

    name: str
    route: str
    parameters: tuple[str, ...]

    @property
    def is_admin(self) -> bool:
        return self.route.startswith("admin/")


def addresses() -> list[Address]:
    return list(_walk(get_resolver().url_patterns, ""))


def own_addresses() -> list[Address]:
    """Return those that are not of Django's administration."""
    return [address for address in addresses() if not address.is_admin]


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Address]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield Address(pattern.name or "", route, tuple(_parameters(pattern)))


def _parameters(pattern: URLPattern) -> Mapping[str, object]:
    return pattern.pattern.converters
