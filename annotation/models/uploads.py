"""Uploaded files for projects that are not created yet."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.formats import file_roles


def new_token() -> str:
    """Return a random name that cannot be guessed."""
    return secrets.token_urlsafe(24)


class Upload(models.Model):
    """The files and settings of a new project: only its owner sees them, for a day.

    `settings` are those that the owner has filled in. The files are in a folder named `token`.
    """

    owner = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=40, unique=True, default=new_token)
    created = models.DateTimeField(auto_now_add=True)
    settings = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"upload {self.pk}"


class UploadedFile(models.Model):
    """One text of an upload. `name` is that of the uploaded file: it is shown, never a path."""

    class Role(models.TextChoices):
        SOURCE = file_roles.SOURCE, _("source")
        REFERENCE = file_roles.REFERENCE, _("reference")
        SYSTEM = file_roles.SYSTEM, _("a system’s translation")
        TREES = file_roles.TREES, _("trees of the source")
        LINKS = file_roles.LINKS, _("a system’s word links")
        SEGMENTS = file_roles.SEGMENTS, _("segments and candidates (six columns)")
        SYSTEMS = file_roles.SYSTEMS, _("which system made which candidate")
        GIVEN = file_roles.GIVEN, _("segments (three columns)")
        UNUSED = file_roles.UNUSED, _("leave it out")

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="files")
    role = models.CharField(max_length=10, choices=Role.choices)
    # The system of a translation or of links; "reference" for links of the reference.
    system = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=200)
    stored = models.CharField(max_length=40)
    # The detected kind of content, and the detected language ("" = not clear).
    kind = models.CharField(max_length=10)
    language = models.CharField(max_length=10, blank=True)
    size = models.PositiveBigIntegerField()
    lines = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "name"], name="file_name_is_unique_in_upload")
        ]

    def __str__(self) -> str:
        return self.name
