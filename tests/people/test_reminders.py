"""Reminding annotators of the sentences that wait for them."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from annotation.judging.assignment import skip
from annotation.judging.reservations import assign_sentences
from annotation.models import Assignment, Membership, Project, User
from crowd.anonymisation import anonymise
from people import reminders
from people.mail import CLAIM_LASTS
from people.models import Reminder
from people.reminders import REPEAT_AFTER, idle_annotators, send_reminders, stop_token
from people.tasks import send_reminder
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
DAYS = 7


@pytest.fixture
def project():
    return make_project(sentences=3, intra_rate=0, inter_rate=0)


@pytest.fixture
def jana(project):
    return annotator(project, "jana")


@pytest.fixture
def sends_mail(settings):
    settings.EMAIL_HOST = "mail.example.org"


def annotator(project, name, **fields):
    user = make_annotator(project, name)
    fields = {"email": f"{name}@example.org"} | fields
    User.objects.filter(pk=user.pk).update(**fields)
    user.refresh_from_db()
    return user


def recipients(project, days=DAYS):
    found = idle_annotators(project, days=days, now=timezone.now())
    return [(row.name, row.left) for row in found.recipients]


def remind(project, *users):
    return send_reminders(
        project=project,
        user_ids={user.pk for user in users},
        text="Please go on.",
        days=DAYS,
        now=timezone.now(),
    )


def long_ago(**rows):
    then = timezone.now() - timedelta(days=30)
    Assignment.objects.filter(**rows).update(created=then, shown=then, lease_until=then)


def test_annotators_who_have_not_begun_are_idle(project, jana):
    assert recipients(project) == [("jana", 3)]


def test_what_they_did_is_not_left(project, jana):
    done, skipped = assign_next(jana, project), None
    Assignment.objects.filter(pk=done.pk).update(
        state="submitted", submitted=timezone.now() - timedelta(days=30)
    )
    skipped = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=skipped.pk, reason="unclear")
    assign_next(jana, project)
    long_ago(state="open")
    # The open one; the first is judged, and the second will not come again.
    assert recipients(project) == [("jana", 1)]


def test_who_cannot_go_on_without_an_administrator_is_not_reminded(project, jana):
    practise_with(project, 3)
    project.practice_required, project.practice_share, project.practice_tries = True, 100, 2
    project.save()
    practise_one(jana, project, right=False)
    with time_machine.travel(timezone.now() + timedelta(days=30)):
        # There is another try.
        assert recipients(project) == [("jana", 2)]
        project.practice_tries = 1
        assert recipients(project) == []


def test_active_annotators_are_not_idle(project, jana):
    assign_next(jana, project)
    assert recipients(project) == []


def test_the_limit_of_a_member_counts(project, jana):
    Membership.objects.filter(user=jana).update(sentence_limit=2)
    assert recipients(project) == [("jana", 2)]


def test_nothing_is_left_in_a_paused_project(project, jana):
    Project.objects.update(state="closed")
    assert recipients(Project.objects.get()) == []


def test_discarded_sentences_are_left_and_count_for_the_limit(project, jana):
    given = assign_next(jana, project)
    Assignment.objects.filter(pk=given.pk).update(
        state="discarded", submitted=timezone.now(), discarded_with_annotator=True
    )
    long_ago()
    assert recipients(project) == [("jana", 3)]
    Membership.objects.filter(user=jana).update(sentence_limit=3)
    assert recipients(project) == [("jana", 2)]


def test_sentences_reserved_for_one_who_is_not_needed_are_left(project, jana):
    petr = annotator(project, "petr")
    for _number in range(3):
        given = assign_next(petr, project)
        Assignment.objects.filter(pk=given.pk).update(state="submitted", submitted=timezone.now())
    assign_sentences(project=project, by=petr, annotator=jana, numbers=[1, 2])
    assert recipients(project) == [("jana", 2)]
    assign_next(jana, project)
    long_ago(annotator=jana)
    # One is open now, and is not counted twice.
    assert recipients(project) == [("jana", 2)]


def test_paused_annotators_are_not_reminded(project, jana):
    remind(project, jana)
    Membership.objects.filter(user=jana).update(paused=True)
    Reminder.objects.update(requested=timezone.now() - timedelta(days=2))
    assert recipients(project) == []
    send_reminder(Reminder.objects.get().pk)
    assert not mail.outbox


def test_people_who_cannot_be_reminded_are_named(project, jana):
    annotator(project, "petr", email="")
    annotator(project, "eva", wants_reminders=False)
    make_annotator(project, "boss", "administrator")
    remind(project, jana)
    found = idle_annotators(project, days=DAYS, now=timezone.now())
    groups = (found.recipients, found.without_address, found.unsubscribed, found.reminded_lately)
    assert [[row.name for row in group] for group in groups] == [[], ["petr"], ["eva"], ["jana"]]


def test_a_reminder_is_mailed_once_to_those_chosen(project, jana):
    petr = annotator(project, "petr")
    assert remind(project, jana) == 1
    reminder = Reminder.objects.get()
    for _time in range(2):
        send_reminder(reminder.pk)
    (message,) = mail.outbox
    assert message.to == ["jana@example.org"]
    assert "Please go on." in message.body
    assert reverse("judge", args=[project.pk]) in message.body
    assert remind(project, jana, petr) == 1


def test_a_reminder_waits_until_it_was_mailed_and_no_longer(project, jana):
    remind(project, jana)
    assert reminders.waiting().count() == 1
    Reminder.objects.update(claimed=timezone.now())
    assert not reminders.waiting().exists()
    Reminder.objects.update(claimed=timezone.now() - CLAIM_LASTS)
    Reminder.objects.update(requested=F("requested") - REPEAT_AFTER)
    assert not reminders.waiting().exists()
    Reminder.objects.update(requested=F("requested") + REPEAT_AFTER)
    send_reminder(Reminder.objects.get().pk)
    assert len(mail.outbox) == 1
    Reminder.objects.update(claimed=None)
    assert not reminders.waiting().exists()


def test_someone_who_unsubscribed_meanwhile_gets_none(project, jana):
    remind(project, jana)
    reminders.set_wish(user=jana, wants_reminders=False)
    send_reminder(Reminder.objects.get().pk)
    assert not mail.outbox


def test_the_number_of_queries_does_not_grow(
    project, jana, django_assert_num_queries, django_assert_max_num_queries
):
    # It is cached whether the project is large.
    recipients(project)
    with django_assert_max_num_queries(15) as few:
        recipients(project)
    for number in range(5):
        annotator(project, f"more{number}")
    assign_next(User.objects.get(username="more1"), project)
    with django_assert_num_queries(len(few)):
        found = recipients(project)
    assert len(found) == 5


# --- pages ------------------------------------------------------------------------------------


def test_the_page_shows_the_text_and_sends_to_those_ticked(client, project, jana, sends_mail):
    client.force_login(make_annotator(project, "boss", "administrator"))
    path = reverse("reminders", args=[project.pk])
    fields = {"days": DAYS, "text": "Only <two> left.", "to": [jana.pk]}
    preview = client.post(path, fields | {"preview": "1"})
    assert "Only &lt;two&gt; left." in preview.content.decode()
    assert not Reminder.objects.exists()
    client.post(path, fields | {"send": "1"})
    assert Reminder.objects.get().text == "Only <two> left."
    assert "jana@example.org" not in client.get(path).content.decode()


@pytest.mark.parametrize("fields", [{"days": "0"}, {"days": "x" * 9}, {"text": ""}])
def test_a_wrong_form_sends_nothing(client, project, jana, sends_mail, fields):
    client.force_login(make_annotator(project, "boss", "administrator"))
    sent = {"days": DAYS, "text": "Go on.", "to": [jana.pk], "send": "1"} | fields
    answer = client.post(reverse("reminders", args=[project.pk]), sent)
    assert answer.status_code == 400
    assert not Reminder.objects.exists()


def test_a_person_unsubscribes_in_the_account_and_by_the_link(client, jana):
    client.force_login(jana)
    client.post(reverse("set-reminders"), {})
    jana.refresh_from_db()
    assert not jana.wants_reminders
    client.post(reverse("set-reminders"), {"wants_reminders": "on"})
    client.logout()
    stop = reverse("stop-reminders", args=[stop_token(jana)])
    client.get(stop)
    jana.refresh_from_db()
    assert jana.wants_reminders
    assert client.post(stop).status_code == 200
    jana.refresh_from_db()
    assert not jana.wants_reminders


def test_a_forged_link_stops_nothing(client, jana):
    with time_machine.travel(timezone.now() - reminders.STOPS_WITHIN - timedelta(minutes=1)):
        expired = stop_token(jana)
    assert client.post(reverse("stop-reminders", args=[expired])).status_code == 404
    forged = stop_token(jana)[:-1] + "x"
    assert client.post(reverse("stop-reminders", args=[forged])).status_code == 404
    jana.refresh_from_db()
    assert jana.wants_reminders


def test_anonymisation_deletes_reminders(project, jana):
    remind(project, jana)
    anonymise(jana, typed_name="jana")
    assert not Reminder.objects.exists()
