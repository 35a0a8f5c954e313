"""Which sentences are assigned to which annotators."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging import assignment
from annotation.models import Assignment, Skip
from annotation.projects.permissions import LARGEST_ID
from api.base_views import ApiView
from api.idempotency import idempotent
from api.pagination import NewestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.serializers import IdField


class SkipSerializer(serializers.ModelSerializer[Skip]):
    class Meta:
        model = Skip
        fields = ("reason", "comment")
        read_only_fields = fields


class AssignmentSerializer(serializers.ModelSerializer[Assignment]):
    annotator = serializers.IntegerField(source="annotator_id", read_only=True)
    username = serializers.CharField(source="annotator.username", read_only=True)
    sentence = serializers.IntegerField(
        source="sentence.source_number", read_only=True, help_text="Its line in the source."
    )
    skip = SkipSerializer(
        read_only=True, allow_null=True, default=None, help_text="Why it was skipped."
    )

    class Meta:
        model = Assignment
        fields: Any = (
            "id",
            "annotator",
            "username",
            "sentence",
            "kind",
            "state",
            "created",
            "submitted",
            "lease_until",
            "skip",
        )
        read_only_fields = fields


class AssignmentFilters(PageQuery):
    state = serializers.ChoiceField(choices=Assignment.State.choices, required=False)
    kind = serializers.ChoiceField(choices=Assignment.Kind.choices, required=False)
    annotator = IdField(required=False, help_text="The id of a person.")


class AssignmentList(ApiView):
    tag = "assignments"
    permission_classes = [IsProjectAdministrator]
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": AssignmentFilters}

    @extend_schema(operation_id="listAssignments", responses=AssignmentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the assignments

        The newest first; for skipped sentences with the reason.
        """
        rows = Assignment.objects.filter(project=self.project)
        for name in ("state", "kind", "annotator"):
            if name in self.query:
                rows = rows.filter(**{name: self.query[name]})
        rows = rows.select_related("annotator", "sentence__copy_of", "skip")
        return self.page_response(rows, AssignmentSerializer)


class AssignmentRelease(ApiView):
    tag = "assignments"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="releaseAssignment", request=None, responses=AssignmentSerializer)
    @idempotent()
    def post(self, request: Request, pk: int, assignment_pk: int) -> Response:
        """Release an open assignment

        The sentence can then be assigned to another annotator.
        """
        if assignment_pk > LARGEST_ID:
            raise Http404
        assignment.release(project=self.project, assignment_id=assignment_pk)
        return Response(AssignmentSerializer(Assignment.objects.get(pk=assignment_pk)).data)
