"""The forms for the settings, instructions and members of a project."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.common.error_messages import localize_error, with_location
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.judging.sheet import offers_whole_translations
from annotation.kinds import kind_of
from annotation.kinds.answer_options import LONGEST_OPTIONS
from annotation.kinds.answers import Answer
from annotation.kinds.scales import MOST_STEPS
from annotation.models import Membership, Project, User
from annotation.models.accounts import MOST_SENTENCES
from annotation.projects.administration import JUDGING_SETTINGS, OPTIONS_ARE_FIXED, is_judged
from annotation.projects.document_sheets import design_of
from annotation.projects.highlights import check_highlights
from annotation.projects.limits import (
    LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
    with_plain_line_ends,
)
from annotation.projects.options import MOST_FIRST, MOST_SHEETS, SHEET_CHOICES

JUDGES = _("Enter a whole number from 1 to 100.")
SHARE = _("Enter a number from 0 to 100.")
BLOCK = _("Enter a whole number from 1 to 1000.")
PRACTICE_SHARE = _("Enter a whole number from 1 to 100, or leave the field empty to ask for none.")
PRACTICE_TRIES = _("Enter a whole number from 1 to 20.")
DISPUTED = _("Enter a whole number from 1 to 1000, or leave the field empty: nothing is disputed.")
# The settings that people read and write as percent.
SHARES = ("overlap_share", "intra_rate", "inter_rate", "control_rate", "given_share")
# The settings of projects whose sheets are documents.
OF_DOCUMENTS = ("overlap_share", "disputed_from", "third_judge")
MINUTES = _("Enter a whole number of minutes from 5 to 86400 (60 days).")
PROBLEMS = {
    "judges_per_sentence": JUDGES,
    "overlap_share": SHARE,
    "disputed_from": DISPUTED,
    "intra_rate": SHARE,
    "inter_rate": SHARE,
    "control_rate": SHARE,
    "given_share": SHARE,
    "practice_share": PRACTICE_SHARE,
    "practice_tries": PRACTICE_TRIES,
    "block_size": BLOCK,
    "lease_minutes": MINUTES,
}
LIMIT_ERROR = format_lazy(
    _("Enter a whole number from 1 to {most}, or leave empty for no limit."), most=MOST_SENTENCES
)
CODES = ("required", "invalid", "min_value", "max_value")


class PercentField(forms.FloatField):
    """A share of the database, which people read and write as percent."""

    def prepare_value(self, value: Any) -> Any:
        return f"{value * 100:.6g}" if isinstance(value, float) else value

    def clean(self, value: Any) -> float | None:
        percent: float | None = super().clean(value)
        return None if percent is None else percent / 100


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """The settings of judging in a project. Each number has one message for all its errors."""

    class Meta:
        model = Project
        fields = JUDGING_SETTINGS
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            "judges_per_sentence": forms.NumberInput(attrs={"min": 1, "max": 100}),
            "disputed_from": forms.NumberInput(attrs={"min": 1, "max": 1000}),
            "practice_share": forms.NumberInput(attrs={"min": 1, "max": 100}),
            "practice_tries": forms.NumberInput(attrs={"min": 1, "max": 20}),
            "block_size": forms.NumberInput(attrs={"min": 1, "max": 1000}),
            "lease_minutes": forms.NumberInput(attrs={"min": 5, "max": 86400}),
        }
        help_texts = {
            "description": _("Shown in the list of projects."),
            "judges_per_sentence": _("Lowering it keeps finished and ongoing work."),
            "overlap_share": _(
                "These documents get one more annotator than others, the same share in each "
                "domain. 20 is one in five."
            ),
            "disputed_from": _(
                "Two answers to a sheet are disputed if the mean scores that they give a system "
                "differ by more points than this. A curator can settle them under Quality."
            ),
            "third_judge": _(
                "The sheet is assigned once more as soon as the second answer is submitted."
            ),
            "intra_rate": _("Shown twice to the same annotator. 5 is one in twenty."),
            "inter_rate": _("Shown to one more annotator. 5 is one in twenty."),
            "control_rate": _(
                "Controls reveal careless annotators. 5 is one in twenty. Create them under "
                "Quality."
            ),
            "given_share": _(
                "Which sheets do is drawn at random, so that the report can compare work with and "
                "without them. 100 is all, 50 is every other one."
            ),
            "practice_required": _(
                "Annotators finish practice before they get anything else. Otherwise practice is "
                "optional."
            ),
            "practice_share": _(
                "If practice is required, annotators can go on only with so many right answers. "
                "Empty: any number is enough."
            ),
            "practice_tries": _("How often annotators can go through practice to get there."),
            "block_size": _("How many in a row one annotator gets, if the order is in blocks."),
            "lease_minutes": _("After this much inactivity another annotator gets it."),
            "shown_references": _(
                "Which human translations are shown beside the source, if there are any."
            ),
            "show_neighbours": _("Show the context of the source sentence."),
            "show_whole_translations": _(
                "Annotators can open the whole translation of a candidate. It may tell them which "
                "candidates come from the same system, and what is a control."
            ),
            "highlights": _(
                "Pointing at a word marks the words that are aligned with it in the source and in "
                "the translations. Reports say how many judgements were made with this help."
            ),
        }
        labels = {
            "judges_per_sentence": _("Number of judges"),
            "queue_order": _("Order"),
            "block_size": _("Size of a block"),
            "overlap_share": _("Documents with one more annotator (%)"),
            "intra_rate": _("Self-agreement repeats (%)"),
            "inter_rate": _("Inter-annotator repeats (%)"),
            "control_rate": _("Controls (%)"),
            "given_share": _("Sheets that show errors marked before (%)"),
        }
        field_classes = dict.fromkeys(SHARES, PercentField)
        error_messages = {name: dict.fromkeys(CODES, text) for name, text in PROBLEMS.items()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = kind_of(self.instance)
        if kind.shown.reference:
            cast(forms.ChoiceField, self.fields["shown_references"]).choices = [
                (value, capfirst(name))
                for value, name in Project.ShownReferences.choices
                if value != Project.ShownReferences.NONE or not kind.shown.needs_reference
            ]
        else:
            del self.fields["shown_references"]
        if not offers_whole_translations(kind):
            del self.fields["show_whole_translations"]
        if not kind.shown.source:
            del self.fields["highlights"]
        if kind.unit.is_document:
            # The text before a part of a document is always there to be read.
            del self.fields["show_neighbours"]
        else:
            for name in OF_DOCUMENTS:
                del self.fields[name]
        self.fields["description"].widget.attrs["maxlength"] = LONGEST_DESCRIPTION
        for name in self.fields.keys() & SHARES:
            self.fields[name].widget.attrs |= {"min": 0, "max": 100}
        if not (self.instance.pk and self.instance.given_origins.exists()):
            del self.fields["given_share"]
        order = cast(forms.ChoiceField, self.fields["queue_order"])
        order.choices = [(value, capfirst(name)) for value, name in Project.QueueOrder.choices]

    def clean_description(self) -> str:
        description: str = with_plain_line_ends(self.cleaned_data["description"])
        if len(description) > LONGEST_DESCRIPTION:
            raise forms.ValidationError(
                _("The description is too long. The limit is %(limit)d characters.")
                % {"limit": LONGEST_DESCRIPTION}
            )
        return description

    def clean_highlights(self) -> bool:
        wanted: bool = self.cleaned_data["highlights"]
        # The words of a project that does not exist yet are aligned if it is wanted.
        if wanted and self.instance.pk:
            try:
                check_highlights(self.instance)
            except NotPossible as problem:
                raise forms.ValidationError(str(problem)) from None
        return wanted

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("third_judge") and cleaned.get("disputed_from") is None:
            self.add_error(
                "disputed_from", _("Enter from which difference two answers are disputed.")
            )
        return cleaned

    def by_name(self) -> dict[str, object]:
        """Return the valid settings by name."""
        return {name: self.cleaned_data[name] for name in JUDGING_SETTINGS if name in self.fields}


class OptionsArea(forms.Textarea):
    """A text area that pages show once for each kind whose answer has options.

    The name of each ends with "-" and the name of the kind; that of the chosen kind counts.
    """

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        own = f"{name}-{data.get('kind')}"
        return super().value_from_datadict(data, files, own if own in data else name)


class OptionsField(forms.CharField):
    """What a project chooses of its answer, one a line, such as the labels of its scale."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=LONGEST_OPTIONS,
            widget=OptionsArea(attrs={"rows": MOST_STEPS, "dir": "auto", "spellcheck": "false"}),
            **kwargs,
        )

    @staticmethod
    def joined(typed: str, answer: Answer) -> str:
        """Return the options as a project stores them. Raise ValidationError."""
        try:
            return answer.joined_options(typed.splitlines())
        except InputError as problem:
            raise forms.ValidationError(with_location(localize_error(problem))) from problem


