"""The consent text and questions of a project, and what people answered.

Annotators answer once before they judge. `Project.asked_version` and `Membership.answered_version`
say who still has to, so that the judging page needs no query for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.common.markdown import as_html
from annotation.common.transactions import retried
from annotation.formats.csv_escaping import csv_line
from annotation.models import Membership, Project, User
from annotation.process import clock
from annotation.projects.annotator_names import account_names
from people.models import Answer, Question, Questionnaire, Response

MOST_QUESTIONS: Final = 30
MOST_OPTIONS: Final = 100
LONGEST_OPTION: Final = 200
LONGEST_CONSENT: Final = 20_000
LONGEST_ANSWER: Final = 1000
# Numbers that answer a question, positive and negative.
LARGEST_NUMBER: Final = 1e12

Value = str | bool | float


@dataclass(frozen=True)
class NewQuestion:
    """A question to store; `options` are the choices of the kind "choice", and else empty."""

    text: str
    kind: str
    required: bool = True
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswerTable:
    """The answers of people, a row each with the values of `questions`, None where not answered."""

    questions: list[str]
    rows: list["AnswerRow"]


@dataclass(frozen=True)
class AnswerRow:
    """The latest answers of a person, by `name` and user name, to the questionnaire `version`."""

    user_id: int
    name: str
    username: str
    version: int
    created: datetime
    values: list[Value | None]


def presets() -> dict[str, NewQuestion]:
    """Return questions that many studies ask, in the language of the page."""
    choice = Question.Kind.CHOICE
    levels = ("A1", "A2", "B1", "B2", "C1", "C2", _("native language"))
    experience = (
        _("none"),
        _("occasional translations"),
        _("I study or studied translation"),
        _("I am a professional translator"),
    )
    return {
        "native": NewQuestion(_("What is your native language?"), Question.Kind.TEXT),
        "level": NewQuestion(
            _("How well do you know the target language?"), choice, options=levels
        ),
        "experience": NewQuestion(
            _("What is your experience with translation?"), choice, options=experience
        ),
    }


def versions(project: Project) -> QuerySet[Questionnaire]:
    """Return all versions with their questions, the newest first."""
    questions = Prefetch("questions", Question.objects.order_by("position"))
    rows = Questionnaire.objects.filter(project=project).select_related("author")
    return rows.prefetch_related(questions).order_by("-version")


def current_questionnaire(project: Project) -> Questionnaire | None:
    """Return the latest version; None if the project asks nothing."""
    latest = versions(project).first()
    return latest if latest and (latest.consent or latest.questions.all()) else None


def consent_html(questionnaire: Questionnaire) -> str:
    """Return the consent text as HTML; HTML tags and images in it stay plain text."""
    return as_html(questionnaire.consent) if questionnaire.consent else ""


@retried
def write_questionnaire(
    *,
    project: Project,
    author: User | None,
    consent: str,
    questions: Sequence[NewQuestion],
    ask_again: bool = False,
) -> Questionnaire | None:
    """Store a new version, which takes effect now; without consent and questions, none is asked.

    With `ask_again`, people who have answered an earlier version answer this one too. Returns None
    if nothing changed.
    """
    consent = consent.strip()
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        latest = versions(project).first()
        if _is_same(latest, consent, questions) and not ask_again:
            return None
        version = latest.version + 1 if latest else 1
        written = Questionnaire.objects.create(
            project=project,
            version=version,
            valid_from=latest.valid_from if latest and not ask_again else version,
            consent=consent,
            created=clock.now(),
            author=author,
        )
        Question.objects.bulk_create(
            Question(
                questionnaire=written,
                position=position,
                text=question.text,
                kind=question.kind,
                options="\n".join(question.options),
                required=question.required,
            )
            for position, question in enumerate(questions, start=1)
        )
        asked = written.valid_from if consent or questions else 0
        Project.objects.filter(pk=project.pk).update(asked_version=asked)
    return written


def copy_questionnaire(*, original: Project, copy: Project, by: User, **_signal: object) -> None:
    """Make the current questionnaire, if there is one, the first version of a copy's."""
    current = current_questionnaire(original)
    if current is not None:
        write_questionnaire(
            project=copy,
            author=by,
            consent=current.consent,
            questions=[_as_new(row) for row in current.questions.all()],
        )


