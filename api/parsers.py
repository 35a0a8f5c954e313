"""Reading what is sent."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError

from api.exceptions import TooLarge


class JSONParser(parsers.JSONParser):
    """JSON that is no larger than a form may be, and no deeper than Python reads."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        said = (parser_context or {})["request"].META.get("CONTENT_LENGTH") or 0
        if int(said) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(_("This is larger than anything that can be sent here."))
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as problem:
            raise ParseError(_("This is nested too deeply.")) from problem


class UploadParser(parsers.MultiPartParser):
    """A form with files, which go to the disk as they come (see `Resource.take_files`)."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        found = super().parse(stream, media_type, parser_context)
        if any(getattr(each, "exceeded", False) for each in stream.upload_handlers):
            raise too_large()
        return found


def too_large() -> TooLarge:
    limit = int(settings.MAX_UPLOAD_BYTES) // 1_000_000
    told = _("These files are too large: an upload takes at most %(limit)d MB.")
    return TooLarge(told % {"limit": limit})
