"""Stored reports and links to them, rules of quality, scores, judgements of whole sentences."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.kinds import kind_of
from annotation.models import Project
from annotation.models.leased_rows import LeasedRow
from annotation.models.names import NameField
from annotation.models.secret_links import SecretLink, SecretLinks
from annotation.process import clock
from annotation.process.log_context import current_request

if TYPE_CHECKING:
    from evaluation.findings.options import ReportOptions


def default_options(project: Project) -> "ReportOptions":
    """Return the options of the project's own report: where documents are judged, they are sampled.

    Paragraphs of one document resemble each other.
    """
    # With numpy, which few commands need.
    from evaluation.findings.options import ReportOptions

    return ReportOptions(unit="document" if kind_of(project).unit.is_document else "sentence")


class StoredReport(LeasedRow):
    """The report of a project, or of its metrics, with certain options: stored or to be computed.

    It can be computed again at any time, so it is deleted with its project. A report that is
    refreshed keeps its former data until then.
    """

    class Kind(models.TextChoices):
        REPORT = "report"
        METRICS = "metrics"
        ANNOTATORS = "annotators"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.REPORT)
    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="reports"
    )
    # `key` of the options of its kind, which differ from those of others, and the same as JSON.
    key = models.CharField(max_length=200)
    options = models.JSONField()
    # Who requested it first, and so counts it among their reports. Null for default options, which
    # belong to the project.
    created_by = models.ForeignKey(
        "annotation.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    requested = models.DateTimeField(default=clock.now)
    # The id of the request that queued it last, for the logs; blank for a schedule.
    request_id = models.CharField(max_length=64, default=current_request, db_default="", blank=True)
    # Who requested it last; null for a schedule, and for the first view of the page.
    requested_by = models.ForeignKey(
        "annotation.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    # Whether it was requested while it was running, and so is queued again at the end.
    requested_again = models.BooleanField(default=False)
    # Why the last computation failed.
    error = models.TextField(blank=True)
    made = models.DateTimeField(null=True, blank=True)
    signature = models.TextField(blank=True)
    seconds = models.FloatField(null=True, blank=True)
    data = models.JSONField(null=True, blank=True)
    # A digest of the types that the data are the JSON of: another type has another digest.
    shape = models.CharField(max_length=16, blank=True)
    # What was judged when it was made: the number of judgements, and the last submission.
    judgements = models.PositiveIntegerField(default=0)
    last_submission = models.BigIntegerField(default=0)

    class Meta(LeasedRow.Meta):
        constraints = [
            *LeasedRow.Meta.constraints,
            models.UniqueConstraint(
                fields=["project", "key"], name="one_report_per_project_and_options"
            ),
            models.CheckConstraint(
                condition=models.Q(made__isnull=True, data__isnull=True)
                | models.Q(made__isnull=False, data__isnull=False),
                name="reports_that_are_made_have_data",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["report", "metrics", "annotators"]),
                name="kind_of_a_report_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"report of project {self.project_id}: {self.key}"

    @property
    def data_began(self) -> datetime | None:
        """When the computation of its data began, which a later one may have failed to replace."""
        return self.made - timedelta(seconds=self.seconds or 0) if self.made else None


class ReportSchedule(models.Model):
    """How often the report of a project is refreshed automatically; without a row, never."""

    class Every(models.TextChoices):
        NEVER = "never", _("off")
        HOUR = "hour", _("every hour")
        DAY = "day", _("every day")

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.CASCADE, related_name="report_schedule"
    )
    every = models.CharField(max_length=10, choices=Every.choices, default=Every.NEVER)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(every__in=["never", "hour", "day"]),
                name="report_schedule_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"reports of project {self.project_id}: {self.every}"


class SharedLinks(SecretLinks["SharedLink"]):
    def open(self) -> Self:
        """Return those of projects that are not being deleted."""
        return super().open().filter(project__delete_after=None)


class SharedLink(SecretLink):
    """Lets the bearer of its link read a report, the documents of the project, or both.

    Its readers have no account. The report is the one with these options: its row may be deleted
    and computed again.
    """

    class Pages(models.TextChoices):
        REPORT = "report", _("the report")
        BOTH = "both", _("the report and the documents")
        DOCUMENTS = "documents", _("the documents")
        # The report names systems, so it is not opened.
        UNNAMED = "unnamed", _("the documents, without the names of systems")

    # What each opens.
    WITH_REPORT = (Pages.REPORT, Pages.BOTH)
    WITH_DOCUMENTS = (Pages.BOTH, Pages.DOCUMENTS, Pages.UNNAMED)

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="shared_links"
    )
    pages = models.CharField(max_length=10, choices=Pages.choices, default=Pages.REPORT)
    # Those of the report, as in StoredReport; the default ones where it is not opened.
    key = models.CharField(max_length=200)
    options = models.JSONField()
    # The ids of the annotators and systems that there were, in the random order in which the link
    # numbers them. Later ones follow.
    annotators = models.JSONField(default=list)
    systems = models.JSONField(default=list)
    created_by = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    # Null: until it is revoked.
    expires = models.DateTimeField(null=True, blank=True)  # type: ignore[assignment]

    objects = SharedLinks.as_manager()

    class Meta(SecretLink.Meta):
        constraints = [
            *SecretLink.Meta.constraints,
            models.CheckConstraint(condition=~models.Q(key=""), name="shared_links_have_a_key"),
            models.CheckConstraint(
                condition=models.Q(pages__in=["report", "both", "documents", "unnamed"]),
                name="shared_pages_are_known",
            ),
            models.CheckConstraint(
                condition=models.Q(expires__isnull=True)
                | models.Q(expires__gt=models.F("created")),
                name="shared_links_expire_after_they_are_created",
            ),
        ]

    def __str__(self) -> str:
        return f"link {self.pk} to the {self.pages} of project {self.project_id}: {self.key}"

    @property
    def has_report(self) -> bool:
        return self.pages in self.WITH_REPORT

    @property
    def has_documents(self) -> bool:
        return self.pages in self.WITH_DOCUMENTS


class RuleKind(models.TextChoices):
    """The figures that a rule can limit: KINDS of `stats.annotators.quality`."""

    SECONDS = "seconds", _("too fast")
    CONTROLS = "controls", _("fails controls")
    ONE_RANK = "one_rank", _("the same rank for all")
    KAPPA = "kappa", _("disagrees with others")
    SHOWN_ORDER = "shown_order", _("keeps the order shown")
    PRACTICE = "practice", _("fails practice")


class QualityRule(models.Model):
    """A limit on a figure of annotators, set by the project; without a row, the default holds."""

    class Action(models.TextChoices):
        OFF = "off", _("do nothing")
        FLAG = "flag", _("flag")
        PAUSE = "pause", _("flag and pause")

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="quality_rules"
    )
    kind = models.CharField(max_length=20, choices=RuleKind.choices)
    # Seconds, a share, or κ.
    limit = models.FloatField()
    # The fewest sentences behind the figure.
    after = models.PositiveIntegerField()
    action = models.CharField(max_length=10, choices=Action.choices, default=Action.FLAG)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind"], name="one_quality_rule_per_project_and_kind"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "seconds",
                        "controls",
                        "one_rank",
                        "kappa",
                        "shown_order",
                        "practice",
                    ]
                ),
                name="kind_of_a_quality_rule_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(action__in=["off", "flag", "pause"]),
                name="action_of_a_quality_rule_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(after__gte=1), name="quality_rules_need_a_sentence"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="seconds", limit__gte=0)
                | models.Q(kind="kappa", limit__gte=-1, limit__lte=1)
                | models.Q(
                    kind__in=["controls", "one_rank", "shown_order", "practice"],
                    limit__gte=0,
                    limit__lte=1,
                ),
                name="limit_of_a_quality_rule_fits_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"rule {self.kind} of project {self.project_id}: {self.action}"


class QualityFlag(models.Model):
    """A rule that an annotator broke, with the figure at that time.

    Each rule flags a person once: a flag that an administrator dismissed is not raised again.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="quality_flags"
    )
    user = models.ForeignKey(
        "annotation.User", on_delete=models.CASCADE, related_name="quality_flags"
    )
    kind = models.CharField(max_length=20, choices=RuleKind.choices)
    value = models.FloatField()
    limit = models.FloatField()
    # The sentences behind the value.
    sentences = models.PositiveIntegerField()
    # Whether the rule also paused the annotator.
    paused = models.BooleanField(default=False)
    raised = models.DateTimeField()
    dismissed = models.DateTimeField(null=True, blank=True)
    # Null also if that account was deleted.
    dismissed_by = models.ForeignKey(
        "annotation.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user", "kind"], name="one_quality_flag_per_person_and_kind"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "seconds",
                        "controls",
                        "one_rank",
                        "kappa",
                        "shown_order",
                        "practice",
                    ]
                ),
                name="kind_of_a_quality_flag_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(dismissed__isnull=False) | models.Q(dismissed_by__isnull=True),
                name="only_dismissed_flags_have_who_dismissed",
            ),
        ]

    def __str__(self) -> str:
        return f"flag {self.kind} of {self.user_id} in project {self.project_id}"


