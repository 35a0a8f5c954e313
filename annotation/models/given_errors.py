"""Errors that a program or another annotator marked before annotators judge the candidates."""

from typing import Final

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from annotation.models.names import NameField


class GivenOrigin(models.Model):
    """Who or what marked errors in candidates of a project before: one list for each candidate.

    Annotators do not see the name, but which of `By` it was.
    """

    LONGEST_NAME: Final = 80

    class By(models.TextChoices):
        PROGRAM = "program", _("a program")
        ANNOTATOR = "annotator", _("an annotator")

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="given_origins"
    )
    name = NameField(max_length=LONGEST_NAME)
    by = models.CharField(max_length=9, choices=By.choices, default=By.PROGRAM)
    # Assignments before this time could not show its errors.
    created = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="given_origin_is_unique"),
            models.CheckConstraint(
                condition=models.Q(by__in=["program", "annotator"]),
                name="given_origin_is_program_or_annotator",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class GivenErrors(models.Model):
    """The errors that were marked in a candidate, in the notation of the project's kind.

    "" says that its origin looked for errors and found none, which is not the same as no row.
    """

    LONGEST: Final = 20_000

    origin = models.ForeignKey(GivenOrigin, on_delete=models.PROTECT, related_name="errors")
    candidate = models.ForeignKey(
        "annotation.Candidate", on_delete=models.DO_NOTHING, related_name="given_errors"
    )
    detail = models.TextField(blank=True, default="", max_length=LONGEST)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["origin", "candidate"], name="errors_of_an_origin_are_given_once"
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("detail"), 20_000),
                name="given_errors_are_not_too_long",
            ),
        ]

    def __str__(self) -> str:
        return f"errors given for candidate {self.candidate_id}"
