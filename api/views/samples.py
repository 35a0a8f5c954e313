"""Random samples of segments: those that annotators judge, and those that judge an added system."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.pipeline.reassignment import sample_segments
from annotation.pipeline.segment_sample import can_be_sampled, sample_of, sample_project
from annotation.projects.added_systems import entry_of
from annotation.web.forms.systems import MOST_JUDGED
from api.base_views import ApiView
from api.exceptions import Conflict
from api.idempotency import idempotent
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer


class SampleSerializer(serializers.Serializer[Any]):
    """The sample of segments that annotators judge; its figures are null if they judge all."""

    segments = serializers.IntegerField(allow_null=True, help_text="Segments in the sample.")
    of = serializers.IntegerField(
        allow_null=True, help_text="Segments with candidates to compare, when it was first taken."
    )
    seed = serializers.IntegerField(allow_null=True)
    can_be_sampled = serializers.BooleanField(
        help_text="False if segments were assigned before a sample was taken."
    )


class MoreSegments(StrictSerializer):
    segments = serializers.IntegerField(
        min_value=1, max_value=MOST_JUDGED, help_text="How many to sample, or how many more."
    )


class NewSample(MoreSegments):
    seed = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The random seed of the first sample. A sample is added to with its own.",
    )


class NewlySampledSerializer(SampleSerializer):
    added = serializers.IntegerField(
        help_text="Segments sampled by this request: fewer than wanted if there are no more."
    )


class NewlySampledForSystemSerializer(serializers.Serializer[Any]):
    segments = serializers.IntegerField(help_text="Segments sampled to judge the system.")
    added = serializers.IntegerField(
        help_text="Those of this request: fewer than wanted if there are no more."
    )


class SegmentSample(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getSample", responses=SampleSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the sample of segments that annotators judge"""
        return Response(_sample_json(self.project))

    @extend_schema(
        operation_id="sampleSegments", request=NewSample, responses=NewlySampledSerializer
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Have annotators judge a random sample of the segments

        Before anything is assigned; later, to add to the sample.
        """
        wanted = self.read_body(NewSample)
        try:
            added = sample_project(
                project=self.project, count=wanted["segments"], seed=wanted["seed"]
            )
        except InputError as problem:
            raise Conflict(localize_error(problem).words) from None
        self.project.refresh_from_db()
        return Response(_sample_json(self.project) | {"added": added})


class SystemSample(ApiView):
    tag = "systems"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="sampleSegmentsOfSystem",
        request=MoreSegments,
        responses=NewlySampledForSystemSerializer,
    )
    @idempotent()
    def post(self, request: Request, pk: int, system_pk: int) -> Response:
        """Sample more segments to judge an added system

        For a system that was added with `judge`. Annotators get these segments first.
        """
        system = get_object_or_404(self.project.systems, pk=system_pk)
        wanted = self.read_body(MoreSegments)
        try:
            added = sample_segments(system=system, count=wanted["segments"])
        except InputError as problem:
            raise Conflict(localize_error(problem).words) from None
        self.project.refresh_from_db()
        sampled = entry_of(self.project, system.name).sampled_count
        return Response({"segments": sampled, "added": added})


def _sample_json(project: Project) -> dict[str, Any]:
    sample = sample_of(project)
    return {
        "segments": sample.segments if sample else None,
        "of": sample.of if sample else None,
        "seed": sample.seed if sample else None,
        "can_be_sampled": can_be_sampled(project),
    }
