"""The forms for errors that were marked before."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.kinds import KINDS
from annotation.models import GivenOrigin, Membership, Project, User
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


class SecondPassForm(forms.Form):
    """The project whose annotators marked the errors: one that the user administers."""

    judged_in = forms.ModelChoiceField(
        Project.objects.none(),
        label=_("Errors marked in"),
        empty_label=None,
        help_text=_(
            "Each annotator becomes “annotator 1” and so on. Annotators are told that an annotator "
            "marked the errors."
        ),
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose a project.")),
    )

    def __init__(self, data: Any = None, *, user: User, project: Project) -> None:
        super().__init__(data, initial={"judged_in": project}, prefix="pass")
        marking = [name for name, kind in KINDS.items() if kind.answer.takes_given_errors]
        administered = Membership.objects.filter(user=user, role__in=Membership.ADMINISTERING)
        choices = Project.objects.filter(
            Q(pk=project.pk) | Q(pk__in=administered.values("project")), kind__in=marking
        )
        field: Any = self.fields["judged_in"]
        field.queryset = choices.order_by("name")
