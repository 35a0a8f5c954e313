"""Assignments, drafts, submissions and judgements.

Nothing cascades onto these tables: judgements are deleted only with their whole project.
"""

from typing import Any, Final

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from annotation.formats.sentence_limits import MOST_CHARACTERS


class Assignment(models.Model):
    """One sentence assigned to one annotator, with all its segments.

    An open assignment is a lease: it is returned to the queue after `lease_until`, or when it is
    released or skipped.
    """

    class Kind(models.TextChoices):
        FIRST = "first", _("first")
        INTRA = "intra", _("intra")
        INTER = "inter", _("inter")
        PRACTICE = "practice", _("practice")
        CONTROL = "control", _("control")

    # Kinds whose judgements are results; practice and control never are.
    COUNTED = (Kind.FIRST, Kind.INTRA, Kind.INTER)

    class State(models.TextChoices):
        OPEN = "open", _("open")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        SKIPPED = "skipped", _("skipped")
        # Submitted, but it counts nowhere: an administrator decided so, which is reversible, or it
        # was a try at practice that is followed by another.
        DISCARDED = "discarded", _("discarded")

    # The states in which an assignment takes one of its sentence's judges.
    ACTIVE_STATES = (State.OPEN, State.SUBMITTED)
    # The states of assignments that have submissions.
    SUBMITTED_STATES = (State.SUBMITTED, State.DISCARDED)
    # The states after which the annotator can be assigned the same sentence again.
    ENDED_STATES = (State.RETURNED, State.DISCARDED)
    # The values of the draft's columns while nothing is saved.
    NO_DRAFT: Final[dict[str, Any]] = {
        "draft_version": 0,
        "draft_choices": {},
        "draft_comments": {},
        "draft_details": {},
        "draft_media": {},
        "draft_active_seconds": 0.0,
        "draft_saved": None,
    }
    # What its page shows, and the progress of its batch, if it was created in this request.
    just_shown: Any = None
    just_in_batch: Any = None

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="assignments"
    )
    sentence = models.ForeignKey(
        "annotation.Sentence", on_delete=models.DO_NOTHING, related_name="assignments"
    )
    annotator = models.ForeignKey(
        "annotation.User", on_delete=models.PROTECT, related_name="assignments"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    # Of a discarded assignment: whether the judgements of its annotator were discarded, and whether
    # its sentence was returned to judging. It counts again when both are undone. Tries at practice
    # are discarded with their sentences, for good.
    discarded_with_annotator = models.BooleanField(default=False)
    discarded_with_sentence = models.BooleanField(default=False)
    # Which of the project's judges per sentence this is, from 1; null for all other kinds.
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    # The sentence's version when it was assigned: later candidates were not shown.
    candidate_version = models.PositiveSmallIntegerField(default=1)
    # The number of the decision (`projects.undecided_systems`) for which it does not show what only
    # decided systems produced: it is narrowed. Null if it shows the candidates of all systems.
    decision = models.PositiveSmallIntegerField(null=True, blank=True)
    # Whose errors were marked on the sheet when the annotator got it; null if none were.
    given = models.ForeignKey(
        "annotation.GivenOrigin",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="assignments",
        # Its index has only the assignments that show some.
        db_index=False,
    )
    created = models.DateTimeField()
    # Null for imported judgements: their files say how long it took, not when it began.
    shown = models.DateTimeField(null=True, blank=True)
    # Of the first submission.
    submitted = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The version that was shown; null for the built-in instructions.
    instructions = models.ForeignKey(
        "annotation.Instructions",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    # What its page has to help the annotator, by name: {"highlights": true} marks aligned words.
    # A name that is missing means that the page does not have it.
    aids = models.JSONField(default=dict, blank=True)
    # The draft: placements as the page last saved them before submission, by card key: a rank, or
    # "garbage". Its version grows by one with each save and is 0 while nothing is saved. A page
    # that edited an older version must not overwrite it. Comments are by the number of the segment,
    # details by card key, in the notation of the project's kind.
    draft_version = models.PositiveIntegerField(default=0)
    draft_choices = models.JSONField(default=dict, blank=True)
    draft_comments = models.JSONField(default=dict, blank=True)
    draft_details = models.JSONField(default=dict, blank=True)
    # Seconds and starts of the media that were played, by their ids.
    draft_media = models.JSONField(default=dict, blank=True)
    draft_active_seconds = models.FloatField(default=0.0)
    draft_saved = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            # All columns of the table of annotators, which the overview reads every few seconds.
            models.Index(
                fields=["project", "annotator", "state", "kind", "submitted"],
                name="assignments_by_annotator",
            ),
            # Sentences that have all their judges, for inter repeats.
            models.Index(
                fields=["project", "slot", "sentence"],
                condition=models.Q(kind="first", state="submitted"),
                name="submitted_by_slot",
            ),
            models.Index(
                fields=["given"],
                condition=models.Q(given__isnull=False),
                name="assignments_with_given_errors",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "project"],
                condition=models.Q(state="open"),
                name="one_open_assignment_per_annotator_and_project",
            ),
            models.UniqueConstraint(
                fields=["sentence", "annotator"],
                condition=models.Q(kind__in=["practice", "control"])
                & ~models.Q(state="returned")
                & ~models.Q(kind="practice", state="discarded"),
                name="an_annotator_has_a_practice_or_control_sentence_once",
            ),
            models.UniqueConstraint(
                fields=["sentence", "slot", "candidate_version"],
                condition=models.Q(kind="first", state__in=["open", "submitted"]),
                name="one_assignment_per_slot_of_a_sentence",
            ),
            models.UniqueConstraint(
                fields=["sentence", "annotator", "candidate_version"],
                condition=models.Q(kind="first", state__in=["open", "submitted"]),
                name="an_annotator_is_one_judge_of_a_sentence",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="first", slot__gte=1)
                | models.Q(kind__in=["intra", "inter", "practice", "control"], slot__isnull=True),
                name="first_assignments_have_a_slot",
            ),
            models.CheckConstraint(
                condition=models.Q(candidate_version__gte=1),
                name="assignment_candidate_version_starts_at_one",
            ),
            models.CheckConstraint(
                condition=models.Q(decision__isnull=True)
                | models.Q(decision__gte=1, kind__in=["first", "intra", "inter"]),
                name="only_counted_assignments_are_narrowed",
            ),
            models.CheckConstraint(
                condition=models.Q(given__isnull=True) | ~models.Q(kind="practice"),
                name="practice_shows_no_given_errors",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["submitted", "discarded"], submitted__isnull=False)
                | models.Q(state__in=["open", "returned", "skipped"], submitted__isnull=True),
                name="submitted_assignments_have_a_time",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="open") | models.Q(lease_until__isnull=False),
                name="open_assignments_have_a_lease",
            ),
            models.CheckConstraint(
                condition=models.Q(draft_version=0, draft_saved__isnull=True)
                | models.Q(draft_version__gt=0, draft_saved__isnull=False),
                name="saved_drafts_have_a_time",
            ),
            models.CheckConstraint(
                condition=~models.Q(state__in=["submitted", "discarded"])
                | models.Q(draft_version=0),
                name="submitted_assignments_have_no_draft",
            ),
            # Practice counts nowhere anyway. Control sentences are discarded with the others, from
            # which they must not differ.
            models.CheckConstraint(
                condition=~models.Q(kind="practice", discarded_with_annotator=True),
                name="practice_is_not_discarded_with_its_annotator",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(discarded_with_annotator=True)
                    | models.Q(discarded_with_sentence=True),
                    state="discarded",
                )
                | models.Q(
                    ~models.Q(state="discarded"),
                    discarded_with_annotator=False,
                    discarded_with_sentence=False,
                ),
                name="an_assignment_is_discarded_with_annotator_or_sentence",
            ),
            models.CheckConstraint(
                condition=models.Q(draft_active_seconds__gte=0), name="draft_time_is_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Reservation(models.Model):
    """A sentence that an administrator assigned to an annotator, who gets it before others.

    It stays when the annotator has judged the sentence.
    """

    sentence = models.ForeignKey(
        "annotation.Sentence", on_delete=models.DO_NOTHING, related_name="reservations"
    )
    annotator = models.ForeignKey(
        "annotation.User", on_delete=models.PROTECT, related_name="reservations"
    )
    created = models.DateTimeField()
    by = models.ForeignKey(
        "annotation.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sentence", "annotator"], name="a_sentence_is_reserved_once"
            ),
        ]

    def __str__(self) -> str:
        return f"sentence {self.sentence_id} for user {self.annotator_id}"


