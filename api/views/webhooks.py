"""Webhooks of a project, and what was delivered to them."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.exceptions import NotPossible
from api.base_views import ApiView
from api.exceptions import Conflict, Problem
from api.idempotency import idempotent
from api.pagination import NewestFirstPagination, OldestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer
from webhooks import services, signatures
from webhooks.models import LONGEST_ADDRESS, Attempt, Delivery, Event, Webhook
from webhooks.url_policy import NotAllowed


class NewWebhook(StrictSerializer):
    address = serializers.CharField(max_length=LONGEST_ADDRESS, help_text="Where to send.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices), min_length=1, max_length=len(Event)
    )

    def validate_events(self, events: list[str]) -> list[str]:
        if len(set(events)) < len(events):
            raise serializers.ValidationError(_("Name each event once."))
        return events


class WebhookChanges(NewWebhook):
    active = serializers.BooleanField(help_text="Whether messages are sent.")


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices), read_only=True
    )

    class Meta:
        model = Webhook
        fields = ("id", "address", "events", "active", "created")
        read_only_fields = fields


class SecretSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="Shown only once: whsec_ and the key in Base64.")


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    class Meta:
        model = Attempt
        fields = ("number", "started", "finished", "status", "error")
        read_only_fields = fields


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """A message with all attempts to deliver it."""

    message = serializers.CharField(
        source="signed_as", read_only=True, help_text="The value of Webhook-Id."
    )
    attempts = AttemptSerializer(many=True, read_only=True)

    class Meta:
        model = Delivery
        fields = ("id", "message", "event", "state", "created", "due", "attempts")
        read_only_fields = fields


class WebhookView(ApiView):
    """Base of the views of webhooks."""

    tag = "webhooks"
    permission_classes = [IsProjectAdministrator]

    def webhook(self, pk: int) -> Webhook:
        """Return the webhook of the project with this id. Raises Http404."""
        webhook = get_object_or_404(services.webhooks_of(self.project), pk=pk)
        webhook.project = self.project
        return webhook


class WebhookList(WebhookView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listWebhooks", responses=WebhookSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the webhooks"""
        return self.page_response(services.webhooks_of(self.project), WebhookSerializer)

    @extend_schema(
        operation_id="addWebhook", request=NewWebhook, responses={201: WebhookSerializer}
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Add a webhook

        It is notified of later events only. Create its secret to check its signatures:
        `makeWebhookSecret`.
        """
        values = self.read_body(NewWebhook)
        try:
            webhook = services.create(project=self.project, **values)
        except (NotAllowed, NotPossible) as problem:
            raise _refusal(problem) from None
        return Response(WebhookSerializer(webhook).data, 201)


class WebhookDetail(WebhookView):
    @extend_schema(operation_id="getWebhook", responses=WebhookSerializer)
    def get(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Get a webhook"""
        return Response(WebhookSerializer(self.webhook(webhook_pk)).data)

    @extend_schema(
        operation_id="changeWebhook", request=WebhookChanges, responses=WebhookSerializer
    )
    def patch(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Change a webhook, or turn it off

        Turning it off gives up the messages that are waiting to be sent.
        """
        webhook = self.webhook(webhook_pk)
        values = self.read_body(WebhookChanges, partial=True)
        now = {"address": webhook.address, "events": webhook.events, "active": webhook.active}
        try:
            services.change(webhook, **(now | values))
        except (NotAllowed, NotPossible) as problem:
            raise _refusal(problem) from None
        return Response(WebhookSerializer(self.webhook(webhook_pk)).data)

    @extend_schema(operation_id="removeWebhook", responses={204: None})
    def delete(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Remove a webhook

        With its list of deliveries.
        """
        services.remove(self.webhook(webhook_pk))
        return Response(status=204)


class WebhookSecret(WebhookView):
    @extend_schema(operation_id="makeWebhookSecret", request=None, responses=SecretSerializer)
    def put(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Create the secret of a webhook

        It signs all messages from now on, and replaces the previous secret.
        """
        webhook = self.webhook(webhook_pk)
        services.renew_secret(webhook)
        return Response({"secret": signatures.secret_of(self.webhook(webhook_pk))})


class WebhookTest(WebhookView):
    @extend_schema(operation_id="testWebhook", request=None, responses={202: DeliverySerializer})
    @idempotent()
    def post(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """Send a test message"""
        webhook = self.webhook(webhook_pk)
        try:
            delivery = services.send_test(webhook)
        except NotPossible as problem:
            raise _refusal(problem) from None
        return Response(DeliverySerializer(delivery).data, 202)


class DeliveryList(WebhookView):
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listDeliveries", responses=DeliverySerializer(many=True))
    def get(self, request: Request, pk: int, webhook_pk: int) -> Response:
        """List the deliveries of a webhook

        The newest first.
        """
        rows = self.webhook(webhook_pk).deliveries.prefetch_related("attempts")
        return self.page_response(rows, DeliverySerializer)


class DeliveryRetry(WebhookView):
    @extend_schema(operation_id="deliverAgain", request=None, responses={202: DeliverySerializer})
    @idempotent()
    def post(self, request: Request, pk: int, webhook_pk: int, delivery_pk: int) -> Response:
        """Send a message again

        With the same `Webhook-Id`, so that the receiver can recognise a duplicate.
        """
        webhook = self.webhook(webhook_pk)
        delivery = get_object_or_404(webhook.deliveries, pk=delivery_pk)
        delivery.webhook = webhook
        try:
            services.send_again(delivery)
        except NotPossible as problem:
            raise _refusal(problem) from None
        delivery.refresh_from_db()
        return Response(DeliverySerializer(delivery).data, 202)


def _refusal(problem: Exception) -> Problem:
    if isinstance(problem, NotAllowed):
        return Problem(str(problem), [{"pointer": "#/address", "detail": str(problem)}])
    return Conflict(str(problem))
