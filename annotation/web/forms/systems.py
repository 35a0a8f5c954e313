"""The forms for adding a system or a reference to a project."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.formats.encodings import ENCODINGS, UTF_8
from annotation.formats.names import LONGEST_SYSTEM_NAME, is_reference_name
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.web.forms.project_life import NameField

NO_TEXT = _("Choose the file with the translations of the system.")
EMPTY = _("This file is empty.")
MOST_JUDGED = 1_000_000


class SystemForm(forms.Form):
    """A system: its name, its translations, and optionally their word links."""

    system_name = NameField(
        label=_("System name"),
        max_length=LONGEST_SYSTEM_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": _("Enter a name for the system."),
            "max_length": _("The name is too long. The limit is %(limit_value)d characters."),
        },
    )
    text_file = forms.FileField(
        label=_("Translations"),
        help_text=_(
            "A text file: line n is the translation of line n of the source. An empty line is a "
            "missing translation. Of a table (CSV, TSV, XLSX), the column of this name is read."
        ),
        error_messages={"required": NO_TEXT, "invalid": NO_TEXT, "empty": EMPTY},
    )
    links_file = forms.FileField(
        label=_("Word links (optional)"),
        required=False,
        help_text=_(
            "Pharaoh format (e.g. 0-0 1-2), one line per sentence. Without it, SegRanks aligns the "
            "words as for the other systems."
        ),
        error_messages={"invalid": NO_TEXT, "empty": EMPTY},
    )
    tokenized = forms.BooleanField(
        label=_("Already tokenised"),
        required=False,
        help_text=_("Tokenised texts have a space before each comma."),
    )
    encoding = forms.ChoiceField(
        label=_("Encoding"),
        choices=[(name, name) for name in ENCODINGS],
        required=False,
        initial=UTF_8,
        help_text=_("How to read texts that are not UTF-8."),
    )
    judge = forms.IntegerField(
        label=_("Judge only a random sample (optional)"),
        required=False,
        min_value=0,
        max_value=MOST_JUDGED,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "placeholder": "200"}),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._project = project
        unit = kind_of(project).unit
        self.fields["judge"].help_text = unit.words.system_sample_help
        if not unit.is_segmented:
            # Nothing is aligned.
            del self.fields["links_file"]

    def clean_encoding(self) -> str:
        return self.cleaned_data["encoding"] or UTF_8

    def clean_system_name(self) -> str:
        name = str(self.cleaned_data["system_name"])
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be printed."))
        if is_reference_name(name):
            raise forms.ValidationError(
                _("The name “%(name)s” is reserved for a human translation.") % {"name": name}
            )
        if self._project.systems.filter(name=name).exists():
            raise forms.ValidationError(_("A system with this name already exists."))
        return name


class ReferenceForm(forms.Form):
    """A human translation of the source."""

    text_file = forms.FileField(
        label=_("Reference"),
        help_text=_(
            "A text file: line n is the human translation of line n of the source. An empty line "
            "is a missing translation. Of a table (CSV, TSV, XLSX), the column “reference” is read."
        ),
        error_messages={
            "required": _("Choose the file with the reference."),
            "invalid": _("Choose the file with the reference."),
            "empty": EMPTY,
        },
    )
    tokenized = SystemForm.base_fields["tokenized"]
    encoding = SystemForm.base_fields["encoding"]

    clean_encoding = SystemForm.clean_encoding
