"""A project and the systems that it compares."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Project(models.Model):
    """One source text, the systems that translated it, and the rules of judging them."""

    class State(models.TextChoices):
        PREPARING = "preparing", _("being prepared")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        FAILED = "failed", _("preparation failed")

    name = models.CharField(_("name"), max_length=200, unique=True)
    description = models.TextField(_("description"), blank=True)
    source_language = models.CharField(_("source language"), max_length=35)
    target_language = models.CharField(_("target language"), max_length=35)
    # Empty: the instructions that come with SegRanks.
    instructions = models.TextField(_("instructions"), blank=True)
    intra_rate = models.FloatField(
        _("share of intra repeats"),
        default=0.05,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    inter_rate = models.FloatField(
        _("share of inter repeats"),
        default=0.05,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )
    min_length = models.PositiveSmallIntegerField(_("shortest segment"), default=3)
    max_length = models.PositiveSmallIntegerField(_("longest segment"), default=6)
    state = models.CharField(
        _("state"), max_length=20, choices=State.choices, default=State.PREPARING
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    # How the project was made: parser, aligner, versions, counts, imported files.
    provenance = models.JSONField(_("how it was made"), default=dict, blank=True)

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(intra_rate__gte=0, intra_rate__lte=1),
                name="intra_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(inter_rate__gte=0, inter_rate__lte=1),
                name="inter_rate_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(min_length__gte=1, max_length__gte=models.F("min_length")),
                name="segment_lengths_are_ordered",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class System(models.Model):
    """A machine translation system of one project."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="systems")
    name = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="system_name_is_unique"),
        ]

    def __str__(self) -> str:
        return self.name
