"""Elements of a page by CSS-like ids and attributes, without a browser."""

import re
from html import unescape


def text(html: str) -> str:
    """Return the text of the page with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def element(html: str, attribute: str, value: str) -> str | None:
    """Return the start tag of the first element with this attribute, or None."""
    found = re.search(rf'<[^>]*\b{attribute}="{re.escape(value)}"[^>]*>', html)
    return found[0] if found else None


def data(html: str, name: str) -> str | None:
    """Return the value of the first data attribute of this name, or None."""
    found = re.search(rf'\bdata-{name}="([^"]*)"', html)
    return unescape(found[1]) if found else None


def part(html: str, name: str) -> str:
    """Return the text of the element with data-live="name"."""
    found = re.search(rf'<(\w+)[^>]*data-live="{name}"[^>]*>(.*?)</\1>', html, re.DOTALL)
    assert found, name
    return text(found[2])
