"""Judgements as they were submitted: a page of them, or all as lines of JSON."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.snapshot import snapshot
from annotation.import_export.judgement_records import judgement_records
from annotation.models import Assignment, Judgement, Project, Projection
from api.base_views import Resource
from api.pagination import Paging, refuse_paging
from api.permissions import Right
from api.schema import _page_of, describe
from api.serializers import Id, Shown

LINES = "application/x-ndjson"
# Judgements held at once.
CHUNK = 500


class Lines(BaseRenderer):
    """Lets somebody ask for lines; the answer streams, so that this renders nothing."""

    media_type = LINES
    format = "ndjson"


class JudgementFilters(Paging):
    annotator = Id(required=False, help_text="The id of whoever judged.")
    sentence = Id(required=False, help_text="The number of the sentence, from 1.")
    segment = Id(required=False, help_text="The id of the segment.")
    system = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="The name of a system that has a candidate in the segment.",
    )
    kind = serializers.ChoiceField(
        choices=[(kind.value, kind.label) for kind in Assignment.COUNTED],
        required=False,
        help_text="Judged the first time, or again by the same (intra) or by another (inter).",
    )
    since = serializers.DateTimeField(required=False, help_text="Submitted then or later.")
    until = serializers.DateTimeField(required=False, help_text="Submitted before.")
    after = Id(required=False, help_text="Only judgements with a larger id.")


# By the name in the query.
FILTERS = {
    "annotator": "submission__assignment__annotator",
    "sentence": "segment__sentence__number",
    "segment": "segment",
    "kind": "submission__assignment__kind",
    "since": "submission__created__gte",
    "until": "submission__created__lt",
    "after": "pk__gt",
}


class PlacementShown(Shown):
    candidate = serializers.IntegerField()
    text = serializers.CharField(help_text="Its tokens.")
    systems = serializers.ListField(
        child=serializers.CharField(), help_text="Whose translation it is."
    )
    rank = serializers.IntegerField(
        allow_null=True, help_text="1 is best, equal ranks tie; null is the bin for garbage."
    )


class AnnotatorShown(Shown):
    id = serializers.IntegerField()
    name = serializers.CharField()


class Records(serializers.ListSerializer[Any]):
    """Reads what all rows refer to at once."""

    def to_representation(self, data: Any) -> list[dict[str, Any]]:
        return judgement_records([row.pk for row in data])


class JudgementShown(Shown):
    """What one annotator made of one segment, by the latest version of it."""

    id = serializers.IntegerField()
    sentence = serializers.IntegerField()
    segment = serializers.IntegerField()
    words = serializers.CharField(help_text="The tokens of the segment.")
    annotator = AnnotatorShown()
    kind = serializers.ChoiceField(choices=Assignment.Kind.choices)
    submitted = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="1, and one more for each revision.")
    seconds = serializers.FloatField(allow_null=True, help_text="Null where it is not known.")
    placements = PlacementShown(many=True)

    class Meta:
        list_serializer_class = Records


EXAMPLE = {
    "id": 4711,
    "sentence": 12,
    "segment": 37,
    "words": "the old house",
    "annotator": {"id": 5, "name": "jana"},
    "kind": "first",
    "submitted": "2026-11-20T09:30:00Z",
    "version": 1,
    "seconds": 8.4,
    "placements": [
        {"candidate": 90, "text": "starý dům", "systems": ["alfa", "bravo"], "rank": 1},
        {"candidate": 91, "text": "dům", "systems": ["cyril"], "rank": None},
    ],
}


class Judgements(Resource):
    tag = "judgements"
    rights = {"GET": Right.OBSERVE}
    queries = {"GET": JudgementFilters}
    renderer_classes = [JSONRenderer, Lines]

    @extend_schema(
        responses={
            (200, "application/json"): OpenApiResponse(
                _page_of(JudgementShown), description="A page of them."
            ),
            (200, LINES): OpenApiResponse(
                {"type": "string"}, description="All of them, a JSON object a line."
            ),
        }
    )
    @describe("listJudgements", returns=JudgementShown, is_page=True, example=EXAMPLE)
    def get(self, request: Request, pk: int) -> Response | StreamingHttpResponse:
        """List judgements

        Those that hold, by id: of a sentence that was revised its latest version, which has new
        ids; practice and control sentences are never among them. With `Accept:
        application/x-ndjson` all of them stream, a JSON object a line: `limit` and `cursor` are for
        pages only.
        """
        rows = judgements(self.project, self.query)
        if isinstance(request.accepted_renderer, Lines):
            refuse_paging(request, _("Lines have no pages: leave this out, or use “after”."))
            return StreamingHttpResponse(lines(rows), content_type=LINES)
        return self.page(rows, JudgementShown)


def judgements(project: Project, query: dict[str, Any]) -> QuerySet[Judgement]:
    """Return the judgements that hold and that the query asks for."""
    rows = Judgement.objects.filter(
        submission__assignment__project=project,
        submission__assignment__kind__in=Assignment.COUNTED,
        submission__current=True,
    )
    if "system" in query:
        made = Projection.objects.filter(
            segment=OuterRef("segment"), system__name=query["system"], candidate__isnull=False
        )
        rows = rows.filter(Exists(made))
    return rows.filter(**{FILTERS[name]: query[name] for name in FILTERS if name in query})


def lines(rows: QuerySet[Judgement]) -> Iterator[bytes]:
    """Yield a line of JSON for each row, by id; memory does not grow with them."""
    last = 0
    ids = rows.order_by("pk").values_list("pk", flat=True)
    with snapshot():
        while page := list(ids.filter(pk__gt=last)[:CHUNK]):
            last = page[-1]
            for record in judgement_records(page):
                yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
