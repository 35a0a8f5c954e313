"""Errors that were marked before, for annotators to keep, change and delete."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import GivenOrigin
from annotation.projects.given_errors import OriginSummary, origin_summaries, remove_origin
from annotation.projects.permissions import find_project
from api.base_views import ApiView
from api.exceptions import problems_of_files
from api.idempotency import idempotent
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator
from api.serializers import IdField, NameField, StrictSerializer
from evaluation.services.given_errors import (
    give_errors_of_annotators,
    import_uploaded_given_errors,
)


class GivenOriginSerializer(serializers.Serializer[Any]):
    """Who or what marked errors before."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="Annotators do not see it.")
    by = serializers.ChoiceField(
        GivenOrigin.By.values, help_text="What annotators are told: who marked the errors."
    )
    translations = serializers.IntegerField(help_text="Different ones with a list of errors.")
    without = serializers.IntegerField(help_text="Those of them whose list is empty.")
    is_shown = serializers.BooleanField(
        help_text="Whether a sheet has shown a list: then they stay stored."
    )


class GivenOriginsSerializer(serializers.Serializer[Any]):
    results = GivenOriginSerializer(many=True)


class NewGivenErrors(StrictSerializer):
    """A file of errors, and who or what marked them."""

    file = serializers.FileField(
        help_text="A campaign of Pearmut with `error_spans`, the TSV of MQM, or JSON of a metric."
    )
    name = NameField(max_length=GivenOrigin.LONGEST_NAME)
    by = serializers.ChoiceField(GivenOrigin.By.values, default=GivenOrigin.By.PROGRAM.value)
    rater = serializers.CharField(
        required=False, default="", max_length=200, help_text="Take the errors of this rater only."
    )


class GivenOrigins(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]

    @extend_schema(operation_id="listGivenErrors", responses=GivenOriginsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """List who or what marked errors before"""
        return Response({"results": [_json(one) for one in origin_summaries(self.project)]})

    @extend_schema(
        operation_id="addGivenErrors",
        request={"multipart/form-data": NewGivenErrors},
        responses={201: GivenOriginSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Give annotators errors that were marked before

        They are found by system and line, or by their texts. New sheets show them, as the setting
        `given_share` says.
        """
        values = self.read_body(NewGivenErrors)
        with problems_of_files():
            stored = import_uploaded_given_errors(
                project=self.project,
                file=values["file"],
                name=values["name"],
                by=values["by"],
                marker=values["rater"],
            )
        summaries = origin_summaries(self.project)
        return Response(_json(next(one for one in summaries if one.id == stored.origin.pk)), 201)


class NewSecondPass(StrictSerializer):
    """Whose errors are given again."""

    judged_in = IdField(help_text="The id of the project in which they were marked.")
    annotator = NameField(
        required=False, default="", help_text="The name of the only annotator to take."
    )


class SecondPass(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="giveErrorsOfAnnotators",
        request=NewSecondPass,
        responses={201: GivenOriginsSerializer},
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Give annotators what others have marked, for a second pass

        In this project or another one that you administer. Each annotator becomes “annotator 1”
        and so on.
        """
        values = self.read_body(NewSecondPass)
        judged_in, _rights = find_project(self.user, values["judged_in"], "administer")
        with problems_of_files():
            origins = give_errors_of_annotators(
                project=self.project, judged_in=judged_in, annotator=values["annotator"]
            )
        added = {origin.pk for origin in origins}
        rows = [one for one in origin_summaries(self.project) if one.id in added]
        return Response({"results": [_json(one) for one in rows]}, 201)


class GivenOriginDetail(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="removeGivenErrors", responses={204: None})
    def delete(self, request: Request, pk: int, origin_pk: int) -> Response:
        """Remove errors that no sheet has shown"""
        if all(one.id != origin_pk for one in origin_summaries(self.project)):
            raise Http404
        remove_origin(project=self.project, origin_id=origin_pk)
        return Response(status=204)


def _json(origin: OriginSummary) -> dict[str, Any]:
    return {
        "id": origin.id,
        "name": origin.name,
        "by": origin.by,
        "translations": origin.candidates,
        "without": origin.without,
        "is_shown": origin.is_shown,
    }
