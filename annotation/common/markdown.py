"""Markdown that administrators write: instructions, explanations of practice, texts of consent."""

from html.parser import HTMLParser
from typing import Any

from django.utils.safestring import SafeString, mark_safe


def as_html(text: str) -> SafeString:
    """Return the Markdown as HTML; HTML tags and images in it stay plain text."""
    # Imported here: most requests render no Markdown.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block"])
    return mark_safe(str(markdown.render(text)))  # noqa: S308 (no HTML passes)


def as_markdown(html: str) -> str:
    """Return the Markdown of our own default texts: paragraphs, lists, bold text and keys."""
    writer = _MarkdownWriter()
    writer.feed(html)
    writer.close()
    blocks = [" ".join(block.split()) for block in writer.blocks]
    # Items of one list follow each other, and all other blocks have an empty line between them.
    lines: list[str] = []
    for block in filter(None, blocks):
        is_item = block.startswith(("- ", "1. "))
        lines += [block] if is_item and lines and lines[-1][:2] == block[:2] else ["", block]
    return "\n".join(lines).strip()


class _MarkdownWriter(HTMLParser):
    """Collects the blocks of a text as Markdown."""

    INLINE = {"strong": "**", "em": "*", "kbd": "`"}
    LISTS = {"ol": "1. ", "ul": "- "}

    def __init__(self) -> None:
        super().__init__()
        self.blocks = [""]
        self.item = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.item = self.LISTS.get(tag, self.item)
        if tag in ("p", "li"):
            self.blocks.append(self.item if tag == "li" else "")
        self.blocks[-1] += self.INLINE.get(tag, "")

    def handle_endtag(self, tag: str) -> None:
        self.blocks[-1] += self.INLINE.get(tag, "")

    def handle_data(self, data: str) -> None:
        self.blocks[-1] += data