class Skip(models.Model):
    """Why an annotator skipped a sentence."""

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", _("I do not understand the text")
        WRONG_SEGMENT = "wrong-segment", _("the segments make no sense")
        OFFENSIVE = "offensive", _("the text is offensive")
        TECHNICAL = "technical", _("something does not work")
        OTHER = "other", _("another reason")

    assignment = models.OneToOneField(Assignment, on_delete=models.DO_NOTHING, related_name="skip")
    reason = models.CharField(max_length=20, choices=Reason.choices)
    comment = models.TextField(blank=True, max_length=2000)
    created = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    reason__in=["unclear", "wrong-segment", "offensive", "technical", "other"]
                ),
                name="skip_reason_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"skip of assignment {self.assignment_id}: {self.reason}"


class Submission(models.Model):
    """One submission of an assignment: the first or a revision; all are kept."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.DO_NOTHING, related_name="submissions"
    )
    # 1 is the first, 2 its first revision …
    number = models.PositiveSmallIntegerField(default=1)
    # Whether it is the latest of its assignment. Reports use only current submissions.
    current = models.BooleanField(default=True)
    # From the client: the same token again is the same submission. Null for imported ones.
    token = models.UUIDField(null=True, blank=True, unique=True)
    created = models.DateTimeField()
    # How long the page was visible and used; null if not reported.
    active_seconds = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="submission_number_is_unique"
            ),
            models.UniqueConstraint(
                fields=["assignment"],
                condition=models.Q(current=True),
                name="one_current_submission_per_assignment",
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="submission_number_starts_at_one"
            ),
            models.CheckConstraint(
                condition=models.Q(active_seconds__isnull=True) | models.Q(active_seconds__gte=0),
                name="active_seconds_are_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"submission {self.number} of assignment {self.assignment_id}"


class ShownCandidate(models.Model):
    """The position of a candidate on the screen; candidates that look alike share one."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.DO_NOTHING, related_name="shown_candidates"
    )
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="showings"
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