class OptionsForm(forms.Form):
    """What a project chose of its answer, which is fixed once the project is judged."""

    answer_options = OptionsField()

    def __init__(self, data: Mapping[str, Any] | None, *, project: Project) -> None:
        super().__init__(data, initial={"answer_options": project.answer_options})
        self.answer = kind_of(project).answer
        asked, field = self.answer.options_asked, self.fields["answer_options"]
        assert asked is not None
        field.label, field.help_text = asked.label, asked.help
        if is_judged(project):
            field.disabled, field.help_text = True, OPTIONS_ARE_FIXED

    def clean_answer_options(self) -> str:
        return OptionsField.joined(self.cleaned_data["answer_options"], self.answer)


def whole_number(label: Any, *, least: int, most: int, **kwargs: Any) -> forms.IntegerField:
    """Return the field of a whole number between two numbers, with one message for all errors."""
    message = format_lazy(_("Enter a whole number from {least} to {most}."), least=least, most=most)
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(CODES, message),
        **kwargs,
    )


class SheetChoiceForm(forms.Form):
    """Which systems stand on the sheets of a document."""

    sheet_choice = forms.ChoiceField(
        label=_("Which systems an annotator sees of a document"),
        choices=SHEET_CHOICES,
        help_text=_(
            "With some systems on each document, no annotator gets a document twice. If the best "
            "come more often, their scores are more precise, and those of the others less."
        ),
    )
    sheets_of_document = whole_number(
        _("Sheets of a document"),
        least=1,
        most=MOST_SHEETS,
        help_text=_("If some systems are judged on each document: how many sheets it has."),
    )
    first_documents = whole_number(
        _("Documents on which each system comes first"),
        least=0,
        most=MOST_FIRST,
        help_text=_("If the best so far come more often: only after so many documents of each."),
    )

    @classmethod
    def of(cls, project: Project, *, disabled: bool) -> "SheetChoiceForm":
        """Return the form with what is stored."""
        design = design_of(project)
        form = cls(
            initial={
                "sheet_choice": design.choice,
                "sheets_of_document": design.sheets,
                "first_documents": design.first,
            }
        )
        for field in form.fields.values():
            field.disabled = disabled
        return form


