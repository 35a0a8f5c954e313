"""Files that somebody has sent for a project that is not made yet."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.formats import file_roles


def new_token() -> str:
    """Return what nobody can guess."""
    return secrets.token_urlsafe(24)


class Upload(models.Model):
    """A project in the making: only its owner sees it, and it is removed after a day.

    `settings` are what was filled in so far. The files lie in a folder that is called `token`.
    """

    owner = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=40, unique=True, default=new_token)
    created = models.DateTimeField(auto_now_add=True)
    settings = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"upload {self.pk}"


class UploadedFile(models.Model):
    """One text of an upload. `name` is what it was called: for people, and never a path."""

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
    # Whose translation or links these are; "reference" for the reference's.
    system = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=200)
    stored = models.CharField(max_length=40)
    # What the content is, and the language that it seems to be in ("" = not clear).
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
