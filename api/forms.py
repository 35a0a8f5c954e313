"""What somebody fills in to get a token."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, User
from api.models import Token
from api.tokens import DAYS, MOST_DAYS

LONGEST_NAME = Token._meta.get_field("name").max_length
HOW_LONG = _("Write a whole number of days from 1 to 366.")


class TokenForm(forms.Form):
    """What the token is called, and what it is good for."""

    name = forms.CharField(
        label=_("Name of the token"),
        max_length=LONGEST_NAME,
        help_text=_("What it is for, so that you know it again: nightly export, for example."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Give the token a name."),
            "max_length": _("The name is too long: %(limit_value)d characters are allowed."),
        },
    )
    scope = forms.ChoiceField(
        label=_("What it may do"),
        choices=Token.Scope.choices,
        help_text=_("It can never do more than you yourself can at that moment."),
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of these.")),
    )
    project = forms.ModelChoiceField(
        Project.objects.none(),
        label=_("In which project"),
        required=False,
        empty_label=_("all of mine"),
        error_messages={"invalid_choice": _("Choose one of your projects.")},
    )
    days = forms.IntegerField(
        label=_("Good for how many days"),
        initial=DAYS,
        min_value=1,
        max_value=MOST_DAYS,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), HOW_LONG),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = Project.objects.filter(
            memberships__user=user, memberships__role__in=Membership.OBSERVING
        )
        field: Any = self.fields["project"]
        field.queryset = mine.order_by("name")

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be shown."))
        return name
