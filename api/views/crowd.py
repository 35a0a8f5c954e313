"""Start links for crowd workers, pay, and the payment table."""

from typing import Any

from django.forms.models import model_to_dict
from django.http import StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import ApiView
from api.exceptions import Conflict, bad_body, bad_query
from api.idempotency import idempotent
from api.pagination import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    InMemoryPagination,
    OldestFirstPagination,
    PageQuery,
)
from api.permissions import IsProjectAdministrator
from api.serializers import (
    ASSIGNMENTS,
    JUDGEMENTS,
    SENTENCES,
    NameField,
    StrictMixin,
    StrictSerializer,
)
from crowd.forms import LINK_FIELDS, PAY, PayForm, StartLinkForm
from crowd.models import MembersPay, StartLink
from crowd.payment import Worked, payment, payment_csv
from crowd.start_links import (
    AlreadyThere,
    counted,
    links_of,
    path_for_platform,
    pay_of_members,
    save_link,
    save_members_pay,
)

HELP = {
    "id_parameter": {"help_text": "The parameter of the address with the person's id."},
    "visit_parameter": {"help_text": "The parameter with the id of the visit; may be empty."},
    "sentences": {"help_text": "Sentences for each person; null for no limit."},
    "most_participants": {"help_text": "How many people can start."},
    "minutes": {"help_text": "How long it takes, as people see it; null to say nothing."},
    "contact": {"help_text": "Whom people can ask."},
    "code": {"help_text": "Shown at the end, to be copied to the platform."},
    "flagged_code": {
        "help_text": "Shown instead to people whom a rule of quality has flagged; may be empty."
    },
    "address": {"help_text": "Where people are sent at the end; only to allowed sites."},
    "pay_per_hour": {"help_text": "Per hour of active time; null for no pay."},
    "pay_cap": {"help_text": "The most that a person is paid; null for no limit."},
    "is_on": {"help_text": "Whether new people can start; those who have started can go on."},
}


class StartLinkSettings(StrictMixin, serializers.ModelSerializer[StartLink]):
    """Fields that are left out stay as they are, or get their default."""

    class Meta:
        model = StartLink
        fields = LINK_FIELDS
        extra_kwargs = HELP


class StartLinkSerializer(serializers.ModelSerializer[StartLink]):
    start_address = serializers.SerializerMethodField(
        help_text="For the platform, with placeholders for its ids."
    )
    started = serializers.IntegerField(read_only=True, help_text="People who have started.")
    completed = serializers.IntegerField(
        source="done", read_only=True, help_text="People who have finished."
    )

    class Meta:
        model = StartLink
        fields = ("id", *LINK_FIELDS, "created", "start_address", "started", "completed")
        read_only_fields = fields

    def get_start_address(self, link: StartLink) -> str:
        site = str(self.context["request"].build_absolute_uri("/")).rstrip("/")
        return site + path_for_platform(link)


class PaySettings(StrictMixin, serializers.ModelSerializer[MembersPay]):
    """Fields that are left out become null, the currency EUR."""

    class Meta:
        model = MembersPay
        fields = PAY
        extra_kwargs = {name: HELP[name] for name in PAY if name in HELP}


class PaySerializer(serializers.ModelSerializer[MembersPay]):
    class Meta:
        model = MembersPay
        fields = PAY
        read_only_fields = fields


class StartLinkView(ApiView):
    """Base of the views of start links."""

    tag = "crowd"
    permission_classes = [IsProjectAdministrator]

    def link_json(self, link: StartLink) -> dict[str, Any]:
        counted_link = counted(links_of(self.project)).get(pk=link.pk)
        return StartLinkSerializer(counted_link, context=self.get_serializer_context()).data

    def save(self, link: StartLink, values: dict[str, Any]) -> None:
        """Validate the values with the form of the page, and store them. Raises Problem."""
        form = StartLinkForm(model_to_dict(link, LINK_FIELDS) | values, instance=link)
        if not form.is_valid():
            raise bad_body(form.errors)
        try:
            save_link(link)
        except AlreadyThere as problem:
            error = {"pointer": "#/platform", "detail": str(problem)}
            raise Conflict(str(problem), [error]) from None


