"""What the administrators of a project fill in."""

from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, User
from annotation.projects.administration import SETTINGS
from annotation.projects.limits import (
    LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
    with_plain_line_ends,
)

JUDGES = _("Write how many judge each sentence, as a whole number from 1 to 100.")
SHARE = _("Write a share from 0 to 1, for example 0.05 for one sentence in twenty.")
BLOCK = _("Write how many sentences a block has, as a whole number from 1 to 1000.")
MINUTES = _("Write after how many minutes, as a whole number from 5 (five minutes) to 86400.")
PROBLEMS = {
    "judges_per_sentence": JUDGES,
    "intra_rate": SHARE,
    "inter_rate": SHARE,
    "control_rate": SHARE,
    "block_size": BLOCK,
    "lease_minutes": MINUTES,
}
LIMIT = _("Write a whole number from 1 to 1000000; empty for no limit.")
CODES = ("required", "invalid", "min_value", "max_value")


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """The settings of a project; whatever is wrong with a number, the same sentence says it."""

    class Meta:
        model = Project
        fields = SETTINGS
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            "judges_per_sentence": forms.NumberInput(attrs={"min": 1, "max": 100}),
            "intra_rate": forms.NumberInput(attrs={"min": 0, "max": 1, "step": "any"}),
            "inter_rate": forms.NumberInput(attrs={"min": 0, "max": 1, "step": "any"}),
            "control_rate": forms.NumberInput(attrs={"min": 0, "max": 1, "step": "any"}),
            "block_size": forms.NumberInput(attrs={"min": 1, "max": 1000}),
            "lease_minutes": forms.NumberInput(attrs={"min": 5, "max": 86400}),
        }
        help_texts = {
            "description": _("Shown with the project on everybody's first page."),
            "judges_per_sentence": _(
                "How many different annotators judge each sentence. Where it is lowered, what is "
                "judged or in somebody's hands stays."
            ),
            "intra_rate": _(
                "Sentences that come to the same annotator again, so that his agreement with "
                "himself can be measured."
            ),
            "inter_rate": _(
                "Sentences that come to one more annotator, so that the agreement with others can "
                "be measured."
            ),
            "control_rate": _(
                "Sentences that are mixed in to see whether an annotator looks at what he ranks: "
                "0.05 for one in twenty. They are made below; annotators cannot tell them apart."
            ),
            "practice_required": _(
                "Annotators judge the practice sentences, and see how each was meant, before they "
                "are given anything else. Otherwise they may practise, and need not."
            ),
            "block_size": _("How many sentences in a row one annotator gets, where in blocks."),
            "lease_minutes": _(
                "So long may an annotator do nothing before the sentence goes to somebody else."
            ),
            "show_reference": _("A human translation beside the source, where there is one."),
            "show_neighbours": _("The context of the source sentence."),
        }
        error_messages = {name: dict.fromkeys(CODES, text) for name, text in PROBLEMS.items()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["description"].widget.attrs["maxlength"] = LONGEST_DESCRIPTION
        order = cast(forms.ChoiceField, self.fields["queue_order"])
        order.choices = [(value, capfirst(name)) for value, name in Project.QueueOrder.choices]

    def clean_description(self) -> str:
        description: str = with_plain_line_ends(self.cleaned_data["description"])
        if len(description) > LONGEST_DESCRIPTION:
            raise forms.ValidationError(
                _("The description is too long: %(limit)d characters are allowed.")
                % {"limit": LONGEST_DESCRIPTION}
            )
        return description

    def by_name(self) -> dict[str, object]:
        """Return the settings as they are to be stored."""
        return {name: self.cleaned_data[name] for name in SETTINGS}


class InstructionsForm(forms.Form):
    """What annotators are told, in Markdown; empty for what comes with SegRanks."""

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
            "In Markdown: **bold**, *slanted*, lists with - or 1., headings with #, and links. "
            "Empty, annotators see the instructions that come with SegRanks."
        ),
    )

    def clean_text(self) -> str:
        text: str = with_plain_line_ends(self.cleaned_data["text"])
        if len(text) > LONGEST_INSTRUCTIONS:
            raise forms.ValidationError(
                _("The instructions are too long: %(limit)d characters are allowed.")
                % {"limit": LONGEST_INSTRUCTIONS}
            )
        return text


class MemberForm(forms.Form):
    """Somebody who has an account, and what he may do in the project."""

    username = forms.CharField(
        label=_("User name"),
        max_length=User._meta.get_field("username").max_length,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={
            "required": _("Write the user name that the person signs in with."),
            "max_length": _("No user name is that long."),
        },
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Membership.Role.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of the roles.")),
    )


class LimitForm(forms.ModelForm):  # type: ignore[type-arg]
    """How many sentences a member is given at most."""

    class Meta:
        model = Membership
        fields = ("most_sentences",)
        error_messages = {"most_sentences": dict.fromkeys(CODES, LIMIT)}
