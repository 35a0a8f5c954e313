"""The form for adding media to a project."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

NO_FILE = _("Choose the images, audio and video files, or a zip of them.")


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files; its value is a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        given = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(one, initial) for one in given or [None]]


class MediaForm(forms.Form):
    """Files beside the lines of a source, and optionally a table of their lines."""

    file = FilesField(
        label=_("Files"),
        help_text=_(
            "PNG, JPEG, WebP, GIF, MP3, WAV, OGG, M4A, MP4 or WebM, or a zip of them. A name "
            "begins with the line of the source: 12.mp4, 12-2.png. A file of the same name is "
            "replaced."
        ),
        error_messages={
            "required": NO_FILE,
            "invalid": NO_FILE,
            "empty": _("This file is empty."),
        },
    )
    table = forms.FileField(
        label=_("Table of lines (optional)"),
        required=False,
        help_text=_(
            "A text file, if names do not begin with the line: on each line of it the number of a "
            "line of the source, a tab, and the name of a file."
        ),
        error_messages={"invalid": NO_FILE, "empty": _("This file is empty.")},
    )
