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
    # Items of one list follow each other, and all other blocks have an empty line between them.
    lines: list[str] = []
    for is_next_item, block in writer.blocks:
        text = " ".join(block.split())
        if text:
            lines += [text] if is_next_item else ["", text]
    return "\n".join(lines).strip()


class _MarkdownWriter(HTMLParser):
    """Collects the blocks of a text as Markdown, and whether each goes on with a list."""

    INLINE = {"strong": "**", "em": "*", "kbd": "`"}

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[bool, str]] = []
        self.is_numbered = False
        self.items = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in ("ol", "ul"):
            self.is_numbered, self.items = tag == "ol", 0
        elif tag == "p":
            self.blocks.append((False, ""))
        elif tag == "li":
            self.items += 1
            self.blocks.append((self.items > 1, f"{self.items}. " if self.is_numbered else "- "))
        else:
            self.handle_data(self.INLINE.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.handle_data(self.INLINE.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if self.blocks:
            is_next_item, text = self.blocks[-1]
            self.blocks[-1] = is_next_item, text + data
