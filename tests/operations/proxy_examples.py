"""The examples of docs/deployment.md for proxies, and readers of them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import crossplane

from tests.documentation.pages import blocks

# What the blocks of our example may contain; the names of Caddy's documentation.
KNOWN = {
    "": {"{", "rank.example.org"},
    "{": {"log", "servers"},
    "log": {"exclude"},
    "servers": {"timeouts"},
    "timeouts": {"read_header", "read_body"},
    "rank.example.org": {"@inside", "respond", "request_body", "reverse_proxy"},
    "request_body": {"max_size"},
    "reverse_proxy": {"request_buffers"},
}
SIZE = re.compile(r"(\d+)([kmg]?)(i?b)?", re.IGNORECASE)


def example(directive: str) -> str:
    """Return the example that has this directive."""
    examples = blocks("docs/deployment.md", "caddyfile", "nginx")
    (found,) = [each.text for each in examples if directive in each.text]
    return found


@dataclass
class Block:
    """A directive of a Caddyfile with what is in its braces."""

    name: str
    arguments: list[str]
    inside: list["Block"] = field(default_factory=list)

    def one(self, name: str) -> "Block":
        (found,) = [each for each in self.inside if each.name == name]
        return found


def read_caddyfile(text: str) -> Block:
    """Return the blocks of a Caddyfile. Raises ValueError for an unknown directive or a brace."""
    whole = Block("", [])
    open_blocks = [whole]
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if words == ["}"]:
            open_blocks.pop()
        elif words:
            opens = words[-1] == "{"
            block = Block(words[0], words[1:-1] if opens else words[1:])
            if not open_blocks or block.name not in KNOWN.get(open_blocks[-1].name, ()):
                raise ValueError(f"This directive is not expected here: {line}")
            open_blocks[-1].inside.append(block)
            if opens:
                open_blocks.append(block)
    if open_blocks != [whole]:
        raise ValueError("The braces do not match.")
    return whole


def read_nginx(text: str, folder: Path) -> list[Any]:
    """Return the directives of nginx's server, and its format of logs as one of them.

    Raises ValueError for what nginx refuses.
    """
    http = parse_nginx(text, folder)
    (server,) = [each["block"] for each in http if each["directive"] == "server"]
    return [*server, *(each for each in http if each["directive"] == "log_format")]


def parse_nginx(text: str, folder: Path) -> list[Any]:
    """Return the directives within nginx's http. Raises ValueError for what nginx refuses."""
    (folder / "server").write_text(text)
    (folder / "nginx.conf").write_text("events {}\nhttp { include server; }\n")
    read = crossplane.parse(
        str(folder / "nginx.conf"), combine=True, strict=True, catch_errors=False
    )
    (http,) = [each["block"] for each in read["config"][0]["parsed"] if each["directive"] == "http"]
    return list(http)


def values(directives: list[Any], name: str) -> Iterator[list[str]]:
    """Yield the arguments of each of the directives that has this name."""
    return (each["args"] for each in directives if each["directive"] == name)


def in_bytes(size: str) -> int:
    """Return the bytes of a size such as 200MiB of Caddy, or 200m of nginx."""
    found = SIZE.fullmatch(size)
    assert found, size
    base = 1000 if found[3] and found[3].lower() == "b" else 1024
    power = " kmg".index(found[2].lower() or " ")
    return int(found[1]) * int(base**power)
