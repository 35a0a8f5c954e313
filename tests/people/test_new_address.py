"""Giving one's account another mail address."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from people.email_change import LIFETIME, BadLink, confirm
from people.models import NewAddress
from people.password_reset import send_link
from people.sign_in_links import hash_token
from tests.services import free_port

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
SITE = "https://rank.example.org"
NEW = {"email": "new@example.org", "password": PASSWORD}


@pytest.fixture(autouse=True)
def by_mail(settings: Any) -> Any:
    settings.EMAIL_HOST, settings.SITE_ADDRESS = "mail.example.org", SITE
    settings.DEFAULT_FROM_EMAIL = "rank@example.org"
    return settings


@pytest.fixture
def jana() -> User:
    return User.objects.create_user("jana", email="old@example.org", password=PASSWORD)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ask(client: Client, **fields: str) -> Any:
    return client.post(reverse("new-address"), NEW | fields)


def link() -> str:
    """Return the path in the mail to the new address, which is the first."""
    line = next(line for line in mail.outbox[0].body.splitlines() if line.startswith(SITE))
    return line.removeprefix(SITE)


def address(user: User) -> str:
    user.refresh_from_db()
    return user.email


def test_only_who_follows_the_link_and_presses_gets_the_address(jana):
    here = signed_in(jana)
    assert reverse("new-address") in here.get(reverse("account")).content.decode()
    assert "on its way to" in ask(here).content.decode()
    to_new, to_old = mail.outbox
    assert (to_new.to, to_old.to) == (["new@example.org"], ["old@example.org"])
    assert "new@example.org" in to_old.body
    assert link() not in to_old.body
    page = here.get(link()).content.decode()
    assert "new@example.org" in page
    assert address(jana) == "old@example.org"
    pressed = here.post(link(), follow=True)
    assert "Your address is new@example.org now." in pressed.content.decode()
    assert address(jana) == "new@example.org"
    # Signed in still, and the link is spent.
    assert get_user(here) == jana
    assert here.get(link()).status_code == here.post(link()).status_code == 410


def test_only_a_hash_of_the_token_is_kept(jana):
    ask(signed_in(jana))
    token = link().rstrip("/").rpartition("/")[2]
    kept = NewAddress.objects.values().get()
    assert len(token) >= 43
    assert kept["token_hash"] == hash_token(token)
    assert token not in str(kept)


def test_who_has_no_address_gets_one(jana):
    User.objects.update(email="")
    here = signed_in(jana)
    assert "Your account has none." in here.get(reverse("account")).content.decode()
    ask(here)
    [sent] = mail.outbox
    assert sent.to == ["new@example.org"]
    here.post(link())
    assert address(jana) == "new@example.org"


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"password": "wrong"}, "not your password"), ({"password": ""}, "not your password"),
     ({"email": "new"}, "as in jana@example.org"), ({"email": ""}, "as in jana@example.org"),
     ({"email": "old@example.org"}, "your address already")],
)  # fmt: skip
def test_what_cannot_be_is_said_and_mails_nobody(jana, fields, words):
    answer = ask(signed_in(jana), **fields)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not mail.outbox
    assert not NewAddress.objects.exists()


def test_who_guesses_the_password_is_locked_out_as_at_signing_in(jana):
    here = signed_in(jana)
    answers = [ask(here, password="wrong").status_code for _time in range(10)]
    assert answers == [400] * 9 + [429]
    assert ask(here).status_code == 429
    sent = {"username": "jana", "password": PASSWORD}
    assert Client().post(reverse("sign-in"), sent).status_code == 429
    assert not mail.outbox


def test_an_address_that_was_set_meanwhile_stays(jana):
    """As by an administrator who has heard that somebody else uses the account."""
    here = signed_in(jana)
    ask(here)
    User.objects.update(email="corrected@example.org")
    assert here.get(link()).status_code == here.post(link()).status_code == 410
    assert address(jana) == "corrected@example.org"


def test_the_answer_does_not_tell_whose_an_address_is(jana):
    petr = User.objects.create_user("petr", email="Petr@example.org", password=PASSWORD)
    here = signed_in(jana)
    free = ask(here).content.decode()
    mail.outbox.clear()
    taken = ask(here, email="petr@example.org").content.decode()
    pages = [page.partition("<main")[2].replace("petr@", "new@") for page in (free, taken)]
    assert pages[0] == pages[1]
    to_petr, to_old = mail.outbox
    assert (to_petr.to, to_old.to) == (["petr@example.org"], ["old@example.org"])
    assert "It is that of petr already" in to_petr.body
    assert "jana" not in to_petr.body
    assert "/account/address/" not in to_petr.body
    assert NewAddress.objects.get().email == "petr@example.org"
    assert (address(jana), address(petr)) == ("old@example.org", "Petr@example.org")


def test_an_address_that_got_an_account_meanwhile_is_not_given_away(jana):
    here = signed_in(jana)
    ask(here)
    User.objects.create(username="faster", email="NEW@example.org")
    assert here.get(link()).status_code == here.post(link()).status_code == 410
    assert address(jana) == "old@example.org"


def test_nobody_else_can_use_the_link(jana):
    """Neither a stranger with a mistyped address nor somebody with an account."""
    ask(signed_in(jana))
    petr = User.objects.create_user("petr", password=PASSWORD)
    for method in ("get", "post"):
        assert getattr(signed_in(petr), method)(link()).status_code == 410
        answer = getattr(Client(), method)(link())
        assert answer.headers["Location"] == f"{reverse('sign-in')}?next={link()}"
    assert (address(jana), address(petr)) == ("old@example.org", "")


def test_a_link_ends_after_a_day_and_is_forgotten(jana):
    here = signed_in(jana)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ask(here)
        clock.shift(LIFETIME - timedelta(seconds=1))
        assert here.get(link()).status_code == 200
        clock.shift(timedelta(seconds=1))
        assert here.post(link()).status_code == 410
        petr = User.objects.create_user("petr", password=PASSWORD)
        ask(signed_in(petr), email="petr@example.org")
    assert NewAddress.objects.get().user == petr
    assert here.get(reverse("confirm-address", args=["made-up"])).status_code == 410


def test_a_newer_link_and_a_new_password_make_it_void(jana):
    here = signed_in(jana)
    ask(here)
    first = link()
    mail.outbox.clear()
    ask(here, email="other@example.org")
    assert here.post(first).status_code == 410
    assert here.get(link()).status_code == 200
    jana.set_password("ten-loud-brooks")
    jana.save()
    assert not NewAddress.objects.exists()
    assert signed_in(jana).post(link()).status_code == 410


def test_a_link_for_a_new_password_does_not_outlive_the_address(jana):
    send_link("old@example.org", "en")
    reset = next(line for line in mail.outbox[0].body.splitlines() if line.startswith(SITE))
    mail.outbox.clear()
    here = signed_in(jana)
    ask(here)
    here.post(link())
    assert Client().get(reset.removeprefix(SITE)).status_code == 410


def test_nobody_is_mailed_twice_at_once_and_the_first_link_holds(jana):
    here = signed_in(jana)
    for email in ("new@example.org", "NEW@example.org"):
        assert "on its way to" in ask(here, email=email).content.decode()
    assert len(mail.outbox) == 2
    assert here.post(link()).status_code == 302
    assert address(jana) == "new@example.org"


def test_a_mail_whose_link_is_void_is_not_told_to_be_on_its_way_again(jana):
    client = signed_in(jana)
    ask(client)
    ask(client, email="other@example.org")
    mail.outbox.clear()
    answer = ask(client)
    assert answer.status_code == 429
    assert "ask again in five minutes" in answer.content.decode()
    assert not mail.outbox


def test_nobody_keeps_another_from_an_address_by_asking_for_it(jana):
    petr = User.objects.create_user("petr", password=PASSWORD)
    ask(signed_in(petr))
    mail.outbox.clear()
    assert ask(signed_in(jana)).status_code == 200
    assert [sent.to for sent in mail.outbox] == [["new@example.org"], ["old@example.org"]]


def test_the_address_before_is_told_of_the_change(jana):
    client = signed_in(jana)
    ask(client)
    path = link()
    mail.outbox.clear()
    client.post(path)
    assert address(jana) == "new@example.org"
    assert [sent.to for sent in mail.outbox] == [["old@example.org"]]
    assert "new@example.org" in mail.outbox[0].body


def test_the_same_address_can_be_written_otherwise(jana):
    here = signed_in(jana)
    ask(here, email="Old@example.org")
    here.post(link())
    assert address(jana) == "Old@example.org"


def test_a_mail_that_cannot_be_sent_leaves_nothing(jana, by_mail):
    by_mail.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    by_mail.EMAIL_HOST, by_mail.EMAIL_PORT = "127.0.0.1", free_port()
    here = signed_in(jana)
    # Asking again tries again.
    for _time in range(2):
        answer = ask(here)
        assert answer.status_code == 502
        assert "The mail server did not take the mail" in answer.content.decode()
    assert not NewAddress.objects.exists()


def test_where_there_is_no_mail_it_is_said(jana, by_mail):
    by_mail.EMAIL_HOST = ""
    here = signed_in(jana)
    for answer, status in ((here.get(reverse("new-address")), 200), (ask(here), 409)):
        assert answer.status_code == status
        assert "No mail can be sent from here" in answer.content.decode()
        assert 'type="email"' not in answer.content.decode()
    assert not NewAddress.objects.exists()


def test_who_has_no_password_chooses_one_first(jana):
    jana.set_unusable_password()
    jana.save()
    here = signed_in(jana)
    for answer, status in ((here.get(reverse("new-address")), 200), (ask(here), 409)):
        assert answer.status_code == status
        assert "Your account has no password yet" in answer.content.decode()
    assert not mail.outbox


def test_the_form_needs_its_own_token(jana):
    ask(signed_in(jana))
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(jana)
    assert forged.post(link()).status_code == ask(forged).status_code == 403
    assert address(jana) == "old@example.org"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", range(3))
def test_of_two_who_confirm_one_address_at_once_one_gets_it(times) -> None:
    people = [User.objects.create_user(name, password=PASSWORD) for name in ("jana", "petr")]
    for user, email in zip(people, ("eva@example.org", "EVA@example.org"), strict=True):
        NewAddress.objects.create(
            user=user, email=email, token_hash=hash_token(user.username),
            expires=timezone.now() + LIFETIME,
        )  # fmt: skip
    together = Barrier(2)

    def come(user: User) -> bool:
        together.wait()
        try:
            return bool(confirm(token=user.username, user=user))
        except BadLink:
            return False
        finally:
            connection.close()

    cache.clear()
    with ThreadPoolExecutor(2) as threads:
        came = list(threads.map(come, people))
    assert sorted(came) == [False, True]
    assert User.objects.exclude(email="").count() == 1
