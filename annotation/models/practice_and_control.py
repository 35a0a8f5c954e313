"""What is known beforehand: the answers of practice sentences, and what control sentences test."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Answer(models.Model):
    """The right placement of one segment of a practice sentence, as the administrator made it."""

    segment = models.OneToOneField(
        "annotation.Segment", on_delete=models.PROTECT, related_name="answer"
    )
    explanation = models.TextField(blank=True, max_length=2000)

    def __str__(self) -> str:
        return f"answer of segment {self.segment_id}"


class ExpectedPlacement(models.Model):
    """Where a candidate of a practice sentence belongs; a null rank means the garbage bin."""

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="placements")
    candidate = models.OneToOneField(
        "annotation.Candidate", on_delete=models.PROTECT, related_name="expected_placement"
    )
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # N, the candidates of the segment, as in Placement.
    ranks_offered = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(rank__isnull=True)
                | models.Q(rank__gte=1, rank__lte=models.F("ranks_offered")),
                name="expected_rank_is_between_one_and_n",
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.candidate_id} belongs on {self.rank or 'garbage'}"


class Control(models.Model):
    """What a segment of a control sentence tests: two of its candidates have to be told apart.

    The degraded one was made worse on purpose and must be placed below the original;
    a twin is the same text once more and must be placed beside it.
    """

    class Kind(models.TextChoices):
        DEGRADED = "degraded", _("one candidate made worse")
        TWIN = "twin", _("one candidate shown twice")

    segment = models.OneToOneField(
        "annotation.Segment", on_delete=models.PROTECT, related_name="control"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    original = models.ForeignKey("annotation.Candidate", on_delete=models.PROTECT, related_name="+")
    changed = models.ForeignKey("annotation.Candidate", on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["degraded", "twin"]), name="control_kind_is_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(original=models.F("changed")),
                name="control_compares_two_candidates",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} control in segment {self.segment_id}"
