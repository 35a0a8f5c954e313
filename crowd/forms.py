"""What the administrators of a project fill in about its crowd and its pay."""

import re
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from crowd.models import MembersPay, StartLink
from crowd.return_urls import PLATFORM_HOSTS, is_allowed

PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
PAY = ("pay_per_hour", "pay_cap", "currency")
# Of a start link, what is chosen.
LINK_FIELDS = (
    "platform",
    "id_parameter",
    "visit_parameter",
    "sentences",
    "most_participants",
    "minutes",
    "contact",
    "code",
    "address",
    *PAY,
    "is_on",
)
MONEY = _("Write an amount such as 12.50; empty for none.")
PAY_WIDGETS = {
    "pay_per_hour": forms.NumberInput(attrs={"min": 0, "step": "0.01"}),
    "pay_cap": forms.NumberInput(attrs={"min": 0, "step": "0.01"}),
    "currency": forms.TextInput(attrs={"autocapitalize": "characters", "spellcheck": "false"}),
}
PAY_HELP = {
    "pay_per_hour": _("Of active time; empty where nothing is paid."),
    "pay_cap": _("However long somebody takes; empty for no limit."),
    "currency": _("Three letters, as in EUR."),
}
PAY_ERRORS = {
    name: dict.fromkeys(
        ("invalid", "min_value", "max_digits", "max_decimal_places", "max_whole_digits"), MONEY
    )
    for name in ("pay_per_hour", "pay_cap")
}
COUNT = _("Write a whole number from 1 to 1000000; empty for no limit.")
PEOPLE = _("Write a whole number from 1 to 1000000.")
MINUTES = _("Write a whole number from 1 to 10000; empty to say nothing.")
CODES = ("invalid", "min_value", "max_value")


class PayForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """What those annotators are paid who came by no start link."""

    class Meta:
        model = MembersPay
        fields = PAY
        widgets = PAY_WIDGETS
        help_texts = PAY_HELP
        error_messages = PAY_ERRORS


class StartLinkForm(forms.ModelForm):  # type: ignore[type-arg]
    """The way from a platform into the project."""

    class Meta:
        model = StartLink
        fields = LINK_FIELDS
        widgets = PAY_WIDGETS | {
            "sentences": forms.NumberInput(attrs={"min": 1, "max": 1_000_000}),
            "most_participants": forms.NumberInput(attrs={"min": 1, "max": 1_000_000}),
            "minutes": forms.NumberInput(attrs={"min": 1, "max": 10_000}),
            "contact": forms.TextInput(attrs={"dir": "auto"}),
        }
        help_texts = PAY_HELP | {
            "platform": _("What people know it as: Prolific, MTurk, or a name of your own."),
            "id_parameter": _(
                "The name under which the address carries the person’s id: PROLIFIC_PID at "
                "Prolific, workerId at MTurk."
            ),
            "visit_parameter": _(
                "Kept for your payments, where you like: SESSION_ID or STUDY_ID at Prolific, "
                "assignmentId at MTurk. Empty to keep none."
            ),
            "sentences": _(
                "Repeats and control sentences count, practice and skipped sentences do not. "
                "Empty: until nothing is left."
            ),
            "most_participants": _(
                "As many places as your study has, and a few more for your own tries: whoever "
                "knows the link can make up ids."
            ),
            "minutes": _("As people are told before they begin."),
            "contact": _("Shown before the beginning and at the end: a name and an address."),
            "code": _("Shown at the end, to be copied to the platform."),
            "address": _(
                "Where people go at the end. With a code above, they see it first and a button; "
                "without one they are sent there at once."
            ),
            "is_on": _("Otherwise nobody new; who has begun may go on."),
        }
        error_messages = PAY_ERRORS | {
            "sentences": dict.fromkeys(CODES, COUNT),
            "most_participants": dict.fromkeys((*CODES, "required"), PEOPLE),
            "minutes": dict.fromkeys(CODES, MINUTES),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("id_parameter", "visit_parameter", "code", "address"):
            self.fields[name].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}

    def clean_id_parameter(self) -> str:
        return self._parameter("id_parameter")

    def clean_visit_parameter(self) -> str:
        return self._parameter("visit_parameter")

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if address and not is_allowed(address, settings.CROWD_HOSTS):
            raise forms.ValidationError(
                _(
                    "People can be sent to https addresses of these sites only: %(hosts)s. Whoever "
                    "runs SegRanks can add others (CROWD_HOSTS)."
                )
                % {"hosts": ", ".join([*PLATFORM_HOSTS, *settings.CROWD_HOSTS])}
            )
        return address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        same = cleaned.get("id_parameter")
        if same and same == cleaned.get("visit_parameter"):
            self.add_error("visit_parameter", _("This is the parameter of the id already."))
        return cleaned

    def _parameter(self, name: str) -> str:
        value: str = self.cleaned_data[name]
        if value and not PARAMETER.fullmatch(value):
            raise forms.ValidationError(
                _("Write the name of a parameter, of letters, digits and _, as in PROLIFIC_PID.")
            )
        return value
