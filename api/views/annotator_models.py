"""Models of annotators: ask for them, follow their state, read their tables."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from api.base_views import ApiView
from api.exceptions import Conflict
from api.idempotency import idempotent
from api.permissions import IsProjectObserver
from api.result_schemas import schema_of
from api.views.findings import refuse_unprepared
from api.views.reports import (
    EvaluationQuery,
    EvaluationSerializer,
    ReportSerializer,
    ResamplingOptions,
    requested_report,
    stored_evaluation,
)
from evaluation.findings.annotator_models import AnnotatorModels
from evaluation.findings.options import AnnotatorModelOptions
from evaluation.services.annotator_models import check_modelled


class NewModels(ResamplingOptions):
    """How the models are fitted."""

    keep = serializers.IntegerField(
        allow_null=True,
        default=None,
        min_value=1,
        max_value=10_000,
        help_text="Systems are scored also by so many annotators, the most precise.",
    )


@extend_schema_field(schema_of(AnnotatorModels))
class AnnotatorModelsField(serializers.DictField):
    """The models as they were stored."""


class AnnotatorModelsSerializer(EvaluationSerializer):
    findings = AnnotatorModelsField(allow_null=True, help_text="null until it is first made.")


class StoredAnnotatorModels(ApiView):
    tag = "reports"
    permission_classes = [IsProjectObserver]
    query_serializers = {"GET": EvaluationQuery}

    @extend_schema(operation_id="getAnnotatorModels", responses=AnnotatorModelsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the models of annotators

        Their state, and in `findings` the figures that `manage.py model_annotators` writes: of
        labels, such as yes and no or grades, also the probability of each label by item, and the
        confusion matrix of each annotator. docs/evaluation.md explains them.
        """
        return stored_evaluation(self, AnnotatorModelOptions())


class AnnotatorModelsRefresh(ApiView):
    tag = "reports"
    permission_classes = [IsProjectObserver]

    @extend_schema(
        operation_id="modelAnnotators", request=NewModels, responses={202: ReportSerializer}
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Ask for models of annotators

        Workers fit them to the judgements at that moment; `getAnnotatorModels` shows their state.
        The limits are those of reports, and all count together. The annotators must answer about
        each candidate by itself.
        """
        given = self.read_body(NewModels)
        refuse_unprepared(self.project)
        try:
            check_modelled(self.project)
        except InputError as problem:
            raise Conflict(localize_error(problem).words) from None
        return requested_report(self, AnnotatorModelOptions(**given))
