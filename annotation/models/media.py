"""Images, audio and video beside the lines of a source."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from annotation.formats.media_files import LONGEST_NAME, MEDIA_TYPES
from annotation.models.names import NameField


class Media(models.Model):
    """An image, audio or video beside a line of the source, whose text is its transcript.

    It belongs to the line, since a line can have several rows: further translations, and copies for
    practice and control. The file is in the project's folder of the storage, under its checksum
    (`annotation.common.stored_files`). A row whose file `is_missing` was restored from an archive,
    which has no files; it is not shown until its file is added.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="media"
    )
    line = models.PositiveIntegerField(_("line"), validators=[MinValueValidator(1)])
    # What its owner calls the file: it is shown to administrators, and never a path.
    name = NameField(_("name"), max_length=LONGEST_NAME)
    # The type of the content, as the server sends it.
    media_type = models.CharField(max_length=20)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    is_missing = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("medium")
        verbose_name_plural = _("media")
        constraints = [
            models.UniqueConstraint(
                fields=["project", "line", "name"], name="medium_of_a_line_has_its_own_name"
            ),
            models.CheckConstraint(
                condition=models.Q(line__gte=1, size__gte=1), name="medium_has_a_line_and_content"
            ),
            models.CheckConstraint(
                condition=models.Q(media_type__in=sorted(MEDIA_TYPES)),
                name="media_type_is_known",
            ),
            models.CheckConstraint(
                condition=Exact(Length("sha256"), 64), name="medium_has_a_checksum"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of line {self.line}"


class MediaPlay(models.Model):
    """How long an annotator played an audio or a video before a submission.

    It names the file itself, so that it stays true when the medium is replaced or removed.
    """

    submission = models.ForeignKey(
        "annotation.Submission", on_delete=models.DO_NOTHING, related_name="media_plays"
    )
    name = NameField(max_length=LONGEST_NAME)
    sha256 = models.CharField(max_length=64)
    # Seconds in which it was playing, however often the same part was.
    seconds = models.FloatField()
    # How often it was started; to go on after a pause is no new start.
    plays = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "sha256"], name="plays_of_a_file_are_counted_together"
            ),
            models.CheckConstraint(
                condition=models.Q(seconds__gte=0, plays__gte=1), name="what_was_played_is_counted"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.seconds} s"