class ShownSystem(models.Model):
    """The column in which a sheet of several systems shows the translation of one of them.

    The candidates of equal translations are shown in several columns, and judged once.
    """

    assignment = models.ForeignKey(
        Assignment, on_delete=models.DO_NOTHING, related_name="shown_systems"
    )
    system = models.ForeignKey(
        "annotation.System", on_delete=models.PROTECT, related_name="showings"
    )
    # From 1, in the order of the text.
    column = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "system"], name="a_system_has_one_column"
            ),
            models.UniqueConstraint(
                fields=["assignment", "column"], name="a_column_has_one_system"
            ),
            models.CheckConstraint(condition=models.Q(column__gte=1), name="columns_start_at_one"),
        ]

    def __str__(self) -> str:
        return f"system {self.system_id} in column {self.column}"


class Judgement(models.Model):
    """One annotator's placement of all candidates of one segment, and their comment on it."""

    LONGEST_COMMENT: Final = 1000

    submission = models.ForeignKey(
        Submission, on_delete=models.DO_NOTHING, related_name="judgements"
    )
    segment = models.ForeignKey(
        "annotation.Segment", on_delete=models.DO_NOTHING, related_name="judgements"
    )
    created = models.DateTimeField()
    # (submitted - shown) / segments of the sentence, or less if the page was in use for less;
    # null if an imported file has none.
    seconds = models.FloatField(null=True, blank=True)
    comment = models.TextField(blank=True, default="", max_length=LONGEST_COMMENT)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "segment"], name="one_judgement_per_segment"
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("comment"), 1000), name="comment_is_short"
            ),
            models.CheckConstraint(
                condition=models.Q(seconds__gte=0), name="seconds_are_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"judgement {self.pk}"


class Placement(models.Model):
    """The rank an annotator gave a candidate; null is garbage, worse than any rank.

    On a scale the rank is the number of the step, the best first: of scores from 0 to 100, step 1
    is 100 (`Kind.score_of`).
    """

    judgement = models.ForeignKey(Judgement, on_delete=models.DO_NOTHING, related_name="placements")
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="placements"
    )
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # N, the number of candidates shown, or of steps. In each row, so that the database can check
    # the rank.
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


