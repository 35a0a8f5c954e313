"""The documentation as it is served."""

from pathlib import Path
from typing import Any

from django.test import Client


def test_the_documentation_is_served_with_the_policy_of_pages(
    settings: Any, tmp_path: Path
) -> None:
    settings.DOCS_ROOT = tmp_path / "docs"
    (settings.DOCS_ROOT / "api").mkdir(parents=True)
    (settings.DOCS_ROOT / "index.html").write_text("<p>Start</p>")
    (settings.DOCS_ROOT / "api" / "index.html").write_text("<p>API</p>")
    (settings.DOCS_ROOT / "drawing.svg").write_text("<svg><style></style></svg>")
    (tmp_path / "secret").write_text("secret")
    client = Client()
    for path, text in (("/docs/", b"<p>Start</p>"), ("/docs/api/", b"<p>API</p>")):
        page = client.get(path)
        assert b"".join(page) == text
        assert "default-src 'none'" in page["Content-Security-Policy"]
        assert page["X-Content-Type-Options"] == "nosniff"
    assert client.get("/docs")["Location"] == "docs/"
    drawing = client.get("/docs/drawing.svg")
    assert drawing["Content-Type"] == "image/svg+xml"
    assert "Content-Security-Policy" not in drawing
    for path in ("/docs/../secret", "/docs/%2e%2e/secret", "/docs/nothing/"):
        assert client.get(path).status_code == 404


def test_without_documentation_a_page_says_how_to_build_it(client: Client) -> None:
    page = client.get("/docs/annotators/")
    assert page.status_code == 404
    assert "make docs" in page.content.decode()
