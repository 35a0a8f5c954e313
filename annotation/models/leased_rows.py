"""What tables of work for workers have in common."""

from typing import ClassVar

from django.db import models


class LeasedRow(models.Model):
    """A row that waits for a worker, or that one works on under a lease: see `common.claims`."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    UNFINISHED: ClassVar = (State.WAITING, State.RUNNING)

    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # How often workers claimed it without finishing it: it may be what ended them.
    attempts = models.PositiveSmallIntegerField(default=0)
    # When the last of them began.
    started = models.DateTimeField(null=True, blank=True)
    # "host:pid:…" of the claim; the process at work renews the lease.
    worker = models.CharField(max_length=255, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "running", "done", "failed"]),
                name="state_of_%(class)s_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="running", started__isnull=False)
                & models.Q(lease_until__isnull=False)
                & ~models.Q(worker="")
                | ~models.Q(state="running") & models.Q(lease_until__isnull=True, worker=""),
                name="running_%(class)s_has_a_lease",
            ),
        ]

    @property
    def is_unfinished(self) -> bool:
        return self.state in self.UNFINISHED
