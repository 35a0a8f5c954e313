"""Judgements as they were submitted: in pages, as lines of JSON, or of one sentence."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.transactions import snapshot
from annotation.import_export.judgement_records import judgement_records
from annotation.kinds import Kind, kind_of
from annotation.models import Assignment, Judgement, Project, Projection
from annotation.models.results import judgement_counts
from annotation.selectors.judged_sentences import (
    JudgedCandidate,
    JudgedSegment,
    JudgedSentence,
    judged_sentence,
)
from api.base_views import ApiView
from api.exceptions import bad_query
from api.pagination import OldestFirstPagination, PageQuery
from api.permissions import IsProjectObserver
from api.project_serializers import (
    LARGEST_NUMBER,
    PieceSerializer,
    ReferenceSerializer,
    pieces_json,
)
from api.serializers import IdField

# Judgements in memory at once while lines are streamed.
CHUNK = 500


class JSONLinesRenderer(BaseRenderer):
    """Makes lines of JSON negotiable; the answer itself is streamed by the view."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class JudgementFilters(PageQuery):
    annotator = IdField(required=False, help_text="The id of a person.")
    sentence = IdField(required=False, help_text="The number of a sentence, from 1.")
    segment = IdField(required=False, help_text="The id of a segment.")
    system = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="The name of a system that has a candidate in the segment.",
    )
    kind = serializers.ChoiceField(
        choices=[(kind.value, kind.label) for kind in Assignment.COUNTED],
        required=False,
        help_text="First, repeated by the same annotator (intra) or by another one (inter).",
    )
    since = serializers.DateTimeField(required=False, help_text="Submitted then or later.")
    until = serializers.DateTimeField(required=False, help_text="Submitted earlier.")
    after = IdField(required=False, help_text="Only judgements with a larger id.")


# The lookup of each parameter; `system` is a subquery.
LOOKUPS = {
    "annotator": "submission__assignment__annotator",
    "sentence": "segment__sentence__number",
    "segment": "segment",
    "kind": "submission__assignment__kind",
    "since": "submission__created__gte",
    "until": "submission__created__lt",
    "after": "pk__gt",
}


class PlacementSerializer(serializers.Serializer[Any]):
    candidate = serializers.IntegerField()
    text = serializers.CharField(help_text="Its tokens.")
    systems = serializers.ListField(
        child=serializers.CharField(), help_text="The systems that produced it."
    )
    rank = serializers.IntegerField(
        allow_null=True, help_text="1 is best, equal ranks tie, null means garbage."
    )
    score = serializers.IntegerField(
        allow_null=True, help_text="Null where the project's kind has no scores."
    )
    detail = serializers.CharField(
        help_text="What the annotator added, such as a corrected text; empty if there is none."
    )


class AnnotatorSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class PlaySerializer(serializers.Serializer[Any]):
    """How long the annotator played an audio or a video beside the source."""

    name = serializers.CharField(help_text="Of the file.")
    sha256 = serializers.CharField(help_text="Of its content.")
    seconds = serializers.FloatField(help_text="In which it was playing.")
    plays = serializers.IntegerField(
        help_text="How often it was started; to go on after a pause is no new start."
    )


class JudgementListSerializer(serializers.ListSerializer[Any]):
    """Reads everything that the rows of a page refer to at once."""

    def to_representation(self, data: Any) -> list[dict[str, Any]]:
        kind = kind_of(self.context["view"].project)
        return judgement_records([row.pk for row in data], kind)


class JudgementSerializer(serializers.Serializer[Any]):
    """The latest version of one annotator's judgement of one segment."""

    id = serializers.IntegerField()
    sentence = serializers.IntegerField()
    source_line = serializers.IntegerField(
        help_text="The line of the source; of a further translation, that of the first one."
    )
    segment = serializers.IntegerField()
    words = serializers.CharField(help_text="The tokens of the segment.")
    annotator = AnnotatorSerializer()
    kind = serializers.ChoiceField(choices=Assignment.Kind.choices)
    narrowed = serializers.BooleanField(
        help_text="Whether candidates that only decided systems produced were not shown."
    )
    submitted = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="1, and one more for each revision.")
    seconds = serializers.FloatField(allow_null=True, help_text="Null if unknown.")
    comment = serializers.CharField(help_text="The annotator's; empty if there is none.")
    aids = serializers.DictField(
        help_text="What the page had to help the annotator, by name; empty if it had nothing."
    )
    media = PlaySerializer(
        many=True, help_text="What was played before the submission, the same for its judgements."
    )
    placements = PlacementSerializer(many=True)

    class Meta:
        list_serializer_class = JudgementListSerializer


