"""The form for errors that were marked before."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import GivenOrigin
from annotation.web.forms.imports import ImportForm


class GivenErrorsForm(ImportForm):
    """A file of errors, and who or what marked them."""

    name = forms.CharField(
        label=_("Name"),
        max_length=GivenOrigin.LONGEST_NAME,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
        help_text=_("Who or what marked the errors, for the report. Annotators do not see it."),
        error_messages={"required": _("Enter a name.")},
    )
    by = forms.ChoiceField(
        label=_("Annotators are told that they were marked by"),
        choices=GivenOrigin.By.choices,
        initial=GivenOrigin.By.PROGRAM,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of the two.")),
    )
    marker = forms.CharField(
        label=_("Only errors by this rater"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
        help_text=_("For a file of MQM in which several raters judged the same translations."),
    )
