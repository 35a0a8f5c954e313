"""What alignment needs beside the texts of a project: both are working material, in no archive."""

from django.db import models


class AlignmentPriors(models.Model):
    """What the aligner learned of a project, so that a system added later is aligned alone."""

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.PROTECT, related_name="alignment_priors"
    )
    # The name and the version of the aligner, whose own packed format `data` is in.
    aligner = models.CharField(max_length=100)
    version = models.CharField(max_length=100)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"priors of project {self.project_id}"


class ParallelPage(models.Model):
    """A page of the extra parallel text of a project that is being prepared.

    It is here and not in a folder, so that a worker on any machine has it; it goes when the
    project is prepared.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="parallel_pages"
    )
    # 0, 1, 2 …
    number = models.PositiveIntegerField()
    # Lines of both languages, the same number of them, in UTF-8, packed by zlib.
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
