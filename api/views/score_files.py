"""Files with scores of other metrics, which are evaluated with those that SegRanks computes."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import ApiView
from api.exceptions import problems_of_files
from api.idempotency import idempotent
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator, IsProjectObserver
from api.serializers import StrictSerializer
from evaluation.models import ScoreFile
from evaluation.services.score_file_changes import (
    MOST_BYTES,
    MOST_METRICS,
    add_score_files,
    remove_score_file,
)
from evaluation.services.score_files import score_files


class ScoreFileSerializer(serializers.ModelSerializer[ScoreFile]):
    metrics = serializers.ListField(child=serializers.CharField(), help_text="Their names.")

    class Meta:
        model = ScoreFile
        fields = ("id", "name", "metrics", "size", "lower_is_better")
        read_only_fields = fields
        extra_kwargs = {"size": {"help_text": "In bytes, unpacked."}}


class ScoreFilesSerializer(serializers.Serializer[Any]):
    results = ScoreFileSerializer(many=True)


class NewScoreFiles(StrictSerializer):
    """Scores in a layout of the WMT metrics tasks; a segment is the number of a sentence."""

    file = serializers.ListField(
        child=serializers.FileField(),
        min_length=1,
        max_length=MOST_METRICS,
        help_text="Of systems, and of sentences if there are any; may be gzipped.",
    )
    lower_is_better = serializers.BooleanField(
        default=False,
        help_text="Whether lower scores are better in these files, as in error rates.",
    )


class ScoreFileParser(UploadParser):
    limit = MOST_BYTES


class ScoreFiles(ApiView):
    tag = "reports"
    parser_classes = [ScoreFileParser]

    def get_permissions(self) -> list[Any]:
        changes = self.request.method == "POST"
        return [IsProjectAdministrator() if changes else IsProjectObserver()]

    @extend_schema(operation_id="listScoreFiles", responses=ScoreFilesSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """List the files with scores of other metrics

        In the order in which they were added.
        """
        rows = ScoreFileSerializer(score_files(self.project), many=True).data
        return Response({"results": rows})

    @extend_schema(
        operation_id="addScoreFiles",
        request={"multipart/form-data": NewScoreFiles},
        responses={201: ScoreFilesSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Add scores of other metrics

        All files or none. Workers then evaluate the metrics again: `getMetrics` shows the state.
        Evaluations with other than the default options are deleted.
        """
        values = self.read_body(NewScoreFiles)
        with problems_of_files():
            added = add_score_files(
                project=self.project,
                files=[(file.name, file.read()) for file in values["file"]],
                lower_is_better=values["lower_is_better"],
            )
        return Response({"results": ScoreFileSerializer(added, many=True).data}, 201)


class ScoreFileDetail(ApiView):
    tag = "reports"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="removeScoreFile", responses={204: None})
    def delete(self, request: Request, pk: int, score_file_pk: int) -> Response:
        """Remove a file with scores

        Workers then evaluate the metrics again, without these scores.
        """
        remove_score_file(get_object_or_404(score_files(self.project), pk=score_file_pk))
        return Response(status=204)
