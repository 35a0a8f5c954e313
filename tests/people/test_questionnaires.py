"""The questionnaire of a project: written in versions, answered once before judging."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import Membership, Project, User
from annotation.pipeline.project_copy import new_copy
from annotation.projects.deletion import delete_project
from crowd.anonymisation import anonymise
from crowd.data_export import personal_data
from people.models import Answer, Questionnaire, Response
from people.questionnaires import (
    NewQuestion,
    answer_table,
    current_questionnaire,
    response_of,
    store_response,
    write_questionnaire,
)
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, first_record
from tests.crowd.coming import make_link
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
NATIVE = NewQuestion("What is your native language?", "text")
LEVEL = NewQuestion("Your level?", "choice", options=("A1", "C2"))
STUDENT = NewQuestion("Are you a student?", "yes-no", required=False)
AGE = NewQuestion("How old are you?", "number", required=False)
ALL = [NATIVE, LEVEL, STUDENT, AGE]
ANSWERS = {
    "version": 1,
    "question-1": "čeština",
    "question-2": "C2",
    "question-3": "no",
    "question-4": "31",
    "agree": "on",
}


@pytest.fixture
def jana(project):
    return make_annotator(project)


def write(project, boss, *questions, consent="", **options):
    return write_questionnaire(
        project=project, author=boss, consent=consent, questions=questions, **options
    )


def page(project, name="judge"):
    return reverse(name, args=[project.pk])


def is_asked(client, project):
    answer = client.get(page(project))
    return answer.status_code == 302 and page(project, "answer-questionnaire") in answer["Location"]


def values_of(user, project):
    response = response_of(user, project)
    return response and [answer.value for answer in response.answers.all()]


# --- before judging ---------------------------------------------------------------------------


def test_an_annotator_answers_once_before_judging(client, project, boss, jana):
    write(project, boss, *ALL, consent="We *store* it.")
    client.force_login(jana)
    assert is_asked(client, project)
    form = client.get(page(project, "answer-questionnaire")).content.decode()
    assert "We <em>store</em> it." in form
    done = client.post(page(project, "answer-questionnaire"), ANSWERS)
    assert done["Location"] == page(project)
    assert client.get(page(project)).status_code == 200
    assert values_of(jana, project) == ["čeština", "C2", False, 31.0]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"question-1": ""}, "question-1"),
        ({"question-1": "x" * 1001}, "question-1"),
        ({"question-2": "B1"}, "question-2"),
        ({"question-2": ""}, "question-2"),
        ({"question-3": "maybe"}, "question-3"),
        ({"question-4": "old"}, "question-4"),
        ({"question-4": "inf"}, "question-4"),
        ({"question-4": "1e13"}, "question-4"),
        ({"agree": ""}, "agree"),
    ],
)
def test_a_wrong_answer_is_marked_and_nothing_is_stored(
    client, project, boss, jana, changed, field
):
    write(project, boss, *ALL, consent="We store it.")
    client.force_login(jana)
    answer = client.post(page(project, "answer-questionnaire"), ANSWERS | changed)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert not Response.objects.exists()
    assert is_asked(client, project)


def test_questions_that_are_not_required_can_be_left_out(client, project, boss, jana):
    write(project, boss, *ALL)
    client.force_login(jana)
    answers = ANSWERS | {"question-3": "", "question-4": ""}
    client.post(page(project, "answer-questionnaire"), answers)
    assert values_of(jana, project) == ["čeština", "C2"]


def test_answers_to_a_version_that_was_replaced_are_asked_again(client, project, boss, jana):
    write(project, boss, NATIVE)
    write(project, boss, NATIVE, LEVEL)
    client.force_login(jana)
    answer = client.post(page(project, "answer-questionnaire"), ANSWERS)
    assert answer.status_code == 409
    assert not Response.objects.exists()


def test_judging_takes_no_query_for_it(client, project, boss, jana, django_assert_num_queries):
    client.force_login(jana)
    client.get(page(project))
    with CaptureQueriesContext(connection) as without:
        client.get(page(project))
    written = write(project, boss, NATIVE)
    store_response(user=jana, questionnaire=written, values={})
    assert written
    with django_assert_num_queries(len(without)):
        client.get(page(project))


def test_practice_comes_after_the_questionnaire_too(client, project, boss, jana):
    write(project, boss, NATIVE)
    client.force_login(jana)
    asked = client.get(page(project, "practice"))["Location"]
    done = client.post(asked, ANSWERS | {"next": "practice"})
    assert done["Location"] == page(project, "practice")
    elsewhere = client.post(asked, ANSWERS | {"next": "//example.org"})
    assert elsewhere["Location"] == page(project)


def test_a_crowd_participant_answers_and_cannot_look_at_the_answers_again(client, project, boss):
    write(project, boss, NATIVE)
    link = make_link(project)
    client.post(reverse("start", args=[link.token]) + "?PROLIFIC_PID=" + "a" * 24)
    assert is_asked(client, project)
    path = page(project, "answer-questionnaire")
    assert client.get(path).status_code == 200
    assert client.post(path, ANSWERS)["Location"] == page(project)
    assert client.get(path)["Location"] == page(project)
    client.post(path, ANSWERS | {"question-1": "other"})
    assert Answer.objects.get().text == "čeština"


def test_an_annotator_corrects_the_answers(client, project, boss, jana):
    write(project, boss, NATIVE)
    client.force_login(jana)
    path = page(project, "answer-questionnaire")
    client.post(path, ANSWERS)
    assert 'value="čeština"' in client.get(path).content.decode()
    client.post(path, ANSWERS | {"question-1": "slovenčina"})
    assert values_of(jana, project) == ["slovenčina"]


def test_members_who_do_not_judge_are_not_asked(client, project, boss):
    write(project, boss, NATIVE)
    client.force_login(make_annotator(project, "eva", "observer"))
    assert client.get(page(project, "answer-questionnaire")).status_code == 404


# --- versions ---------------------------------------------------------------------------------


def test_people_who_answered_are_asked_again_only_on_request(project, boss, jana):
    write_and_answer(project, boss, jana)
    write(project, boss, NATIVE, LEVEL)
    assert not due(jana)
    assert due(make_annotator(project, "petr"))
    write(project, boss, NATIVE, LEVEL, ask_again=True)
    assert due(jana)


def test_without_questions_and_consent_nothing_is_asked(project, boss, jana):
    write(project, boss, NATIVE)
    write(project, boss)
    assert not due(jana)
    assert current_questionnaire(project) is None


def test_the_same_text_makes_no_new_version(project, boss):
    assert write(project, boss) is None
    assert write(project, boss, NATIVE, consent="Yes.").version == 1
    assert write(project, boss, NATIVE, consent="Yes.\n") is None


def write_and_answer(project, boss, *people):
    written = write(project, boss, *ALL)
    questions = list(written.questions.order_by("position"))
    for person in people:
        store_response(
            user=person,
            questionnaire=written,
            values={questions[0].pk: "=čeština", questions[2].pk: True, questions[3].pk: 0.5},
        )
    return written


def due(user):
    return Membership.objects.select_related("project").get(user=user).questionnaire_is_due


def test_the_database_refuses_answers_without_one_value(project, boss, jana):
    write_and_answer(project, boss, jana)
    for wrong in ({"text": None}, {"text": ""}, {"yes": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Answer.objects.filter(text="=čeština").update(**wrong)


# --- the administrator's pages ----------------------------------------------------------------


def posted(*questions, **fields):
    rows = {"questions-TOTAL_FORMS": len(questions), "questions-INITIAL_FORMS": 0}
    for number, question in enumerate(questions):
        rows |= {f"questions-{number}-{name}": value for name, value in question.items()}
    return rows | fields


TEXT = {"text": "Native language?", "kind": "text", "required": "on"}
CHOICE = {"text": "Level?", "kind": "choice", "options": " A1 \r\n\r\nC2"}


def test_a_questionnaire_is_saved_in_the_order_given(client, project, boss):
    client.force_login(boss)
    sent = posted(TEXT | {"ORDER": 2}, CHOICE | {"ORDER": 1}, consent="We store it.")
    client.post(page(project, "questionnaire"), sent)
    stored = Questionnaire.objects.get()
    assert stored.consent == "We store it."
    rows = stored.questions.order_by("position")
    assert [(row.text, row.choices, row.required) for row in rows] == [
        ("Level?", ["A1", "C2"], False),
        ("Native language?", [], True),
    ]
    assert Project.objects.get().asked_version == 1


@pytest.mark.parametrize(
    "question",
    [
        TEXT | {"text": ""},
        TEXT | {"text": "x" * 301},
        TEXT | {"kind": "colour"},
        CHOICE | {"options": "A1"},
        CHOICE | {"options": "A1\nA1"},
        CHOICE | {"options": "x" * 201 + "\ny"},
    ],
)
def test_a_wrong_question_is_refused(client, project, boss, question):
    client.force_login(boss)
    answer = client.post(page(project, "questionnaire"), posted(question))
    assert answer.status_code == 400
    assert answer.content.decode().count('aria-invalid="true"') == 1
    assert not Questionnaire.objects.exists()


def test_a_form_that_lacks_its_number_of_questions_is_refused(client, project, boss):
    client.force_login(boss)
    assert client.post(page(project, "questionnaire"), {"consent": "Yes?"}).status_code == 400
    assert not Questionnaire.objects.exists()


def test_a_preset_is_added_to_the_form_and_not_saved(client, project, boss):
    client.force_login(boss)
    sent = posted(TEXT | {"DELETE": "on"}, CHOICE, consent="Typed.", add="level")
    form = client.post(page(project, "questionnaire"), sent)
    added = [question.initial for question in form.context["questions"]]
    assert [one["kind"] for one in added] == ["choice", "choice"]
    assert "Typed." in form.content.decode()
    assert not Questionnaire.objects.exists()


def test_a_preview_saves_nothing(client, project, boss):
    client.force_login(boss)
    sent = posted(TEXT, consent="We **store** it.", preview="1")
    shown = client.post(page(project, "questionnaire"), sent).content.decode()
    assert "We <strong>store</strong> it." in shown
    assert not Questionnaire.objects.exists()


def test_answers_are_listed_and_exported(client, project, boss, jana):
    write_and_answer(project, boss, jana)
    client.force_login(boss)
    listed = client.get(page(project, "questionnaire-answers")).content.decode()
    assert "<bdi>=čeština</bdi>" in listed
    file = client.get(page(project, "questionnaire-answers-csv")).getvalue().decode()
    head, row = csv.reader(StringIO(file))
    assert head[4:] == [question.text for question in ALL]
    assert (row[0], row[4:]) == ("jana", ["'=čeština", "", "yes", "0.5"])


def test_the_table_has_the_latest_answers_in_few_queries(
    project, boss, jana, django_assert_num_queries, django_assert_max_num_queries
):
    write_and_answer(project, boss, jana)
    with django_assert_max_num_queries(8) as few:
        answer_table(project)
    written = write(project, boss, NATIVE, ask_again=True)
    people = [jana, *(make_annotator(project, f"more{number}") for number in range(4))]
    for person in people:
        question = written.questions.get()
        store_response(
            user=person,
            questionnaire=written,
            values={question.pk: person.username},
        )
    with django_assert_num_queries(len(few)):
        table = answer_table(project)
    assert (table.rows[0].version, table.rows[0].values[0]) == (2, "jana")
    assert len(table.rows) == 5


def test_the_api_has_versions_and_answers(client, project, boss, jana):
    write_and_answer(project, boss, jana)
    client.force_login(boss)
    (version,) = client.get(page(project, "api-questionnaires")).json()["results"]
    assert [row["kind"] for row in version["questions"]] == [row.kind for row in ALL]
    (person,) = client.get(page(project, "api-questionnaire-answers")).json()["results"]
    assert [row["answer"] for row in person["answers"]] == ["=čeština", True, 0.5]


# --- data of people and archives --------------------------------------------------------------


def test_a_person_downloads_and_withdraws_the_answers(project, boss, jana):
    write_and_answer(project, boss, jana)
    (mine,) = json.loads("".join(personal_data(jana)))["questionnaires"]
    assert [one["answer"] for one in mine["answers"]] == ["=čeština", True, 0.5]
    anonymise(jana, typed_name="jana")
    assert not Response.objects.exists()
    assert not Answer.objects.exists()


@pytest.mark.databases
def test_questionnaires_come_back_byte_for_byte(project, boss, jana, tmp_path):
    write_and_answer(project, boss, jana, make_annotator(project, "petr"))
    write(project, boss, NATIVE, consent="We store it.")
    first = archive_file(project, tmp_path)
    Project.objects.filter(pk=project.pk).update(name="elsewhere")
    restored = import_project(path=first)
    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    assert Project.objects.get(pk=restored.pk).asked_version == 1
    people = {row.user.display_name: row.answered_version for row in restored.memberships.all()}
    assert people == {"jana": 1, "petr": 1, "boss": 0}
    assert not User.objects.filter(imported_with=restored, is_active=True).exists()


@pytest.mark.parametrize(
    ("record", "changes"),
    [
        ("questionnaire", {"valid_from": 2}),
        ("questionnaire", {"author": "stranger"}),
        ("questionnaire_response", {"version": 2}),
        ("questionnaire_response", {"person": "stranger"}),
        ("questionnaire_response", {"answers": [[9, "x"]]}),
        ("questionnaire_response", {"answers": [[0, True]]}),
        ("questionnaire_response", {"answers": [[3, True]]}),
        ("questionnaire_response", {"answers": [[0, "x"], [0, "y"]]}),
    ],
)
def test_an_archive_that_contradicts_itself_is_refused(
    project, boss, jana, tmp_path, record, changes
):
    write_and_answer(project, boss, jana)
    path = edit_archive(
        archive_file(project, tmp_path), lambda lines: first_record(lines, record).update(changes)
    )
    with pytest.raises(InputError):
        import_project(path=path, name="again")


def test_deletion_of_the_project_deletes_them(project, boss, jana):
    write_and_answer(project, boss, jana)
    delete_project(make_project("other"))
    delete_project(project)
    assert not Questionnaire.objects.exists()


def test_a_copy_asks_the_current_version_as_its_first(project, boss):
    write(project, boss, NATIVE)
    write(project, boss, *ALL, consent="I agree.", ask_again=True)
    copied = Project.objects.get(pk=new_copy(project=project, name="Copy", by=boss).project_id)
    (made,) = copied.questionnaires.all()
    asked = [(row.text, row.kind, row.choices, row.required) for row in made.questions.all()]
    assert asked == [(one.text, one.kind, list(one.options), one.required) for one in ALL]
    assert (made.version, made.consent, copied.asked_version) == (1, "I agree.", 1)
    assert not Response.objects.exists()


def test_a_command_writes_a_version_of_files(project, tmp_path):
    (tmp_path / "consent.md").write_text("I **agree**.\nReally.\n")
    questions = [
        {"text": "Your level?", "kind": "choice", "options": ["A1", "C2"]},
        {"text": "How old are you?", "kind": "number", "required": False},
    ]
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    files = [str(tmp_path / "questions.json"), "--consent", str(tmp_path / "consent.md")]
    call_command("set_questionnaire", project.name, *files)
    written = current_questionnaire(project)
    assert written
    assert written.consent == "I **agree**.\nReally."
    asked = [(one.text, one.kind, one.choices, one.required) for one in written.questions.all()]
    assert asked == [
        ("Your level?", "choice", ["A1", "C2"], True),
        ("How old are you?", "number", [], False),
    ]

    (tmp_path / "questions.json").write_text(json.dumps(questions[:1]))
    for options, consent in ((), "I **agree**.\nReally."), (("--no-consent",), ""):
        call_command("set_questionnaire", project.name, files[0], *options)
        latest = current_questionnaire(project)
        assert latest
        assert latest.consent == consent


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"kind": "essay"}, "question 1"), ({"options": ["A1"]}, "question 1"), ({"why": 1}, "why")],
)
def test_a_command_refuses_what_the_page_refuses(project, tmp_path, changes, named):
    question = {"text": "Your level?", "kind": "choice", "options": ["A1", "C2"]} | changes
    (tmp_path / "questions.json").write_text(json.dumps([question]))
    with pytest.raises(CommandError, match=named):
        call_command("set_questionnaire", project.name, str(tmp_path / "questions.json"))
    assert not Questionnaire.objects.exists()


def test_an_annotator_who_is_done_finds_the_questionnaire(client, project, boss, jana):
    write(project, boss, STUDENT)
    questionnaire = current_questionnaire(project)
    assert questionnaire
    store_response(user=jana, questionnaire=questionnaire, values={})
    Project.objects.update(state=Project.State.CLOSED)
    client.force_login(jana)
    shown = client.get(page(project)).content.decode()
    assert f'href="{page(project, "answer-questionnaire")}"' in shown
