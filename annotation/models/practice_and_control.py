"""Gold answers of practice sentences, and what control items test."""

from typing import Final

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _


class Answer(models.Model):
    """The gold answer for one segment of a practice sentence, given by the administrator."""

    segment = models.OneToOneField(
        "annotation.Segment", on_delete=models.DO_NOTHING, related_name="answer"
    )
    explanation = models.TextField(blank=True, max_length=2000)

    def __str__(self) -> str:
        return f"answer of segment {self.segment_id}"


class ExpectedPlacement(models.Model):
    """The gold rank of a candidate of a practice sentence; null is garbage.

    Tutorials have ranges of scores, and reasons of each candidate and of each expected error.
    """

    answer = models.ForeignKey(Answer, on_delete=models.DO_NOTHING, related_name="placements")
    candidate = models.OneToOneField(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="expected_placement"
    )
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # N, the candidates of the segment, as in Placement.
    ranks_offered = models.PositiveSmallIntegerField()
    # The worst rank of a range that begins with the gold one; null where the kind says how far an
    # answer may be from it.
    last_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # Texts by language, "" for one of no language: why the candidate has this rank, then why each
    # error of the detail is one, in their order. Empty without reasons.
    reasons = models.JSONField(default=list, blank=True)
    # In the notation of the project's kind (`annotation.kinds.answers`), such as marked errors.
    detail = models.TextField(blank=True, default="", max_length=20_000)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("detail"), 20_000),
                name="expected_detail_is_not_too_long",
            ),
            models.CheckConstraint(
                condition=models.Q(rank__isnull=True)
                | models.Q(rank__gte=1, rank__lte=models.F("ranks_offered")),
                name="expected_rank_is_between_one_and_n",
            ),
            models.CheckConstraint(
                condition=models.Q(last_rank__isnull=True)
                | models.Q(
                    last_rank__gte=models.F("rank"), last_rank__lte=models.F("ranks_offered")
                ),
                name="expected_ranks_end_between_the_first_and_n",
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.candidate_id} belongs on {self.rank or 'garbage'}"


class Control(models.Model):
    """What one segment of a control sentence tests: the order of two of its candidates.

    A degraded candidate was made worse on purpose and must be placed below the original. A
    duplicate has the same text and must be placed on the same rank.

    Where one translation is judged at a time, only the changed candidate is shown, and the original
    is stored as excluded: it is compared with what the annotator said of the sentence that is
    copied. A reference in the place of a candidate is not expected anywhere.
    """

    LONGEST_MESSAGE: Final = 2000

    class Kind(models.TextChoices):
        DEGRADED = "degraded", _("one candidate made worse")
        DUPLICATE = "duplicate", _("one candidate shown twice")
        REFERENCE = "reference", _("the reference in place of a candidate")

    segment = models.OneToOneField(
        "annotation.Segment", on_delete=models.DO_NOTHING, related_name="control"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    original = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="+"
    )
    changed = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="+"
    )
    # What an annotator is told who does not tell the two apart beside each other; blank for the
    # usual sentence.
    message = models.TextField(blank=True, default="", max_length=LONGEST_MESSAGE)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["degraded", "duplicate", "reference"]),
                name="control_kind_is_known",
            ),
            models.CheckConstraint(
                condition=~models.Q(original=models.F("changed")),
                name="control_compares_two_candidates",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("message"), 2000),
                name="message_of_a_control_is_not_too_long",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} control in segment {self.segment_id}"