class ErrorSpan(models.Model):
    """An error that the annotator marked in a text, or of a whole candidate.

    `start` and `end` are numbers of characters in the text as it is shown, from 0 and as Python
    slices count; both are null where something is missing, or the candidate as a whole is wrong.
    The text is the candidate or the source. Errors may
    overlap; which ones an annotator may mark, and with which severities and categories, is checked
    by the answer before they are stored (`annotation.kinds.marked_errors`).
    """

    class Side(models.TextChoices):
        TARGET = "target", _("translation")
        SOURCE = "source", _("source")
        # The candidate lacks something.
        MISSING = "missing", _("missing")
        # The candidate as a whole: no translation, or another mark of the project.
        WHOLE = "whole", _("whole translation")

    placement = models.ForeignKey(
        Placement, on_delete=models.DO_NOTHING, related_name="error_spans"
    )
    side = models.CharField(max_length=7, choices=Side.choices, default=Side.TARGET)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    severity = models.CharField(max_length=20)
    # The category of the answer's typology, such as "accuracy/mistranslation"; "" without one.
    category = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["placement", "side", "start", "end", "category"],
                condition=models.Q(start__isnull=False),
                name="error_span_is_marked_once",
            ),
            models.UniqueConstraint(
                fields=["placement", "side", "category"],
                condition=models.Q(start__isnull=True),
                name="error_without_characters_is_marked_once",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    side__in=["missing", "whole"], start__isnull=True, end__isnull=True
                )
                # Without "is not null" a database takes an unknown condition for a true one.
                | models.Q(
                    side__in=["target", "source"],
                    start__isnull=False,
                    end__isnull=False,
                    end__gt=models.F("start"),
                    start__gte=0,
                ),
                name="error_span_has_characters",
            ),
            models.CheckConstraint(
                condition=~models.Q(severity=""), name="error_span_has_a_severity"
            ),
        ]

    def __str__(self) -> str:
        place = self.side if self.start is None else f"{self.start}-{self.end}"
        return f"{place} {self.severity}"


class FurtherScore(models.Model):
    """The score of a placement on a scale after the first one, whose score is its rank.

    It is stored as a rank too: 1 is the most that the scale has.
    """

    placement = models.ForeignKey(
        Placement, on_delete=models.DO_NOTHING, related_name="further_scores"
    )
    # Its place among the scales of the project, from 1.
    scale = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    ranks_offered = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["placement", "scale"], name="one_score_on_each_further_scale"
            ),
            models.CheckConstraint(
                condition=models.Q(scale__gte=2), name="the_first_score_is_the_rank"
            ),
            models.CheckConstraint(
                condition=models.Q(rank__gte=1, rank__lte=models.F("ranks_offered")),
                name="further_score_is_on_its_scale",
            ),
        ]

    def __str__(self) -> str:
        return f"rank {self.rank} on scale {self.scale}"


class Edit(models.Model):
    """The text that an annotator made of an output; only of one whose answer is "edited"."""

    LONGEST: Final = MOST_CHARACTERS

    placement = models.OneToOneField(Placement, on_delete=models.DO_NOTHING, related_name="edit")
    text = models.TextField(max_length=LONGEST)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(text=""), name="edit_is_not_empty"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), MOST_CHARACTERS), name="edit_is_short"
            ),
        ]

    def __str__(self) -> str:
        return f"edit of placement {self.placement_id}"


class Settlement(models.Model):
    """What a curator decided about a sheet whose answers differ. All answers stay as they are.

    `sheet` is the head of the sheet. A later decision replaces an earlier one.
    """

    LONGEST_COMMENT: Final = 1000

    sheet = models.OneToOneField(
        "annotation.Sentence", on_delete=models.DO_NOTHING, related_name="settlement"
    )
    # Whose answer was taken over; null where the curator gave scores of their own.
    answer_of = models.ForeignKey(
        "annotation.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    by = models.ForeignKey(
        "annotation.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created = models.DateTimeField()
    comment = models.TextField(blank=True, default="", max_length=LONGEST_COMMENT)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("comment"), 1000),
                name="comment_of_a_settlement_is_short",
            ),
        ]

    def __str__(self) -> str:
        return f"settlement of sheet {self.sheet_id}"


class SettledPlacement(models.Model):
    """The rank of a candidate by which a curator settled a sheet; null is garbage."""

    settlement = models.ForeignKey(
        Settlement, on_delete=models.DO_NOTHING, related_name="placements"
    )
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="settled_placements"
    )
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    ranks_offered = models.PositiveSmallIntegerField()
    # What was taken over with the rank, such as marked errors, in the notation of the kind.
    detail = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["settlement", "candidate"], name="a_candidate_is_settled_once"
            ),
            models.CheckConstraint(
                condition=models.Q(rank__isnull=True)
                | models.Q(rank__gte=1, rank__lte=models.F("ranks_offered")),
                name="settled_rank_is_between_one_and_n",
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.candidate_id} settled on {self.rank or 'garbage'}"
