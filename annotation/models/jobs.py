"""Background jobs and the chunks into which each stage of a job is cut."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.leased_rows import LeasedRow
from annotation.process import clock
from annotation.process.log_context import current_request


class Job(models.Model):
    """What workers do to store the texts of a project, or to add a system: one job at a time.

    Workers do the chunks of a job. A running job without chunks belongs to a command, which does
    it in its own process.
    """

    class Task(models.TextChoices):
        PREPARE = "prepare", _("preparing the texts")
        IMPORT_SEGMENTS = "import_segments", _("Importing the segments")
        COPY = "copy", _("Copying the texts")
        COLLECT_EDITS = "collect_edits", _("Collecting the edits")
        # To a project that is prepared; the other tasks make the project.
        ADD_SYSTEM = "add_system", _("adding a system")

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    AT_WORK = (State.QUEUED, State.RUNNING)

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.PROTECT, related_name="job"
    )
    task = models.CharField(max_length=20, choices=Task.choices, default=Task.PREPARE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    # PrepareOptions of a preparation. The files of segments, by "segments", "systems" and
    # "documents", by their names in the storage. The id of the project that is copied or has the
    # edits, as "project". Name and effort of alignment of a system that is added.
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
    # The id of the request that queued it, for the logs.
    request_id = models.CharField(max_length=64, default=current_request, db_default="", blank=True)
    created = models.DateTimeField(default=clock.now, editable=False)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    task__in=["prepare", "import_segments", "copy", "collect_edits", "add_system"]
                ),
                name="task_of_a_job_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"

    @property
    def makes_project(self) -> bool:
        """Whether the project is open or paused only after it."""
        return self.task != self.Task.ADD_SYSTEM

    @property
    def is_one_chunk(self) -> bool:
        """Whether it has no stages: a single chunk for everything."""
        return self.task != self.Task.PREPARE


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
