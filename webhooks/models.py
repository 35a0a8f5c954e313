"""Webhooks, the messages sent to them, and each attempt to send one."""

from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from annotation.process import clock

LONGEST_ADDRESS = 500


class Event(models.TextChoices):
    """Project events that a webhook can receive."""

    PREPARED = "project.prepared", _("project prepared")
    PREPARATION_FAILED = "project.preparation_failed", _("preparation failed")
    JUDGED_10 = "project.judged_10", _("10 percent judged")
    JUDGED_50 = "project.judged_50", _("50 percent judged")
    JUDGED_100 = "project.judged_100", _("all judged")
    CLOSED = "project.closed", _("project paused")
    FLAGGED = "annotator.flagged", _("annotator flagged")


# Sent on request, to try out a webhook.
TEST = "test"
# Percent judged at which an event is sent.
SHARES = {10: Event.JUDGED_10, 50: Event.JUDGED_50, 100: Event.JUDGED_100}


def known_events(events: object) -> None:
    """Raise ValidationError unless this is a list of distinct events."""
    if (
        not isinstance(events, list)
        or len(set(events)) < len(events)
        or not set(events) <= {*Event.values}
    ):
        raise ValidationError(_("Choose from the list of events."))


def event_name(event: str) -> str:
    """Return the event, or a test, in words."""
    return str(capfirst(dict(Event.choices).get(event, _("test message"))))


class Webhook(models.Model):
    """A URL that receives events of a project, and the state of the project last reported to it."""

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="webhooks"
    )
    address = models.CharField(max_length=LONGEST_ADDRESS)
    events = models.JSONField(default=list, validators=[known_events])
    # Its secret is derived from this and SECRET_KEY.
    salt = models.CharField(max_length=64)
    active = models.BooleanField(default=True)
    created = models.DateTimeField(default=clock.now, editable=False)
    # The project's state, and the largest of SHARES it had reached, when events were last detected.
    seen_state = models.CharField(max_length=20)
    seen_share = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "address"], name="one_webhook_per_address_and_project"
            ),
            models.CheckConstraint(
                condition=~models.Q(address="") & ~models.Q(salt=""),
                name="webhooks_have_an_address_and_a_salt",
            ),
            models.CheckConstraint(
                condition=models.Q(seen_share__in=[0, *SHARES]), name="seen_share_has_an_event"
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of project {self.project_id}"

    @property
    def event_names(self) -> list[str]:
        return [event_name(event) for event in self.events]


class Delivery(models.Model):
    """One message for one webhook."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    # The same in all attempts, so that a receiver can recognise a repeated message.
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    event = models.CharField(max_length=40)
    # Exactly what is signed and sent.
    body = models.TextField()
    created = models.DateTimeField(default=clock.now, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # All attempts, and those since an administrator last asked to send it.
    attempt_count = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    # When the next attempt may be made.
    due = models.DateTimeField()
    # When it was delivered or given up.
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "delivered", "given_up"]),
                name="state_of_a_delivery_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="waiting", ended__isnull=True)
                | (~models.Q(state="waiting") & models.Q(ended__isnull=False)),
                name="waiting_deliveries_have_no_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due"],
                name="waiting_deliveries",
                condition=models.Q(state="waiting"),
            ),
            models.Index(
                fields=["ended"],
                name="deliveries_by_their_end",
                condition=models.Q(ended__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk}: {self.event} ({self.state})"

    @property
    def event_name(self) -> str:
        return event_name(self.event)

    @property
    def signed_as(self) -> str:
        """The message id that is sent and signed."""
        return f"msg_{self.uid.hex}"


class Attempt(models.Model):
    """One attempt at a delivery; `finished` is null if the worker died meanwhile."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField()
    started = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)
    # The HTTP status, if there was an answer.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    # Why the attempt failed; "" if it succeeded.
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["delivery", "number"], name="one_attempt_per_number"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of delivery {self.delivery_id}"
