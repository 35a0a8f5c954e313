"""Exports of a project, streamed."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from annotation.formats.errors import InputError
from annotation.import_export.exports import EXPORT_FORMATS
from annotation.models import Project
from api.base_views import ApiView
from api.exceptions import Conflict
from api.permissions import IsProjectAdministrator, IsProjectObserver

# Media type and file extension of each format.
FILES = {
    "json": ("application/json", "json"),
    "pickle": ("application/octet-stream", "pickle"),
    "csv": ("text/csv", "csv"),
    "segments": ("text/tab-separated-values", "segments.tsv"),
    "systems": ("text/tab-separated-values", "systems.tsv"),
    "source-segments": ("text/tab-separated-values", "source-segments.tsv"),
    "archive": ("application/x-ndjson", "jsonl"),
}
ARCHIVE = "archive"
# The archive also contains what only administrators may see.
OBSERVABLE = {name: media_type for name, (media_type, _ending) in FILES.items() if name != ARCHIVE}


class AnyRenderer(BaseRenderer):
    """The view streams each format with its own media type and ignores the Accept header."""

    media_type = "*/*"
    format = "file"


class Export(ApiView):
    tag = "exports"
    permission_classes = [IsProjectObserver]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="exportProject",
        parameters=[
            OpenApiParameter(
                "name", {"type": "string", "enum": list(OBSERVABLE)}, OpenApiParameter.PATH
            )
        ],
        responses={
            (200, media_type): OpenApiResponse(
                OpenApiTypes.OBJECT if media_type == "application/json" else OpenApiTypes.BINARY
            )
            for media_type in OBSERVABLE.values()
        },
    )
    def get(self, request: Request, pk: int, name: str) -> StreamingHttpResponse:
        """Export judgements or candidates

        In the formats of `manage.py export_project`, which docs/formats.md explains.
        """
        if name not in OBSERVABLE:
            raise Http404
        return export_response(self.project, name)


class Archive(ApiView):
    tag = "exports"
    permission_classes = [IsProjectAdministrator]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="archiveProject", responses={(200, FILES[ARCHIVE][0]): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """Export the whole project

        As an archive from which it can be restored on any installation.
        """
        return export_response(self.project, ARCHIVE)


def export_response(project: Project, name: str) -> StreamingHttpResponse:
    """Return the export as a download.

    Raises Conflict if the project is not prepared, or its first piece cannot be written. If a later
    piece cannot, the stream breaks off, so that the caller sees an incomplete answer.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise Conflict(_("The project is not prepared yet, so there is nothing to export."))
    pieces: Iterator[Any] = EXPORT_FORMATS[name](project)
    try:
        first = next(pieces, b"")
    except InputError as problem:
        raise Conflict(str(problem)) from None
    media_type, ending = FILES[name]
    filename = f"{slugify(project.name) or f'project-{project.pk}'}.{ending}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    return StreamingHttpResponse(
        chain([first], pieces),
        content_type=media_type,
        headers={"Content-Disposition": disposition or "attachment"},
    )
