"""What WhiteNoise serves before any page: static files, and the documentation."""

from typing import Any
from wsgiref.headers import Headers

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware


class FilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serve static files and, below /docs/, the documentation if it is built."""

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        self.index_file = "index.html"
        self.add_headers_function = add_policy
        if settings.DOCS_ROOT.is_dir():
            self.add_files(settings.DOCS_ROOT, prefix="docs")


def add_policy(headers: Headers, _path: str, _url: str) -> None:
    """Give HTML the Content Security Policy of all pages; drawings may have styles in them."""
    if headers.get("Content-Type", "").startswith("text/html"):
        headers[HEADER] = build_policy()
