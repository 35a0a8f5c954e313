"""Forms for start links and pay."""

import re
from typing import Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.models.accounts import MOST_SENTENCES
from annotation.web.forms.settings import LIMIT_ERROR
from crowd.models import MOST_MINUTES, MOST_PARTICIPANTS, MembersPay, StartLink
from crowd.start_links import PLATFORM_HOSTS, is_allowed

PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
PAY = ("pay_per_hour", "pay_cap", "currency")
# The fields of a start link that administrators set.
LINK_FIELDS = (
    "platform",
    "id_parameter",
    "visit_parameter",
    "sentences",
    "most_participants",
    "minutes",
    "contact",
    "code",
    "flagged_code",
    "address",
    *PAY,
    "is_on",
)
MONEY = _("Enter an amount such as 12.50, or leave empty.")
PAY_WIDGETS = {
    "pay_per_hour": forms.NumberInput(attrs={"min": 0, "step": "0.01"}),
    "pay_cap": forms.NumberInput(attrs={"min": 0, "step": "0.01"}),
    "currency": forms.TextInput(attrs={"autocapitalize": "characters", "spellcheck": "false"}),
}
PAY_HELP = {
    "pay_per_hour": _("For active time. Leave empty if you do not pay."),
    "pay_cap": _("Leave empty for no limit."),
    "currency": _("Three letters, for example EUR."),
}
PAY_ERRORS = {
    name: dict.fromkeys(
        ("invalid", "min_value", "max_digits", "max_decimal_places", "max_whole_digits"), MONEY
    )
    for name in ("pay_per_hour", "pay_cap")
}
PEOPLE = format_lazy(_("Enter a whole number from 1 to {most}."), most=MOST_PARTICIPANTS)
MINUTES = format_lazy(
    _("Enter a whole number from 1 to {most}, or leave empty."), most=MOST_MINUTES
)
CODES = ("invalid", "min_value", "max_value")


class PayForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """The pay of annotators without a start link."""

    class Meta:
        model = MembersPay
        fields = PAY
        widgets = PAY_WIDGETS
        help_texts = PAY_HELP
        error_messages = PAY_ERRORS


class StartLinkForm(forms.ModelForm):  # type: ignore[type-arg]
    """A start link."""

    class Meta:
        model = StartLink
        fields = LINK_FIELDS
        widgets = PAY_WIDGETS | {
            "sentences": forms.NumberInput(attrs={"min": 1, "max": MOST_SENTENCES}),
            "most_participants": forms.NumberInput(attrs={"min": 1, "max": MOST_PARTICIPANTS}),
            "minutes": forms.NumberInput(attrs={"min": 1, "max": MOST_MINUTES}),
            "contact": forms.TextInput(attrs={"dir": "auto"}),
        }
        help_texts = PAY_HELP | {
            "platform": _("Prolific, MTurk, or any other name."),
            "id_parameter": _(
                "URL parameter with the participant’s ID: PROLIFIC_PID at Prolific, workerId at "
                "MTurk."
            ),
            "visit_parameter": _(
                "Stored for your records (optional): SESSION_ID or STUDY_ID at Prolific, "
                "assignmentId at MTurk."
            ),
            "sentences": _(
                "Repeats and control sentences count; practice and skipped sentences do not. Leave "
                "empty to let people judge until nothing is left."
            ),
            "most_participants": _(
                "The places of your study and a few more for your own tests. Anyone who knows the "
                "link can make up IDs."
            ),
            "minutes": _("Shown to participants before they start."),
            "contact": _("A name and an email. Shown at the start and at the end."),
            "code": _("Shown at the end. Participants paste it into the platform."),
            "flagged_code": _(
                "Shown instead to participants who were flagged on the page Quality; they are not "
                "sent to the redirect URL. If empty, they end like the others, but those who are "
                "paused before the end get no code until you resume them."
            ),
            "address": _(
                "Where participants go at the end: with a completion code, by a button; without "
                "one, automatically."
            ),
            "is_on": _("If off, only people who already started can continue."),
        }
        error_messages = PAY_ERRORS | {
            "platform": {"required": _("Enter the name of the platform.")},
            "sentences": dict.fromkeys(CODES, LIMIT_ERROR),
            "most_participants": dict.fromkeys((*CODES, "required"), PEOPLE),
            "minutes": dict.fromkeys(CODES, MINUTES),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("id_parameter", "visit_parameter", "code", "flagged_code", "address"):
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
                    "Only https URLs of these hosts are allowed: %(hosts)s. The site administrator "
                    "can add others (CROWD_HOSTS)."
                )
                % {"hosts": ", ".join([*PLATFORM_HOSTS, *settings.CROWD_HOSTS])}
            )
        return address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        same = cleaned.get("id_parameter")
        if same and same == cleaned.get("visit_parameter"):
            self.add_error("visit_parameter", _("This is already the participant ID parameter."))
        return cleaned

    def _parameter(self, name: str) -> str:
        value: str = self.cleaned_data[name]
        if value and not PARAMETER.fullmatch(value):
            raise forms.ValidationError(
                _("Enter a parameter name of letters, digits and _, for example PROLIFIC_PID.")
            )
        return value
