"""Reports: asking for one, seeing how far it is, and its tables and figures."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.exceptions import Conflict, Problem
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import LARGEST_SEED, MOST_RESAMPLES, BadOption, ReportOptions
from evaluation.report.shape import ReportData
from evaluation.services import stored_reports


class Leaving(Fields):
    """Whose judgements are left out; by default nobody's."""

    minimum_kappa = serializers.FloatField(
        required=False,
        min_value=-1,
        max_value=1,
        help_text="Annotators with a κ below it are left out.",
    )
    minimum_controls = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="So are those who passed a smaller share of their control segments.",
    )
    repeats = serializers.BooleanField(
        default=True, help_text="Whether sentences that came again count."
    )


class NewReport(Leaving):
    resamples = serializers.IntegerField(default=1000, min_value=1, max_value=MOST_RESAMPLES)
    seed = serializers.IntegerField(default=0, min_value=0, max_value=LARGEST_SEED)
    skill = serializers.BooleanField(
        default=False, help_text="Whether to rank by a TrueSkill-like rating too."
    )


class ReportShown(serializers.ModelSerializer[StoredReport]):
    """A report with certain options; asking for the same again makes it anew."""

    state = serializers.SerializerMethodField(
        help_text="A report that is made anew stays there meanwhile: see `made`."
    )
    options = serializers.DictField(read_only=True)

    class Meta:
        model = StoredReport
        fields = (
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
            "started": {"help_text": "When a worker began to compute it; null where none has."},
            "seconds": {"help_text": "That it took to make."},
        }
        read_only_fields = fields

    def get_state(self, report: StoredReport) -> str:
        return state_of(report)


def state_of(report: StoredReport) -> str:
    """Return "waiting", "failed" or "made"."""
    if report.is_waiting:
        return "waiting"
    return "failed" if report.error else "made"


class Schedule(Fields):
    every = serializers.ChoiceField(choices=ReportSchedule.Every.choices)


class ScheduleShown(Shown):
    every = serializers.ChoiceField(choices=ReportSchedule.Every.choices)


REPORT = {
    "id": 3,
    "state": "made",
    "options": {"resamples": 1000, "seed": 0, "repeats": True, "skill": False},
    "requested": "2026-11-20T09:29:00Z",
    "started": "2026-11-20T09:29:18Z",
    "made": "2026-11-20T09:30:00Z",
    "seconds": 41.7,
    "error": "",
    "judgements": 2765,
    "signature": "report|1000 resamples of sentences|seed 0",
}


class Reports(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE, "POST": Right.OBSERVE}
    queries = {"GET": Paging}

    @describe("listReports", returns=ReportShown, is_page=True, example=REPORT)
    def get(self, request: Request, pk: int) -> Response:
        """List reports

        One of each set of options that was asked for; twenty are kept.
        """
        return self.page(reports(self.project), ReportShown)

    @describe(
        "makeReport",
        takes=NewReport,
        takes_example={"minimum_kappa": 0.2, "repeats": False},
        returns=ReportShown,
        code=202,
        example=REPORT | {"state": "waiting", "started": None, "made": None},
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask for a report

        It is computed by workers, from what is judged by then: ask for its state.
        """
        options = options_of(self.body(request, NewReport))
        if self.project.state in (Project.State.PREPARING, Project.State.FAILED):
            raise Conflict(_("The project is not prepared: there is nothing to report."))
        report = stored_reports.report_of(self.project, options)
        stored_reports.request(report)
        return Response(ReportShown(report).data, 202)


class OneReport(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE}

    @describe("getReport", returns=ReportShown, example=REPORT)
    def get(self, request: Request, pk: int, report_pk: int) -> Response:
        """Get the state of a report"""
        return Response(ReportShown(report_of(self.project, report_pk)).data)


class OneSchedule(Resource):
    tag = "reports"
    rights = {"GET": Right.OBSERVE, "PUT": Right.ADMINISTER}

    @describe("getReportSchedule", returns=ScheduleShown, example={"every": "day"})
    def get(self, request: Request, pk: int) -> Response:
        """Get how often the report is made anew by itself"""
        return Response({"every": stored_reports.schedule_of(self.project)})

    @describe(
        "setReportSchedule",
        takes=Schedule,
        takes_example={"every": "day"},
        returns=ScheduleShown,
        example={"every": "day"},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Choose how often the report is made anew by itself"""
        stored_reports.set_schedule(self.project, self.body(request, Schedule)["every"])
        return Response({"every": stored_reports.schedule_of(self.project)})


def options_of(values: dict[str, Any]) -> ReportOptions:
    """Return the options that are among the values. Raises Problem for those that mean nothing."""
    shares = ("minimum_kappa", "minimum_controls")
    known = {name: round(values[name], 4) for name in shares if name in values}
    others = ("resamples", "seed", "repeats", "skill")
    try:
        return ReportOptions(**known, **{name: values[name] for name in others if name in values})
    except BadOption as problem:
        raise Problem(str(problem)) from None


def reports(project: Project) -> QuerySet[StoredReport]:
    return StoredReport.objects.filter(project=project).defer("data")


def report_of(project: Project, pk: int) -> StoredReport:
    """Return the report without its data. Raises Http404."""
    report = reports(project).filter(pk=pk).first() if pk <= LARGEST_ID else None
    if report is None:
        raise Http404
    return report


def data_of(project: Project, pk: int) -> ReportData:
    """Return what the report says. Raises Http404, and Conflict where it is not made yet."""
    data: ReportData | None = report_of(project, pk).data
    if data is None:
        raise Conflict(_("This report is not made yet."))
    return data
