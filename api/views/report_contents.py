"""What is in a report: all of it, and its tables and figures."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import Resource
from api.permissions import Right
from api.schema import describe
from api.serializers import Shown
from api.views.reports import data_of
from evaluation.report.figures import figure, figures
from evaluation.report.files import zipped
from evaluation.report.formats import CONTENT_TYPES, FORMATS
from evaluation.report.tables import table, tables


class NamesShown(Shown):
    names = serializers.ListField(child=serializers.CharField())


class ReportContents(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}

    @describe("getReportData", returns=OpenApiTypes.OBJECT, refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """Get all of a report

        What `report.json` has, which docs/evaluation.md explains.
        """
        return Response(data_of(self.project, report_pk))


class Zip(BaseRenderer):
    """The file is there already."""

    media_type = "application/zip"
    format = "zip"

    def render(self, data: Any, *_context: Any) -> Any:
        return data


class WholeReport(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}
    renderer_classes = [Zip]

    @extend_schema(
        responses={
            (200, Zip.media_type): OpenApiResponse(OpenApiTypes.BINARY, description="The file.")
        }
    )
    @describe("getReportZip", refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int) -> HttpResponse:
        """Get a report as one file

        A .zip with all tables and figures and with `report.json`, as `manage.py report` writes
        them.
        """
        data = data_of(self.project, report_pk)
        response = HttpResponse(zipped(data), content_type=Zip.media_type)
        response["Content-Disposition"] = 'attachment; filename="report.zip"'
        return response


class Tables(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}

    @describe("listTables", returns=NamesShown, example={"names": ["agreement"]}, refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """List the tables of a report"""
        found = tables(data_of(self.project, report_pk))
        return Response({"names": [each.name for each in found]})


class TableRenderer(BaseRenderer):
    """Tables are texts already."""

    def render(self, data: Any, *_context: Any) -> Any:
        return data


TABLE_RENDERERS: list[type[BaseRenderer]] = [
    type(f"{name}Table", (TableRenderer,), {"format": name, "media_type": CONTENT_TYPES[name]})
    for name in FORMATS
]


class OneTable(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}
    # JSON where nothing is asked for.
    renderer_classes = sorted(TABLE_RENDERERS, key=lambda each: each.format != "json")

    @extend_schema(
        responses={
            (200, CONTENT_TYPES[name]): OpenApiResponse(
                OpenApiTypes.OBJECT if name == "json" else OpenApiTypes.STR, description="Done."
            )
            for name in FORMATS
        }
    )
    @describe("getTable", refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int, name: str) -> HttpResponse:
        """Get a table of a report

        By `Accept`, as JSON, CSV, LaTeX or Markdown.
        """
        found = table(data_of(self.project, report_pk), name)
        if found is None:
            raise Http404
        renderer = request.accepted_renderer
        text = FORMATS[str(renderer.format)](found)
        return HttpResponse(text, content_type=f"{renderer.media_type}; charset=utf-8")


class Figures(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}

    @describe("listFigures", returns=NamesShown, example={"names": ["win-rates"]}, refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """List the figures of a report"""
        found = figures(data_of(self.project, report_pk))
        return Response({"names": [name for name, _drawn in found]})


class OneFigure(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}

    @describe("getFigure", returns=OpenApiTypes.OBJECT, refusals=[409])
    def get(self, request: Request, pk: int, report_pk: int, name: str) -> Response:
        """Get a figure of a report

        As a specification of Vega-Lite, with its data.
        """
        drawn = figure(data_of(self.project, report_pk), name)
        if drawn is None:
            raise Http404
        return Response(drawn)
