"""Who is to judge what, and what they judged.

Nothing cascades onto these tables: judgements go only when their whole project is deleted.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Assignment(models.Model):
    """One sentence given to one annotator to judge, all its segments at once."""

    class Kind(models.TextChoices):
        FIRST = "first", _("first")
        INTRA = "intra", _("intra")
        INTER = "inter", _("inter")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        SUBMITTED = "submitted", _("submitted")

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="assignments"
    )
    sentence = models.ForeignKey(
        "annotation.Sentence", on_delete=models.PROTECT, related_name="assignments"
    )
    annotator = models.ForeignKey(
        "annotation.User", on_delete=models.PROTECT, related_name="assignments"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created = models.DateTimeField()
    # Null for imported judgements: their files say how long it took, not when it began.
    shown = models.DateTimeField(null=True, blank=True)
    submitted = models.DateTimeField(null=True, blank=True)
    submission_token = models.UUIDField(null=True, blank=True, unique=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "project"],
                condition=models.Q(state="open"),
                name="one_open_assignment_per_annotator_and_project",
            ),
            models.UniqueConstraint(
                fields=["sentence"],
                condition=models.Q(kind="first"),
                name="one_first_assignment_per_sentence",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", submitted__isnull=True)
                | models.Q(state="submitted", submitted__isnull=False),
                name="submitted_assignments_have_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["first", "intra", "inter"]),
                name="assignment_kind_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class ShownCandidate(models.Model):
    """Where a candidate stood on the screen; candidates that look alike share a position."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="shown_candidates"
    )
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.PROTECT, related_name="showings"
    )
    # 1-based, within the candidate's segment.
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "candidate"], name="candidate_is_shown_once"
            ),
            models.CheckConstraint(
                condition=models.Q(position__gte=1), name="shown_position_starts_at_one"
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.candidate_id} at {self.position}"


class Judgement(models.Model):
    """One annotator's placement of all candidates of one segment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgements")
    segment = models.ForeignKey(
        "annotation.Segment", on_delete=models.PROTECT, related_name="judgements"
    )
    created = models.DateTimeField()
    # (submitted - shown) / segments of the sentence; null where a file does not say.
    seconds = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "segment"], name="one_judgement_per_segment"
            ),
            models.CheckConstraint(
                condition=models.Q(seconds__gte=0), name="seconds_are_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"judgement {self.pk}"


class Placement(models.Model):
    """The rank an annotator gave a candidate; null means the garbage bin, worse than any rank."""

    judgement = models.ForeignKey(Judgement, on_delete=models.PROTECT, related_name="placements")
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.PROTECT, related_name="placements"
    )
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # N, the candidates of the segment then: in each row, so that the database can check the rank.
    ranks_offered = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgement", "candidate"], name="one_placement_per_candidate"
            ),
            models.CheckConstraint(
                condition=models.Q(rank__isnull=True)
                | models.Q(rank__gte=1, rank__lte=models.F("ranks_offered")),
                name="rank_is_between_one_and_n",
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.candidate_id} on {self.rank or 'garbage'}"

    @property
    def garbage(self) -> bool:
        return self.rank is None
