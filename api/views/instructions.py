"""The instructions for annotators, in versions."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.markdown import as_html
from annotation.models import Instructions
from annotation.projects import administration
from annotation.projects.limits import LONGEST_INSTRUCTIONS
from api.base_views import ApiView
from api.exceptions import Conflict
from api.idempotency import idempotent
from api.pagination import NewestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer


class InstructionsSerializer(serializers.ModelSerializer[Instructions]):
    """A version. An empty text stands for the default instructions of SegRanks."""

    author = serializers.CharField(
        source="author.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Instructions
        fields = ("version", "text", "created", "author")
        read_only_fields = fields


class NewInstructions(StrictSerializer):
    text = serializers.CharField(
        allow_blank=True, max_length=LONGEST_INSTRUCTIONS, help_text="Markdown."
    )


class InstructionsPreviewSerializer(serializers.Serializer[Any]):
    html = serializers.CharField(help_text="Empty if the default instructions would be shown.")


class InstructionsView(ApiView):
    """Base of the views of instructions."""

    tag = "instructions"
    permission_classes = [IsProjectAdministrator]


class InstructionsList(InstructionsView):
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listInstructions", responses=InstructionsSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the versions of the instructions

        The newest first: annotators see that one.
        """
        return self.page_response(administration.versions(self.project), InstructionsSerializer)

    @extend_schema(
        operation_id="writeInstructions",
        request=NewInstructions,
        responses={201: InstructionsSerializer},
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Write new instructions

        Annotators see them at once. An empty text restores the default instructions.
        """
        text = self.read_body(NewInstructions)["text"]
        new = administration.change_instructions(project=self.project, author=self.user, text=text)
        if new is None:
            raise Conflict(_("These are already the current instructions."))
        return Response(
            InstructionsSerializer(new).data,
            status=201,
            headers={"Location": reverse("api-instructions-version", args=[pk, new.version])},
        )


class InstructionsPreview(InstructionsView):
    @extend_schema(
        operation_id="previewInstructions",
        request=NewInstructions,
        responses=InstructionsPreviewSerializer,
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Preview instructions

        Stores nothing. HTML and images in the text are shown as plain text.
        """
        return Response({"html": as_html(self.read_body(NewInstructions)["text"])})


class InstructionsVersion(InstructionsView):
    @extend_schema(operation_id="getInstructions", responses=InstructionsSerializer)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get a version of the instructions"""
        versions = administration.versions(self.project)
        found = get_object_or_404(versions, version=number)
        return Response(InstructionsSerializer(found).data)
