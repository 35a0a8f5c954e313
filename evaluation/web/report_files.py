"""Answers with the files of a stored report: figures, tables, and everything together."""

import json

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from annotation.models import Project
from evaluation.report.figures import figure
from evaluation.report.figures.rendering import IMAGE_FORMATS, IMAGE_TYPES, draw
from evaluation.report.figures.style import PAPER, SCREEN, Look, Specification
from evaluation.report.files import files, zipped
from evaluation.report.formats import CONTENT_TYPES, TABLE_FORMATS
from evaluation.report.shape import ReportData
from evaluation.report.tables import Table, table
from evaluation.web.report_texts import figure_words

BINARY_TYPES = {**IMAGE_TYPES, "zip": "application/zip"}


def look_of(request: HttpRequest) -> Look:
    """Return the colours of the page for `?look=screen`, else those of paper."""
    return SCREEN if request.GET.get("look") == "screen" else PAPER


def send_figure(request: HttpRequest, data: ReportData, name: str) -> JsonResponse:
    """Answer with the Vega-Lite specification of the figure. Raises Http404."""
    specification = figure(data, name, look_of(request), figure_words())
    if specification is None:
        raise Http404
    return JsonResponse(specification)


def send_image(
    project: Project, specification: Specification | None, name: str, extension: str
) -> HttpResponse:
    """Send the figure as an SVG, PDF or PNG file; it is drawn now. Raises Http404."""
    if specification is None or extension not in IMAGE_FORMATS:
        raise Http404
    drawn = draw(specification, figure_words().decimal)
    return download(project, IMAGE_FORMATS[extension](drawn), f"{name}.{extension}")


def send_report_image(
    project: Project, data: ReportData, name: str, extension: str
) -> HttpResponse:
    return send_image(project, figure(data, name, PAPER, figure_words()), name, extension)


def send_table(project: Project, made: Table | None, extension: str) -> HttpResponse:
    """Send the table as a .tex, .csv, .md or .json file. Raises Http404."""
    if made is None or extension not in TABLE_FORMATS:
        raise Http404
    contents = TABLE_FORMATS[extension](made).encode()
    return download(project, contents, f"{made.name}.{extension}")


def send_report_table(
    project: Project, data: ReportData, name: str, extension: str
) -> HttpResponse:
    return send_table(project, table(data, name), extension)


def send_json(project: Project, data: object, name: str) -> HttpResponse:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return download(project, f"{text}\n".encode(), name)


def send_everything(project: Project, data: ReportData) -> HttpResponse:
    """Send all files of `manage.py report` as a zip file; its figures are drawn now."""
    return download(project, zipped(files(data), data["made"]), "report.zip")


def download(project: Project, content: bytes, name: str) -> HttpResponse:
    """Return the content as a file to save, named after the project."""
    extension = name.rpartition(".")[2]
    binary = BINARY_TYPES.get(extension)
    content_type = binary or f"{CONTENT_TYPES[extension]}; charset=utf-8"
    response = HttpResponse(content, content_type=content_type)
    filename = f"{slugify(project.name) or f'project-{project.pk}'}-{name}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    response["Content-Disposition"] = disposition or "attachment"
    return response
