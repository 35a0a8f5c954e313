"""Markdown that administrators write: instructions, explanations of practice, texts of consent."""

from django.utils.safestring import SafeString, mark_safe


def as_html(text: str) -> SafeString:
    """Return the Markdown as HTML; HTML tags and images in it stay plain text."""
    # Imported here: most requests render no Markdown.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block"])
    return mark_safe(str(markdown.render(text)))  # noqa: S308 (no HTML passes)