class QualityCheck(models.Model):
    """The figures of a project's annotators when its rules were last checked."""

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.CASCADE, related_name="quality_check"
    )
    made = models.DateTimeField()
    # How long it took: a slow check is not soon repeated.
    seconds = models.FloatField()
    # When the next check was requested for, if it has to wait.
    due = models.DateTimeField(null=True, blank=True)
    # The last submission before it.
    last_submission = models.BigIntegerField(default=0)
    figures = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(seconds__gte=0), name="checks_of_quality_take_time"
            ),
        ]

    def __str__(self) -> str:
        return f"check of quality of project {self.project_id}"


class ScoreFile(models.Model):
    """An uploaded file with scores of metrics, which are compared with people as others are.

    It is deleted with its project, and archives leave it out: it can be uploaded again.
    """

    LONGEST_NAME = 200

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="score_files"
    )
    name = models.CharField(max_length=LONGEST_NAME)
    # As it was uploaded, perhaps gzipped, so that its digest is that of the person's file.
    content = models.BinaryField()
    # In bytes, unpacked.
    size = models.PositiveIntegerField()
    # The names of the metrics in it.
    metrics = models.JSONField()
    lower_is_better = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="score_files_of_a_project_have_different_names"
            ),
            models.CheckConstraint(
                condition=~models.Q(name="") & models.Q(size__gt=0),
                name="score_files_have_a_name_and_are_not_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"scores of project {self.project_id}: {self.name}"


class SentenceJudgement(models.Model):
    """An imported ranking of systems' translations of a whole sentence by one judge.

    It is deleted with its project: it can be imported again.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="sentence_judgements"
    )
    sentence = models.ForeignKey(
        "annotation.Sentence", on_delete=models.CASCADE, related_name="sentence_judgements"
    )
    # The name in the file.
    judge = NameField(max_length=200)
    # A digest of judge, ranks and the number of equal rankings before it in the file, so that the
    # same ranking imported twice has the same key.
    key = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sentence", "key"], name="sentence_judgement_is_stored_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(judge="") & ~models.Q(key=""),
                name="sentence_judgements_have_a_judge_and_a_key",
            ),
        ]

    def __str__(self) -> str:
        return f"judgement of the whole of sentence {self.sentence_id} by {self.judge}"


class SentencePlacement(models.Model):
    """The rank of a system's translation in such a ranking: 1 is best, equal ranks tie."""

    BEST, WORST = 1, 5

    judgement = models.ForeignKey(
        SentenceJudgement, on_delete=models.CASCADE, related_name="placements"
    )
    system = models.ForeignKey(
        "annotation.System", on_delete=models.CASCADE, related_name="sentence_placements"
    )
    rank = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgement", "system"], name="a_system_is_placed_once_in_a_sentence"
            ),
            models.CheckConstraint(
                condition=models.Q(rank__gte=1, rank__lte=5), name="sentence_rank_is_from_1_to_5"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system_id} on rank {self.rank}"
