"""Forms of questionnaires: for administrators who write one, and for annotators who answer it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.projects.limits import with_plain_line_ends
from people.models import Question, Questionnaire
from people.questionnaires import (
    LARGEST_NUMBER,
    LONGEST_ANSWER,
    LONGEST_CONSENT,
    LONGEST_OPTION,
    MOST_OPTIONS,
    MOST_QUESTIONS,
    NewQuestion,
    Value,
)

PREFIX: Final = "questions"
YES_NO: Final = (("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No")))


class ConsentForm(forms.Form):
    """What applies to the questionnaire as a whole."""

    consent = forms.CharField(
        label=gettext_lazy("Consent text"),
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 10, "dir": "auto", "maxlength": LONGEST_CONSENT, "spellcheck": "true"}
        ),
        help_text=gettext_lazy(
            "Markdown: **bold**, *italic*, lists with - or 1., headings with #, and links. "
            "Annotators tick that they agree. Leave empty to ask for no consent."
        ),
    )
    ask_again = forms.BooleanField(
        label=gettext_lazy("Ask annotators who have already answered again"),
        required=False,
        help_text=gettext_lazy(
            "For example, because the consent has changed. Otherwise only annotators who have not "
            "answered yet see the new version."
        ),
    )

    def clean_consent(self) -> str:
        text: str = with_plain_line_ends(self.cleaned_data["consent"])
        if len(text) > LONGEST_CONSENT:
            raise ValidationError(
                _("The consent text is too long. The limit is %(limit)d characters.")
                % {"limit": LONGEST_CONSENT}
            )
        return text


class QuestionForm(forms.Form):
    """One question of the questionnaire."""

    text = forms.CharField(
        label=gettext_lazy("Question"),
        max_length=Question._meta.get_field("text").max_length,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        error_messages={"required": gettext_lazy("Enter the question, or remove it.")},
    )
    kind = forms.ChoiceField(label=gettext_lazy("Answer"), choices=())
    options = forms.CharField(
        label=gettext_lazy("Choices"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=gettext_lazy("One a line. Only for an answer from a list."),
    )
    required = forms.BooleanField(
        label=gettext_lazy("An answer is required"), required=False, initial=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = cast(forms.ChoiceField, self.fields["kind"])
        kind.choices = [(value, capfirst(name)) for value, name in Question.Kind.choices]

    def clean_options(self) -> tuple[str, ...]:
        lines = with_plain_line_ends(self.cleaned_data["options"]).split("\n")
        options = tuple(" ".join(line.split()) for line in lines if line.strip())
        if len(options) > MOST_OPTIONS:
            raise ValidationError(
                _("Too many choices. The limit is %(limit)d.") % {"limit": MOST_OPTIONS}
            )
        if too_long := [option for option in options if len(option) > LONGEST_OPTION]:
            raise ValidationError(
                _("This choice is too long. The limit is %(limit)d characters: %(choice)s")
                % {"limit": LONGEST_OPTION, "choice": f"{too_long[0][:50]}…"}
            )
        if repeated := {option for option in options if options.count(option) > 1}:
            raise ValidationError(
                _("Each choice may be listed once: %(choices)s")
                % {"choices": ", ".join(sorted(repeated))}
            )
        return options

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if "options" in fields and "kind" in fields:
            if fields["kind"] != Question.Kind.CHOICE:
                fields["options"] = ()
            elif len(fields["options"]) < 2:
                self.add_error("options", _("Enter at least two choices, one a line."))
        return fields

    def question(self) -> NewQuestion:
        """Return the valid question."""
        fields = self.cleaned_data
        return NewQuestion(fields["text"], fields["kind"], fields["required"], fields["options"])


class QuestionFormSet(forms.BaseFormSet):  # type: ignore[type-arg]  # no generic at run time
    def clean(self) -> None:
        # A form without TOTAL_FORMS has errors of the set alone.
        if any(self.errors) or self.non_form_errors():
            return
        texts = [question.text for question in self.questions()]
        if repeated := {text for text in texts if texts.count(text) > 1}:
            raise ValidationError(
                _("Each question may be asked once: %(questions)s")
                % {"questions": "; ".join(sorted(repeated))}
            )

    def questions(self) -> list[NewQuestion]:
        """Return the valid questions, without those removed, in order."""
        return [form.question() for form in self.ordered_forms]


Questions = cast(
    type[QuestionFormSet],
    forms.formset_factory(
        QuestionForm,
        formset=QuestionFormSet,
        extra=0,
        can_order=True,
        can_delete=True,
        max_num=MOST_QUESTIONS,
        absolute_max=MOST_QUESTIONS,
        validate_max=True,
    ),
)


def as_initial(questions: Sequence[NewQuestion]) -> list[dict[str, Any]]:
    """Return the initial values of Questions."""
    return [
        {
            "text": question.text,
            "kind": question.kind,
            "required": question.required,
            "options": "\n".join(question.options),
        }
        for question in questions
    ]


def posted_initial(posted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what was typed so far, unchecked, as the initial values of Questions."""
    total = posted.get(f"{PREFIX}-TOTAL_FORMS", "")
    rows = int(total) if total.isdecimal() and len(total) < 4 else 0
    typed = [
        {
            "text": posted.get(f"{PREFIX}-{row}-text", ""),
            "kind": posted.get(f"{PREFIX}-{row}-kind", ""),
            "options": with_plain_line_ends(posted.get(f"{PREFIX}-{row}-options", "")),
            "required": f"{PREFIX}-{row}-required" in posted,
        }
        for row in range(min(rows, MOST_QUESTIONS))
        if f"{PREFIX}-{row}-DELETE" not in posted
    ]
    return typed


