"""Reports: ask for one, follow its state, download its contents."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.web.downloads import attachment
from api.base_views import ApiView
from api.exceptions import Busy, Conflict, Problem
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator, IsProjectObserver
from api.result_schemas import schema_of
from api.serializers import StrictSerializer
from api.views.findings import ExclusionOptions, refuse_unprepared, report_options
from evaluation.findings.options import (
    BLOCK_SIZE,
    HIGHEST_SCORE,
    LARGEST_BLOCK,
    LARGEST_SEED,
    MOST_REQUESTED_RESAMPLES,
    SMALLEST_BLOCK,
    UNITS,
    BadOption,
)
from evaluation.findings.report import Report, table, tables
from evaluation.findings.serialisation import to_json
from evaluation.models import ReportSchedule, StoredReport
from evaluation.rendering.figures.style import ENGLISH, PAPER
from evaluation.rendering.formats import CONTENT_TYPES, TABLE_FORMATS
from evaluation.report.files import drawn_figure, drawn_figures, files, zipped
from evaluation.report.paper import paper_files
from evaluation.services import reports
from evaluation.services.drawn_files import cached_drawing
from evaluation.services.report_kinds import Options, data_of, kind_of
from evaluation.stats.ranking.marked_systems import ERROR_FREE_FROM
from evaluation.stats.resampling import FEWEST_RESAMPLES


class ResamplingOptions(StrictSerializer):
    """How often figures are computed from resampled judgements, and with which seed."""

    resamples = serializers.IntegerField(
        default=1000, min_value=FEWEST_RESAMPLES, max_value=MOST_REQUESTED_RESAMPLES
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED)


class NewReport(ExclusionOptions, ResamplingOptions):
    unit = serializers.ChoiceField(
        choices=UNITS,
        required=False,
        help_text="What intervals and tests sample: sentences, or documents where documents are "
        "judged, if left out; document needs one of each judged sentence.",
    )
    predictions = serializers.BooleanField(
        default=False,
        help_text="Whether to add estimates with predictions from the texts of all sentences, or "
        "means of scores with the help of metrics.",
    )
    block_size = serializers.IntegerField(
        required=False,
        min_value=SMALLEST_BLOCK,
        max_value=LARGEST_BLOCK,
        help_text=f"Neighbouring sentences in a block; {BLOCK_SIZE} if left out.",
    )
    error_free_from = serializers.IntegerField(
        default=ERROR_FREE_FROM,
        min_value=0,
        max_value=HIGHEST_SCORE,
        help_text="The least score of a translation without marked errors that is error-free.",
    )


class ReportSerializer(serializers.ModelSerializer[StoredReport]):
    """A report with certain options; asking for the same options again updates it."""

    state = serializers.SerializerMethodField(
        help_text="waiting, failed or made. While it is updated, the old contents remain: `made`."
    )
    options = serializers.DictField(read_only=True)

    class Meta:
        model = StoredReport
        fields: tuple[str, ...] = (
            "id",
            "state",
            "options",
            "requested",
            "started",
            "made",
            "seconds",
            "error",
            "judgements",
            "signature",
        )
        extra_kwargs = {
            "requested": {"help_text": "When the report was last requested."},
            "started": {"help_text": "When a worker began to compute it; null if none has."},
            "seconds": {"help_text": "How long it took."},
        }
        read_only_fields = fields

    def get_state(self, report: StoredReport) -> str:
        if report.is_unfinished:
            return "waiting"
        return "failed" if report.error else "made"


class EvaluationQuery(StrictSerializer):
    id = serializers.IntegerField(
        required=False, min_value=1, help_text="Of an evaluation; by default the project's own."
    )


class EvaluationSerializer(serializers.Serializer[Any]):
    evaluation = ReportSerializer(allow_null=True, help_text="null if none was asked for.")
    findings = serializers.DictField(allow_null=True, help_text="null until it is first made.")


class ScheduleSerializer(StrictSerializer):
    every = serializers.ChoiceField(choices=ReportSchedule.Every.choices)


class NamesSerializer(serializers.Serializer[Any]):
    names = serializers.ListField(child=serializers.CharField())


def requested_report(view: ApiView, options: Options) -> Response:
    """Request the report with these options and answer with its state.

    Raises Busy if too many of the person wait, and Problem for options that do not fit the project.
    """
    try:
        report = reports.report_of(view.project, options, by=view.user)
        reports.request(report, by=view.user)
    except reports.TooManyWaiting as problem:
        raise Busy(str(problem)) from None
    except BadOption as problem:
        raise Problem(str(problem)) from None
    return Response(ReportSerializer(report).data, 202)


def stored_evaluation(view: ApiView, options: Options) -> Response:
    """Answer with the evaluation that the query names, or the one with these options.

    Raises Http404 if the query names one that is not there, or is of another kind.
    """
    kind = kind_of(options)
    stored = StoredReport.objects.filter(project=view.project, kind=kind)
    if "id" in view.query:
        found: StoredReport | None = get_object_or_404(stored, pk=view.query["id"])
    else:
        found = stored.filter(key=options.key).first()
    is_readable = found is not None and not reports.has_other_shape(found)
    both = {"evaluation": found, "findings": found.data if found and is_readable else None}
    return Response(EvaluationSerializer(both).data)


class ReportView(ApiView):
    """Base of the views of reports."""

    tag = "reports"
    permission_classes = [IsProjectObserver]

    def report(self, pk: int) -> StoredReport:
        """Return the report without its contents. Raises Http404."""
        return get_object_or_404(_reports(self.project), pk=pk)

    def contents(self, pk: int) -> Report:
        """Return the contents of the report. Raises Http404, and Conflict if it has none yet.

        One that a former version computed is requested again.
        """
        report = self.report(pk)
        data: Report | None = data_of(report)
        if data is None:
            reports.renew_unreadable(report)
            raise Conflict(_("This report is not finished yet."))
        return data


class ReportList(ReportView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listReports", responses=ReportSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the reports

        One for each set of options. Of each person, the latest five are kept, besides the one with
        default options.
        """
        return self.page_response(_reports(self.project), ReportSerializer)

    @extend_schema(operation_id="makeReport", request=NewReport, responses={202: ReportSerializer})
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Ask for a report

        Workers compute it from the judgements at that moment; `getReport` shows its state. Of each
        person, two reports at most wait or are computed, in all projects together; the answer to
        further requests is 429.
        """
        options = report_options(self.project, self.read_body(NewReport))
        refuse_unprepared(self.project)
        return requested_report(self, options)


class ReportDetail(ReportView):
    @extend_schema(operation_id="getReport", responses=ReportSerializer)
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """Get the state of a report"""
        return Response(ReportSerializer(self.report(report_pk)).data)


class ReportScheduleDetail(ApiView):
    tag = "reports"

    def get_permissions(self) -> list[Any]:
        changes = self.request.method == "PUT"
        return [IsProjectAdministrator() if changes else IsProjectObserver()]

    @extend_schema(operation_id="getReportSchedule", responses=ScheduleSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get how often the report is updated automatically"""
        return Response({"every": reports.schedule_of(self.project)})

    @extend_schema(
        operation_id="setReportSchedule", request=ScheduleSerializer, responses=ScheduleSerializer
    )
    def put(self, request: Request, pk: int) -> Response:
        """Set how often the report is updated automatically"""
        every = self.read_body(ScheduleSerializer)["every"]
        reports.set_schedule(self.project, every)
        return Response({"every": reports.schedule_of(self.project)})


