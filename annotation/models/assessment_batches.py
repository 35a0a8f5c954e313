"""Batches of direct assessment: outputs with control items among them, for one annotator."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class AssessmentBatch(models.Model):
    """A batch of a project; batches are assigned in the order of their numbers, from 1."""

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="assessment_batches"
    )
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="batch_number_is_unique"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="batch_number_starts_at_one"
            ),
        ]

    def __str__(self) -> str:
        return f"batch {self.number}"


class BatchItem(models.Model):
    """What a batch shows at a position, from 1.

    An output and its repeat show the same sentence; a reference and a degraded output are control
    sentences. `original` is the output that a control item belongs to.
    """

    class Role(models.TextChoices):
        OUTPUT = "output", _("output")
        REPEAT = "repeat", _("repeat")
        REFERENCE = "reference", _("reference")
        DEGRADED = "degraded", _("degraded output")

    batch = models.ForeignKey(AssessmentBatch, on_delete=models.DO_NOTHING, related_name="items")
    position = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=10, choices=Role.choices)
    sentence = models.ForeignKey(
        "annotation.Sentence", on_delete=models.DO_NOTHING, related_name="batch_items"
    )
    original = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.DO_NOTHING, related_name="control_items"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="batch_position_is_unique"),
            models.CheckConstraint(
                condition=models.Q(position__gte=1), name="batch_position_starts_at_one"
            ),
            models.CheckConstraint(
                condition=models.Q(role="output", original__isnull=True)
                | models.Q(role__in=["repeat", "reference", "degraded"], original__isnull=False),
                name="control_items_of_a_batch_have_an_original",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} at {self.position}"


class BatchTurn(models.Model):
    """An annotator's turn at a batch, which has as many turns as a sentence has judges.

    A turn is released when its annotator has left the batch for longer than a lease, and another
    one takes over the rest. The first one may get another turn, when that one leaves too.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        FINISHED = "finished", _("finished")
        RELEASED = "released", _("released")

    # Known to be the first one of its slot and of its annotator; `open_turn` asks.
    is_first = False

    batch = models.ForeignKey(AssessmentBatch, on_delete=models.DO_NOTHING, related_name="turns")
    annotator = models.ForeignKey(
        "annotation.User", on_delete=models.PROTECT, related_name="batch_turns"
    )
    slot = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            # An annotator has one at most, while finished ones become many.
            models.Index(
                fields=["batch"], condition=models.Q(state="open"), name="open_turns_of_batches"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "annotator"],
                condition=models.Q(state__in=["open", "finished"]),
                name="an_annotator_has_a_batch_once",
            ),
            models.UniqueConstraint(
                fields=["batch", "slot"],
                condition=models.Q(state__in=["open", "finished"]),
                name="one_turn_per_slot_of_a_batch",
            ),
            models.CheckConstraint(
                condition=models.Q(slot__gte=1), name="batch_slot_starts_at_one"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "finished", "released"]),
                name="batch_turn_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"turn {self.slot} of batch {self.batch_id}"
