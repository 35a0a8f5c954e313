"""Previews: what annotators of a project would see, before it is created."""

from typing import Any, cast

from django.http import Http404
from django.urls import reverse
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import StoredPreview
from api import project_uploads
from api.base_views import ApiView
from api.new_project import NewProject
from api.parsers import UploadParser
from api.permissions import MayCreateProjects
from api.project_serializers import PieceSerializer, ReferenceSerializer
from api.throttling import COMPUTATION


class UsedSettingsSerializer(serializers.Serializer[Any]):
    """The settings of the preview; null if a setting has no effect on these files."""

    name = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.CharField()
    answer_options = serializers.ListField(
        child=serializers.CharField(), help_text="Empty unless the kind has a scale of its own."
    )
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    tokens = serializers.CharField()
    min_length = serializers.IntegerField(allow_null=True)
    max_length = serializers.IntegerField(allow_null=True)
    parser = serializers.CharField(
        allow_null=True, help_text="brackets or conllu if trees were uploaded."
    )
    coverage = serializers.CharField(allow_null=True)
    aligner = serializers.CharField(
        allow_null=True, help_text="pharaoh if word alignments were uploaded."
    )
    effort = serializers.CharField(allow_null=True)
    open_at_once = serializers.BooleanField()


class CandidateTextSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()


class PreviewedSegmentSerializer(serializers.Serializer[Any]):
    pieces = PieceSerializer(many=True, help_text="Of the source; joined they are all of it.")
    candidates = CandidateTextSerializer(many=True, help_text="Unordered and without duplicates.")


class PreviewedSentenceSerializer(serializers.Serializer[Any]):
    """A sentence without segments is not judged."""

    number = serializers.IntegerField(help_text="The line in the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    references = ReferenceSerializer(many=True)
    segments = PreviewedSegmentSerializer(many=True)


class MediaOfLineSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="Of the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    names = serializers.ListField(child=serializers.CharField(), help_text="Of the files.")


class ExpectedSerializer(serializers.Serializer[Any]):
    """How good candidates will be in this pair of languages, and what would improve them."""

    sentence = serializers.CharField()
    advice = serializers.ListField(child=serializers.CharField())


class PreviewContentsSerializer(serializers.Serializer[Any]):
    """Without the names of systems, as annotators would see it."""

    settings = UsedSettingsSerializer()
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="Remarks on the files that are not mistakes."
    )
    parser = serializers.CharField(help_text="The parser that was used; empty if none was.")
    aligner = serializers.CharField(help_text="The aligner that was used; empty if none was.")
    aligned = serializers.IntegerField(
        help_text="Sentences in the sample that was aligned; the project will be aligned whole."
    )
    expected = ExpectedSerializer(
        allow_null=True, help_text="Null unless segments are cut and words are aligned here."
    )
    media = MediaOfLineSerializer(
        many=True, help_text="The lines of the source that have images, audio or video."
    )
    total = serializers.IntegerField(help_text="Sentences of the project.")
    segments = serializers.IntegerField(help_text="Segments of the sentences below.")
    candidates = serializers.IntegerField(help_text="Candidates of those segments.")
    sentences = PreviewedSentenceSerializer(
        many=True, help_text="Up to ten sentences from all over the text."
    )


class PreviewSerializer(serializers.ModelSerializer[StoredPreview]):
    """Your latest preview. It is deleted after a day, or when you ask for another one."""

    state = serializers.SerializerMethodField(help_text="waiting, failed or made.")
    errors = serializers.SerializerMethodField(  # type: ignore[assignment]  # a name that Field has
        help_text="Why it failed, or the mistakes in the files, each with file and line."
    )
    contents = serializers.SerializerMethodField(help_text="Null unless it is made.")

    class Meta:
        model = StoredPreview
        fields = ("id", "state", "requested", "started", "errors", "contents")
        read_only_fields = fields
        extra_kwargs = {"started": {"help_text": "When a worker began; null if none has."}}

    def get_state(self, preview: StoredPreview) -> str:
        if preview.is_unfinished:
            return "waiting"
        return "failed" if self.get_errors(preview) else "made"

    def get_errors(self, preview: StoredPreview) -> list[str]:
        return self._result[0]

    @extend_schema_field(PreviewContentsSerializer(allow_null=True))
    def get_contents(self, preview: StoredPreview) -> dict[str, Any] | None:
        contents = self._result[1]
        return None if contents is None else PreviewContentsSerializer(contents).data

    @cached_property
    def _result(self) -> tuple[list[str], dict[str, Any] | None]:
        return project_uploads.preview_result(cast(StoredPreview, self.instance))


class ProjectPreview(ApiView):
    tag = "projects"
    # It checks large files, and a worker runs a parser and an aligner.
    throttle_scope = COMPUTATION
    # A new preview replaces the former one, so its answer is not worth keeping.
    takes_idempotency_key = False
    permission_classes = [MayCreateProjects]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="previewProject",
        request={"multipart/form-data": NewProject},
        responses={202: PreviewSerializer},
    )
    def post(self, request: Request) -> Response:
        """Ask for a preview of a project

        Takes and refuses the same as `createProject`, and creates no project: a worker computes ten
        sentences with their segments and candidates, and `getPreview` shows them. Words are aligned
        on a sample, for three minutes at most, so some candidates of the project will be better.
        Each person has one preview: a new one replaces it. An `Idempotency-Key` has no effect.
        """
        stored = project_uploads.request_preview(user=self.user, values=self.read_body(NewProject))
        location = reverse("api-preview", args=[stored.pk])
        return Response(PreviewSerializer(stored).data, 202, headers={"Location": location})


class PreviewDetail(ApiView):
    tag = "projects"
    permission_classes = [MayCreateProjects]

    @extend_schema(operation_id="getPreview", responses=PreviewSerializer)
    def get(self, request: Request, preview_pk: int) -> Response:
        """Get a preview"""
        stored = project_uploads.preview_of(self.user, preview_pk)
        if stored is None:
            raise Http404
        return Response(PreviewSerializer(stored).data)
