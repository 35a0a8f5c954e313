"""Findings computed from the present judgements: progress, statistics, rankings."""

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.process import clock
from api.base_views import ApiView
from api.exceptions import Conflict, Problem
from api.permissions import IsProjectObserver
from api.result_schemas import schema_of
from api.serializers import ASSIGNMENTS, JUDGEMENTS, SENTENCES, StrictSerializer
from api.throttling import COMPUTATION
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.findings.sentence_level import SentenceLevelReport
from evaluation.findings.serialisation import to_json
from evaluation.findings.statistics import ProjectStatistics
from evaluation.models import default_options
from evaluation.services.agreement import AgreementSoFar, agreement_so_far
from evaluation.services.findings import statistics_of
from evaluation.services.overview import Overview, overview_of
from evaluation.services.rankings import RankingNow, ranking_of_project
from evaluation.services.sentence_level import SentenceLevelFindings
from evaluation.stats.annotators.forecast import NoEnd
from evaluation.stats.ranking.systems import BY_WINS, METHODS

SECONDS = "The mean; times of 10 minutes or more are left out."
KAPPA = "Cohen's κ over pairs of candidates; null if undefined."


class ExclusionOptions(StrictSerializer):
    """Which judgements are left out; by default none."""

    minimum_kappa = serializers.FloatField(
        required=False,
        min_value=-1,
        max_value=1,
        help_text="Leave out annotators with a lower κ on at least 10 sentences.",
    )
    minimum_controls = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="Leave out annotators who passed a smaller share of control segments.",
    )
    repeats = serializers.BooleanField(default=True, help_text="Whether repeats count.")


def report_options(project: Project, values: dict[str, Any]) -> ReportOptions:
    """Return the options among the values, else the project's. Raises Problem if impossible."""
    shares = ("minimum_kappa", "minimum_controls")
    rounded = {name: round(values[name], 4) for name in shares if name in values}
    others = (
        "resamples",
        "seed",
        "repeats",
        "unit",
        "block_size",
        "predictions",
        "error_free_from",
    )
    try:
        return replace(
            default_options(project),
            **rounded,
            **{name: values[name] for name in others if name in values},
        )
    except BadOption as problem:
        raise Problem(str(problem)) from None


def refuse_unprepared(project: Project) -> None:
    """Raise Conflict if the project is not prepared."""
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise Conflict(_("The project is not prepared yet, so there are no findings."))


class RankingOptions(ExclusionOptions):
    method = serializers.ChoiceField(choices=tuple(BY_WINS), default=METHODS[0])


class Statistics(ApiView):
    tag = "findings"
    throttle_scope = COMPUTATION
    permission_classes = [IsProjectObserver]

    @extend_schema(operation_id="getStatistics", responses={200: schema_of(ProjectStatistics)})
    def get(self, request: Request, pk: int) -> Response:
        """Get statistics

        How much was judged, by whom, how fast, and how well annotators agree.
        """
        return Response(to_json(statistics_of(self.project)))


class Ranking(ApiView):
    tag = "findings"
    throttle_scope = COMPUTATION
    permission_classes = [IsProjectObserver]
    query_serializers = {"GET": RankingOptions}

    @extend_schema(operation_id="getRanking", responses={200: schema_of(RankingNow)})
    def get(self, request: Request, pk: int) -> Response:
        """Rank the systems

        By the present judgements. Where annotators give scores, grades or answers, `means` is the
        ranking by them, with intervals, and `systems` compares candidates of one sheet. Other
        intervals, rank ranges and clusters are in reports.
        """
        options = report_options(self.project, self.query)
        return Response(to_json(ranking_of_project(self.project, self.query["method"], options)))


