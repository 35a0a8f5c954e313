"""Markdown as HTML."""

import pytest

from annotation.common.markdown import as_html, as_markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Be *kind*.", "<p>Be <em>kind</em>.</p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
        ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
        ("[a](https://example.org)", '<p><a href="https://example.org">a</a></p>\n'),
    ],
)
def test_markdown_is_a_safe_subset(text: str, html: str) -> None:
    assert as_html(text) == html


def test_images_are_not_loaded() -> None:
    assert "<img" not in as_html("![a](https://example.org/a.png)")


def test_our_texts_become_markdown() -> None:
    html = "<p>Which\n is <em>best</em>?</p>\n<ul>\n <li><strong>Read</strong> it.</li>\n"
    html += (
        " <li>Press <kbd>G</kbd>.</li>\n</ul>\n<ol><li>One.</li> <li>Two.</li></ol><p>Go on.</p>"
    )
    markdown = "Which is *best*?\n\n- **Read** it.\n- Press `G`.\n\n1. One.\n2. Two.\n\nGo on."
    assert as_markdown(html) == markdown
