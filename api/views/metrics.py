"""Evaluated metrics: ask for an evaluation, follow its state, read its contents."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import ApiView
from api.exceptions import Conflict, Problem
from api.idempotency import idempotent
from api.permissions import IsProjectObserver
from api.result_schemas import schema_of
from api.serializers import NameField
from api.views.findings import refuse_unprepared
from api.views.reports import (
    EvaluationQuery,
    EvaluationSerializer,
    ReportSerializer,
    ResamplingOptions,
    requested_report,
    stored_evaluation,
)
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.options import (
    DEFAULT_METRICS,
    GOLDS,
    BadOption,
    MetricsOptions,
)
from evaluation.metrics.catalogue import NAMES
from evaluation.services import reports
from evaluation.services.human_scores import golds_of
from evaluation.services.metric_evaluation import missing_for_metrics


class NewEvaluation(ResamplingOptions):
    """Which metrics are compared with which scores by people."""

    metrics = serializers.ListField(
        child=serializers.ChoiceField(choices=NAMES),
        default=list(DEFAULT_METRICS),
        allow_empty=False,
        max_length=len(NAMES),
    )
    gold = serializers.ChoiceField(
        choices=GOLDS,
        required=False,
        help_text="By default mean_z in direct assessment, minus_hter in post-editing, mean_score "
        "where each translation is put on a step by itself, else ratio_of_wins.",
    )
    outliers = serializers.ListField(
        child=NameField(max_length=200),
        allow_null=True,
        default=None,
        max_length=1000,
        help_text="Systems that are also left out; null finds them by MAD.",
    )


@extend_schema_field(schema_of(MetricsReport))
class MetricsField(serializers.DictField):
    """The findings as they were stored."""


class MetricsSerializer(EvaluationSerializer):
    findings = MetricsField(allow_null=True, help_text="null until it is first made.")


class Metrics(ApiView):
    tag = "reports"
    permission_classes = [IsProjectObserver]
    query_serializers = {"GET": EvaluationQuery}

    @extend_schema(operation_id="getMetrics", responses=MetricsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get an evaluation of automatic metrics

        Its state, and its contents as `metrics.json` has them, which docs/metrics.md explains.
        """
        return stored_evaluation(self, reports.default_metrics(self.project))


class MetricsRefresh(ApiView):
    tag = "reports"
    permission_classes = [IsProjectObserver]

    @extend_schema(
        operation_id="evaluateMetrics", request=NewEvaluation, responses={202: ReportSerializer}
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Ask for an evaluation of automatic metrics

        Workers compute it from the judgements at that moment; `getMetrics` shows its state. The
        limits are those of reports, and both count together.
        """
        given = self.read_body(NewEvaluation)
        refuse_unprepared(self.project)
        if missing_for_metrics(self.project):
            raise Conflict(
                _("Metrics need a reference, whole outputs of systems, and judgements of them.")
            )
        try:
            options = MetricsOptions(
                metrics=tuple(given["metrics"]),
                gold=given.get("gold") or golds_of(self.project)[0],
                outliers=None if given["outliers"] is None else tuple(given["outliers"]),
                resamples=given["resamples"],
                seed=given["seed"],
            )
        except BadOption as problem:
            raise Problem(str(problem)) from None
        return requested_report(self, options)
