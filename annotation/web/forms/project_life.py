"""The forms that rename, copy and delete a project."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.formats.names import plain_name
from annotation.models import Project
from annotation.projects.administration import NAME_IS_TAKEN
from annotation.projects.limits import LONGEST_NAME

NO_NAME = _("Enter a name. All members of the project will see it.")


class NameField(forms.CharField):
    """A name in its plain form."""

    def to_python(self, value: Any) -> str:
        return plain_name(str(super().to_python(value)))


class ProjectNameField(NameField):
    """The name of a project, printable and on one line."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            **{
                "label": _("Project name"),
                "max_length": LONGEST_NAME,
                "widget": forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
                "error_messages": {
                    "required": NO_NAME,
                    "max_length": _(
                        "The name is too long. The limit is %(limit_value)d characters."
                    ),
                },
            }
            | kwargs
        )

    def clean(self, value: Any) -> str:
        name = str(super().clean(value))
        if not name.isprintable():
            raise forms.ValidationError(_("The name has characters that cannot be printed."))
        return name


class ProjectNameForm(forms.Form):
    """A name that no other project has."""

    name = ProjectNameField()

    def __init__(self, *args: Any, project: Project | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        others = Project.objects.exclude(pk=self.project.pk) if self.project else Project.objects
        if others.filter(name=name).exists():
            raise forms.ValidationError(NAME_IS_TAKEN)
        return name


class CopyForm(ProjectNameForm):
    """The name of a copy, and whether it gets the texts."""

    texts = forms.ChoiceField(
        choices=[("with", ""), ("without", "")],
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose what to copy.")),
    )


class DeletionForm(forms.Form):
    """The name of the project, typed by its owner."""

    name = NameField(label=_("Type the name of the project"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        self.fields["name"].widget.attrs |= {
            "autocomplete": "off",
            "autocapitalize": "none",
            "spellcheck": "false",
            "dir": "auto",
        }

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name != self.project.name:
            raise forms.ValidationError(_("This is not the name of the project."))
        return name
