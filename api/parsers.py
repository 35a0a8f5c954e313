"""How the bodies of requests are read."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError

from annotation.uploads.upload_handlers import stream_to_disk
from api.exceptions import TooLarge


class JSONParser(parsers.JSONParser):
    """JSON no larger than Django allows for a form, and no deeper than Python can read."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        length = int((parser_context or {})["request"].META.get("CONTENT_LENGTH") or 0)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(_("The request is too large."))
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as problem:
            raise ParseError(_("The JSON is nested too deeply.")) from problem


class UploadParser(parsers.MultiPartParser):
    """A form with files, which are written to disk as they arrive.

    REST framework parses a body when a view first reads it, so after the permissions were checked.
    """

    # The most bytes of a request; None for the most of any upload.
    limit: ClassVar[int | None] = None

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        limit = self.limit or int(settings.MAX_UPLOAD_BYTES)
        if not stream_to_disk(stream, limit):
            raise _too_large(limit)
        parsed = super().parse(stream, media_type, parser_context)
        for handler in stream.upload_handlers:
            if handler.problem:
                raise handler.problem
            if handler.exceeded:
                raise _too_large(limit)
        return parsed


def _too_large(limit: int) -> TooLarge:
    message = _("These files are too large: an upload takes at most %(limit)d MB.")
    return TooLarge(message % {"limit": limit // 1_000_000})
