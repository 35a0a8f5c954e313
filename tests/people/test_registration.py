"""Self-registration for email addresses in some domains."""

from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user
from django.core import mail, signing
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from people import registration
from tests.services import free_port

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
FIELDS = {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}
SITE = "https://rank.example.org"


@pytest.fixture(autouse=True)
def by_domain(settings: Any) -> None:
    settings.SELF_REGISTRATION = True
    settings.REGISTRATION_DOMAINS = ["example.org", "cs.example.org"]
    settings.EMAIL_HOST, settings.SITE_ADDRESS = "mail.example.org", SITE
    settings.DEFAULT_FROM_EMAIL = "rank@example.org"


def ask(client: Any, email: str) -> Any:
    return client.post(reverse("register"), {"email": email})


def link() -> str:
    [sent] = mail.outbox
    line = next(line for line in sent.body.splitlines() if line.startswith(SITE))
    return line.removeprefix(SITE)


def test_an_account_needs_a_confirmed_address(client):
    assert 'type="email"' in client.get(reverse("register")).content.decode()
    asked = ask(client, "eva@CS.example.org")
    assert asked.context["email"] == "eva@CS.example.org"
    assert not User.objects.exists()
    client.post(reverse("register"), FIELDS)
    assert not User.objects.exists()
    page = client.get(link())
    assert "eva@CS.example.org" in page.content.decode()
    assert "10 characters" in page.content.decode()
    assert not User.objects.exists()
    client.post(link(), FIELDS | {"email": "other@example.org"})
    eva = get_user(client)
    assert isinstance(eva, User)
    assert (eva.username, eva.email) == ("eva", "eva@cs.example.org")


def test_a_link_creates_one_account(client):
    ask(client, "eva@example.org")
    client.post(link(), FIELDS)
    client.logout()
    again = client.post(link(), FIELDS | {"username": "eva2"})
    assert again.status_code == 410
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "email",
    ["eva@example.com", "eva@evil-example.org", "eva@example.org.evil.com", "eva@a.example.org",
     "example.org", "", "eva@example.org@evil.com", "eva@evil.com\n@example.org",
     '"eva@evil.com "@example.org,x@evil.com', '"eva@evil.com"@example.org', '"eva"@example.org'],
)  # fmt: skip
def test_other_addresses_get_no_mail(client, email):
    assert ask(client, email).status_code == 400
    assert not mail.outbox


def test_it_does_not_reveal_whether_an_address_has_an_account(client):
    User.objects.create_user("petr", email="Petr@example.org", password=PASSWORD)
    known = ask(client, "petr@example.org").content.decode()
    [sent] = mail.outbox
    assert "petr" in sent.body
    assert SITE + reverse("forgotten-password") in sent.body
    new = ask(client, "eva@example.org").content.decode()
    without = [page.replace("petr@", "eva@").partition("<main")[2] for page in (known, new)]
    assert without[0] == without[1]


def test_a_link_expires_after_a_day_and_cannot_be_forged(client):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ask(client, "eva@example.org")
        clock.shift(registration.LINK_SECONDS - 1)
        assert client.get(link()).status_code == 200
        clock.shift(2)
        assert client.get(link()).status_code == 410
    for token in ("made-up", signing.dumps("eva@example.org"), link().split("/")[-2][:-1]):
        path = reverse("confirm-registration", args=[token])
        assert client.post(path, FIELDS).status_code == 410
    assert not User.objects.exists()


def test_links_end_when_their_domain_is_removed(client, settings):
    ask(client, "eva@example.org")
    settings.REGISTRATION_DOMAINS = ["example.com"]
    assert client.post(link(), FIELDS).status_code == 410
    settings.REGISTRATION_DOMAINS = []
    assert client.post(link(), FIELDS).status_code == 404


def test_an_email_that_cannot_be_sent_is_an_error(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    page = ask(client, "eva@example.org")
    assert page.status_code == 400
    # A second request tries again.
    assert ask(client, "eva@example.org").status_code == 400


def test_the_database_has_an_address_once_in_any_case(db):
    User.objects.create(username="eva", email="Eva@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="eva2", email="eva@EXAMPLE.org")
    # Several accounts can have none.
    for name in ("petr", "jana"):
        User.objects.create(username=name)


def test_a_repeated_request_sends_nothing(client):
    for email in ("eva@example.org", "eva@EXAMPLE.org"):
        assert ask(client, email).status_code == 200
    assert len(mail.outbox) == 1
