"""Background jobs and the chunks into which each stage of a job is cut."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.leased_rows import LeasedRow


class Job(models.Model):
    """The preparation of a project, or a system being added to it: one job a project at a time.

    Workers do the chunks of a job. A running job without chunks belongs to a command, which does
    it in its own process.
    """

    class Task(models.TextChoices):
        PREPARE = "prepare", _("preparing the texts")
        ADD_SYSTEM = "add_system", _("adding a system")

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    AT_WORK = (State.QUEUED, State.RUNNING)
    # In the options of a preparation from ready-made segments: the files below the folder of
    # uploads, by "segments" and "systems".
    READY_MADE = "ready_made"
    # In the options of a preparation that copies a project: the id of that project.
    COPY_OF = "copy_of"
    # In the options of a preparation of edits to be accepted: the id of the project that has them.
    EDITS_OF = "edits_of"

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.PROTECT, related_name="job"
    )
    task = models.CharField(max_length=20, choices=Task.choices, default=Task.PREPARE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    # PrepareOptions of a preparation; name and effort of alignment of a system that is added.
    options = models.JSONField(default=dict)
    stage = models.CharField(max_length=40, blank=True)
    # Sentences of the stage.
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    # The same error as InputError.to_json(), which pages translate.
    reason = models.JSONField(default=dict, blank=True)
    # The stages begun so far, each with its start in seconds since `started`: [["tokens", 0.0], …].
    stages = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(task__in=["prepare", "add_system"]),
                name="task_of_a_job_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"

    @property
    def is_ready_made(self) -> bool:
        return self.READY_MADE in self.options

    @property
    def is_copy(self) -> bool:
        return self.COPY_OF in self.options

    @property
    def takes_edits(self) -> bool:
        return self.EDITS_OF in self.options

    @property
    def is_one_chunk(self) -> bool:
        """Whether it has no stages: a single chunk for everything."""
        return (
            self.task == self.Task.ADD_SYSTEM
            or self.is_ready_made
            or self.is_copy
            or self.takes_edits
        )


class Chunk(LeasedRow):
    """A part of a stage of a job, small enough for a worker to do it within a minute.

    What a stage stores for a chunk replaces what an earlier attempt stored. If a chunk fails, its
    job does.
    """

    # The stage of a job with one chunk for everything.
    WHOLE = "whole"

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="chunks")
    stage = models.CharField(max_length=40)
    # The numbers of its first and its last sentence.
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    # How many of its sentences are done.
    done = models.PositiveIntegerField(default=0)
    # The StageResult of the chunk, for the project's provenance.
    result = models.JSONField(default=dict)

    class Meta(LeasedRow.Meta):
        constraints = [
            *LeasedRow.Meta.constraints,
            models.UniqueConstraint(
                fields=["job", "stage", "first"], name="chunk_is_unique_in_stage"
            ),
            models.CheckConstraint(
                condition=models.Q(first__lte=models.F("last")), name="chunk_has_sentences"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}, sentences {self.first} to {self.last} ({self.state})"

    @property
    def size(self) -> int:
        return self.last - self.first + 1
