"""The start links by which a crowd comes, and what the others are paid."""

from typing import Any

from django.forms.models import model_to_dict
from django.urls import reverse
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.exceptions import Conflict, bad_body
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Strict
from crowd.forms import LINK_FIELDS, PAY, PayForm, StartLinkForm
from crowd.models import MembersPay, StartLink
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
    "id_parameter": {"help_text": "Under which the address carries the person's id."},
    "visit_parameter": {"help_text": "Of the id of the visit; empty to keep none."},
    "sentences": {"help_text": "That one person judges; null: until nothing is left."},
    "most_participants": {"help_text": "So many accounts come by it at most."},
    "minutes": {"help_text": "That it takes, as people are told; null to say nothing."},
    "contact": {"help_text": "Whom people may ask."},
    "code": {"help_text": "Shown at the end, to be copied to the platform."},
    "address": {"help_text": "Where people go at the end: to sites that are allowed."},
    "pay_per_hour": {"help_text": "Of active time; null where nothing is paid."},
    "pay_cap": {"help_text": "However long somebody takes; null for no limit."},
    "is_on": {"help_text": "Whether anybody new may start; who has begun may go on."},
}


class StartLinkSettings(Strict, serializers.ModelSerializer[StartLink]):
    """What administrators choose; what is left out stays as it is, or as it usually is."""

    class Meta:
        model = StartLink
        fields = LINK_FIELDS
        extra_kwargs = HELP


class StartLinkShown(serializers.ModelSerializer[StartLink]):
    """A start link, with the address that its platform is given."""

    start_address = serializers.SerializerMethodField(
        help_text="For the platform, with the places of its ids."
    )
    started = serializers.IntegerField(read_only=True, help_text="How many came by it.")
    completed = serializers.IntegerField(
        source="done", read_only=True, help_text="How many are done."
    )

    class Meta:
        model = StartLink
        fields = ("id", *LINK_FIELDS, "created", "start_address", "started", "completed")
        read_only_fields = fields

    def get_start_address(self, link: StartLink) -> str:
        return str(self.context["site"]) + path_for_platform(link)


class PaySettings(Strict, serializers.ModelSerializer[MembersPay]):
    """What annotators are paid who came by no start link; what is left out is null, or EUR."""

    class Meta:
        model = MembersPay
        fields = PAY
        extra_kwargs = {name: HELP[name] for name in PAY if name in HELP}


class PayShown(serializers.ModelSerializer[MembersPay]):
    class Meta:
        model = MembersPay
        fields = PAY
        read_only_fields = fields


PAID: dict[str, Any] = {"pay_per_hour": "12.50", "pay_cap": "20.00", "currency": "EUR"}
LINK: dict[str, Any] = {
    "id": 4,
    "platform": "Prolific",
    "id_parameter": "PROLIFIC_PID",
    "visit_parameter": "SESSION_ID",
    "sentences": 30,
    "most_participants": 120,
    "minutes": 45,
    "contact": "petra@example.org",
    "code": "C0DE-1",
    "address": "",
    **PAID,
    "is_on": True,
    "created": "2026-11-20T09:30:00Z",
    "start_address": "https://rank.example.org/start/…/?PROLIFIC_PID={{%PROLIFIC_PID%}}",
    "started": 12,
    "completed": 9,
}
SENT = {name: LINK[name] for name in ("platform", "id_parameter", "sentences", "code", *PAY)}


class StartLinkResource(Resource):
    tag = "crowd"

    def link(self, pk: int) -> StartLink:
        """Return the project's start link with this id. Raises Http404."""
        return get_object_or_404(links_of(self.project), pk=min(pk, LARGEST_ID))

    def shown(self, link: StartLink) -> dict[str, Any]:
        found = counted(links_of(self.project)).get(pk=link.pk)
        return StartLinkShown(found, context=self.context).data


class StartLinks(StartLinkResource):
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe("listStartLinks", returns=StartLinkShown, is_page=True, example=LINK)
    def get(self, request: Request, pk: int) -> Response:
        """List the start links"""
        return self.page(counted(links_of(self.project)), StartLinkShown)

    @describe(
        "addStartLink",
        says_where=True,
        takes=StartLinkSettings,
        takes_example=SENT,
        code=201,
        returns=StartLinkShown,
        example=LINK | {"started": 0, "completed": 0},
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a start link

        One for each platform. None is ever removed, since people came by it: turn it off.
        """
        values = self.body(request, StartLinkSettings)
        link = _save(StartLink(project=self.project), values)
        location = reverse("api-start-link", args=[pk, link.pk])
        return Response(self.shown(link), 201, headers={"Location": location})


class OneStartLink(StartLinkResource):
    rights = {"GET": Right.ADMINISTER, "PATCH": Right.ADMINISTER}

    @describe("getStartLink", returns=StartLinkShown, example=LINK)
    def get(self, request: Request, pk: int, link_pk: int) -> Response:
        """Get a start link"""
        return Response(self.shown(self.link(link_pk)))

    @describe(
        "changeStartLink",
        takes=StartLinkSettings,
        takes_example={"is_on": False},
        returns=StartLinkShown,
        example=LINK | {"is_on": False},
        refusals=[409],
    )
    def patch(self, request: Request, pk: int, link_pk: int) -> Response:
        """Change a start link, close it or open it again

        How many sentences a person judges holds for whoever is not done yet, too.
        """
        link = self.link(link_pk)
        values = self.body(request, StartLinkSettings, partial=True)
        return Response(self.shown(_save(link, values)))


class MembersPaid(Resource):
    tag = "crowd"
    rights = {"GET": Right.ADMINISTER, "PUT": Right.ADMINISTER}

    @describe("getPay", returns=PayShown, example=PAID)
    def get(self, request: Request, pk: int) -> Response:
        """Get what those are paid who came by no start link"""
        return Response(PayShown(pay_of_members(self.project)).data)

    @describe("setPay", takes=PaySettings, takes_example=PAID, returns=PayShown, example=PAID)
    def put(self, request: Request, pk: int) -> Response:
        """Set what those are paid who came by no start link"""
        _set_pay(self.project, self.body(request, PaySettings))
        return Response(PayShown(pay_of_members(self.project)).data)


def _save(link: StartLink, values: dict[str, Any]) -> StartLink:
    """Store it with these values, checked as the page checks them. Raises Problem."""
    form = StartLinkForm(model_to_dict(link, LINK_FIELDS) | values, instance=link)
    if not form.is_valid():
        raise bad_body(form.errors)
    try:
        save_link(link)
    except AlreadyThere as problem:
        raise Conflict(str(problem), [{"pointer": "#/platform", "detail": str(problem)}]) from None
    return link


def _set_pay(project: Project, values: dict[str, Any]) -> None:
    form = PayForm(model_to_dict(MembersPay(), PAY) | values)
    if not form.is_valid():
        raise bad_body(form.errors)
    save_members_pay(project=project, values=form.cleaned_data)
