"""Uploaded files for projects that are not created yet."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.formats import file_roles
from annotation.models.leased_rows import LeasedRow
from annotation.models.names import NameField
from annotation.process import clock
from annotation.process.log_context import current_request


def new_token() -> str:
    """Return a random name that cannot be guessed."""
    return secrets.token_urlsafe(24)


class Upload(models.Model):
    """The files and settings of a new project: only its owner sees them, for a day.

    `settings` are the UploadSettings that the owner has filled in. The files are in a folder named
    `token`. A temporary upload is only for a preview of the API: no page lists it, and its files
    are deleted once the preview is made. An upload with a `project` has ready-made segments, which
    a worker imports.
    """

    owner = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=40, unique=True, default=new_token)
    created = models.DateTimeField(default=clock.now, editable=False)
    settings = models.JSONField(default=dict)
    is_temporary = models.BooleanField(default=False)
    project = models.OneToOneField(
        "annotation.Project",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="upload",
    )

    def __str__(self) -> str:
        return f"upload {self.pk}"


class UploadedFile(models.Model):
    """One text or medium of an upload.

    `name` is that of the uploaded file: it is shown, never a path.
    """

    class Role(models.TextChoices):
        SOURCE = file_roles.SOURCE, _("source")
        REFERENCE = file_roles.REFERENCE, _("reference")
        SYSTEM = file_roles.SYSTEM, _("a system’s translation")
        TREES = file_roles.TREES, _("trees of the source")
        LINKS = file_roles.LINKS, _("a system’s word links")
        DOCUMENTS = file_roles.DOCUMENTS, _("documents of the sentences")
        SEGMENTS = file_roles.SEGMENTS, _("segments and candidates (six columns)")
        SYSTEMS = file_roles.SYSTEMS, _("which system made which candidate")
        GIVEN = file_roles.GIVEN, _("segments (three columns)")
        MEDIA = file_roles.MEDIA, _("image, audio or video")
        MEDIA_LINES = file_roles.MEDIA_LINES, _("lines of media")
        UNUSED = file_roles.UNUSED, _("leave it out")

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="files")
    role = models.CharField(max_length=10, choices=Role.choices)
    # The system of a translation or of links; "reference", "reference 2" … for links of references.
    system = NameField(max_length=200, blank=True)
    name = models.CharField(max_length=200)
    stored = models.CharField(max_length=40)
    # The table that it is a column of.
    table = models.CharField(max_length=200, blank=True)
    # What the file was, as "CSV, Windows-1250"; blank for a plain text in UTF-8.
    read_as = models.CharField(max_length=40, blank=True)
    # The detected kind of content (of a medium its type, as "image/png"), and the detected
    # languages ("" = not clear): the second one is that of the candidates in a file of segments.
    kind = models.CharField(max_length=10)
    language = models.CharField(max_length=10, blank=True)
    target_language = models.CharField(max_length=10, blank=True)
    size = models.PositiveBigIntegerField()
    lines = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "name"], name="file_name_is_unique_in_upload")
        ]

    def __str__(self) -> str:
        return self.name


class StoredPreview(LeasedRow):
    """What a worker has computed, or is still to compute, for the preview of an upload.

    `key` changes with the files, their roles and the settings that the sample depends on. A running
    preview has one of MOST_AT_ONCE slots and a lease, which its worker renews.
    """

    # Of all people together.
    MOST_AT_ONCE = 2

    upload = models.OneToOneField(Upload, on_delete=models.CASCADE, related_name="preview")
    owner = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=32)
    requested = models.DateTimeField(default=clock.now, editable=False)
    # The id of the request that queued it, for the logs.
    request_id = models.CharField(max_length=64, default=current_request, db_default="", blank=True)
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    # `Findings`, and the sample or the sentences of ready-made segments.
    data = models.JSONField(null=True, blank=True)
    # Why it failed, as InputError.to_json(), which pages translate.
    error = models.JSONField(default=dict, blank=True)

    class Meta(LeasedRow.Meta):
        constraints = [
            *LeasedRow.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_unfinished_preview_per_person",
            ),
            models.UniqueConstraint(fields=["slot"], name="previews_have_their_own_slot"),
            models.CheckConstraint(
                condition=models.Q(slot__isnull=True) | models.Q(slot__gte=1, slot__lte=2),
                name="slot_of_a_preview_is_1_or_2",
            ),
            models.CheckConstraint(
                condition=models.Q(state="running", slot__isnull=False)
                | (~models.Q(state="running") & models.Q(slot__isnull=True)),
                name="running_previews_have_a_slot",
            ),
            models.CheckConstraint(
                condition=models.Q(state="done", data__isnull=False)
                | (~models.Q(state="done") & models.Q(data__isnull=True)),
                name="previews_that_are_made_have_data",
            ),
        ]

    def __str__(self) -> str:
        return f"preview of upload {self.upload_id} ({self.state})"
