"""Forms for a project's webhooks."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webhooks import url_policy
from webhooks.models import LONGEST_ADDRESS, Event, Webhook


class NewWebhookForm(forms.Form):
    address = forms.CharField(
        label=_("URL"),
        widget=forms.URLInput(
            attrs={
                "placeholder": "https://",
                "autocomplete": "off",
                "spellcheck": "false",
                "maxlength": LONGEST_ADDRESS,
            }
        ),
        error_messages={"required": _("Enter the URL.")},
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[(event.value, event.label) for event in Event],
        widget=forms.CheckboxSelectMultiple,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice", "invalid_list"), _("Select at least one event.")
        ),
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            url_policy.check(address)
        except url_policy.NotAllowed as problem:
            raise forms.ValidationError(str(problem)) from None
        return address


class WebhookForm(NewWebhookForm):
    """Changes to a webhook, which can also be turned off."""

    active = forms.BooleanField(label=_("On"), required=False)

    def __init__(self, data: Any = None, *, webhook: Webhook) -> None:
        initial = {
            "address": webhook.address,
            "events": webhook.events,
            "active": webhook.active,
        }
        super().__init__(data, initial=initial, auto_id=f"id_%s_{webhook.pk}")
