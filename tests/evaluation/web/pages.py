"""Elements of a page by CSS-like ids and attributes, without a browser."""

import re
from collections import Counter
from html import unescape


def text(html: str) -> str:
    """Return the text of the page with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def element(html: str, attribute: str, value: str) -> str | None:
    """Return the start tag of the first element with this attribute, or None."""
    found = re.search(rf'<[^>]*\b{attribute}="{re.escape(value)}"[^>]*>', html)
    return found[0] if found else None


def repeated_ids(html: str) -> list[str]:
    """Return the ids that several elements have."""
    found = re.findall(r'<[^>]*\sid="([^"]*)"', html)
    return sorted(name for name, times in Counter(found).items() if times > 1)


def data(html: str, name: str) -> str | None:
    """Return the value of the first data attribute of this name, or None."""
    found = re.search(rf'\bdata-{name}="([^"]*)"', html)
    return unescape(found[1]) if found else None


def columns(html: str, name: str) -> dict[str, list[str]]:
    """Return the columns of the table of this id: the texts of their cells by heading."""
    found = re.search(rf'<table[^>]*\bid="{re.escape(name)}".*?</table>', html, re.DOTALL)
    assert found, name
    head, *rows = (
        [text(cell) for cell in re.findall(r"<t[hd]\b.*?</t[hd]>", row, re.DOTALL)]
        for row in found[0].split("<tr")[1:]
    )
    assert len(set(head)) == len(head), head
    return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


def part(html: str, name: str) -> str:
    """Return the text of the element with data-live="name"."""
    found = re.search(rf'<(\w+)[^>]*data-live="{name}"[^>]*>(.*?)</\1>', html, re.DOTALL)
    assert found, name
    return text(found[2])
