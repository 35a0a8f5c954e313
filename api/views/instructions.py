"""What annotators are told, in versions that are all kept."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Instructions
from annotation.projects import administration
from annotation.projects.instructions import as_html
from annotation.projects.limits import LONGEST_INSTRUCTIONS
from api.base_views import Resource
from api.exceptions import Conflict
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown

LARGEST_VERSION = 2**31 - 1


class InstructionsShown(serializers.ModelSerializer[Instructions]):
    """A version; the highest one holds, an empty text stands for SegRanks' own."""

    author = serializers.CharField(
        source="author.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Instructions
        fields = ("version", "text", "created", "author")
        read_only_fields = fields


class NewInstructions(Fields):
    text = serializers.CharField(
        allow_blank=True, max_length=LONGEST_INSTRUCTIONS, help_text="Markdown."
    )


class InstructionsPreviewShown(Shown):
    html = serializers.CharField(
        help_text="As annotators would see it; empty where SegRanks' own would be shown."
    )


INSTRUCTIONS: dict[str, Any] = {
    "version": 2,
    "text": "Rank by **meaning** first.",
    "created": "2026-11-20T09:30:00Z",
    "author": "petra",
}


class AllInstructions(Resource):
    tag = "instructions"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe("listInstructions", returns=InstructionsShown, is_page=True, example=INSTRUCTIONS)
    def get(self, request: Request, pk: int) -> Response:
        """List the versions of the instructions

        The newest first, which is the one that holds.
        """
        return self.page(administration.versions(self.project), InstructionsShown, newest=True)

    @describe(
        "writeInstructions",
        says_where=True,
        takes=NewInstructions,
        takes_example={"text": "Rank by **meaning** first."},
        code=201,
        returns=InstructionsShown,
        example=INSTRUCTIONS,
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write new instructions

        They hold from now on; an empty text brings back those that come with SegRanks.
        """
        text = self.body(request, NewInstructions)["text"]
        made = administration.change_instructions(project=self.project, author=self.user, text=text)
        if made is None:
            raise Conflict(_("These instructions hold already."))
        location = reverse("api-instructions-version", args=[pk, made.version])
        return Response(InstructionsShown(made).data, 201, headers={"Location": location})


class InstructionsPreview(Resource):
    tag = "instructions"
    rights = {"POST": Right.ADMINISTER}

    @describe(
        "previewInstructions",
        takes=NewInstructions,
        takes_example={"text": "Rank by **meaning** first."},
        returns=InstructionsPreviewShown,
        example={"html": "<p>Rank by <strong>meaning</strong> first.</p>\n"},
    )
    def post(self, request: Request, pk: int) -> Response:
        """See what instructions would look like

        Nothing is stored. HTML in the text, and images, stay plain text.
        """
        written = Instructions(**self.body(request, NewInstructions))
        return Response({"html": as_html(written)})


class OneVersion(Resource):
    tag = "instructions"
    rights = {"GET": Right.ADMINISTER}

    @describe("getInstructions", returns=InstructionsShown, example=INSTRUCTIONS)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get a version of the instructions"""
        versions = administration.versions(self.project)
        found = get_object_or_404(versions, version=min(number, LARGEST_VERSION))
        return Response(InstructionsShown(found).data)
