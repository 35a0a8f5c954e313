"""Changing the email address of an account."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from annotation.models.secret_links import hash_token
from people.email_change import LINK_LIFETIME
from people.models import NewAddress
from people.tasks import send_reset_links
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


def test_the_email_changes_when_the_link_is_confirmed(jana):
    here = signed_in(jana)
    assert reverse("new-address") in here.get(reverse("account")).content.decode()
    assert ask(here).context["sent_to"] == "new@example.org"
    to_new, to_old = mail.outbox
    assert (to_new.to, to_old.to) == (["new@example.org"], ["old@example.org"])
    assert "new@example.org" in to_old.body
    assert link() not in to_old.body
    page = here.get(link()).content.decode()
    assert "new@example.org" in page
    assert address(jana) == "old@example.org"
    path = link()
    here.post(path)
    assert address(jana) == "new@example.org"
    # The old address is notified again.
    assert [sent.to for sent in mail.outbox[2:]] == [["old@example.org"]]
    assert "new@example.org" in mail.outbox[2].body
    # Still signed in, and the link is used up.
    assert get_user(here) == jana
    assert here.get(path).status_code == here.post(path).status_code == 410


def test_only_a_hash_of_the_token_is_stored(jana):
    ask(signed_in(jana))
    token = link().rstrip("/").rpartition("/")[2]
    kept = NewAddress.objects.values().get()
    assert len(token) >= 43
    assert kept["token_hash"] == hash_token(token)
    assert token not in str(kept)


@pytest.mark.parametrize(
    "fields",
    [{"password": "wrong"}, {"password": ""}, {"email": "new"}, {"email": ""},
     {"email": "old@example.org"}],
)  # fmt: skip
def test_invalid_requests_are_refused(jana, fields):
    answer = ask(signed_in(jana), **fields)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == list(fields)
    assert not mail.outbox
    assert not NewAddress.objects.exists()


def test_wrong_passwords_lock_out_as_at_sign_in(jana):
    here = signed_in(jana)
    answers = [ask(here, password="wrong").status_code for _time in range(10)]
    assert answers == [400] * 9 + [429]
    assert ask(here).status_code == 429
    sent = {"username": "jana", "password": PASSWORD}
    assert Client().post(reverse("sign-in"), sent).status_code == 429
    assert not mail.outbox


def test_an_address_set_meanwhile_is_kept(jana):
    """For example by an administrator, because someone else uses the account."""
    here = signed_in(jana)
    ask(here)
    User.objects.update(email="corrected@example.org")
    assert here.get(link()).status_code == here.post(link()).status_code == 410
    assert address(jana) == "corrected@example.org"


def test_it_does_not_reveal_whether_an_address_has_an_account(jana):
    petr = User.objects.create_user("petr", email="Petr@example.org", password=PASSWORD)
    here = signed_in(jana)
    free = ask(here).content.decode()
    mail.outbox.clear()
    taken = ask(here, email="petr@example.org").content.decode()
    pages = [page.partition("<main")[2].replace("petr@", "new@") for page in (free, taken)]
    assert pages[0] == pages[1]
    to_petr, to_old = mail.outbox
    assert (to_petr.to, to_old.to) == (["petr@example.org"], ["old@example.org"])
    assert "petr" in to_petr.body
    assert "jana" not in to_petr.body
    assert "/account/address/" not in to_petr.body
    assert NewAddress.objects.get().email == "petr@example.org"
    assert (address(jana), address(petr)) == ("old@example.org", "Petr@example.org")


def test_an_address_that_has_an_account_by_now_is_refused(jana):
    here = signed_in(jana)
    ask(here)
    User.objects.create(username="faster", email="NEW@example.org")
    assert here.get(link()).status_code == here.post(link()).status_code == 410
    assert address(jana) == "old@example.org"


def test_no_other_user_can_use_the_link(jana):
    ask(signed_in(jana))
    petr = User.objects.create_user("petr", password=PASSWORD)
    for method in ("get", "post"):
        assert getattr(signed_in(petr), method)(link()).status_code == 410
        answer = getattr(Client(), method)(link())
        assert answer.headers["Location"] == f"{reverse('sign-in')}?next={link()}"
    assert (address(jana), address(petr)) == ("old@example.org", "")


def test_a_link_expires_after_a_day_and_is_deleted(jana):
    here = signed_in(jana)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ask(here)
        clock.shift(LINK_LIFETIME - timedelta(seconds=1))
        assert here.get(link()).status_code == 200
        clock.shift(timedelta(seconds=1))
        assert here.post(link()).status_code == 410
        petr = User.objects.create_user("petr", password=PASSWORD)
        ask(signed_in(petr), email="petr@example.org")
    assert NewAddress.objects.get().user == petr
    assert here.get(reverse("confirm-address", args=["made-up"])).status_code == 410


def test_a_newer_link_and_a_new_password_make_it_invalid(jana):
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


def test_a_password_link_is_invalid_after_the_change(jana):
    send_reset_links("old@example.org", "en")
    reset = next(line for line in mail.outbox[0].body.splitlines() if line.startswith(SITE))
    mail.outbox.clear()
    here = signed_in(jana)
    ask(here)
    here.post(link())
    assert Client().get(reset.removeprefix(SITE)).status_code == 410


def test_a_repeated_request_sends_nothing_and_the_first_link_is_valid(jana):
    here = signed_in(jana)
    for email in ("new@example.org", "NEW@example.org"):
        assert ask(here, email=email).context["sent_to"] == email
    assert len(mail.outbox) == 2
    assert here.post(link()).status_code == 302
    assert address(jana) == "new@example.org"


def test_a_repeated_request_for_a_replaced_link_is_refused(jana):
    client = signed_in(jana)
    ask(client)
    ask(client, email="other@example.org")
    mail.outbox.clear()
    answer = ask(client)
    assert answer.status_code == 429
    assert not mail.outbox


def test_an_email_that_cannot_be_sent_leaves_nothing(jana, by_mail):
    by_mail.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    by_mail.EMAIL_HOST, by_mail.EMAIL_PORT = "127.0.0.1", free_port()
    here = signed_in(jana)
    # A second request tries again.
    for _time in range(2):
        answer = ask(here)
        assert answer.status_code == 502
    assert not NewAddress.objects.exists()


@pytest.mark.parametrize("missing", ["mail server", "password"])
def test_it_needs_a_mail_server_and_a_password(jana, by_mail, missing):
    if missing == "password":
        jana.set_unusable_password()
        jana.save()
    else:
        by_mail.EMAIL_HOST = ""
    here = signed_in(jana)
    for answer, status in ((here.get(reverse("new-address")), 200), (ask(here), 409)):
        assert answer.status_code == status
        assert 'type="email"' not in answer.content.decode()
    assert not NewAddress.objects.exists()
