"""The forms for importing judgements, and a project from its archive."""

from typing import Any, Self

from django import forms
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.common.error_messages import localize, localize_error, with_location
from annotation.common.languages import languages_by_name
from annotation.formats.errors import InputError
from annotation.formats.problems import InputErrors, Refused
from annotation.models import Project
from annotation.projects.administration import NAME_IS_TAKEN
from annotation.web.forms.project_life import NameField

NO_FILE = _("Choose a file.")
EMPTY = _("This file is empty.")


class ImportForm(forms.Form):
    """A form with one file, beside which what is wrong in the file is shown."""

    file = forms.FileField(error_messages={"required": NO_FILE, "invalid": NO_FILE, "empty": EMPTY})

    @classmethod
    def too_large(cls) -> Self:
        """Return the form of a request that was not read, with this error only."""
        form = cls({})
        form.errors.clear()
        limit = int(settings.MAX_UPLOAD_BYTES) // 1_000_000
        form.add_error(
            "file", _("This file is too large. The limit is %(limit)d MB.") % {"limit": limit}
        )
        return form

    def add_problems(self, error: InputError | Refused) -> None:
        """Show the error, or each error that it consists of, beside the file."""
        if isinstance(error, Refused):
            self.add_error("file", with_location(localize(error.problem)))
            return
        errors, more = (
            (error.errors, error.more) if isinstance(error, InputErrors) else ((error,), 0)
        )
        for one in errors:
            localized = localize_error(one)
            words = with_location(localized)
            if localized.in_english:
                # Some readers report in English only.
                words = format_html('<span lang="en" dir="ltr">{}</span>', words)
            self.add_error("file", words)
        if more:
            said = ngettext(
                "%(number)d more problem is not shown.",
                "%(number)d more problems are not shown.",
                more,
            )
            self.add_error("file", said % {"number": more})


class JudgementsForm(ImportForm):
    """A file of judgements."""

    revised = forms.BooleanField(
        label=_("Later judgements replace earlier ones"),
        required=False,
        help_text=_(
            "Of the same annotator and line, if these were imported and the file lacks them. "
            "Otherwise both count. Commands call it --revised."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("Judgements")
        self.fields["file"].help_text = _(
            "JSON lines or CSV of scores as an export or Appraise writes them, annotations of "
            "Pearmut, forms of WMT07 to WMT09, the TSV of MQM, or the JSON of the SegRanks thesis; "
            "it may be gzipped. The format is detected."
        )


class CampaignForm(ImportForm):
    """A campaign of Pearmut, the name of its project, and its languages."""

    name = NameField(
        label=_("Name of the project"),
        max_length=Project._meta.get_field("name").max_length,
        error_messages={
            "required": _("Enter a name."),
            "max_length": _("The name is too long. The limit is %(limit_value)d characters."),
        },
    )
    source_language = forms.ChoiceField(
        label=_("Source language"), choices=languages_by_name, initial="en"
    )
    target_language = forms.ChoiceField(
        label=_("Target language"), choices=languages_by_name, initial="cs"
    )
    campaign = NameField(
        label=_("Campaign (optional)"),
        required=False,
        max_length=200,
        help_text=_("Its ID, if the file has several."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("Campaign file")
        self.fields["file"].help_text = _("The JSON that “pearmut add” takes; it may be gzipped.")

    def clean_name(self) -> str:
        return free_name(str(self.cleaned_data["name"]))


class ArchiveForm(ImportForm):
    """The archive of a project, and a name that may replace its own."""

    name = NameField(
        label=_("Other name (optional)"),
        required=False,
        max_length=Project._meta.get_field("name").max_length,
        help_text=_("Without it, the project has the name in the archive."),
        error_messages={
            "max_length": _("The name is too long. The limit is %(limit_value)d characters.")
        },
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("Project archive")
        self.fields["file"].help_text = _(
            "A file of JSON lines from “Project archive” on “Export”; it may be gzipped."
        )

    def clean_name(self) -> str:
        return free_name(str(self.cleaned_data["name"]))


def free_name(name: str) -> str:
    """Return the name, "" for none. Raise ValidationError if a project has it."""
    if name and Project.objects.filter(name=name).exists():
        raise forms.ValidationError(NAME_IS_TAKEN)
    return name