class AnswerForm(forms.Form):
    """The consent and the questions of one questionnaire; `values` has the answers."""

    def __init__(
        self,
        *args: Any,
        questionnaire: Questionnaire,
        given: Mapping[str, Value] | None = None,
        agreed: bool = False,
        **kwargs: Any,
    ) -> None:
        """`given` are earlier answers by the texts of their questions; `agreed` ticks the box."""
        super().__init__(*args, **kwargs)
        self.questions = list(questionnaire.questions.all())
        for question in self.questions:
            field = _field_of(question)
            earlier = (given or {}).get(question.text)
            if isinstance(earlier, bool):
                field.initial = "yes" if earlier else "no"
            elif earlier is not None:
                field.initial = earlier
            self.fields[f"question-{question.position}"] = field
        if questionnaire.consent:
            self.fields["agree"] = forms.BooleanField(
                label=_("I have read this and agree."),
                error_messages={"required": _("Tick the box to take part.")},
                initial=agreed,
            )

    def question_fields(self) -> list[forms.BoundField]:
        return [self[f"question-{question.position}"] for question in self.questions]

    def values(self) -> dict[int, Value]:
        """Return the valid answers by the ids of questions, without those left out."""
        found: dict[int, Value] = {}
        for question in self.questions:
            value = self.cleaned_data[f"question-{question.position}"]
            if value in ("", None):
                continue
            found[question.pk] = value == "yes" if question.kind == Question.Kind.YES_NO else value
        return found


def _field_of(question: Question) -> forms.Field:
    missing = {"required": _("Answer this question.")}
    shared: dict[str, Any] = {
        "label": question.text,
        "required": question.required,
    }
    if question.kind == Question.Kind.NUMBER:
        number = dict.fromkeys(("invalid", "min_value", "max_value"), _("Enter a number."))
        return forms.FloatField(
            **shared,
            min_value=-LARGEST_NUMBER,
            max_value=LARGEST_NUMBER,
            error_messages=missing | number,
            widget=forms.NumberInput(attrs={"step": "any", "min": None, "max": None}),
        )
    if question.kind == Question.Kind.TEXT:
        return forms.CharField(
            **shared,
            max_length=LONGEST_ANSWER,
            error_messages=missing,
            widget=forms.TextInput(attrs={"dir": "auto"}),
        )
    choices: list[tuple[str, Any]] = (
        list(YES_NO)
        if question.kind == Question.Kind.YES_NO
        else [(option, option) for option in question.choices]
    )
    few = len(choices) <= 7
    if few and question.required:
        widget: forms.Widget = forms.RadioSelect()
    else:
        choices = [
            ("", _("No answer") if not question.required else _("Select an answer")),
            *choices,
        ]
        widget = forms.RadioSelect() if few else forms.Select()
    return forms.ChoiceField(
        **shared,
        choices=choices,
        error_messages=missing | {"invalid_choice": _("Select one of the answers.")},
        widget=widget,
    )
