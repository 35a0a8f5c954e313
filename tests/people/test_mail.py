"""Invitations by email."""

from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.urls import reverse
from django.utils.translation import override

from annotation.models import Project, User
from people.invitations import find, invite_by_mail
from people.mail import NotSent
from people.models import Invitation
from people.tasks import send_reset_links
from tests.services import free_port

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"


@pytest.fixture
def configured(settings: Any) -> Any:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example.org", "rank@example.org"
    settings.SITE_ADDRESS = "https://rank.example.org"
    return settings


@pytest.fixture
def no_server(configured: Any) -> None:
    """Nothing listens where the mail server should be."""
    configured.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    configured.EMAIL_HOST, configured.EMAIL_PORT = "127.0.0.1", free_port()


def address_in(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("https://"))


def test_an_invitation_is_mailed_in_the_inviters_language(configured, project, boss):
    project.name = "Zprávy <2026> & více"
    project.save()
    with override("cs"):
        invite_by_mail(
            project=project, by=boss, role="annotator", email="eva@example.org", note="Ahoj <3"
        )
    [sent] = mail.outbox
    assert (sent.from_email, sent.to) == ("rank@example.org", ["eva@example.org"])
    assert sent.subject == "Pozvánka: Zprávy <2026> & více"
    assert "Ahoj <3" in sent.body
    token = address_in(str(sent.body)).rstrip("/").rsplit("/", 1)[-1]
    assert find(token).email == "eva@example.org"


def test_an_email_that_cannot_be_sent_leaves_no_invitation(no_server, project, boss):
    with pytest.raises(NotSent):
        invite_by_mail(project=project, by=boss, role="annotator", email="eva@example.org")
    assert not Invitation.objects.exists()


def test_an_account_created_by_invitation_has_its_address(configured, client, project, boss):
    invite_by_mail(project=project, by=boss, role="annotator", email="eva@example.org")
    [sent] = mail.outbox
    assert sent.to == ["eva@example.org"]
    path = address_in(str(sent.body)).removeprefix("https://rank.example.org")
    client.post(path, {"username": "eva", "password1": PASSWORD, "password2": PASSWORD})
    eva = get_user(client)
    assert isinstance(eva, User)
    assert eva.email == "eva@example.org"
    assert client.get(path).status_code == 410


def test_an_address_with_an_account_is_asked_to_sign_in(configured, client, project, boss):
    invite_by_mail(project=project, by=boss, role="annotator", email="eva@example.org")
    [sent] = mail.outbox
    path = address_in(str(sent.body)).removeprefix("https://rank.example.org")
    assert b"password1" in client.get(path).content
    eva = User.objects.create_user("eva", email="Eva@example.org", password=PASSWORD)
    page = client.get(path).content.decode()
    assert reverse("forgotten-password") in page
    assert "password1" not in page
    # The same if the account was created while the form was filled in.
    fields = {"username": "eva2", "password1": PASSWORD, "password2": PASSWORD}
    refused = client.post(path, fields)
    assert refused.status_code == 409
    assert "password1" not in refused.content.decode()
    assert not User.objects.filter(username="eva2").exists()
    client.force_login(eva)
    client.post(path)
    assert eva.memberships.get().role == "annotator"


def test_the_owner_of_a_deactivated_account_gets_an_explanation(configured, client, project, boss):
    """They cannot sign in with it, and a new password would not help."""
    invite_by_mail(project=project, by=boss, role="annotator", email="eva@example.org")
    [sent] = mail.outbox
    path = address_in(str(sent.body)).removeprefix("https://rank.example.org")
    User.objects.create_user("eva", email="eva@example.org", is_active=False)
    page = client.get(path).content.decode()
    assert reverse("forgotten-password") not in page
    assert "password1" not in page
    # They may have another account.
    assert reverse("sign-in") in page


def test_a_line_break_in_a_name_adds_no_header(configured, project, boss):
    Project.objects.update(name="houses\nBcc: all@example.org")
    project.refresh_from_db()
    invite_by_mail(project=project, by=boss, role="annotator", email="eva@example.org")
    [sent] = mail.outbox
    assert sent.subject == "Invitation to houses Bcc: all@example.org"
    assert sent.recipients() == ["eva@example.org"]


def test_a_password_email_that_cannot_be_sent_is_logged_and_no_error(no_server, caplog):
    User.objects.create(username="eva", email="eva@example.org")
    send_reset_links("eva@example.org", "en")
    [record] = caplog.records
    assert (record.name, record.levelname) == ("django.contrib.auth", "ERROR")
