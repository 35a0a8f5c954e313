"""The counts of a large project, which a worker stores."""

from django.db import models

from annotation.models.projects import Project


class ProjectCounts(models.Model):
    """How many sentences of a project are judged and left; see `judging.project_counts`.

    Nothing in results is computed from these figures, and they can be counted again at any time.
    """

    project = models.OneToOneField(
        "annotation.Project",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="stored_counts",
    )
    # The last heartbeat of the worker that counts; when one stored its counts last, after so
    # many seconds; null before the first count.
    begun = models.DateTimeField()
    counted = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    # Sentences with something to judge, and those that need another judge.
    to_judge = models.PositiveIntegerField(default=0)
    free = models.PositiveIntegerField(default=0)
    # As in `JudgedSentences`.
    judged = models.PositiveIntegerField(default=0)
    left = models.PositiveIntegerField(default=0)
    current = models.PositiveIntegerField(default=0)
    # With QueueOrder.BLOCKS: the number of the first free sentence in a block without annotators.
    new_block = models.PositiveIntegerField(null=True)
    # Where sheets are divided into batches: the number of the first one that is free.
    free_batch = models.PositiveIntegerField(null=True)
    # Where systems are chosen as sheets are assigned: the mean rank of each by its id, as a text.
    mean_ranks = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"counts of project {self.project_id}"


def stored_counts(project: Project) -> ProjectCounts | None:
    """Return what a worker has counted, None before the first count.

    No query for a project that was selected with `stored_counts`.
    """
    counts: ProjectCounts | None = getattr(project, "stored_counts", None)
    return counts if counts and counts.counted else None
