"""Work that goes on in the background and reports how far it is."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """What is being done with a project, one thing at a time: a row of stages, each cut in chunks.

    It begins with the preparation; what is done later takes the same row.
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

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.PROTECT, related_name="job"
    )
    task = models.CharField(max_length=20, choices=Task.choices, default=Task.PREPARE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    # Of the preparation PrepareOptions, of adding a system its name and the effort of aligning.
    options = models.JSONField(default=dict)
    stage = models.CharField(max_length=40, blank=True)
    # Of the stage, in sentences.
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    # The same as an InputError, which pages say in their own language.
    reason = models.JSONField(default=dict, blank=True)
    # The stages so far, each with when it began, in seconds since the start: [["tokens", 0.0], …].
    stages = models.JSONField(default=list)
    # "host:pid:…" of the one process that may work on it, and until when it may be thought alive;
    # where there is none, any worker may.
    owner = models.CharField(max_length=255, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(owner="") | models.Q(lease_until__isnull=False),
                name="jobs_of_one_process_have_a_lease",
            ),
            models.CheckConstraint(
                condition=models.Q(task__in=["prepare", "add_system"]),
                name="task_of_a_job_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"


class Chunk(models.Model):
    """A part of a stage of a job, small enough for a worker to do it within a minute.

    Whoever holds its lease works on it. What it makes of its sentences is written so that doing
    it twice is doing it once.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")

    # The stage of a job that is done in one go, by one worker.
    WHOLE = "whole"

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="chunks")
    stage = models.CharField(max_length=40)
    # The numbers of its first and its last sentence.
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # How often somebody took it and did not come to its end: it may be that which ended him.
    tries = models.PositiveSmallIntegerField(default=0)
    # How many of its sentences are done.
    done = models.PositiveIntegerField(default=0)
    # "host:pid:…" of the process at work, and until when it may be thought alive.
    owner = models.CharField(max_length=255, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # "host:pid:start:…" of a process that does nothing but tell others that the one at work is
    # there, "" for none, and how often it did: where no sign comes, nobody waits for the lease.
    # It ends as the owner does whom it is for: workers of the version before know nothing of it.
    kept_by = models.CharField(max_length=255, blank=True, default="", db_default="")
    signs = models.PositiveBigIntegerField(default=0, db_default=0)
    # What became of it, for the project's provenance: who did it, and counts.
    made = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["job", "stage", "first"], name="chunk_is_unique_in_stage"
            ),
            models.CheckConstraint(
                condition=models.Q(first__lte=models.F("last")), name="chunk_has_sentences"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False),
                name="running_chunks_have_a_lease",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}, sentences {self.first} to {self.last} ({self.state})"

    @property
    def size(self) -> int:
        return self.last - self.first + 1
