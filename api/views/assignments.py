"""Who was given which sentence, and taking one back."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging import assignment
from annotation.models import Assignment, Skip
from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Id


class SkipShown(serializers.ModelSerializer[Skip]):
    class Meta:
        model = Skip
        fields = ("reason", "comment")
        read_only_fields = fields


class AssignmentShown(serializers.ModelSerializer[Assignment]):
    """A sentence that was given to somebody."""

    annotator = serializers.IntegerField(source="annotator_id", read_only=True)
    username = serializers.CharField(source="annotator.username", read_only=True)
    sentence = serializers.IntegerField(
        source="sentence.source_number", read_only=True, help_text="Its line in the source."
    )
    skip = SkipShown(
        read_only=True, allow_null=True, default=None, help_text="Why it was not judged."
    )

    class Meta:
        model = Assignment
        fields = (
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


class AssignmentFilters(Paging):
    state = serializers.ChoiceField(choices=Assignment.State.choices, required=False)
    kind = serializers.ChoiceField(choices=Assignment.Kind.choices, required=False)
    annotator = Id(required=False, help_text="The id of a person.")


ASSIGNMENT: dict[str, Any] = {
    "id": 901,
    "annotator": 12,
    "username": "jana",
    "sentence": 17,
    "kind": "first",
    "state": "open",
    "created": "2026-11-20T09:30:00Z",
    "submitted": None,
    "lease_until": "2026-11-20T13:30:00Z",
    "skip": None,
}


class Assignments(Resource):
    tag = "assignments"
    rights = {"GET": Right.ADMINISTER}
    queries = {"GET": AssignmentFilters}

    @describe("listAssignments", returns=AssignmentShown, is_page=True, example=ASSIGNMENT)
    def get(self, request: Request, pk: int) -> Response:
        """List who was given which sentence

        The newest first; those that were skipped say why.
        """
        rows = Assignment.objects.filter(project=self.project)
        for name in ("state", "kind", "annotator"):
            if name in self.query:
                rows = rows.filter(**{name: self.query[name]})
        rows = rows.select_related("annotator", "sentence__copy_of", "skip")
        return self.page(rows, AssignmentShown, newest=True)


class Releasing(Resource):
    tag = "assignments"
    rights = {"POST": Right.ADMINISTER}

    @describe(
        "releaseAssignment",
        returns=AssignmentShown,
        example=ASSIGNMENT | {"state": "returned", "lease_until": None},
        refusals=[409],
    )
    def post(self, request: Request, pk: int, assignment_pk: int) -> Response:
        """Give an open sentence back to the others"""
        if assignment_pk > LARGEST_ID:
            raise Http404
        assignment.release(project=self.project, assignment_id=assignment_pk)
        return Response(AssignmentShown(Assignment.objects.get(pk=assignment_pk)).data)
