"""The form of a project's rules of quality, in the units that people read."""

from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from evaluation.models import QualityRule, RuleKind

# As many as the database can count.
LARGEST_AFTER: Final = 2**31 - 1
# Smallest and largest limit, and step, as shown: shares are percentages.
RANGES: Final = {
    RuleKind.SECONDS: (0, 600, 0.1),
    RuleKind.CONTROLS: (0, 100, 1),
    RuleKind.ONE_RANK: (0, 100, 1),
    RuleKind.KAPPA: (-1, 1, 0.01),
    RuleKind.SHOWN_ORDER: (0, 100, 1),
    RuleKind.PRACTICE: (0, 100, 1),
}
SHARES: Final = (
    RuleKind.CONTROLS,
    RuleKind.ONE_RANK,
    RuleKind.SHOWN_ORDER,
    RuleKind.PRACTICE,
)
LIMITS: Final = {
    RuleKind.SECONDS: _("Enter a number of seconds from 0 to 600."),
    RuleKind.KAPPA: _("Enter a number from -1 to 1."),
}
PERCENT: Final = _("Enter a percentage from 0 to 100.")
AFTER: Final = _("Enter a whole number from 1.")
CODES: Final = ("required", "invalid", "min_value", "max_value")


class RuleForm(forms.Form):
    """One rule; its fields have the kind as prefix."""

    limit = forms.FloatField(label=_("Limit"))
    after = forms.IntegerField(
        label=_("After so many"),
        min_value=1,
        max_value=LARGEST_AFTER,
        error_messages=dict.fromkeys(CODES, AFTER),
    )
    action = forms.ChoiceField(
        label=_("Action"),
        choices=[(action.value, capfirst(action.label)) for action in QualityRule.Action],
    )

    def __init__(self, data: Any = None, *, rule: QualityRule) -> None:
        self.kind = RuleKind(rule.kind)
        self.is_share = self.kind in SHARES
        limit = round(100 * rule.limit, 1) if self.is_share else rule.limit
        # Without ".0".
        shown = int(limit) if limit == int(limit) else limit
        initial = {"limit": shown, "after": rule.after, "action": rule.action}
        super().__init__(data, initial=initial, prefix=rule.kind)
        smallest, largest, step = RANGES[self.kind]
        self.fields["limit"] = forms.FloatField(
            label=_("Limit"),
            min_value=smallest,
            max_value=largest,
            widget=forms.NumberInput(attrs={"step": step}),
            error_messages=dict.fromkeys(CODES, LIMITS.get(self.kind, PERCENT)),
        )

    def values(self) -> dict[str, Any]:
        """Return the valid values as they are stored."""
        limit = self.cleaned_data["limit"]
        return self.cleaned_data | {"limit": limit / 100 if self.is_share else limit}
