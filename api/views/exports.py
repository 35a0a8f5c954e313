"""Files with what a project holds, streaming."""

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
from annotation.import_export.exports import FORMATS
from annotation.models import Project
from api.base_views import Resource
from api.exceptions import Conflict
from api.permissions import Right
from api.schema import describe

# Media type and ending of the file, by the name of the format.
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


class AnyFile(BaseRenderer):
    """Each format has its own type, whatever is asked for; the answer streams."""

    media_type = "*/*"
    format = "file"


class Export(Resource):
    tag = "exports"
    rights = {"GET": Right.OBSERVE}
    renderer_classes = [AnyFile]

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "name",
                {"type": "string", "enum": [name for name in FILES if name != ARCHIVE]},
                OpenApiParameter.PATH,
            )
        ],
        responses={
            (200, media_type): OpenApiResponse(
                OpenApiTypes.OBJECT if media_type == "application/json" else OpenApiTypes.BINARY,
                description="The file.",
            )
            for name, (media_type, _ending) in FILES.items()
            if name != ARCHIVE
        },
    )
    @describe("exportProject", refusals=[409])
    def get(self, request: Request, pk: int, name: str) -> StreamingHttpResponse:
        """Get a file of what the project holds

        The formats are those of `manage.py export_project`, in docs/formats.md.
        """
        if name not in FILES or name == ARCHIVE:
            raise Http404
        return answer(self.project, name)


class Archive(Resource):
    tag = "exports"
    rights = {"GET": Right.ADMINISTER}
    renderer_classes = [AnyFile]

    @extend_schema(
        responses={
            (200, FILES[ARCHIVE][0]): OpenApiResponse(
                OpenApiTypes.BINARY, description="The archive."
            )
        }
    )
    @describe("archiveProject", refusals=[409])
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """Get everything of the project

        An archive from which it can be made again, here or elsewhere.
        """
        return answer(self.project, ARCHIVE)


def answer(project: Project, name: str) -> StreamingHttpResponse:
    """Return the export. Raises Conflict where the project is not prepared, or cannot be said so.

    What a format cannot hold further on ends the answer before its end, so that it is no answer.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise Conflict(_("The project is not prepared: there is nothing to take out."))
    media_type, ending = FILES[name]
    response = StreamingHttpResponse(begun(FORMATS[name](project)), content_type=media_type)
    filename = f"{slugify(project.name) or f'project-{project.pk}'}.{ending}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    response["Content-Disposition"] = disposition or "attachment"
    return response


def begun(pieces: Iterator[Any]) -> Iterator[Any]:
    """Return the pieces, the first of which is there already. Raises Conflict."""
    try:
        first = next(pieces, b"")
    except InputError as problem:
        raise Conflict(str(problem)) from None
    return chain([first], pieces)
