"""The rules of passwords, and choosing another when one is forgotten."""

from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from people import password_reset, tasks
from people.views.invitations import MOST_TO_HELP
from segranks.celery import app
from tests.crowd.coming import PID, judge, make_link
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
OTHER = {"new_password1": "ten-loud-brooks", "new_password2": "ten-loud-brooks"}
SITE = "https://rank.example.org"


@pytest.fixture
def by_mail(settings: Any) -> None:
    settings.EMAIL_HOST, settings.SITE_ADDRESS = "mail.example.org", SITE
    settings.DEFAULT_FROM_EMAIL = "rank@example.org"


@pytest.fixture
def jana() -> User:
    return User.objects.create_user("jana", email="Jana@example.org", password=PASSWORD)


def link() -> str:
    line = next(line for line in mail.outbox[-1].body.splitlines() if line.startswith(SITE))
    return line.removeprefix(SITE)


def choose(client: Client, path: str) -> Any:
    """Follow a link to the form behind it, and send that."""
    form = client.get(path, follow=True)
    return client.post(form.redirect_chain[-1][0], OTHER)


def test_the_rules_are_shown_before_one_types(client, jana):
    client.force_login(jana)
    page = client.get(reverse("set-password")).content.decode()
    assert "at least 10 characters" in page
    assert "entirely numeric" in page


def test_nine_characters_are_too_few(client, jana):
    client.force_login(jana)
    short = {"old_password": PASSWORD, "new_password1": "nine-9-q!", "new_password2": "nine-9-q!"}
    assert "too short" in client.post(reverse("set-password"), short).content.decode()
    assert Client().login(username="jana", password=PASSWORD)


def test_a_link_by_mail_changes_the_password_and_signs_in(client, by_mail, jana):
    elsewhere = Client()
    elsewhere.force_login(jana)
    tasks.send_reset_links("jana@EXAMPLE.org", "cs")
    [sent] = mail.outbox
    assert sent.to == ["Jana@example.org"]
    assert "Tímto odkazem" in sent.body
    assert choose(client, link()).headers["Location"] == reverse("projects")
    assert get_user(client) == jana
    assert Client().login(username="jana", password="ten-loud-brooks")
    assert elsewhere.get("/").status_code == 302
    used = Client().get(link())
    assert used.status_code == 410
    assert "leads nowhere any more" in used.content.decode()


def test_who_never_had_a_password_gets_a_link_too(client, by_mail):
    User.objects.create(username="eva", email="eva@example.org")
    assert password_reset.send_link("eva@example.org", "en")
    choose(client, link())
    assert Client().login(username="eva", password="ten-loud-brooks")


def test_nobody_else_gets_one(by_mail, jana):
    User.objects.create(username="gone", email="gone@example.org", is_active=False)
    User.objects.create(username="mute", email="")
    for email in ("gone@example.org", "nobody@example.org", "", "jana@example.org "):
        assert not password_reset.send_link(email, "en")
    assert not mail.outbox


def test_a_weak_password_changes_nothing(client, by_mail, jana):
    password_reset.send_link("jana@example.org", "en")
    form = client.get(link(), follow=True)
    weak = {"new_password1": "1234567890", "new_password2": "1234567890"}
    page = client.post(form.redirect_chain[-1][0], weak)
    assert "too common" in page.content.decode()
    assert Client().login(username="jana", password=PASSWORD)


def waiting_tasks() -> list[tuple[str, list[Any]]]:
    """Take what workers are told from the broker."""
    found = []
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue(app.conf.task_default_queue)
        while queue.qsize():
            message = queue.get(block=False)
            message.ack()
            found.append((message.headers["task"], message.payload[0]))
    return found


def test_the_answer_does_not_tell_who_has_an_account(
    client, by_mail, jana, django_assert_num_queries
):
    """Nothing is looked up before it is given: a worker does, whoever has the address."""
    waiting_tasks()
    pages = []
    for email in ("jana@example.org", "nobody@example.org"):
        with django_assert_num_queries(0):
            page = client.post(reverse("forgotten-password"), {"email": email})
        assert page.status_code == 200
        pages.append(page.content.decode().partition("<main")[2])
    assert pages[0] == pages[1]
    told = waiting_tasks()
    assert told == [
        (tasks.send_reset_links.name, ["jana@example.org", "en"]),
        (tasks.send_reset_links.name, ["nobody@example.org", "en"]),
    ]
    assert not mail.outbox


def test_what_is_no_address_is_said(client, by_mail):
    page = client.post(reverse("forgotten-password"), {"email": "jana"})
    assert page.status_code == 400
    assert "as in jana@example.org" in page.content.decode()


