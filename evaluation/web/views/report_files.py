"""The figures and tables of a stored report, to be drawn and to be saved."""

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from evaluation.report.figures.look import PAPER, SCREEN
from evaluation.report.figures.of_report import figure as make_figure
from evaluation.report.files import zipped
from evaluation.report.formats import CONTENT_TYPES, FORMATS
from evaluation.report.shape import ReportData
from evaluation.report.tables import table as make_table
from evaluation.services.permissions import project_to_evaluate
from evaluation.web.report_texts import figure_words
from evaluation.web.views.report import find


@never_cache
@login_required
@require_safe
def figure(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Answer with a Vega-Lite specification: for the page with `?look=screen`, else for paper."""
    _project, data = _report(request, pk)
    look = SCREEN if request.GET.get("look") == "screen" else PAPER
    specification = make_figure(data, name, look, figure_words())
    if specification is None:
        raise Http404
    return JsonResponse(specification)


@never_cache
@login_required
@require_safe
def table(request: HttpRequest, pk: int, name: str, extension: str) -> HttpResponse:
    """Send a table as a file: .tex, .csv, .md or .json."""
    project, data = _report(request, pk)
    made = make_table(data, name)
    if made is None or extension not in FORMATS:
        raise Http404
    return _download(project, FORMATS[extension](made).encode(), f"{name}.{extension}")


@never_cache
@login_required
@require_safe
def whole(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the report as JSON."""
    project, data = _report(request, pk)
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return _download(project, f"{text}\n".encode(), "report.json")


@never_cache
@login_required
@require_safe
def everything(request: HttpRequest, pk: int) -> HttpResponse:
    """Send all that `manage.py report` writes, in a zip file."""
    project, data = _report(request, pk)
    return _download(project, zipped(data), "report.zip")


def _report(request: HttpRequest, pk: int) -> tuple[Project, ReportData]:
    project = project_to_evaluate(request.user, pk)
    stored = find(project, request)
    if stored is None or stored.data is None:
        raise Http404
    return project, stored.data


def _download(project: Project, content: bytes, name: str) -> HttpResponse:
    extension = name.rpartition(".")[2]
    content_type = CONTENT_TYPES.get(extension, "application/zip")
    if extension != "zip":
        content_type += "; charset=utf-8"
    response = HttpResponse(content, content_type=content_type)
    filename = f"{slugify(project.name) or f'project-{project.pk}'}-{name}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    response["Content-Disposition"] = disposition or "attachment"
    return response
