"""The forms of a new project: details, lengths of segments, roles of files."""

from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.common.error_messages import localize_error
from annotation.common.languages import language_name, languages_by_name
from annotation.formats.errors import InputError
from annotation.formats.languages import LONGEST_LANGUAGE_CODE, parse_language
from annotation.formats.media_files import MEDIA_TYPES
from annotation.formats.names import LONGEST_SYSTEM_NAME, plain_name
from annotation.kinds import DEFAULT, KINDS, kind_of
from annotation.models import Project, Upload, UploadedFile
from annotation.projects.administration import JUDGING_SETTINGS, NAME_IS_TAKEN
from annotation.projects.limits import LONGEST_DESCRIPTION, with_plain_line_ends
from annotation.projects.options import (
    CHOICES,
    CHOICES_OF_UNITS,
    MOST_PARAGRAPHS,
    MOST_SYSTEMS,
    PrepareOptions,
)
from annotation.projects.tutorials import offers_tutorial
from annotation.uploads.settings import settings_of
from annotation.web.forms.project_life import ProjectNameField
from annotation.web.forms.settings import (
    InstructionsForm,
    OptionsField,
    SettingsForm,
    SheetChoiceForm,
)

NO_LANGUAGE = _("Choose a language, or enter its code, e.g. en or pt-BR.")
# The choice of a language that is not listed: its code is in another field.
OTHER_LANGUAGE = "other"
LANGUAGES = ("source_language", "target_language")