def test_where_there_is_no_mail_one_is_told_whom_to_ask(client):
    page = client.get(reverse("forgotten-password")).content.decode()
    assert "Ask the person who invited you" in page
    assert 'type="email"' not in page
    assert reverse("forgotten-password") in client.get(reverse("sign-in")).content.decode()


# --- a new link from an administrator ---------------------------------------------------------


@pytest.fixture
def boss() -> User:
    return make_annotator(make_project(sentences=0), "boss", "administrator")


def new_link(client: Client, boss: User, member: User) -> Any:
    client.force_login(boss)
    project = boss.memberships.earliest("pk").project_id
    return client.post(reverse("new-link", args=[project, member.pk]))


def test_an_administrator_helps_a_member_in(client, boss):
    project = boss.memberships.get().project
    petr = make_annotator(project, "petr")
    client.force_login(boss)
    page = client.get(reverse("project-invitations", args=[project.pk])).content.decode()
    assert reverse("new-link", args=[project.pk, petr.pk]) in page
    made = new_link(client, boss, petr)
    assert made.status_code == 201
    path = "/" + made.context["address"].split("/", 3)[3]
    assert Client().post(path).status_code == 302
    assert Client().post(path).status_code == 410


def in_another_project(petr: User, boss: User) -> None:
    make_annotator(make_project("castles", sentences=0), "petr")


def an_administrator(petr: User, boss: User) -> None:
    petr.memberships.update(role="administrator")


def in_another_project_of_the_same(petr: User, boss: User) -> None:
    castles = make_project("castles", sentences=0)
    make_annotator(castles, "petr")
    make_annotator(castles, "boss", "owner")


def somebody_with_a_password(petr: User, boss: User) -> None:
    """Whoever has an account is a member as soon as an administrator writes his name."""
    petr.set_password(PASSWORD)
    petr.save()


def of_a_crowd(petr: User, boss: User) -> None:
    link = make_link(boss.memberships.get().project)
    link.participants.create(user=petr, participant_id=PID, started=timezone.now())


def who_judged_elsewhere(petr: User, boss: User) -> None:
    castles = make_project("castles")
    make_annotator(castles, "petr")
    judge(petr, castles, 1)
    petr.memberships.filter(project=castles).delete()


def running_it(petr: User, boss: User) -> None:
    User.objects.filter(pk=petr.pk).update(is_superuser=True)


def of_the_staff(petr: User, boss: User) -> None:
    User.objects.filter(pk=petr.pk).update(is_staff=True)


def switched_off(petr: User, boss: User) -> None:
    User.objects.filter(pk=petr.pk).update(is_active=False)


def a_member_no_more(petr: User, boss: User) -> None:
    petr.memberships.all().delete()


@pytest.mark.parametrize(
    "is_now",
    [
        in_another_project,
        an_administrator,
        in_another_project_of_the_same,
        somebody_with_a_password,
        of_a_crowd,
        who_judged_elsewhere,
        running_it,
        of_the_staff,
        switched_off,
        a_member_no_more,
    ],
)
def test_nobody_can_be_stood_in_for_who_may_more(client, boss, is_now):
    petr = make_annotator(boss.memberships.get().project, "petr")
    is_now(petr, boss)
    answer = new_link(client, boss, petr)
    assert answer.status_code == 302
    assert not petr.sign_in_links.exists()
    page = client.get(answer.headers["Location"]).content.decode()
    assert "You cannot make a link for this person" in page


def test_a_project_of_many_members_has_a_short_page(client, boss):
    project = boss.memberships.get().project
    for number in range(MOST_TO_HELP + 1):
        make_annotator(project, f"member{number}")
    client.force_login(boss)
    page = client.get(reverse("project-invitations", args=[project.pk])).content.decode()
    assert page.count("/new-link/") == MOST_TO_HELP


def test_who_can_be_sent_a_mail_is_sent_one(client, boss, by_mail):
    petr = make_annotator(boss.memberships.get().project, "petr")
    assert new_link(client, boss, petr).status_code == 201
    User.objects.filter(pk=petr.pk).update(email="petr@example.org")
    assert new_link(client, boss, petr).status_code == 302


def test_nobody_is_mailed_twice_at_once(client, by_mail):
    waiting_tasks()
    for email in ("eva@example.org", "EVA@example.org", "petr@example.org", "eva@example.org"):
        assert client.post(reverse("forgotten-password"), {"email": email}).status_code == 200
    assert [given[0] for _name, given in waiting_tasks()] == ["eva@example.org", "petr@example.org"]
