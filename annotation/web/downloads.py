"""Exports of a project as downloads."""

from collections.abc import Mapping
from contextlib import closing

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.export_formats import DOWNLOADS, counts_of, pieces_of
from annotation.models import Project


def attachment(project: Project, ending: str) -> str:
    """Return the header of a file that is saved under the project's name with this ending.

    Its id distinguishes it from files of a project with a similar name.
    """
    name = f"{slugify(project.name) or 'project'}-{project.pk}{ending}"
    return content_disposition_header(as_attachment=True, filename=name) or "attachment"


def download(project: Project, format_name: str, given: Mapping[str, str]) -> StreamingHttpResponse:
    """Stream an export in one of DOWNLOADS, with the options that are given as texts.

    Where the format says what it leaves out, so does the header `Left-Out`. Raises NotPossible if
    the project is not prepared, an option is no number, or the first piece cannot be written. If a
    later piece cannot, the stream breaks off, so that the caller sees an incomplete answer.
    """
    chosen = DOWNLOADS[format_name]
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise NotPossible(_("The project is not prepared yet, so there is nothing to export."))
    try:
        options = chosen.read_options(given)
        with closing(pieces_of(project, format_name, **options)) as pieces:
            next(pieces, None)
        # The answer begins anew, and opens its snapshot when the first piece is sent: middleware
        # that writes to the database comes before. The server closes the iterator in any case.
        pieces = pieces_of(project, format_name, **options)
        counts = counts_of(project, format_name, **options)
    except InputError as problem:
        raise NotPossible(localize_error(problem)) from None
    headers = {"Content-Disposition": attachment(project, f".{chosen.ending}")}
    if counts:
        headers["Left-Out"] = "; ".join(f"{reason}={count}" for reason, count in counts[1].items())
    content_type = chosen.media_type
    if content_type.startswith("text/"):
        # Without it, many programs take a text for ISO-8859-1.
        content_type += "; charset=utf-8"
    return StreamingHttpResponse(pieces, content_type=content_type, headers=headers)
