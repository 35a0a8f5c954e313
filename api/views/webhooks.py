"""Webhooks: who is told of what happens to a project, and how that went."""

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.exceptions import Conflict, Problem
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown
from webhooks import services, signatures
from webhooks.models import LONGEST_ADDRESS, Attempt, Delivery, Event, Webhook
from webhooks.url_policy import NotAllowed


class NewWebhook(Fields):
    address = serializers.CharField(max_length=LONGEST_ADDRESS, help_text="Where to send.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices),
        min_length=1,
        max_length=len(Event),
        help_text="What of.",
    )

    def validate_events(self, events: list[str]) -> list[str]:
        if len(set(events)) < len(events):
            raise serializers.ValidationError(_("Name each event once."))
        return events


class WebhookChanges(NewWebhook):
    active = serializers.BooleanField(help_text="Whether anything is sent.")


class WebhookShown(serializers.ModelSerializer[Webhook]):
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices), read_only=True
    )

    class Meta:
        model = Webhook
        fields = ("id", "address", "events", "active", "created")
        read_only_fields = fields


class SecretShown(Shown):
    secret = serializers.CharField(help_text="Shown only now: whsec_ and the key in Base64.")


class AttemptShown(serializers.ModelSerializer[Attempt]):
    class Meta:
        model = Attempt
        fields = ("number", "started", "finished", "status", "error")
        read_only_fields = fields


class DeliveryShown(serializers.ModelSerializer[Delivery]):
    """A message, and each time that it was sent."""

    message = serializers.CharField(
        source="signed_as", read_only=True, help_text="What Webhook-Id says."
    )
    attempts = AttemptShown(source="tried", many=True, read_only=True)

    class Meta:
        model = Delivery
        fields = ("id", "message", "event", "state", "created", "due", "attempts")
        read_only_fields = fields


WEBHOOK = {
    "id": 2,
    "address": "https://hooks.example.org/segranks",
    "events": ["project.prepared", "project.judged_100"],
    "active": True,
    "created": "2026-11-20T09:30:00Z",
}
DELIVERY = {
    "id": 9,
    "message": "msg_6f1c8a52b1f24b0fb8a0a4b1f9f1d2ce",
    "event": "project.prepared",
    "state": "delivered",
    "created": "2026-11-20T09:31:00Z",
    "due": "2026-11-20T09:31:00Z",
    "attempts": [
        {
            "number": 1,
            "started": "2026-11-20T09:31:01Z",
            "finished": "2026-11-20T09:31:01Z",
            "status": 204,
            "error": "",
        }
    ],
}


class WebhookResource(Resource):
    tag = "webhooks"

    def webhook(self, pk: int) -> Webhook:
        """Return the webhook of the project with this id. Raises Http404."""
        found = (
            services.webhooks_of(self.project).filter(pk=pk).first() if pk <= LARGEST_ID else None
        )
        if found is None:
            raise Http404
        found.project = self.project
        return found


class Webhooks(WebhookResource):
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe("listWebhooks", returns=WebhookShown, is_page=True, example=WEBHOOK)
    def get(self, request: Request, pk: int) -> Response:
        """List webhooks"""
        return self.page(services.webhooks_of(self.project), WebhookShown)

    @describe(
        "addWebhook",
        takes=NewWebhook,
        takes_example={"address": WEBHOOK["address"], "events": WEBHOOK["events"]},
        returns=WebhookShown,
        code=201,
        example=WEBHOOK,
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a webhook

        It is told of what happens from now on. Have its secret made to check its signatures.
        """
        values = self.body(request, NewWebhook)
        try:
            webhook = services.create(project=self.project, **values)
        except (NotAllowed, services.NotPossible) as problem:
            raise refusal(problem) from None
        return Response(WebhookShown(webhook).data, 201)


class OneWebhook(WebhookResource):
    rights = dict.fromkeys(("GET", "PATCH", "DELETE"), Right.ADMINISTER)

    @describe("getWebhook", returns=WebhookShown, example=WEBHOOK)
    def get(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Get a webhook"""
        return Response(WebhookShown(self.webhook(webhook_pk)).data)

    @describe(
        "changeWebhook",
        takes=WebhookChanges,
        takes_example={"active": False},
        returns=WebhookShown,
        example=WEBHOOK,
        refusals=[409],
    )
    def patch(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Change a webhook, or turn it off

        What waits to be sent is given up where it is turned off.
        """
        webhook = self.webhook(webhook_pk)
        values = self.body(request, WebhookChanges, partial=True)
        now = {"address": webhook.address, "events": webhook.events, "active": webhook.active}
        try:
            services.change(webhook, **(now | values))
        except (NotAllowed, services.NotPossible) as problem:
            raise refusal(problem) from None
        return Response(WebhookShown(self.webhook(webhook_pk)).data)

    @describe("removeWebhook", code=204)
    def delete(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Remove a webhook

        With the list of all that was sent.
        """
        services.remove(self.webhook(webhook_pk))
        return Response(status=204)


class WebhookSecret(WebhookResource):
    rights = {"PUT": Right.ADMINISTER}

    @describe("makeWebhookSecret", returns=SecretShown, example={"secret": "whsec_…"})
    def put(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Make the secret of a webhook

        It signs all that is sent from now on; the former one is void.
        """
        webhook = self.webhook(webhook_pk)
        services.renew_secret(webhook)
        return Response({"secret": signatures.secret_of(self.webhook(webhook_pk))})


class WebhookTest(WebhookResource):
    rights = {"POST": Right.ADMINISTER}

    @describe("testWebhook", returns=DeliveryShown, code=202, example=DELIVERY, refusals=[409])
    def post(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Send a test"""
        webhook = self.webhook(webhook_pk)
        try:
            delivery = services.send_test(webhook)
        except services.NotPossible as problem:
            raise refusal(problem) from None
        return Response(DeliveryShown(delivery).data, 202)


class Deliveries(WebhookResource):
    rights = {"GET": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe("listDeliveries", returns=DeliveryShown, is_page=True, example=DELIVERY)
    def get(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """List what was sent, the newest first"""
        rows = self.webhook(webhook_pk).deliveries.prefetch_related("tried")
        return self.page(rows, DeliveryShown, newest=True)


class DeliveryAgain(WebhookResource):
    rights = {"POST": Right.ADMINISTER}

    @describe("deliverAgain", returns=DeliveryShown, code=202, example=DELIVERY, refusals=[409])
    def post(self, request: Request, pk: int, webhook_pk: int, delivery_pk: int) -> Response:
        """Send a message again

        With the same id, so that whoever got it already can tell.
        """
        delivery = deliveries(self.webhook(webhook_pk), delivery_pk)
        try:
            services.send_again(delivery)
        except services.NotPossible as problem:
            raise refusal(problem) from None
        delivery.refresh_from_db()
        return Response(DeliveryShown(delivery).data, 202)


def deliveries(webhook: Webhook, pk: int) -> Delivery:
    found = webhook.deliveries.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if found is None:
        raise Http404
    found.webhook = webhook
    return found


def refusal(problem: Exception) -> Problem:
    """Return how it is told what cannot be done, and that an address cannot be used."""
    if isinstance(problem, NotAllowed):
        return Problem(str(problem), [{"pointer": "#/address", "detail": str(problem)}])
    return Conflict(str(problem))
