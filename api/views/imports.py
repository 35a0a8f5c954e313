"""Judgements of other programs, and campaigns of Pearmut as new projects, from uploaded files."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.languages import LONGEST_LANGUAGE_CODE, pair_name
from annotation.import_export.left_out import LEFT_OUT
from annotation.models import Project
from annotation.uploads.imports import create_uploaded_campaign, import_uploaded_judgements
from api.base_views import ApiView
from api.exceptions import problems_of_files
from api.idempotency import idempotent
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator, MayCreateProjects
from api.project_serializers import ProjectSerializer
from api.serializers import NameField, StrictSerializer
from api.views.projects import project_json


class LeftOutSerializer(serializers.Serializer[Any]):
    """What of a file was left out."""

    name = serializers.ChoiceField(list(LEFT_OUT))
    what = serializers.CharField(help_text="The same in words.")
    number = serializers.IntegerField()


class NewJudgements(StrictSerializer):
    """A file of judgements; its format is detected."""

    file = serializers.FileField(
        help_text="JSON lines or CSV of scores as an export or Appraise writes them, annotations "
        "of Pearmut, forms of WMT07 to WMT09, the TSV of MQM, or the JSON of the SegRanks thesis."
    )
    revised = serializers.BooleanField(
        default=False,
        help_text="Later judgements replace imported ones of the same annotator and sentence that "
        "the file lacks.",
    )


class ImportedSerializer(serializers.Serializer[Any]):
    """What an import has stored."""

    format = serializers.CharField(help_text="Of the file.")
    judgements = serializers.IntegerField(help_text="New ones.")
    annotators = serializers.IntegerField(help_text="Whose judgements the new ones are.")
    there_already = serializers.IntegerField()
    revised = serializers.IntegerField(help_text="New ones that replace earlier ones.")
    left_out = LeftOutSerializer(many=True)


class JudgementImports(ApiView):
    tag = "judgements"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="importJudgements",
        request={"multipart/form-data": NewJudgements},
        responses={201: ImportedSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Import judgements

        Those that the project has already are left out. Annotators become accounts without a
        sign-in. If anything is wrong, nothing is stored.
        """
        values = self.read_body(NewJudgements)
        with problems_of_files():
            imported = import_uploaded_judgements(
                project=self.project, file=values["file"], revised=values["revised"]
            )
        return Response(
            {
                "format": imported.format,
                "judgements": imported.judgements,
                "annotators": imported.annotators,
                "there_already": imported.there_already,
                "revised": imported.revised,
                "left_out": _left_out(imported.left_out),
            },
            201,
        )


class NewCampaign(StrictSerializer):
    """A campaign of Pearmut, and the project that it becomes."""

    file = serializers.FileField(help_text="The JSON that `pearmut add` takes; may be gzipped.")
    name = NameField(max_length=Project._meta.get_field("name").max_length or 0)
    source_language = serializers.CharField(
        max_length=LONGEST_LANGUAGE_CODE, help_text="For example en or pt-BR."
    )
    target_language = serializers.CharField(max_length=LONGEST_LANGUAGE_CODE)
    campaign = NameField(
        required=False, default="", max_length=200, help_text="Its ID, if the file has several."
    )


class CreatedFromCampaignSerializer(serializers.Serializer[Any]):
    project = ProjectSerializer()
    left_out = LeftOutSerializer(many=True)


class Campaigns(ApiView):
    tag = "projects"
    permission_classes = [MayCreateProjects]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="createProjectFromCampaign",
        request={"multipart/form-data": NewCampaign},
        responses={201: CreatedFromCampaignSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request) -> Response:
        """Create a project from a campaign of Pearmut

        It is of the kind that asks the same. Workers then prepare it: `getJob` shows the progress.
        You become its owner.
        """
        values = self.read_body(NewCampaign)
        with problems_of_files():
            project, left_out = create_uploaded_campaign(
                owner=self.user,
                file=values["file"],
                name=values["name"],
                languages=pair_name(values["source_language"], values["target_language"]),
                campaign_id=values["campaign"],
            )
        return Response(
            {"project": project_json(self.user, project), "left_out": _left_out(left_out)},
            status=201,
            headers={"Location": reverse("api-project", args=[project.pk])},
        )


def _left_out(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {"name": name, "what": str(LEFT_OUT[name]), "number": number}
        for name, number in counts.items()
        if number
    ]