class ReportContents(ReportView):
    @extend_schema(operation_id="getReportData", responses={200: schema_of(Report)})
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """Get the contents of a report

        The same as `report.json`, which docs/evaluation.md explains.
        """
        return Response(to_json(self.contents(report_pk)))


class FileRenderer(BaseRenderer):
    """Makes a media type negotiable; the view answers with the finished file."""


class ZipRenderer(FileRenderer):
    media_type = "application/zip"
    format = "zip"


TABLE_RENDERERS: dict[str, type[BaseRenderer]] = {
    name: type(
        f"{name}Renderer", (FileRenderer,), {"format": name, "media_type": CONTENT_TYPES[name]}
    )
    for name in TABLE_FORMATS
}


class ReportZip(ReportView):
    renderer_classes = [ZipRenderer]

    @extend_schema(
        operation_id="getReportZip",
        responses={(200, ZipRenderer.media_type): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int, report_pk: int) -> HttpResponse:
        """Get a report as a zip file

        With all tables and figures and `report.json`, as `manage.py report` writes them.
        """
        data = self.contents(report_pk)
        return HttpResponse(
            cached_drawing(["report", to_json(data)], lambda: zipped(files(data), data.made)),
            content_type=ZipRenderer.media_type,
            headers={"Content-Disposition": attachment(self.project, "-report.zip")},
        )


class ReportPaper(ReportView):
    renderer_classes = [ZipRenderer]

    @extend_schema(
        operation_id="getReportPaper",
        responses={(200, ZipRenderer.media_type): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int, report_pk: int) -> HttpResponse:
        """Get the parts of a paper as a zip file

        In LaTeX: the table of systems, figures, the method and its limits, and their sources, as
        `manage.py report --paper` writes them.
        """
        data = self.contents(report_pk)
        if not data.judged.judgements:
            raise Conflict(_("Nothing is judged yet."))
        return HttpResponse(
            cached_drawing(["paper", to_json(data)], lambda: zipped(paper_files(data), data.made)),
            content_type=ZipRenderer.media_type,
            headers={"Content-Disposition": attachment(self.project, "-paper.zip")},
        )


class TableList(ReportView):
    @extend_schema(operation_id="listTables", responses=NamesSerializer)
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """List the tables of a report"""
        return Response({"names": [each.name for each in tables(self.contents(report_pk))]})


class TableDetail(ReportView):
    # The first one is for clients that accept anything.
    renderer_classes = sorted(TABLE_RENDERERS.values(), key=lambda each: each.format != "json")

    @extend_schema(
        operation_id="getTable",
        responses={
            (200, media_type): OpenApiResponse(
                OpenApiTypes.OBJECT if name == "json" else OpenApiTypes.STR
            )
            for name, media_type in CONTENT_TYPES.items()
            if name in TABLE_FORMATS
        },
    )
    def get(self, request: Request, pk: int, report_pk: int, name: str) -> HttpResponse:
        """Get a table of a report

        According to `Accept` as JSON, CSV, LaTeX or Markdown.
        """
        found = table(self.contents(report_pk), name)
        if found is None:
            raise Http404
        renderer = request.accepted_renderer
        text = TABLE_FORMATS[str(renderer.format)](found)
        return HttpResponse(text, content_type=f"{renderer.media_type}; charset=utf-8")


class FigureList(ReportView):
    @extend_schema(operation_id="listFigures", responses=NamesSerializer)
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """List the figures of a report"""
        return Response(
            {"names": [name for name, _figure in drawn_figures(self.contents(report_pk))]}
        )


class FigureDetail(ReportView):
    @extend_schema(operation_id="getFigure", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int, report_pk: int, name: str) -> Response:
        """Get a figure of a report

        As a Vega-Lite specification with its data.
        """
        found = drawn_figure(self.contents(report_pk), name, PAPER, ENGLISH)
        if found is None:
            raise Http404
        return Response(found)


def _reports(project: Project) -> QuerySet[StoredReport]:
    reports = StoredReport.objects.filter(project=project, kind=StoredReport.Kind.REPORT)
    return reports.defer("data")
