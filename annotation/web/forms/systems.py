"""What administrators fill in to add a system to a project."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.formats.segment_files import LONGEST_SYSTEM_NAME
from annotation.models import Project
from annotation.projects.names import REFERENCE

NO_TEXT = _("Choose the file with what the system made of the sentences.")
EMPTY = _("This file is empty.")


class SystemForm(forms.Form):
    """A system: its name, what it made of the sentences, and perhaps the links of its words."""

    system_name = forms.CharField(
        label=_("Name of the system"),
        max_length=LONGEST_SYSTEM_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": _("Give the system a name; the results will call it so."),
            "max_length": _("The name is too long: %(limit_value)d characters are allowed."),
        },
    )
    text_file = forms.FileField(
        label=_("Its translations"),
        help_text=_(
            "A text in UTF-8: one sentence a line, on the same line as in the source. An empty "
            "line is a sentence that it did not translate."
        ),
        error_messages={"required": NO_TEXT, "invalid": NO_TEXT, "empty": EMPTY},
    )
    links_file = forms.FileField(
        label=_("Links of its words (may be left out)"),
        required=False,
        help_text=_(
            "In Pharaoh format, as 0-0 1-2: a line for each sentence. Without it, the words are "
            "aligned here as those of the other systems were."
        ),
        error_messages={"invalid": NO_TEXT, "empty": EMPTY},
    )
    tokenized = forms.BooleanField(
        label=_("Tokenised already"),
        required=False,
        help_text=_("Tokenised texts have a space before each comma; they are taken as they are."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._project = project

    def clean_system_name(self) -> str:
        name = str(self.cleaned_data["system_name"])
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be shown."))
        if name == REFERENCE:
            raise forms.ValidationError(
                _("No system can be called “reference”: that is the human translation.")
            )
        if self._project.systems.filter(name=name).exists():
            raise forms.ValidationError(_("There is a system of this name: choose another one."))
        return name