def _as_new(row: Question) -> NewQuestion:
    return NewQuestion(row.text, row.kind, row.required, tuple(row.choices))


def _is_same(latest: Questionnaire | None, consent: str, questions: Sequence[NewQuestion]) -> bool:
    if latest is None:
        return not consent and not questions
    stored = [_as_new(row) for row in latest.questions.all()]
    return latest.consent == consent and stored == list(questions)


@retried
def store_response(
    *, user: User, questionnaire: Questionnaire, values: Mapping[int, Value]
) -> Response:
    """Store the consent and the answers, by the ids of questions; they replace earlier ones.

    The caller has validated the values. The user, if a member of the project, may judge from now.
    """
    kinds = {question.pk: question.kind for question in questionnaire.questions.all()}
    with transaction.atomic():
        # Locked first: two requests of the same person at once store one response.
        members = Membership.objects.select_for_update(no_key=True)
        member = members.filter(user=user, project=questionnaire.project_id).first()
        response, _is_new = Response.objects.update_or_create(
            questionnaire=questionnaire, user=user, defaults={"created": clock.now()}
        )
        response.answers.all().delete()
        Answer.objects.bulk_create(
            Answer(response=response, question_id=pk, **{column_of(kinds[pk]): value})
            for pk, value in values.items()
        )
        if member:
            Membership.objects.filter(pk=member.pk).update(answered_version=questionnaire.version)
    return response


def column_of(kind: str) -> str:
    """Return the column of Answer for this kind of question."""
    return {Question.Kind.YES_NO.value: "yes", Question.Kind.NUMBER.value: "number"}.get(
        kind, "text"
    )


def mark_answered(membership: Membership) -> None:
    """Let the member judge, because the project has no questionnaire any more."""
    Membership.objects.filter(pk=membership.pk).update(
        answered_version=membership.project.asked_version
    )


def response_of(user: User, project: Project) -> Response | None:
    """Return the latest answers of the user in the project, with the questions."""
    return latest_responses(project).filter(user=user).first()


def latest_responses(project: Project) -> QuerySet[Response]:
    """Return the latest response of each person, with questionnaires, answers and questions."""
    answers = Answer.objects.select_related("question").order_by("question__position")
    of_project = Response.objects.filter(questionnaire__project=project)
    newer = of_project.filter(user=OuterRef("user")).order_by("-questionnaire__version")
    return (
        of_project.filter(pk=Subquery(newer.values("pk")[:1]))
        .select_related("questionnaire", "user")
        .prefetch_related(Prefetch("answers", answers))
        .order_by("pk")
    )


def answer_table(project: Project) -> AnswerTable:
    """Return the latest answers of all people, in a fixed number of queries.

    Questions of the current version come first; those of earlier versions with the same text share
    its column.
    """
    columns: dict[str, int] = {}
    for version in versions(project):
        for question in version.questions.all():
            columns.setdefault(question.text, len(columns))
    names = account_names(project)
    rows = []
    for response in latest_responses(project):
        values: list[Value | None] = [None] * len(columns)
        for answer in response.answers.all():
            values[columns[answer.question.text]] = answer.value
        rows.append(
            AnswerRow(
                user_id=response.user_id,
                name=names.get(response.user_id, response.user.shown_name),
                username=response.user.username,
                version=response.questionnaire.version,
                created=response.created,
                values=values,
            )
        )
    return AnswerTable(list(columns), rows)


def answers_csv(table: AnswerTable) -> Iterator[str]:
    """Yield the table as CSV, with "yes" and "no" for answers of that kind."""
    yield csv_line(["annotator", "username", "version", "answered", *table.questions])
    for row in table.rows:
        values = ["" if value is None else plain_value(value) for value in row.values]
        fixed = [row.name, row.username, str(row.version), row.created.isoformat()]
        yield csv_line([*fixed, *values])


def plain_value(value: Value) -> str:
    """Return the value as in files: numbers without a needless ".0", "yes" or "no"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0") if isinstance(value, float) else value
