"""Control sentences, which show whether annotators judge with care."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging import practice
from annotation.judging.control_items import MOST_AT_ONCE, ControlItem, control_items, make_controls
from annotation.models import Control, Sentence
from api.base_views import ApiView
from api.idempotency import idempotent
from api.permissions import IsProjectAdministrator
from api.project_serializers import LARGEST_NUMBER
from api.serializers import StrictSerializer


class ControlSerializer(serializers.Serializer[Any]):
    """A copy of a sentence in which one candidate was degraded or duplicated."""

    number = serializers.IntegerField()
    sentence = serializers.IntegerField(help_text="The line of the original in the source.")
    kind = serializers.ChoiceField(Control.Kind.choices)
    segment = serializers.CharField()
    original = serializers.CharField()
    changed = serializers.CharField()
    judged = serializers.IntegerField(help_text="Annotators who judged it.")
    passed = serializers.IntegerField(help_text="Annotators who passed it.")
    retired = serializers.BooleanField(help_text="Whether it is no longer assigned.")


class ControlsSerializer(serializers.Serializer[Any]):
    results = ControlSerializer(many=True)


class NewControls(StrictSerializer):
    count = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)


class Retirement(StrictSerializer):
    retired = serializers.BooleanField(help_text="Whether it is no longer assigned.")


class ControlList(ApiView):
    tag = "checks"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="listControls", responses=ControlsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """List the control sentences"""
        return Response({"results": [_control_json(item) for item in control_items(self.project)]})

    @extend_schema(
        operation_id="makeControls", request=NewControls, responses={201: ControlsSerializer}
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Create control sentences

        Copies of randomly sampled sentences. The answer lists the new ones.
        """
        count = self.read_body(NewControls)["count"]
        new = {each.number for each in make_controls(project=self.project, count=count)}
        items = [item for item in control_items(self.project) if item.sentence.number in new]
        return Response({"results": [_control_json(item) for item in items]}, 201)


class ControlDetail(ApiView):
    tag = "checks"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="retireControl", request=Retirement, responses={204: None})
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Retire a control sentence, or use it again

        Existing judgements of it are kept.
        """
        return retire(self, Sentence.Purpose.CONTROL, number)


def retire(view: ApiView, purpose: Sentence.Purpose, number: int) -> Response:
    """Retire the practice or control sentence, or use it again. Raises Http404."""
    retired = view.read_body(Retirement)["retired"]
    found = number <= LARGEST_NUMBER and practice.retire(
        project=view.project, purpose=purpose, number=number, retired=retired
    )
    if not found:
        raise Http404
    return Response(status=204)


def _control_json(item: ControlItem) -> dict[str, Any]:
    return {
        "number": item.sentence.number,
        "sentence": item.sentence.source_number,
        "kind": item.kind,
        "segment": item.segment,
        "original": item.original,
        "changed": item.changed,
        "judged": item.judged,
        "passed": item.passed,
        "retired": item.sentence.retired,
    }
