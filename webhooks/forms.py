"""What the administrators of a project fill in about whom to tell."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from webhooks import url_policy
from webhooks.models import LONGEST_ADDRESS, Event, Webhook


class NewWebhookForm(forms.Form):
    """Where to send, and what of."""

    address = forms.CharField(
        label=_("Address"),
        widget=forms.URLInput(
            attrs={
                "placeholder": "https://",
                "autocomplete": "off",
                "spellcheck": "false",
                "maxlength": LONGEST_ADDRESS,
            }
        ),
        error_messages={"required": _("Write the address that is to be told.")},
    )
    events = forms.MultipleChoiceField(
        label=_("Tell it when"),
        choices=[(event.value, event.label) for event in Event],
        widget=forms.CheckboxSelectMultiple,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice", "invalid_list"), _("Choose at least one event.")
        ),
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            url_policy.parse(address)
        except url_policy.NotAllowed as problem:
            raise forms.ValidationError(str(problem)) from None
        return address


class WebhookForm(NewWebhookForm):
    """The same of one that is there, which can be turned off too."""

    active = forms.BooleanField(label=_("On"), required=False)

    def __init__(self, data: Any = None, *, webhook: Webhook) -> None:
        initial = {
            "address": webhook.address,
            "events": webhook.events,
            "active": webhook.active,
        }
        super().__init__(data, initial=initial, auto_id=f"id_%s_{webhook.pk}")


def event_name(event: str) -> str:
    """Return the event in words, the one that is sent by hand too."""
    return str(capfirst(dict(Event.choices).get(event, _("a test"))))
