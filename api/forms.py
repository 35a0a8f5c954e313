"""The form for a new API token."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, User
from api.models import Token
from api.tokens import DEFAULT_DAYS, MAX_DAYS

DAYS_MESSAGE = _("Write a whole number of days from 1 to 366.")


class TokenForm(forms.Form):
    """Name, scope, project and lifetime of a token."""

    name = forms.CharField(
        label=_("Name of the token"),
        max_length=Token._meta.get_field("name").max_length,
        help_text=_("What you use it for, for example: nightly export."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Give the token a name."),
            "max_length": _("The name is too long: %(limit_value)d characters are allowed."),
        },
    )
    scope = forms.ChoiceField(
        label=_("What it may do"),
        choices=Token.Scope.choices,
        help_text=_("It can never do more than you can."),
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of these.")),
    )
    project = forms.ModelChoiceField(
        Project.objects.none(),
        label=_("Project"),
        required=False,
        empty_label=_("all my projects"),
        error_messages={"invalid_choice": _("Choose one of your projects.")},
    )
    days = forms.IntegerField(
        label=_("Valid for (days)"),
        initial=DEFAULT_DAYS,
        min_value=1,
        max_value=MAX_DAYS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), DAYS_MESSAGE
        ),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        observed = Project.objects.filter(
            memberships__user=user, memberships__role__in=Membership.OBSERVING
        )
        field: Any = self.fields["project"]
        field.queryset = observed.order_by("name")

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be shown."))
        return name
