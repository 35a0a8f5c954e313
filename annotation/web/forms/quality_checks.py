"""What the administrators of a project fill in about practice and control."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.judging.control_items import MOST_AT_ONCE
from annotation.judging.practice import LONGEST_EXPLANATION
from annotation.projects.limits import with_plain_line_ends
from annotation.web.forms.settings import CODES

# As many as the database can count.
LARGEST = 2**31 - 1
WHICH = _("Enter the number of a line: a whole number from 1.")
HOW_MANY = _("Enter a whole number from 1 to 200.")


class WhichSentenceForm(forms.Form):
    """The number of a sentence for practice."""

    sentence = forms.IntegerField(
        label=_("Line number"),
        min_value=1,
        max_value=LARGEST,
        error_messages=dict.fromkeys(CODES, WHICH),
    )


class Explanation(forms.CharField):
    """A text whose line ends count as one character."""

    def to_python(self, value: Any) -> str:
        return with_plain_line_ends(super().to_python(value) or "")


class ExplanationsForm(forms.Form):
    """The explanations of gold answers, one field per segment."""

    def __init__(self, *args: Any, segments: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, segments + 1):
            self.fields[self.name(number)] = Explanation(
                label=_("Explanation"),
                required=False,
                max_length=LONGEST_EXPLANATION,
                widget=forms.Textarea(attrs={"rows": 2, "dir": "auto", "spellcheck": "true"}),
                error_messages={
                    "max_length": _(
                        "This explanation is too long. The limit is %(limit_value)d characters."
                    )
                },
            )

    @staticmethod
    def name(number: int) -> str:
        return f"why-{number}"

    def by_place(self) -> dict[int, str]:
        """Return the explanations by the index of the segment."""
        return dict(enumerate(self.cleaned_data[name] for name in self.fields))


class TutorialForm(forms.Form):
    """The file of a project's own tutorial."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "JSON with documents, their translations, marks, ranges of scores and reasons, as "
            "docs/tutorials.md describes it."
        ),
        error_messages=dict.fromkeys(
            ("required", "invalid", "empty"), _("Choose the JSON file of the tutorial.")
        ),
    )


class ControlsForm(forms.Form):
    """The number of new control sentences."""

    count = forms.IntegerField(
        label=_("How many"),
        initial=10,
        min_value=1,
        max_value=MOST_AT_ONCE,
        error_messages=dict.fromkeys(CODES, HOW_MANY),
    )
