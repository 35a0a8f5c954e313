"""Exports of a project as downloads."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.exports import DOWNLOADS, KIND_DOWNLOADS, pieces_of
from annotation.models import Project


def download(project: Project, format_name: str) -> StreamingHttpResponse:
    """Stream an export in one of DOWNLOADS or KIND_DOWNLOADS.

    Raises NotPossible if the project is not prepared, or its first piece cannot be written. If a
    later piece cannot, the stream breaks off, so that the caller sees an incomplete answer.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise NotPossible(_("The project is not prepared yet, so there is nothing to export."))
    try:
        pieces: Iterator[Any] = pieces_of(project, format_name)
        first = next(pieces, b"")
    except InputError as problem:
        raise NotPossible(localize_error(problem)) from None
    media_type, ending = (DOWNLOADS | KIND_DOWNLOADS)[format_name]
    filename = f"{slugify(project.name) or f'project-{project.pk}'}.{ending}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    return StreamingHttpResponse(
        chain([first], pieces),
        content_type=media_type,
        headers={"Content-Disposition": disposition or "attachment"},
    )