HELP = {
    "parser": _("The parser finds the phrases of each source sentence that become segments."),
    "coverage": _("With predicates, verbs are judged more often, and people have more to do."),
    "aligner": _("The aligner finds which words of a translation belong to a segment."),
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
    """Name, kind of judgement, languages and preparation options of the project."""

    name = ProjectNameField()
    kind = forms.ChoiceField(
        label=_("Kind of judgement"),
        choices=[(kind.name, kind.label) for kind in KINDS.values()],
        required=False,
    )
    answer_options = OptionsField(required=False)
    source_language = forms.CharField(
        label=_("Source language"),
        max_length=LONGEST_LANGUAGE_CODE,
        widget=forms.Select,
        error_messages={"required": NO_LANGUAGE},
    )
    source_language_code = forms.CharField(
        label=_("Code of the source language"), required=False, max_length=LONGEST_LANGUAGE_CODE
    )
    target_language = forms.CharField(
        label=_("Target language"),
        max_length=LONGEST_LANGUAGE_CODE,
        widget=forms.Select,
        error_messages={"required": NO_LANGUAGE},
    )
    target_language_code = forms.CharField(
        label=_("Code of the target language"), required=False, max_length=LONGEST_LANGUAGE_CODE
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
        for name in LANGUAGES:
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = _language_choices(str(self[name].value() or ""))
            self.fields[f"{name}_code"].widget.attrs |= {
                "placeholder": "pt-BR",
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }

    @property
    def of_segments(self) -> list[forms.BoundField]:
        """Return the fields that have no effect where whole sentences are judged."""
        return [self[name] for name in offered_options()]

    @property
    def more_is_wrong(self) -> bool:
        return any(field.errors for field in (self["tokens"], *self.of_segments))

    @property
    def problems(self) -> list[tuple[forms.BoundField, str]]:
        """Return all errors with their fields, for the summary at the top of the page."""
        return [(field, str(error)) for field in self for error in field.errors]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if Project.objects.filter(name=name).exists():
            raise forms.ValidationError(NAME_IS_TAKEN)
        return name

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or DEFAULT.name

    def clean_answer_options(self) -> str:
        """Return the options as a project stores them; "" if the kind's answer has none."""
        typed: str = self.cleaned_data["answer_options"]
        answer = KINDS[self.cleaned_data.get("kind") or DEFAULT.name].answer
        return OptionsField.joined(typed, answer) if answer.options_asked else ""

    def clean_source_language(self) -> str:
        return _language(self._chosen("source_language"))

    def clean_target_language(self) -> str:
        return _language(self._chosen("target_language"))

    def _chosen(self, name: str) -> str:
        """Return the code of the chosen language, or the one entered beside the choice."""
        chosen = str(self.cleaned_data.get(name) or self.data.get(name, ""))
        return str(self.data.get(f"{name}_code", "")) if chosen == OTHER_LANGUAGE else chosen

    def clean_description(self) -> str:
        return with_plain_line_ends(self.cleaned_data["description"])

    def to_store(self) -> dict[str, Any]:
        """Return the values to store with the upload; invalid texts as they were typed."""
        typed = {
            name: self.cleaned_data.get(name, self.data.get(name, ""))
            for name in ("name", "description", "tokens", "answer_options")
        }
        typed = {
            name: str(value).replace("\0", "")[:LONGEST_DESCRIPTION]
            for name, value in typed.items()
        }
        # The files are read by the rules of these languages, so that only known ones are stored.
        typed |= {name: self.cleaned_data.get(name, "") for name in LANGUAGES}
        typed["tokens"] = self.cleaned_data.get("tokens") or "raw"
        typed["kind"] = self.cleaned_data.get("kind") or DEFAULT.name
        return typed | {
            name: self.cleaned_data.get(name) or getattr(PrepareOptions, name) for name in CHOICES
        }


def _language_choices(chosen: str) -> list[tuple[str, Any]]:
    """Return the languages with their codes; `chosen` is among them if it is a code."""
    named = [(code, f"{name} ({code})") for code, name in languages_by_name()]
    try:
        tag = parse_language(chosen)
    except InputError:
        tag = ""
    if tag and tag not in dict(named):
        named.insert(0, (tag, f"{language_name(tag)} ({tag})"))
    return [("", _("Choose a language")), *named, (OTHER_LANGUAGE, _("another language…"))]


def _language(code: str) -> str:
    if not code.strip():
        raise forms.ValidationError(NO_LANGUAGE)
    try:
        return parse_language(code)
    except InputError as problem:
        raise forms.ValidationError(localize_error(problem).words) from problem


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


class JudgingForm(SettingsForm):
    """The settings and the instructions of a project that does not exist yet."""

    text = InstructionsForm.base_fields["text"]
    open_at_once = forms.BooleanField(
        label=_("Open the project when it is ready"),
        required=False,
        help_text=_(
            "Otherwise you open it yourself, after you have looked at the texts and added practice "
            "or controls."
        ),
    )

    tutorial = forms.BooleanField(
        label=_("Tutorial before the first sheet"),
        required=False,
        help_text=_(
            "Annotators first mark errors in a few short texts of ours, and see after each what "
            "should be found and why. Practice is required then."
        ),
    )

    batches = forms.BooleanField(
        label=_("Divide the translations into batches"),
        required=False,
        help_text=_(
            "An annotator judges a batch of 100: 70 translations, 10 of them again, and of 10 each "
            "the reference and a degraded copy. Repeats and controls are not added to it."
        ),
    )
    sheet_systems = forms.IntegerField(
        label=_("Systems side by side"),
        min_value=MOST_SYSTEMS[0],
        max_value=MOST_SYSTEMS[1],
        help_text=_("How many translations of a document an annotator sees at most."),
    )
    sheet_paragraphs = forms.IntegerField(
        label=_("Paragraphs at a time"),
        min_value=1,
        max_value=MOST_PARAGRAPHS,
        help_text=_(
            "Longer documents are divided into parts of about equal length. The text before a part "
            "can be read."
        ),
    )
    sheet_choice = SheetChoiceForm.base_fields["sheet_choice"]
    sheets_of_document = SheetChoiceForm.base_fields["sheets_of_document"]
    first_documents = SheetChoiceForm.base_fields["first_documents"]
    rate_documents = forms.BooleanField(
        label=_("Judge each document as a whole, too"),
        required=False,
        help_text=_("After its paragraphs, the document or the part of it is judged once more."),
    )
    seed = forms.IntegerField(
        label=_("Random seed"),
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("The same seed and files give the same batches, and the same sheets."),
    )

    def __init__(self, *args: Any, upload: Upload, **kwargs: Any) -> None:
        stored = settings_of(upload)
        self.upload = upload
        initial = {
            **stored.judging,
            "text": stored.instructions,
            "open_at_once": stored.open_at_once,
            "tutorial": stored.tutorial,
            **{name: getattr(stored, name) for name in CHOICES_OF_UNITS},
        }
        as_created = Project(
            kind=stored.kind,
            answer_options=stored.answer_options,
            source_language=stored.source_language,
            target_language=stored.target_language,
        )
        super().__init__(*args, initial=initial, instance=as_created, **kwargs)
        self.choices = kind_of(as_created).unit.choices
        for name in CHOICES_OF_UNITS - set(self.choices):
            del self.fields[name]
        if upload.files.filter(role=UploadedFile.Role.SEGMENTS).exists():
            # Ready-made candidates are not aligned.
            self.fields.pop("highlights", None)
        if not offers_tutorial(as_created):
            del self.fields["tutorial"]
        # It is among the details.
        del self.fields["description"]
        self.fields["text"].label = _("Instructions for annotators")
        self.fields["judges_per_sentence"].help_text = _("How many annotators judge each sheet.")
        self.fields["control_rate"].help_text = _(
            "Controls reveal careless annotators. 5 is one in twenty. You create them "
            "when the texts are prepared."
        )

    clean_text = InstructionsForm.clean_text

    @property
    def chosen(self) -> list[forms.BoundField]:
        """Return the fields of what the unit lets people choose."""
        return [self[name] for name in self.choices]

    def clean_batches(self) -> bool:
        wanted = bool(self.cleaned_data["batches"])
        references = self.upload.files.filter(role=UploadedFile.Role.REFERENCE)
        if wanted and not references.exists():
            raise forms.ValidationError(
                _("Batches have references among their control items: add a reference.")
            )
        return wanted

    def to_store(self) -> dict[str, Any]:
        """Return the valid values to store with the upload."""
        judging = {
            name: self.cleaned_data[name] for name in JUDGING_SETTINGS if name in self.fields
        }
        return {
            "judging": judging,
            "instructions": self.cleaned_data["text"].strip(),
            "open_at_once": self.cleaned_data["open_at_once"],
            "tutorial": self.cleaned_data.get("tutorial", False),
            **{
                name: 0 if self.cleaned_data[name] is None else self.cleaned_data[name]
                for name in self.choices
            },
        }

    @property
    def problems(self) -> list[tuple[forms.BoundField, str]]:
        """Return all errors with their fields, for the summary at the top of the page."""
        return [(field, str(error)) for field in self for error in field.errors]


@dataclass(frozen=True)
class FileRow:
    """A file of an upload and its possible roles."""

    file: UploadedFile
    roles: list[tuple[str, Any]]


def file_rows(upload: Upload) -> list[FileRow]:
    """Return the files: the source first, unused files last."""
    order = UploadedFile.Role.values
    files = sorted(upload.files.all(), key=lambda file: (order.index(file.role), file.name.lower()))
    return [FileRow(file, roles_of(file)) for file in files]


def roles_of(file: UploadedFile) -> list[tuple[str, Any]]:
    """Return the roles that a file can have, by its content: that of a medium, or of a text."""
    role = UploadedFile.Role
    of_medium = {role.MEDIA, role.UNUSED}
    is_medium = file.kind in MEDIA_TYPES
    wanted = of_medium if is_medium else {*role} - {role.MEDIA}
    return [row for row in role.choices if row[0] in wanted]


def posted_roles(upload: Upload, post: Any) -> dict[int, tuple[str, str]]:
    """Return the posted (role, system) of each file by id."""
    roles = {}
    for file in upload.files.all():
        role = post.get(f"role-{file.pk}")
        if role in dict(roles_of(file)):
            system = str(post.get(f"system-{file.pk}", file.system)).replace("\0", "")
            roles[file.pk] = (role, plain_name(system)[:LONGEST_SYSTEM_NAME])
    return roles
