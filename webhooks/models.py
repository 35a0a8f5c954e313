"""Who is told of what happens to a project, and each time that it was tried."""

from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

# Databases' limits, and more than any service asks for.
LONGEST_ADDRESS = 500


class Event(models.TextChoices):
    """What somebody can be told of."""

    PREPARED = "project.prepared", _("the project is prepared")
    PREPARATION_FAILED = "project.preparation_failed", _("the preparation failed")
    JUDGED_10 = "project.judged_10", _("a tenth is judged")
    JUDGED_50 = "project.judged_50", _("half is judged")
    JUDGED_100 = "project.judged_100", _("all is judged")
    CLOSED = "project.closed", _("the project is paused")


# Sent by hand, so that one can try.
TEST = "test"
# What is judged, in percent, that an event tells of.
SHARES = {10: Event.JUDGED_10, 50: Event.JUDGED_50, 100: Event.JUDGED_100}


def known_events(events: object) -> None:
    """Raise ValidationError unless these are events, each once."""
    if (
        not isinstance(events, list)
        or len(set(events)) < len(events)
        or not set(events) <= {*Event.values}
    ):
        raise ValidationError(_("Choose among the events."))


class Webhook(models.Model):
    """An address that is told of events of a project, and what was seen of the project so far."""

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="webhooks"
    )
    address = models.CharField(max_length=LONGEST_ADDRESS)
    events = models.JSONField(default=list, validators=[known_events])
    # What its secret is derived from, together with the key of the installation.
    salt = models.CharField(max_length=64)
    active = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)
    # The state of the project, and the largest of SHARES reached, when it was last looked at.
    seen_state = models.CharField(max_length=20)
    seen_share = models.PositiveSmallIntegerField(default=0)
    # How often the state was seen to change.
    changes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "address"], name="one_webhook_of_an_address_in_a_project"
            ),
            models.CheckConstraint(
                condition=~models.Q(address="") & ~models.Q(salt=""),
                name="webhooks_have_an_address_and_a_salt",
            ),
            models.CheckConstraint(
                condition=models.Q(seen_share__in=[0, *SHARES]), name="seen_share_is_one_told_of"
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of project {self.project_id}"


class Delivery(models.Model):
    """One message for one webhook, until it is delivered or given up."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    # The same whenever it is sent, so that who gets it twice can tell.
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    event = models.CharField(max_length=40)
    # Of the event in its project: what happened once is told once.
    key = models.CharField(max_length=80)
    # Byte for byte what is signed and sent.
    body = models.TextField()
    created = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # All of them, and those since it was last asked for.
    attempts = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    # When to try next, and when workers were told last.
    due = models.DateTimeField()
    told = models.DateTimeField(null=True, blank=True)
    # A worker is at it until then, unless it is gone.
    lease_until = models.DateTimeField(null=True, blank=True)
    # Since when it is delivered or given up.
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "key"], name="an_event_is_told_once_to_a_webhook"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "delivered", "given_up"]),
                name="state_of_a_delivery_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="waiting") | models.Q(lease_until__isnull=True),
                name="only_what_waits_is_worked_on",
            ),
            models.CheckConstraint(
                condition=models.Q(state="waiting", ended__isnull=True)
                | (~models.Q(state="waiting") & models.Q(ended__isnull=False)),
                name="what_waits_has_not_ended",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due"],
                name="deliveries_that_wait",
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
    def signed_as(self) -> str:
        """The id that is signed with it."""
        return f"msg_{self.uid.hex}"


class Attempt(models.Model):
    """One try of a delivery; without an end where the worker did not live to see it."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tried")
    number = models.PositiveIntegerField()
    started = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)
    # What the other side answered, if it did.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    # Why it is not delivered; "" where it is.
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["delivery", "number"], name="an_attempt_is_made_by_one_worker"
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of delivery {self.delivery_id}"
