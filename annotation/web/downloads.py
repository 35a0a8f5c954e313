"""Exports of a project as downloads."""

from contextlib import closing

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.exports import DOWNLOADS, KIND_DOWNLOADS, pieces_of
from annotation.models import Project


def attachment(project: Project, ending: str) -> str:
    """Return the header of a file that is saved under the project's name with this ending.

    Its id distinguishes it from files of a project with a similar name.
    """
    name = f"{slugify(project.name) or 'project'}-{project.pk}{ending}"
    return content_disposition_header(as_attachment=True, filename=name) or "attachment"


def download(project: Project, format_name: str) -> StreamingHttpResponse:
    """Stream an export in one of DOWNLOADS or KIND_DOWNLOADS.

    Raises NotPossible if the project is not prepared, or its first piece cannot be written. If a
    later piece cannot, the stream breaks off, so that the caller sees an incomplete answer.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise NotPossible(_("The project is not prepared yet, so there is nothing to export."))
    try:
        with closing(pieces_of(project, format_name)) as pieces:
            next(pieces, None)
        # The answer begins anew, and opens its snapshot when the first piece is sent: middleware
        # that writes to the database comes before. The server closes the iterator in any case.
        pieces = pieces_of(project, format_name)
    except InputError as problem:
        raise NotPossible(localize_error(problem)) from None
    media_type, ending = (DOWNLOADS | KIND_DOWNLOADS)[format_name]
    return StreamingHttpResponse(
        pieces,
        content_type=media_type,
        headers={"Content-Disposition": attachment(project, f".{ending}")},
    )
