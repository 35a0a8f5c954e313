"""The forms of a new project: details, lengths of segments, roles of files."""

from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Upload, UploadedFile
from annotation.projects.limits import (
    LONGEST_DESCRIPTION,
    LONGEST_LANGUAGE_CODE,
    LONGEST_NAME,
    with_plain_line_ends,
)
from annotation.projects.names import LANGUAGE_PAIR
from annotation.projects.options import CHOICES, PrepareOptions

NO_NAME = _("Enter a name. All members of the project will see it.")
NO_LANGUAGE = _("Enter a language code, e.g. en or pt_BR.")

HELP = {
    "effort": _("Runs eflomal 1, 3 or 5 times and combines the results."),
}
NEEDS = {"embedded": "annotation.preparation.embedded"}


def offered_options() -> dict[str, tuple[Any, list[tuple[str, Any]]]]:
    """Return the options that are available here, with their labels and choices."""
    known = {field.name for field in fields(PrepareOptions)}
    return {
        name: (label, [row for row in rows if row[0] not in NEEDS or find_spec(NEEDS[row[0]])])
        for name, (label, rows) in CHOICES.items()
        if name in known
    }


class DetailsForm(forms.Form):
    """Name, languages and preparation options of the project."""

    name = forms.CharField(
        label=_("Project name"),
        max_length=LONGEST_NAME,
        error_messages={
            "required": NO_NAME,
            "max_length": _("The name is too long. The limit is %(limit_value)d characters."),
        },
    )
    source_language = forms.CharField(
        label=_("Source language"),
        max_length=LONGEST_LANGUAGE_CODE,
        help_text=_("A code such as en, cs or pt_BR."),
        error_messages={"required": NO_LANGUAGE},
    )
    target_language = forms.CharField(
        label=_("Target language"),
        max_length=LONGEST_LANGUAGE_CODE,
        help_text=_("A code such as en, cs or pt_BR."),
        error_messages={"required": NO_LANGUAGE},
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        help_text=_("Shown in the list of projects."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    tokens = forms.ChoiceField(
        label=_("Text format"),
        choices=[
            ("raw", _("plain")),
            ("all", _("tokenised")),
            ("source", _("only the source is tokenised")),
        ],
        required=False,
        help_text=_("Tokenised texts have a space before each comma."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (label, rows) in offered_options().items():
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=rows,
                required=False,
                initial=getattr(PrepareOptions, name),
                help_text=HELP.get(name, ""),
            )
        for name in ("source_language", "target_language"):
            self.fields[name].widget.attrs |= {
                "list": "languages",
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }

    @property
    def more(self) -> list[forms.BoundField]:
        """Return the fields that few people need."""
        return [self[name] for name in ("tokens", *offered_options())]

    @property
    def more_is_wrong(self) -> bool:
        return any(field.errors for field in self.more)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be printed."))
        if Project.objects.filter(name=name).exists():
            raise forms.ValidationError(_("A project with this name already exists."))
        return name

    def clean_source_language(self) -> str:
        return _language(self.cleaned_data["source_language"])

    def clean_target_language(self) -> str:
        return _language(self.cleaned_data["target_language"])

    def clean_description(self) -> str:
        return with_plain_line_ends(self.cleaned_data["description"])

    def to_store(self) -> dict[str, Any]:
        """Return the values to store with the upload; invalid ones as they were typed."""
        typed = {
            name: self.cleaned_data.get(name, self.data.get(name, ""))
            for name in ("name", "source_language", "target_language", "description", "tokens")
        }
        longest = dict.fromkeys(("source_language", "target_language"), LONGEST_LANGUAGE_CODE)
        typed = {
            name: str(value).replace("\0", "")[: longest.get(name, LONGEST_DESCRIPTION)]
            for name, value in typed.items()
        }
        typed["tokens"] = self.cleaned_data.get("tokens") or "raw"
        chosen = {name: self.cleaned_data.get(name) for name in offered_options()}
        return typed | {"options": {name: value for name, value in chosen.items() if value}}


def _language(code: str) -> str:
    code = code.strip().replace("-", "_")
    if not LANGUAGE_PAIR.fullmatch(f"{code}-{code}"):
        raise forms.ValidationError(NO_LANGUAGE)
    return code


class LengthsForm(forms.Form):
    """The lengths of segments."""

    min_length = forms.IntegerField(
        label=_("Shortest segment"),
        min_value=1,
        max_value=10,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            _("Enter a whole number from 1 to 10."),
        ),
    )
    max_length = forms.IntegerField(
        label=_("Longest segment"),
        min_value=1,
        max_value=15,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            _("Enter a whole number from 1 to 15."),
        ),
    )

    def clean(self) -> None:
        shortest, longest = (self.cleaned_data.get(name) for name in ("min_length", "max_length"))
        if shortest and longest and shortest > longest:
            self.add_error(
                "max_length", _("The longest segment cannot be shorter than the shortest.")
            )


@dataclass(frozen=True)
class FileRow:
    """A file of an upload and its possible roles."""

    file: UploadedFile
    roles: list[tuple[str, Any]]


def file_rows(upload: Upload) -> list[FileRow]:
    """Return the files: the source first, unused files last."""
    order = UploadedFile.Role.values
    files = sorted(upload.files.all(), key=lambda file: (order.index(file.role), file.name.lower()))
    return [FileRow(file, UploadedFile.Role.choices) for file in files]


def posted_roles(upload: Upload, post: Any) -> dict[int, tuple[str, str]]:
    """Return the posted (role, system) of each file by id."""
    roles = {}
    for file in upload.files.all():
        role = post.get(f"role-{file.pk}")
        if role in UploadedFile.Role.values:
            system = str(post.get(f"system-{file.pk}", file.system)).replace("\0", "")
            roles[file.pk] = (role, system.strip()[:200])
    return roles
