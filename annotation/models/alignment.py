"""Working material of word alignment; archives do not contain it."""

from django.db import models


class AlignmentPriors(models.Model):
    """What the aligner learned from a project's texts: a system added later is aligned with it."""

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.PROTECT, related_name="alignment_priors"
    )
    # `data` is in the packed format of this aligner and version.
    aligner = models.CharField(max_length=100)
    version = models.CharField(max_length=100)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"priors of project {self.project_id}"


class ParallelPage(models.Model):
    """A page of the extra parallel text of a project that is being prepared.

    It is in the database so that a worker on any machine can read it, and is deleted when the
    project is prepared.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="parallel_pages"
    )
    # 0, 1, 2 …
    number = models.PositiveIntegerField()
    # Lines in UTF-8, compressed by zlib, the same number in both languages.
    sources = models.BinaryField()
    targets = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "number"], name="parallel_page_is_unique_in_project"
            ),
        ]

    def __str__(self) -> str:
        return f"page {self.number} of the parallel text of project {self.project_id}"
