"""Reminders that a worker sends to annotators who have stopped."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from annotation.models import Assignment, Membership, Project, User
from annotation.pipeline.project_copy import new_copy
from annotation.process import clock
from people import reminders
from people.models import Reminder
from people.tasks import enqueue_automatic_reminders, remind_automatically, send_reminder
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
DAYS = 7
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def sends_mail(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"


@pytest.fixture
def now() -> datetime:
    return clock.now()


@pytest.fixture
def project() -> Project:
    return new_project("project")


@pytest.fixture
def jana(project: Project) -> User:
    return stopped("jana", project)


def new_project(name: str) -> Project:
    return make_project(name, sentences=9, intra_rate=0, inter_rate=0, remind_after_days=DAYS)


def stopped(name: str, *projects: Project, ago: timedelta = 8 * DAY) -> User:
    """Return an annotator who began to judge in these projects, and then stopped."""
    for project in projects:
        user = make_annotator(project, name)
        user.email = f"{name}@example.org"
        user.save()
        given = assign_next(user, project)
        submit(given, clock.now() - ago)
    return user


def submit(given: Assignment, then: datetime) -> None:
    Assignment.objects.filter(pk=given.pk).update(
        state="submitted", created=then, shown=then, submitted=then, lease_until=None
    )


def remind(project: Project, now: datetime) -> list[tuple[str, int]]:
    """Remind the annotators; return those reminded now, and their reminders' numbers in a row."""
    project.refresh_from_db()
    number = reminders.remind_automatically(project=project, now=now)
    found = Reminder.objects.filter(project=project, requested=now, automatic__gt=0)
    assert number == found.count()
    return list(found.order_by("pk").values_list("user__username", "automatic"))


def test_those_who_began_and_stopped_are_reminded(
    project: Project, jana: User, now: datetime
) -> None:
    stopped("lately", project, ago=6 * DAY)
    make_annotator(project, "new")
    User.objects.filter(username="new").update(email="new@example.org")
    paused = stopped("paused", project)
    Membership.objects.filter(user=paused).update(paused=True)
    for name, wish in (("unsubscribed", {"wants_reminders": False}), ("mute", {"email": ""})):
        user = stopped(name, project)
        User.objects.filter(pk=user.pk).update(**wish)
    assert remind(project, now) == [("jana", 1)]


def test_the_next_ones_come_after_as_many_days_up_to_three(
    project: Project, jana: User, now: datetime
) -> None:
    reminded = [day for day in range(30) if remind(project, now + day * DAY)]
    assert reminded == [0, DAYS, 2 * DAYS]
    submit(Assignment.objects.get(annotator=jana), now + 30 * DAY)
    assert not remind(project, now + 36 * DAY)
    assert remind(project, now + 37 * DAY) == [("jana", 1)]


def test_a_reminder_of_an_administrator_begins_the_row_anew(
    project: Project, jana: User, now: datetime
) -> None:
    remind(project, now)
    by_hand = now + 3 * DAY
    assert reminders.send_reminders(
        project=project, user_ids={jana.pk}, text="Go on.", days=DAYS, now=by_hand
    )
    assert not remind(project, now + 9 * DAY)
    assert remind(project, now + 10 * DAY) == [("jana", 1)]


def test_a_person_gets_one_a_day_from_all_projects(project: Project, now: datetime) -> None:
    other = new_project("other")
    stopped("jana", project, other)
    assert remind(project, now)
    assert not remind(other, now + timedelta(hours=1))
    assert remind(other, now + timedelta(hours=25)) == [("jana", 1)]


def test_a_refused_address_is_not_tried_again_at_once(
    project: Project, jana: User, now: datetime
) -> None:
    remind(project, now)
    Reminder.objects.update(failed=True)
    assert not remind(project, now + DAY)
    # It did not come, so it is not one of three in a row.
    assert remind(project, now + DAYS * DAY) == [("jana", 1)]


def test_a_project_is_looked_at_once_a_day(project: Project, now: datetime) -> None:
    assert not remind(project, now)
    stopped("jana", project)
    assert not remind(project, now + timedelta(hours=23))
    assert remind(project, now + DAY)


