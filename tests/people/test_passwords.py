"""Rules for passwords, resetting a forgotten one, and sign-in links by administrators."""

from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from annotation.projects import administration
from people import tasks
from people.views.invitations import MAX_MEMBERS
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


def test_a_mailed_link_sets_the_password_and_signs_in(client, by_mail, jana):
    elsewhere = Client()
    elsewhere.force_login(jana)
    tasks.send_reset_links("jana@EXAMPLE.org", "cs")
    [sent] = mail.outbox
    assert sent.to == ["Jana@example.org"]
    assert choose(client, link()).headers["Location"] == reverse("projects")
    assert get_user(client) == jana
    assert Client().login(username="jana", password="ten-loud-brooks")
    assert elsewhere.get("/").status_code == 302
    used = Client().get(link())
    assert used.status_code == 410


def test_an_account_without_a_password_gets_a_link_too(client, by_mail):
    User.objects.create(username="eva", email="eva@example.org")
    tasks.send_reset_links("eva@example.org", "en")
    choose(client, link())
    assert Client().login(username="eva", password="ten-loud-brooks")


def test_no_other_address_gets_a_link(by_mail, jana):
    User.objects.create(username="gone", email="gone@example.org", is_active=False)
    User.objects.create(username="mute", email="")
    for email in ("gone@example.org", "stranger@example.org", ""):
        tasks.send_reset_links(email, "en")
    assert not mail.outbox


def test_a_weak_password_changes_nothing(client, by_mail, jana):
    tasks.send_reset_links("jana@example.org", "en")
    form = client.get(link(), follow=True)
    weak = {"new_password1": "1234567890", "new_password2": "1234567890"}
    page = client.post(form.redirect_chain[-1][0], weak)
    assert page.context["form"].errors
    assert Client().login(username="jana", password=PASSWORD)


def waiting_tasks() -> list[tuple[str, list[Any]]]:
    """Take the enqueued tasks from the broker."""
    found = []
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue(app.conf.task_default_queue)
        while queue.qsize():
            message = queue.get(block=False)
            message.ack()
            found.append((message.headers["task"], message.payload[0]))
    return found


def test_it_does_not_reveal_whether_an_address_has_an_account(
    client, by_mail, jana, django_assert_num_queries
):
    """The page looks nothing up; a worker does."""
    waiting_tasks()
    pages = []
    for email in ("jana@example.org", "stranger@example.org"):
        with django_assert_num_queries(0):
            page = client.post(reverse("forgotten-password"), {"email": email})
        assert page.status_code == 200
        pages.append(page.content.decode().partition("<main")[2])
    assert pages[0] == pages[1]
    sent = waiting_tasks()
    assert sent == [
        (tasks.send_reset_links.name, ["jana@example.org", "en"]),
        (tasks.send_reset_links.name, ["stranger@example.org", "en"]),
    ]
    assert not mail.outbox


def test_without_a_mail_server_there_is_no_form(client):
    page = client.get(reverse("forgotten-password")).content.decode()
    assert client.post(reverse("forgotten-password"), {"email": "jana@x.org"}).status_code == 200
    assert not waiting_tasks()
    assert 'type="email"' not in page
    assert reverse("forgotten-password") in client.get(reverse("sign-in")).content.decode()


# --- sign-in links by administrators ----------------------------------------------------------


@pytest.fixture
def boss() -> User:
    return make_annotator(make_project(sentences=0), "boss", "administrator")


def new_link(client: Client, boss: User, member: User) -> Any:
    client.force_login(boss)
    project = boss.memberships.earliest("pk").project_id
    return client.post(reverse("new-link", args=[project, member.pk]))


def test_an_administrator_creates_a_sign_in_link(client, boss):
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
    castles = make_project("castles", sentences=0)
    make_annotator(castles, "petr")
    make_annotator(castles, "boss", "owner")


def with_a_password(petr: User, boss: User) -> None:
    """Else an administrator could add any account to a project, and take it over."""
    petr.set_password(PASSWORD)
    petr.save()


def of_a_crowd(petr: User, boss: User) -> None:
    link = make_link(boss.memberships.get().project)
    link.participants.create(user=petr, participant_id=PID, started=timezone.now())


def with_judgements_elsewhere(petr: User, boss: User) -> None:
    castles = make_project("castles")
    make_annotator(castles, "petr")
    judge(petr, castles, 1)
    petr.memberships.filter(project=castles).delete()


def no_longer_a_member(petr: User, boss: User) -> None:
    petr.memberships.all().delete()


def of_a_stranger(petr: User, boss: User) -> None:
    """Else the first administrator who adds the account could take it over."""
    petr.memberships.all().delete()
    User.objects.filter(pk=petr.pk).update(created_for=None)
    project = boss.memberships.get().project
    administration.set_role(project=project, by=boss, username="petr", role="annotator")


def of_another_project(petr: User, boss: User) -> None:
    User.objects.filter(pk=petr.pk).update(created_for=make_project("castles", sentences=0))


def an_administrator(petr: User, boss: User) -> None:
    petr.memberships.update(role="administrator")


MORE_RIGHTS = [
    in_another_project, with_a_password, of_a_crowd, with_judgements_elsewhere, no_longer_a_member,
    of_a_stranger, of_another_project, an_administrator, {"is_superuser": True}, {"is_staff": True},
    {"is_active": False},
]  # fmt: skip


@pytest.mark.parametrize("is_now", MORE_RIGHTS)
def test_there_is_no_link_for_members_with_more_rights(client, boss, is_now):
    petr = make_annotator(boss.memberships.get().project, "petr")
    if isinstance(is_now, dict):
        User.objects.filter(pk=petr.pk).update(**is_now)
    else:
        is_now(petr, boss)
    assert new_link(client, boss, petr).status_code == 302
    assert not petr.sign_in_links.exists()


def test_the_page_lists_a_limited_number_of_members(client, boss):
    project = boss.memberships.get().project
    for number in range(MAX_MEMBERS + 1):
        make_annotator(project, f"member{number}")
    client.force_login(boss)
    page = client.get(reverse("project-invitations", args=[project.pk])).content.decode()
    assert page.count("/new-link/") == MAX_MEMBERS


def test_there_is_no_link_for_members_with_an_email(client, boss, by_mail):
    petr = make_annotator(boss.memberships.get().project, "petr")
    assert new_link(client, boss, petr).status_code == 201
    User.objects.filter(pk=petr.pk).update(email="petr@example.org")
    assert new_link(client, boss, petr).status_code == 302


def test_a_repeated_request_sends_nothing(client, by_mail):
    waiting_tasks()
    for email in ("eva@example.org", "EVA@example.org", "petr@example.org", "eva@example.org"):
        assert client.post(reverse("forgotten-password"), {"email": email}).status_code == 200
    assert [given[0] for _name, given in waiting_tasks()] == ["eva@example.org", "petr@example.org"]