class InstructionsForm(forms.Form):
    """Instructions in Markdown; empty for the default instructions."""

    text = forms.CharField(
        label=_("Text"),
        required=False,
        widget=forms.Textarea(
            attrs={
                "rows": 12,
                "dir": "auto",
                "maxlength": LONGEST_INSTRUCTIONS,
                "spellcheck": "true",
            }
        ),
        help_text=_(
            "Markdown: **bold**, *italic*, lists with - or 1., headings with #, and links. What is "
            "below the heading “# Documents: news” stands above documents whose names begin with "
            "“news”. Leave empty to use the default instructions."
        ),
    )

    def clean_text(self) -> str:
        text: str = with_plain_line_ends(self.cleaned_data["text"])
        if len(text) > LONGEST_INSTRUCTIONS:
            raise forms.ValidationError(
                _("The instructions are too long. The limit is %(limit)d characters.")
                % {"limit": LONGEST_INSTRUCTIONS}
            )
        return text


class MemberForm(forms.Form):
    """A user and their role in the project."""

    username = forms.CharField(
        label=_("Username"),
        max_length=User._meta.get_field("username").max_length,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={
            "required": _("Enter the username of the person."),
            "max_length": _("Usernames are not that long."),
        },
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Membership.Role.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose a role.")),
    )


class LimitForm(forms.ModelForm):  # type: ignore[type-arg]
    """The maximum number of sentences for a member."""

    class Meta:
        model = Membership
        fields = ("sentence_limit",)
        error_messages = {"sentence_limit": dict.fromkeys(CODES, LIMIT_ERROR)}
