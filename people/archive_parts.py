"""What people adds to a project's archive: its questionnaires, and the answers.

Invitations and reminders are left out: they concern accounts of this installation.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db.models import Prefetch

from annotation.formats.archive_records import QuestionnaireRecord, QuestionPart, ResponseRecord
from annotation.formats.errors import InputError
from annotation.import_export.archive_parts import Page, Part
from annotation.models import Membership, Project, User
from annotation.projects.annotator_names import account_names
from people.models import Answer, Question, Questionnaire, Response
from people.questionnaires import column_of

# The types of values by columns of Answer; True and False are no numbers.
TYPES: dict[str, tuple[type, ...]] = {"text": (str,), "yes": (bool,), "number": (float, int)}


def _questionnaires(project: Project) -> Iterator[QuestionnaireRecord]:
    names = account_names(project)
    questions = Prefetch("questions", Question.objects.order_by("position"))
    for row in project.questionnaires.order_by("version").prefetch_related(questions):
        yield QuestionnaireRecord(
            version=row.version,
            valid_from=row.valid_from,
            consent=row.consent,
            created=row.created,
            # An author who is no member any more may have no name in the archive.
            author=None if row.author_id is None else names.get(row.author_id),
            questions=[
                QuestionPart(question.text, question.kind, question.choices, question.required)  # type: ignore[arg-type]
                for question in row.questions.all()
            ],
        )


def _responses(project: Project) -> Iterator[ResponseRecord]:
    """Yield the answers of people whom the archive names: members and former annotators."""
    names = account_names(project)
    answers = Answer.objects.select_related("question").order_by("question__position")
    rows = Response.objects.filter(questionnaire__project=project, user__in=names)
    rows = rows.select_related("questionnaire").prefetch_related(Prefetch("answers", answers))
    for row in rows.order_by("questionnaire__version", "pk"):
        yield ResponseRecord(
            version=row.questionnaire.version,
            person=names[row.user_id],
            created=row.created,
            answers=[(one.question.position - 1, one.value) for one in row.answers.all()],
        )


def _restore_questionnaires(project: Project) -> Callable[[Page], None]:
    def restore(page: Page) -> None:
        people = _people(project)
        for where, record in page:
            if project.questionnaires.filter(version=record.version).exists():
                raise InputError(f"{where}: there are two questionnaires {record.version}.")
            if record.valid_from > record.version:
                raise InputError(f"{where}: `valid_from` is a later version.")
            row = Questionnaire.objects.create(
                project=project,
                version=record.version,
                valid_from=record.valid_from,
                consent=record.consent,
                created=record.created,
                author=None if record.author is None else _person(where, record.author, people),
            )
            Question.objects.bulk_create(
                Question(
                    questionnaire=row,
                    position=position,
                    text=question.text,
                    kind=question.kind,
                    options="\n".join(question.options),
                    required=question.required,
                )
                for position, question in enumerate(record.questions, start=1)
            )
            asked = record.valid_from if record.consent or record.questions else 0
            Project.with_hidden.filter(pk=project.pk).update(asked_version=asked)

    return restore


def _restore_responses(project: Project) -> Callable[[Page], None]:
    people = _people(project)
    rows = project.questionnaires.prefetch_related("questions")
    versions = {row.version: row for row in rows}
    questions = {
        version: {question.position: question for question in row.questions.all()}
        for version, row in versions.items()
    }

    def restore(page: Page) -> None:
        for where, record in page:
            if record.version not in versions:
                raise InputError(f"{where}: there is no questionnaire {record.version}.")
            user = _person(where, record.person, people)
            response = Response.objects.create(
                questionnaire=versions[record.version], user=user, created=record.created
            )
            Answer.objects.bulk_create(
                Answer(
                    response=response, **_columns(where, position, value, questions[record.version])
                )
                for position, value in record.answers
            )
            member = Membership.objects.filter(project=project, user=user)
            member.filter(answered_version__lt=record.version).update(
                answered_version=record.version
            )

    return restore


def _columns(
    where: str, position: int, value: str | bool | float, questions: dict[int, Question]
) -> dict[str, Any]:
    question = questions.get(position + 1)
    if question is None:
        raise InputError(f"{where}: there is no question {position} (from 0).")
    column = column_of(question.kind)
    if not isinstance(value, TYPES[column]) or (column == "number" and isinstance(value, bool)):
        raise InputError(f"{where}: the answer {position} (from 0) is not of its question's kind.")
    return {"question": question, column: value}


def _people(project: Project) -> dict[str, User]:
    """Return the accounts that were imported with a restored project, by name."""
    return {user.display_name: user for user in User.objects.filter(imported_with=project)}


def _person(where: str, name: str, people: dict[str, User]) -> User:
    if name not in people:
        raise InputError(f"{where}: there is no account {name!r} in the archive.")
    return people[name]


PARTS: Final = (
    Part(QuestionnaireRecord, _questionnaires, _restore_questionnaires),
    Part(ResponseRecord, _responses, _restore_responses),
)