class JudgementList(ApiView):
    tag = "judgements"
    permission_classes = [IsProjectObserver]
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": JudgementFilters}
    renderer_classes = [JSONRenderer, JSONLinesRenderer]

    @extend_schema(
        operation_id="listJudgements",
        responses={
            (200, "application/json"): JudgementSerializer(many=True),
            (200, JSONLinesRenderer.media_type): OpenApiResponse(
                {"type": "string"}, description="All of them, one JSON object a line."
            ),
        },
    )
    def get(self, request: Request, pk: int) -> Response | StreamingHttpResponse:
        """List judgements

        By id. Of a revised sentence only the latest version is listed, with new ids; practice and
        control sentences, discarded judgements and what is excluded are left out. With
        `Accept: application/x-ndjson` all judgements are streamed, one JSON object a line, without
        `limit` and `cursor`.
        """
        rows = find_judgements(self.project, self.query)
        if isinstance(request.accepted_renderer, JSONLinesRenderer):
            if paging := sorted({"limit", "cursor"} & set(request.query_params)):
                message = _("Lines have no pages. Leave this out, or use “after”.")
                raise bad_query({name: [message] for name in paging})
            return StreamingHttpResponse(
                stream_lines(rows, kind_of(self.project)), content_type=JSONLinesRenderer.media_type
            )
        return self.page_response(rows, JudgementSerializer)


class JudgementRefSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    annotator = serializers.CharField()
    repeat = serializers.BooleanField(help_text="Whether it is a repeat, intra or inter.")
    comment = serializers.CharField(help_text="The annotator's; empty if there is none.")


class GivenRankSerializer(serializers.Serializer[Any]):
    judgement = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True, help_text="Null means garbage.")


class JudgedCandidateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    excluded = serializers.BooleanField()
    text = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    ranks = GivenRankSerializer(many=True, help_text="From the judgements that ranked it.")


class JudgedSegmentSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    excluded = serializers.BooleanField()
    pieces = PieceSerializer(many=True, help_text="Of the source; joined they are all of it.")
    judgements = JudgementRefSerializer(many=True)
    candidates = JudgedCandidateSerializer(many=True, help_text="By their mean place, best first.")


class JudgedSentenceSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    excluded = serializers.BooleanField(help_text="Excluded sentences count nowhere.")
    number = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    references = ReferenceSerializer(many=True)
    segments = JudgedSegmentSerializer(many=True)


class JudgedSentenceDetail(ApiView):
    tag = "judgements"
    permission_classes = [IsProjectObserver]

    @extend_schema(operation_id="getJudgedSentence", responses=JudgedSentenceSerializer)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get all judgements of a sentence

        With the texts as annotators saw them, and the systems. Excluded parts, which count nowhere,
        are listed and marked; discarded judgements are left out.
        """
        found = judged_sentence(self.project, min(number, LARGEST_NUMBER))
        if found is None:
            raise Http404
        return Response(JudgedSentenceSerializer(_judged_sentence_json(found)).data)


def find_judgements(project: Project, query: dict[str, Any]) -> QuerySet[Judgement]:
    """Return the judgements of the project that count and match the query."""
    rows = Judgement.objects.filter(judgement_counts(), submission__assignment__project=project)
    if "system" in query:
        projections = Projection.objects.filter(
            segment=OuterRef("segment"), system__name=query["system"], candidate__isnull=False
        )
        rows = rows.filter(Exists(projections))
    return rows.filter(**{LOOKUPS[name]: query[name] for name in LOOKUPS if name in query})


def stream_lines(rows: QuerySet[Judgement], kind: Kind) -> Iterator[bytes]:
    """Yield a line of JSON for each row, by id; memory does not grow with their number."""
    last = 0
    ids = rows.order_by("pk").values_list("pk", flat=True)
    with snapshot():
        while page := list(ids.filter(pk__gt=last)[:CHUNK]):
            last = page[-1]
            for record in judgement_records(page, kind):
                yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _judged_sentence_json(found: JudgedSentence) -> dict[str, Any]:
    return {
        "id": found.id,
        "excluded": found.excluded,
        "number": found.number,
        "source": found.source,
        "references": found.references,
        "segments": [
            {
                "id": segment.id,
                "excluded": segment.excluded,
                "pieces": pieces_json(segment.pieces),
                "judgements": segment.judgements,
                "candidates": [_candidate_json(segment, one) for one in segment.candidates],
            }
            for segment in found.segments
        ],
    }


def _candidate_json(segment: JudgedSegment, candidate: JudgedCandidate) -> dict[str, Any]:
    # A string says why a judgement has no rank for the candidate.
    ranks = zip(segment.judgements, candidate.ranks, strict=True)
    return {
        "id": candidate.id,
        "excluded": candidate.excluded,
        "text": candidate.text,
        "systems": candidate.systems,
        "ranks": [
            {"judgement": judgement.id, "rank": rank}
            for judgement, rank in ranks
            if not isinstance(rank, str)
        ],
    }