class StartLinkList(StartLinkView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listStartLinks", responses=StartLinkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the start links"""
        return self.page_response(counted(links_of(self.project)), StartLinkSerializer)

    @extend_schema(
        operation_id="addStartLink",
        request=StartLinkSettings,
        responses={201: StartLinkSerializer},
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Add a start link

        One for each platform. Start links cannot be deleted, because people belong to them: turn
        them off.
        """
        link = StartLink(project=self.project)
        self.save(link, self.read_body(StartLinkSettings))
        location = reverse("api-start-link", args=[pk, link.pk])
        return Response(self.link_json(link), 201, headers={"Location": location})


class StartLinkDetail(StartLinkView):
    @extend_schema(operation_id="getStartLink", responses=StartLinkSerializer)
    def get(self, request: Request, pk: int, link_pk: int) -> Response:
        """Get a start link"""
        return Response(self.link_json(self._link(link_pk)))

    @extend_schema(
        operation_id="changeStartLink", request=StartLinkSettings, responses=StartLinkSerializer
    )
    def patch(self, request: Request, pk: int, link_pk: int) -> Response:
        """Change a start link, or turn it off or on

        A new number of sentences also applies to people who have started and not finished.
        """
        link = self._link(link_pk)
        self.save(link, self.read_body(StartLinkSettings, partial=True))
        return Response(self.link_json(link))

    def _link(self, pk: int) -> StartLink:
        return get_object_or_404(links_of(self.project), pk=pk)


class MembersPayDetail(ApiView):
    tag = "crowd"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getPay", responses=PaySerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the pay of annotators who did not come by a start link"""
        return Response(PaySerializer(pay_of_members(self.project)).data)

    @extend_schema(operation_id="setPay", request=PaySettings, responses=PaySerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set the pay of annotators who did not come by a start link"""
        form = PayForm(model_to_dict(MembersPay(), PAY) | self.read_body(PaySettings))
        if not form.is_valid():
            raise bad_body(form.errors)
        save_members_pay(project=self.project, values=form.cleaned_data)
        return Response(PaySerializer(pay_of_members(self.project)).data)


class CSVRenderer(BaseRenderer):
    """Makes CSV negotiable; the answer itself is streamed by the view."""

    media_type = "text/csv"
    format = "csv"


class PaymentFilters(StrictSerializer):
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text="Rows per page."
    )
    offset = serializers.IntegerField(
        min_value=0, required=False, help_text="Rows before the page."
    )
    find = NameField(
        required=False, max_length=150, help_text="A part of the name or of the participant's id."
    )


class PaymentSerializer(serializers.Serializer[Any]):
    """The work and pay of an annotator."""

    user = serializers.IntegerField()
    annotator = serializers.CharField()
    platform = serializers.CharField(help_text="Empty if they did not come by a start link.")
    participant_id = serializers.CharField()
    visit_id = serializers.CharField()
    sentences = serializers.IntegerField(help_text=SENTENCES)
    assignments = serializers.IntegerField(help_text=ASSIGNMENTS)
    judgements = serializers.IntegerField(help_text=JUDGEMENTS)
    repeats = serializers.IntegerField(help_text="Of the assignments.")
    controls = serializers.IntegerField(help_text="Of the assignments.")
    controls_passed = serializers.IntegerField()
    practised = serializers.IntegerField()
    skipped = serializers.IntegerField()
    active_seconds = serializers.IntegerField(allow_null=True, help_text="Null if unknown.")
    active_hours = serializers.DecimalField(12, 4, allow_null=True)
    pay_per_hour = serializers.DecimalField(8, 2, allow_null=True)
    pay_cap = serializers.DecimalField(8, 2, allow_null=True)
    currency = serializers.CharField()
    pay = serializers.DecimalField(
        16, 2, allow_null=True, help_text="Null if they are not paid, or the time is unknown."
    )
    started = serializers.DateTimeField(allow_null=True)
    finished = serializers.DateTimeField(allow_null=True)
    completed = serializers.DateTimeField(
        allow_null=True, help_text="When they saw the completion page."
    )
    completion_code = serializers.CharField()


class Payment(ApiView):
    tag = "crowd"
    permission_classes = [IsProjectAdministrator]
    pagination_class = InMemoryPagination
    query_serializers = {"GET": PaymentFilters}
    renderer_classes = [JSONRenderer, CSVRenderer]

    @extend_schema(
        operation_id="getPayment",
        responses={
            (200, "application/json"): PaymentSerializer(many=True),
            (200, CSVRenderer.media_type): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, pk: int) -> Response | StreamingHttpResponse:
        """Get the payment table

        Everyone who was assigned a sentence or came by a start link, by id: pages of JSON, or with
        `Accept: text/csv` the whole table. Amounts are strings, so that they are not rounded.
        """
        wanted = self.query.get("find", "")
        rows = [row for row in payment(self.project) if row.is_called(wanted)]
        if isinstance(request.accepted_renderer, CSVRenderer):
            if paging := sorted({"limit", "offset"} & set(request.query_params)):
                message = _("CSV has no pages. Leave this out.")
                raise bad_query({name: [message] for name in paging})
            return StreamingHttpResponse(
                payment_csv(rows), content_type=f"{CSVRenderer.media_type}; charset=utf-8"
            )
        page: list[Any] = self.paginate_queryset(rows) or []  # type: ignore[arg-type]
        serializer = PaymentSerializer([_payment_json(row) for row in page], many=True)
        return self.get_paginated_response(serializer.data)


def _payment_json(row: Worked) -> dict[str, Any]:
    participant, terms = row.participant, row.terms
    counts = ("controls", "controls_passed", "practised", "skipped")
    return {
        **vars(row.submitted),
        **{name: getattr(row, name) for name in (*counts, "pay", "started", "finished")},
        **{name: getattr(terms, name) for name in ("pay_per_hour", "pay_cap", "currency")},
        "user": row.user_id,
        "annotator": row.name,
        "platform": participant.link.platform if participant else "",
        "participant_id": participant.participant_id if participant else "",
        "visit_id": participant.visit if participant else "",
        "active_seconds": row.seconds,
        "active_hours": row.hours,
        "completed": participant.completed if participant else None,
        "completion_code": participant.code if participant else "",
    }
