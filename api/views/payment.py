"""Who worked how long in a project, and what that is worth."""

from operator import attrgetter
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import Resource
from api.pagination import Paging, page_of_list, refuse_paging
from api.permissions import Right
from api.schema import _page_of, describe
from api.serializers import Shown
from crowd.payment import Worked, payment, payment_csv

CSV = "text/csv"


class Table(BaseRenderer):
    """Lets somebody ask for CSV; the answer streams, so that this renders nothing."""

    media_type = CSV
    format = "csv"


class PaymentFilters(Paging):
    find = serializers.CharField(
        required=False, max_length=150, help_text="A part of the name or of the participant's id."
    )


class WorkedShown(Shown):
    """What one annotator did; repeats and control sentences are among the `sentences`."""

    user = serializers.IntegerField()
    annotator = serializers.CharField()
    platform = serializers.CharField(help_text="Empty for who came by no start link.")
    participant_id = serializers.CharField()
    visit_id = serializers.CharField()
    sentences = serializers.IntegerField()
    repeats = serializers.IntegerField()
    controls = serializers.IntegerField()
    controls_passed = serializers.IntegerField()
    practised = serializers.IntegerField()
    skipped = serializers.IntegerField()
    active_seconds = serializers.IntegerField(
        allow_null=True, help_text="Null where it is not known."
    )
    active_hours = serializers.DecimalField(12, 4, allow_null=True)
    pay_per_hour = serializers.DecimalField(8, 2, allow_null=True)
    pay_cap = serializers.DecimalField(8, 2, allow_null=True)
    currency = serializers.CharField()
    pay = serializers.DecimalField(
        16, 2, allow_null=True, help_text="Null where nothing is paid, or the time is not known."
    )
    started = serializers.DateTimeField(allow_null=True)
    finished = serializers.DateTimeField(allow_null=True)
    completed = serializers.DateTimeField(allow_null=True, help_text="When told to be done.")
    completion_code = serializers.CharField()


WORKED: dict[str, Any] = {
    "user": 12,
    "annotator": "prolific-12",
    "platform": "Prolific",
    "participant_id": "5f1a2b3c4d5e6f7a8b9c0d1e",
    "visit_id": "",
    "sentences": 30,
    "repeats": 2,
    "controls": 2,
    "controls_passed": 2,
    "practised": 3,
    "skipped": 1,
    "active_seconds": 2460,
    "active_hours": "0.6833",
    "pay_per_hour": "12.50",
    "pay_cap": "20.00",
    "currency": "EUR",
    "pay": "8.54",
    "started": "2026-11-20T09:30:00Z",
    "finished": "2026-11-20T10:15:00Z",
    "completed": "2026-11-20T10:15:02Z",
    "completion_code": "C0DE-1",
}


class Payment(Resource):
    tag = "crowd"
    rights = {"GET": Right.ADMINISTER}
    queries = {"GET": PaymentFilters}
    renderer_classes = [JSONRenderer, Table]

    @extend_schema(
        responses={
            (200, "application/json"): OpenApiResponse(
                _page_of(WorkedShown), description="A page of them."
            ),
            (200, CSV): OpenApiResponse(OpenApiTypes.STR, description="All of them, as a table."),
        }
    )
    @describe("getPayment", returns=WorkedShown, is_page=True, example=WORKED)
    def get(self, request: Request, pk: int) -> Response | StreamingHttpResponse:
        """Get who worked how long, and earned what

        Whoever was given a sentence or came by a start link, by id. By `Accept`, a page of them as
        JSON, or all as CSV, where `limit` and `cursor` are refused; amounts are texts, so that none
        is rounded.
        """
        wanted = self.query.get("find", "")
        rows = [row for row in payment(self.project) if row.is_called(wanted)]
        if isinstance(request.accepted_renderer, Table):
            refuse_paging(request, _("A table has no pages: leave this out."))
            lines = payment_csv(rows)
            return StreamingHttpResponse(lines, content_type=f"{CSV}; charset=utf-8")
        found = page_of_list(
            rows,
            attrgetter("user_id"),
            request,
            limit=self.query["limit"],
            cursor=self.query.get("cursor"),
        )
        shown = WorkedShown([_shown(row) for row in found.rows], many=True)
        return Response(found.shown(shown.data))


def _shown(row: Worked) -> dict[str, Any]:
    came, terms = row.participant, row.terms
    counted = ("sentences", "repeats", "controls", "controls_passed", "practised", "skipped")
    return {
        **{name: getattr(row, name) for name in (*counted, "pay", "started", "finished")},
        **{name: getattr(terms, name) for name in ("pay_per_hour", "pay_cap", "currency")},
        "user": row.user_id,
        "annotator": row.name,
        "platform": came.link.platform if came else "",
        "participant_id": came.participant_id if came else "",
        "visit_id": came.visit if came else "",
        "active_seconds": row.seconds,
        "active_hours": row.hours,
        "completed": came.completed if came else None,
        "completion_code": came.code if came else "",
    }
