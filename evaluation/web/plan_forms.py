"""The form of a plan, from what plans ask for."""

from typing import Any

from django import forms
from django.utils.translation import gettext as translated  # no msgid is extracted
from django.utils.translation import gettext_lazy as _

from annotation.kinds import KINDS
from annotation.models import Membership, Project, User
from evaluation.findings.plan import ASKED, Asked, PlanOptions
from evaluation.services.plans import plannable_kinds


class PlanForm(forms.Form):
    """A kind or an earlier project, and the numbers of a campaign."""

    kind = forms.ChoiceField(label=_("Kind of judgement"), required=False)
    project = forms.ModelChoiceField(
        label=_("Earlier project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=_("None: by published figures"),
        help_text=_("Its judgements say how long a translation takes, and how scores vary."),
    )

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data)
        known = {kind.name for kind in plannable_kinds()}
        self.fields["kind"] = forms.ChoiceField(
            label=_("Kind of judgement"),
            required=False,
            choices=[
                ("", _("That of the earlier project")),
                *((kind.name, kind.label) for kind in KINDS.values() if kind.name in known),
            ],
        )
        observed = Membership.objects.filter(user=user, role__in=Membership.OBSERVING)
        projects = Project.objects.order_by("-pk")
        if not user.is_superuser:
            projects = projects.filter(pk__in=observed.values("project"))
        field = self.fields["project"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = projects
        for asked in ASKED:
            self.fields[asked.name] = _field(asked)

    @property
    def options(self) -> PlanOptions:
        """The numbers of a valid form. Raises InputError for those that do not fit each other."""
        given = {asked.name: self.cleaned_data[asked.name] for asked in ASKED}
        return PlanOptions(**{name: value for name, value in given.items() if value is not None})

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or self.cleaned_data
        if not found.get("kind") and not found.get("project"):
            self.add_error("kind", _("Choose a kind, or an earlier project."))
        return found


def _field(asked: Asked) -> forms.Field:
    words: dict[str, Any] = {
        "label": translated(asked.label.message),
        "help_text": translated(str(asked.help)) if asked.help else "",
        "required": asked.required,
        "initial": asked.default,
    }
    if asked.is_whole:
        return forms.IntegerField(min_value=int(asked.least), max_value=int(asked.most), **words)
    return forms.FloatField(min_value=asked.least, max_value=asked.most, **words)