class SentenceLevel(ApiView):
    tag = "findings"
    throttle_scope = COMPUTATION
    permission_classes = [IsProjectObserver]

    @extend_schema(
        operation_id="compareWithSentences", responses={200: schema_of(SentenceLevelReport)}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Compare judgements of segments with judgements of whole sentences

        What `manage.py compare_sentences` computes; docs/evaluation.md explains τ and the
        quotients. Judgements of whole sentences must have been imported on the server.
        """
        findings = SentenceLevelFindings(self.project)
        refuse_unprepared(self.project)
        if not findings.imported:
            raise Conflict(
                _("There are no judgements of whole sentences. Import them on the server first.")
            )
        return Response(to_json(findings.report))


class TimeZoneQuery(StrictSerializer):
    zone = serializers.CharField(
        required=False,
        max_length=100,
        help_text="The time zone of `today`, as Europe/Prague; by default that of the server.",
    )

    def validate_zone(self, name: str) -> ZoneInfo:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            message = _("Unknown time zone. Write it as in Europe/Prague.")
            raise serializers.ValidationError(message) from None


class AnnotatorActivitySerializer(serializers.Serializer[Any]):
    """The work of an annotator, without practice."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    sentences = serializers.IntegerField(help_text=SENTENCES)
    assignments = serializers.IntegerField(help_text=ASSIGNMENTS)
    judgements = serializers.IntegerField(help_text=JUDGEMENTS)
    repeats = serializers.IntegerField(help_text="Of the assignments.")
    today = serializers.IntegerField(help_text="Assignments submitted since midnight.")
    active = serializers.DateTimeField(allow_null=True, help_text="Last activity.")
    is_active = serializers.BooleanField(help_text="Active within the last five minutes.")
    seconds_per_segment = serializers.FloatField(allow_null=True, help_text=SECONDS)


class ForecastSerializer(serializers.Serializer[Any]):
    """When everything will be judged at the present pace."""

    when = serializers.DateTimeField(allow_null=True)
    sentences_a_day = serializers.FloatField(allow_null=True, help_text="The pace.")
    hours = serializers.FloatField(
        allow_null=True, help_text="Remaining hours of judging, in the first day of a project."
    )
    far = serializers.BooleanField(help_text="In more than two years.")
    unknown = serializers.ChoiceField(
        [reason.value for reason in NoEnd], allow_null=True, help_text="Why there is no forecast."
    )


class KappaSerializer(serializers.Serializer[Any]):
    kappa = serializers.FloatField(allow_null=True)
    agree = serializers.IntegerField(help_text="Pairs that two judgements order alike.")
    compared = serializers.IntegerField(help_text="All pairs compared.")
    sentences = serializers.IntegerField(help_text="The sentences behind κ.")
    only_ties = serializers.BooleanField(
        help_text="All candidates are tied in all judgements compared: κ says nothing of orders."
    )
    undefined = serializers.CharField(help_text="Why there is no κ; empty if there is one.")


class AgreementSerializer(serializers.Serializer[Any]):
    intra = KappaSerializer(help_text="Of annotators with themselves.")
    inter = KappaSerializer(help_text="Of annotators with each other.")
    made = serializers.DateTimeField(help_text="When it was computed.")
    missing = serializers.IntegerField(help_text="Judgements since then.")


class OverviewSerializer(serializers.Serializer[Any]):
    """How much of a project is judged."""

    sentences = serializers.IntegerField(
        help_text="Sentences, or single translations: judged, or with something to judge."
    )
    sentences_judged = serializers.IntegerField(help_text=SENTENCES)
    assignments = serializers.IntegerField(help_text=ASSIGNMENTS)
    judgements = serializers.IntegerField(help_text=JUDGEMENTS)
    repeats = serializers.IntegerField(help_text="Of the assignments.")
    wanted = serializers.IntegerField(help_text="Sheets to judge times the judges of each.")
    first_assignments = serializers.IntegerField(
        help_text="How many of `wanted` are submitted: neither repeats nor controls."
    )
    percent = serializers.IntegerField(help_text="Of `wanted`; 100 only when everything is judged.")
    stuck = serializers.IntegerField(
        help_text="Sentences that need a judge, and that no annotator is left to judge: each is "
        "paused, deactivated, at their limit, or has judged or skipped the sentence."
    )
    today = serializers.IntegerField(help_text="Assignments submitted since midnight.")
    zone = serializers.CharField(help_text="The time zone of that midnight.")
    active_annotators = serializers.IntegerField(help_text="How many annotators.")
    seconds_per_segment = serializers.FloatField(allow_null=True, help_text=SECONDS)
    end = ForecastSerializer()
    agreement = AgreementSerializer(
        allow_null=True, help_text="Null for very large projects: make a report."
    )
    annotators = AnnotatorActivitySerializer(many=True)


class ProjectOverview(ApiView):
    tag = "findings"
    permission_classes = [IsProjectObserver]
    query_serializers = {"GET": TimeZoneQuery}

    @extend_schema(operation_id="getOverview", responses=OverviewSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the progress of a project

        How much is judged, who is working, the pace, when it will end, and how well annotators
        agree so far. In very large projects the figures may be some seconds old.
        """
        refuse_unprepared(self.project)
        zone = self.query.get("zone") or ZoneInfo(timezone.get_default_timezone_name())
        found = overview_of(self.project, now=clock.now(), zone=zone)
        figures = _overview_json(found, agreement_so_far(self.project), zone)
        return Response(OverviewSerializer(figures).data)


def _overview_json(
    found: Overview, agreement: AgreementSoFar | None, zone: ZoneInfo
) -> dict[str, Any]:
    work, end = found.work, found.end
    return {
        "sentences": found.sentences.all,
        "sentences_judged": found.sentences.judged,
        "assignments": found.submitted.assignments,
        "judgements": found.submitted.judgements,
        "repeats": found.submitted.repeats,
        "wanted": work.wanted,
        "first_assignments": work.submitted,
        "stuck": found.stuck,
        "today": work.today,
        "percent": found.percent,
        "zone": zone.key,
        "active_annotators": len(found.at_work),
        "seconds_per_segment": found.together.per_segment,
        "end": {
            "when": end.when,
            "sentences_a_day": end.a_day,
            "hours": end.hours,
            "far": end.far,
            "unknown": end.unknown.value if end.unknown else None,
        },
        "agreement": agreement,
        "annotators": [
            vars(row.submitted) | vars(row.worker) | {"seconds_per_segment": row.seconds}
            for row in found.rows
        ],
    }
