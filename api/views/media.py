"""The images, audio and video beside the source of a project."""

from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.media_files import MEDIA_TYPES
from annotation.models import Media
from annotation.projects.media import file_of, remove_medium
from annotation.projects.permissions import LARGEST_ID
from annotation.uploads.media import add_uploaded_media
from annotation.uploads.unpacking import MOST_ENTRIES
from annotation.web.ranged_files import ranged_file
from api.base_views import ApiView
from api.exceptions import problems_of_files
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer
from api.views.exports import AnyRenderer


class MediumSerializer(serializers.ModelSerializer[Media]):
    class Meta:
        model = Media
        fields = ("id", "line", "name", "media_type", "size", "sha256", "is_missing")
        read_only_fields = fields
        extra_kwargs = {
            "line": {"help_text": "Of the source, whose text is the transcript."},
            "is_missing": {
                "help_text": "Whether only the archive of the project names it, so that it is not "
                "shown before its file is added."
            },
        }


class MediaSerializer(serializers.Serializer[Any]):
    results = MediumSerializer(many=True)


class NewMedia(StrictSerializer):
    """Images, audio and video (PNG, JPEG, WebP, GIF, MP3, WAV, OGG, M4A, MP4, WebM), or zips."""

    file = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        min_length=1,
        max_length=MOST_ENTRIES,
        help_text="A name begins with the line of the source: 12.mp4.",
    )
    table = serializers.FileField(
        required=False,
        help_text="The lines of files whose names do not begin with them: on each line the number "
        "of a line of the source, a tab, and the name of a file.",
    )


class MediaList(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]
    pagination_class = OldestFirstPagination

    @extend_schema(operation_id="listMedia", responses=MediumSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the media

        In the order in which they were added.
        """
        return self.page_response(Media.objects.filter(project=self.project), MediumSerializer)

    @extend_schema(
        operation_id="addMedia",
        request={"multipart/form-data": NewMedia},
        responses={201: MediaSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Add media

        Types are checked by content. A file of the same name replaces that of its line; if one is
        refused, none is stored.
        """
        values = self.read_body(NewMedia)
        with problems_of_files():
            rows = add_uploaded_media(
                project=self.project, sent=values["file"], table=values.get("table")
            )
        return Response({"results": MediumSerializer(rows, many=True).data}, 201)


class MediumDetail(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="getMedium",
        responses={
            (200, media_type): OpenApiResponse(OpenApiTypes.BINARY)
            for media_type in sorted(MEDIA_TYPES)
        },
    )
    def get(self, request: Request, pk: int, medium_pk: int) -> HttpResponseBase:
        """Get the file of a medium

        Also a range of its bytes, by the header `Range`.
        """
        row = self._row(medium_pk)
        try:
            return ranged_file(request, file_of(row), media_type=row.media_type, version=row.sha256)
        except FileNotFoundError:
            raise Http404 from None

    @extend_schema(operation_id="removeMedium", responses={204: None})
    def delete(self, request: Request, pk: int, medium_pk: int) -> HttpResponse:
        """Remove a medium

        What annotators played of it before stays stored with their judgements.
        """
        if not remove_medium(project=self.project, pk=self._row(medium_pk).pk):
            raise Http404
        return HttpResponse(status=204)

    def _row(self, pk: int) -> Media:
        row = (
            Media.objects.filter(project=self.project, pk=pk).first() if pk <= LARGEST_ID else None
        )
        if row is None:
            raise Http404
        return row
