"""Work that goes on in the background and reports how far it is."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """What is being done with a project, one thing at a time; whoever holds its lease works on it.

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
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    # The stages so far, each with when it began, in seconds since the start: [["tokens", 0.0], …].
    stages = models.JSONField(default=list)
    # "host:pid" of the process at work, and until when it may be thought alive.
    owner = models.CharField(max_length=255, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False),
                name="running_jobs_have_a_lease",
            ),
            models.CheckConstraint(
                condition=models.Q(task__in=["prepare", "add_system"]),
                name="task_of_a_job_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"