@pytest.mark.parametrize(
    "fields", [{"remind_after_days": None}, {"state": "closed"}, {"state": "archived"}]
)
def test_only_open_projects_with_the_setting_remind(
    project: Project, jana: User, now: datetime, fields: dict[str, Any]
) -> None:
    Project.objects.update(**fields)
    assert not reminders.projects_to_remind(now=now).exists()
    assert not remind(project, now)


def test_nothing_is_sent_without_a_mail_server(
    project: Project, jana: User, now: datetime, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    assert not remind(project, now)
    settings.EMAIL_HOST = "mail.example.org"
    assert remind(project, now)


def test_a_worker_looks_and_mails_in_the_language_of_the_translations(
    project: Project, jana: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.SITE_ADDRESS = "https://rank.example.org"
    with django_capture_on_commit_callbacks() as enqueued:
        enqueue_automatic_reminders()
    assert len(enqueued) == 1
    remind_automatically(project.pk)
    reminder = Reminder.objects.get()
    with override("cs"):
        assert reminder.text == reminders.default_text(project)
    send_reminder(reminder.pk)
    (message,) = mail.outbox
    assert reminder.text in message.body
    head = message.message()
    stop = head["List-Unsubscribe"].strip("<>")
    assert stop in message.body
    assert head["List-Unsubscribe-Post"] == reminders.ONE_CLICK

    # A program posts that without a session; it opens no other address.
    client = Client(enforce_csrf_checks=True)
    path = stop.removeprefix(settings.SITE_ADDRESS)
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    jana.refresh_from_db()
    assert not jana.wants_reminders


def test_the_list_says_which_are_still_to_be_sent(
    project: Project, jana: User, now: datetime
) -> None:
    def is_to_be_sent() -> bool:
        [row] = reminders.automatic_reminders(project)
        return bool(vars(row)["is_to_be_sent"])

    remind(project, now)
    assert is_to_be_sent()
    # A worker mails it.
    Reminder.objects.update(claimed=now)
    assert is_to_be_sent()
    Reminder.objects.update(requested=now - reminders.REPEAT_AFTER)
    assert not is_to_be_sent()


def test_no_one_click_is_offered_without_https() -> None:
    assert list(reminders.unsubscribe_headers("http://localhost/")) == ["List-Unsubscribe"]


@pytest.mark.parametrize(("target", "language"), [("de-AT", "de"), ("zh_Hans", "en"), ("", "en")])
def test_the_site_has_the_language_of_emails(
    target: str, language: str, project: Project, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    project.target_language = target
    assert reminders.mail_language(project) == language


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", range(3))
def test_workers_at_once_send_one(times: int, settings: Any) -> None:
    """Two look at each of two projects, in which the same annotators have stopped."""
    projects = [new_project("one"), new_project("two")]
    for number in range(4):
        stopped(f"person{number}", *projects)

    def look(project: Project) -> None:
        try:
            remind_automatically(project.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(look, 2 * projects))
    rows = Reminder.objects.values_list("user__username", "automatic")
    assert sorted(rows) == [(f"person{number}", 1) for number in range(4)]


# --- the setting ------------------------------------------------------------------------------


@pytest.mark.databases
@pytest.mark.parametrize("days", [0, 366])
def test_the_database_refuses_other_numbers_of_days(project: Project, days: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Project.objects.update(remind_after_days=days)


def test_administrators_set_it_on_the_page(client: Client, project: Project, jana: User) -> None:
    client.force_login(make_annotator(project, "boss", "administrator"))
    page = reverse("set-automatic-reminders", args=[project.pk])
    remind(project, clock.now())
    for sent, status, stored in (("30", 302, 30), ("0", 400, 30), ("x", 400, 30), ("", 302, None)):
        answer = client.post(page, {"remind_after_days": sent})
        project.refresh_from_db()
        assert (answer.status_code, project.remind_after_days) == (status, stored)
        if status == 400:
            assert "remind_after_days_error" in answer.content.decode()
    page = client.get(reverse("reminders", args=[project.pk])).content.decode()
    assert "jana" in page.split('id="reminded-automatically"')[1]


def test_a_copy_sends_none_by_itself(project: Project) -> None:
    boss = make_annotator(project, "boss", "owner")
    copy = new_copy(project=project, name="copy", by=boss).project
    assert copy.remind_after_days is None
