"""Control sentences, which show whether people judge with care."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging import practice
from annotation.judging.control_items import MOST_AT_ONCE, ControlItem, control_items, make_controls
from annotation.models import Control, Sentence
from api.base_views import Resource
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown

LARGEST_NUMBER = 2**31 - 1


class ControlShown(Shown):
    """A copy of a sentence in which one candidate was made worse, or is there twice."""

    number = serializers.IntegerField()
    sentence = serializers.IntegerField(help_text="The line in the source of what it is a copy of.")
    kind = serializers.ChoiceField(Control.Kind.choices)
    segment = serializers.CharField()
    original = serializers.CharField()
    changed = serializers.CharField()
    judged = serializers.IntegerField(help_text="By how many.")
    passed = serializers.IntegerField(help_text="By how many of them rightly.")
    retired = serializers.BooleanField(help_text="Nobody is given it any more.")


class ControlsShown(Shown):
    results = ControlShown(many=True)


class NewControls(Fields):
    count = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)


class Retirement(Fields):
    retired = serializers.BooleanField(help_text="Whether nobody is given it any more.")


CONTROL: dict[str, Any] = {
    "number": 1,
    "sentence": 17,
    "kind": "degraded",
    "segment": "the old house",
    "original": "starý dům",
    "changed": "u řeky dům",
    "judged": 12,
    "passed": 11,
    "retired": False,
}


class Controls(Resource):
    tag = "checks"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}

    @describe("listControls", returns=ControlsShown, example={"results": [CONTROL]})
    def get(self, request: Request, pk: int) -> Response:
        """List the control sentences"""
        return Response({"results": [_control(item) for item in control_items(self.project)]})

    @describe(
        "makeControls",
        takes=NewControls,
        takes_example={"count": 10},
        code=201,
        returns=ControlsShown,
        example={"results": [CONTROL]},
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Make control sentences

        Copies of sentences drawn at random; the answer is those that were made.
        """
        made = make_controls(project=self.project, count=self.body(request, NewControls)["count"])
        numbers = {sentence.number for sentence in made}
        items = [item for item in control_items(self.project) if item.sentence.number in numbers]
        return Response({"results": [_control(item) for item in items]}, 201)


class OneControl(Resource):
    tag = "checks"
    rights = {"PUT": Right.ADMINISTER}

    @describe("retireControl", takes=Retirement, takes_example={"retired": True}, code=204)
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Take a control sentence out, or put it back

        What was done with it stays.
        """
        return retire(self, request, Sentence.Purpose.CONTROL, number)


def retire(view: Resource, request: Request, purpose: Sentence.Purpose, number: int) -> Response:
    """Take a sentence for control or practice out, or put it back. Raises Http404."""
    retired = view.body(request, Retirement)["retired"]
    found = number <= LARGEST_NUMBER and practice.retire(
        project=view.project, purpose=purpose, number=number, retired=retired
    )
    if not found:
        raise Http404
    return Response(status=204)


def _control(item: ControlItem) -> dict[str, Any]:
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
