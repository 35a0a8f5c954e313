"""A project and the systems that it compares."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Length, Replace
from django.db.models.lookups import LessThanOrEqual
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from annotation.formats.languages import LONGEST_LANGUAGE_CODE
from annotation.models.names import NameField
from annotation.process import clock

# The number of options of a project's own answer, less one.
_LINE_ENDS = Length("answer_options") - Length(Replace("answer_options", Value("\n")))
_OPTIONS_ARE_FEW: Any = LessThanOrEqual(_LINE_ENDS, 99)


class VisibleProjects(models.Manager["Project"]):
    """The projects that are not hidden."""

    def get_queryset(self) -> models.QuerySet["Project"]:
        return super().get_queryset().filter(delete_after=None)


class Project(models.Model):
    """One source text, the systems that translated it, and the rules of judging them.

    A project that is being stored or deleted is hidden: `Project.objects` does not have it.
    """

    class State(models.TextChoices):
        PREPARING = "preparing", _("being prepared")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        FAILED = "failed", _("preparation failed")
        # Out of the way: readable, but nothing is judged.
        ARCHIVED = "archived", _("archived")

    class QueueOrder(models.TextChoices):
        RANDOM = "random", _("random")
        DOCUMENT = "document", _("as in the document")
        BLOCKS = "blocks", _("in blocks of the document")

    class ShownReferences(models.TextChoices):
        NONE = "none", _("no reference")
        FIRST = "first", _("the first reference")
        ALL = "all", _("all references")

    name = NameField(_("name"), max_length=200)
    # The name of the kind of judgement, one of `kinds.KINDS`; never changed.
    kind = models.CharField(
        _("kind of judgement"), max_length=40, default="segment_ranking", editable=False
    )
    # What the project chose of its answer, one a line, such as the labels of its own scale with the
    # best first; not changed after the first judgement. Empty unless the answer has options.
    answer_options = models.TextField(_("options of the answer"), blank=True, editable=False)
    description = models.TextField(_("description"), blank=True)
    source_language = models.CharField(_("source language"), max_length=LONGEST_LANGUAGE_CODE)
    target_language = models.CharField(_("target language"), max_length=LONGEST_LANGUAGE_CODE)
    # Different annotators per sentence, repeats not counted.
    judges_per_sentence = models.PositiveSmallIntegerField(
        _("judges per sentence"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    # The share of documents that are judged by one more annotator, where sheets are documents.
    overlap_share = models.FloatField(
        _("documents with one more annotator (share)"),
        default=0.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    # Two answers to a sheet are disputed where the mean scores of a system differ by more; null if
    # none are. On a scale of steps, it is a number of steps.
    disputed_from = models.PositiveSmallIntegerField(
        _("difference that is disputed"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
    )
    # Disputed sheets are judged by one more annotator.
    third_judge = models.BooleanField(
        _("one more annotator where two answers are disputed"), default=False
    )
    queue_order = models.CharField(
        _("order of sentences"),
        max_length=10,
        choices=QueueOrder.choices,
        default=QueueOrder.RANDOM,
    )
    # Consecutive sentences for one annotator, with QueueOrder.BLOCKS.
    block_size = models.PositiveSmallIntegerField(
        _("sentences per block"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
    )
    # Minutes of inactivity after which a sentence is given to another annotator.
    lease_minutes = models.PositiveIntegerField(
        _("assignment timeout (minutes)"),
        default=240,
        validators=[MinValueValidator(5), MaxValueValidator(60 * 24 * 60)],
    )
    # Which references of a sentence annotators see. The first is that with the lowest number.
    shown_references = models.CharField(
        _("references shown"),
        max_length=5,
        choices=ShownReferences.choices,
        default=ShownReferences.FIRST,
    )
    show_neighbours = models.BooleanField(_("show the sentences before and after"), default=False)
    # It may tell which candidates of different segments are of the same system.
    show_whole_translations = models.BooleanField(_("show whole translations"), default=False)
    # Pointing at a word marks the words that are aligned with it, where the words were aligned.
    highlights = models.BooleanField(_("mark aligned words"), default=False)
    intra_rate = models.FloatField(
        _("self-agreement repeats (share)"),
        default=0.05,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    inter_rate = models.FloatField(
        _("inter-annotator repeats (share)"),
        default=0.05,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    # Share of control sentences among the assignments of an annotator.
    control_rate = models.FloatField(
        _("share of control sentences"),
        default=0.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    # Share of the sheets that show the errors marked before, where there are any. Which sheets do
    # is drawn at random, so that work with and without them can be compared.
    given_share = models.FloatField(
        _("sheets that show errors marked before (share)"),
        default=1.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    # Annotators finish the practice round before other sentences.
    practice_required = models.BooleanField(_("practice is required"), default=False)
    # Percent of right answers without which a required round gives no other sentences; null: any.
    practice_share = models.PositiveSmallIntegerField(
        _("right answers needed in practice (%)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    # How often annotators can go through the round to reach that share.
    practice_tries = models.PositiveSmallIntegerField(
        _("tries at practice"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    # Days without activity after which annotators are reminded automatically; null: never.
    remind_after_days = models.PositiveSmallIntegerField(
        _("automatic reminders after (days without activity)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(365)],
    )
    min_length = models.PositiveSmallIntegerField(_("shortest segment"), default=3)
    max_length = models.PositiveSmallIntegerField(_("longest segment"), default=6)
    state = models.CharField(
        _("state"), max_length=20, choices=State.choices, default=State.PREPARING
    )
    created = models.DateTimeField(_("created"), default=clock.now, editable=False)
    # Parser, aligner, versions, counts, imported files.
    provenance = models.JSONField(_("provenance"), default=dict, blank=True)
    # Members who have answered no version of the questionnaire from this one on do so before they
    # judge. 0: the project has no questionnaire.
    asked_version = models.PositiveIntegerField(default=0, editable=False)
    # How many media are beside the lines of its source: without any, none are looked for.
    media_count = models.PositiveIntegerField(default=0, editable=False)
    # When an administrator last changed which judgements count, by exclusion or by discarding some.
    # What was computed before is out of date.
    counts_changed = models.DateTimeField(null=True, editable=False)
    # When a worker last reminded the annotators automatically who were to be reminded then.
    last_automatic_reminders = models.DateTimeField(null=True, editable=False)
    # Null unless the project is hidden: then the lease of the process that stores or deletes it.
    # After this time, any worker may delete it.
    delete_after = models.DateTimeField(null=True, editable=False)

    objects = VisibleProjects()
    with_hidden = models.Manager["Project"]()

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        constraints = [
            # Not of the column alone: the name of a hidden project is free.
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(delete_after__isnull=True),
                name="project_name_is_unique",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind=""), name="project_has_a_kind_of_judgement"
            ),
            models.CheckConstraint(
                condition=models.Q(_OPTIONS_ARE_FEW),
                name="a_project_has_at_most_100_answer_options",
            ),
            models.CheckConstraint(
                condition=models.Q(intra_rate__gte=0, intra_rate__lte=1),
                name="intra_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(inter_rate__gte=0, inter_rate__lte=1),
                name="inter_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(control_rate__gte=0, control_rate__lte=1),
                name="control_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(overlap_share__gte=0, overlap_share__lte=1),
                name="overlap_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(disputed_from__isnull=True) | models.Q(disputed_from__gte=1),
                name="disputed_difference_is_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(given_share__gte=0, given_share__lte=1),
                name="given_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(practice_share__isnull=True)
                | models.Q(practice_share__gte=1, practice_share__lte=100),
                name="practice_share_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=models.Q(practice_tries__gte=1), name="practice_has_a_try"
            ),
            models.CheckConstraint(
                condition=models.Q(remind_after_days__isnull=True)
                | models.Q(remind_after_days__gte=1, remind_after_days__lte=365),
                name="reminders_are_within_a_year",
            ),
            models.CheckConstraint(
                condition=models.Q(min_length__gte=1, max_length__gte=models.F("min_length")),
                name="segment_lengths_are_ordered",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    judges_per_sentence__gte=1, block_size__gte=1, lease_minutes__gte=1
                ),
                name="queue_settings_are_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(queue_order__in=["random", "document", "blocks"]),
                name="queue_order_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(shown_references__in=["none", "first", "all"]),
                name="shown_references_are_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        # Forms without `delete_after` do not check the constraint.
        if Project.objects.filter(name=self.name).exclude(pk=self.pk).exists():
            raise ValidationError({"name": _("A project with this name already exists.")})

    @property
    def has_further_judges(self) -> bool:
        """Whether sheets may have more judges than the setting says."""
        return self.overlap_share > 0 or self.third_judge

    @property
    def share_asked(self) -> int | None:
        """The percent of right answers that practice must reach before other sentences, or None."""
        return self.practice_share if self.practice_required else None

    @cached_property
    def never_open(self) -> bool:
        """Whether it is closed and no sentence was ever assigned. One query if it is closed."""
        return self.state == self.State.CLOSED and not self.assignments.exists()


class Instructions(models.Model):
    """One version of a project's instructions, in Markdown; all versions are kept.

    A project without any shows the default instructions.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="instructions")
    # 1, 2, 3 …; the highest is current.
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    created = models.DateTimeField()
    author = models.ForeignKey(
        "annotation.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "version"], name="instructions_version_is_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="instructions_version_starts_at_one"
            ),
        ]

    def __str__(self) -> str:
        return f"instructions {self.version} of project {self.project_id}"


class System(models.Model):
    """A machine translation system of one project."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="systems")
    name = NameField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="system_name_is_unique"),
        ]

    def __str__(self) -> str:
        return self.name
