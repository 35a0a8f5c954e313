"""Find elements, attributes and addresses of a page that no template of ours has."""

import re
from html.parser import HTMLParser

from tests.security.test_code import TEMPLATES
from tests.security.tricks import OVERRIDE

_NAMES = re.compile(r"<([a-z][a-z0-9-]*)")
# Elements from Django's widgets, from Markdown, and from the filter `marked`.
_MADE = {
    *(
        "input",
        "select",
        "option",
        "textarea",
        "label",
        "ul",
        "li",
        "ol",
        "div",
        "p",
        "em",
        "mark",
        "strong",
    ),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "hr", "br", "a"),
}
KNOWN = _MADE | {name for text in TEMPLATES.values() for name in _NAMES.findall(text)}
ADDRESSES = {"href", "src", "action", "formaction", "poster", "data", "cite", "xlink:href"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
# Elements that isolate a text, so that its direction does not affect its neighbours.
ALONE = {"bdi", "textarea", "title", "option", "code"}


class Page(HTMLParser):
    """`problems` lists what no page may contain; `text` is all text, with attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.text = ""
        self._open: list[tuple[str, bool]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attributes}
        if tag not in KNOWN:
            self.problems.append(f"<{tag}>")
        if tag == "script" and not values.get("src", "").startswith("/static/"):
            self.problems.append("an inline script")
        for key, value in values.items():
            self._attribute(tag, key, value)
        self.text += "\n" + "\n".join(values.values())
        if tag not in VOID:
            self._open.append((tag, tag in ALONE or (tag != "html" and "dir" in values)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open and self._open[-1][0] in {"script", "style"} and data.strip():
            self.problems.append("an inline script or style")
        if OVERRIDE in data and not any(alone for _tag, alone in self._open):
            path = ">".join(tag for tag, _alone in self._open)
            self.problems.append(f"a text that reverses its neighbours: {path}")

    def handle_comment(self, data: str) -> None:
        self.problems.append(f"a comment: {data[:50]}")

    def _attribute(self, tag: str, key: str, value: str) -> None:
        if key.startswith(("on", "xss")) or key in {"style", "srcdoc"}:
            self.problems.append(f"<{tag} {key}>")
        if not re.fullmatch(r"[a-z][a-zA-Z-]*(?::[a-z]+)?[0-9]?", key):
            self.problems.append(f"<{tag} {key}>")
        if key in ADDRESSES and not re.match(r"/(?![/\\])|[?#]|$|[a-z./-]+$", value):
            self.problems.append(f"<{tag} {key}={value[:60]}>")
