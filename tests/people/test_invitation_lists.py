"""Inviting many people by email at once."""

import re

import pytest
from celery import current_app
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.mail.backends.locmem import EmailBackend
from django.db.models import F
from django.urls import reverse

from annotation.common.exceptions import NotPossible
from annotation.models import User
from annotation.models.secret_links import UnknownLink
from people import invitations
from people.address_lists import LONGEST_LIST
from people.invitations import invite_list, mail_waiting, send_again
from people.mail import CLAIM_LASTS
from people.models import Invitation
from people.tasks import enqueue_waiting, send_invitation
from tests.factories import make_annotator
from tests.people.inviting import NEWCOMER, page_of, path_of, token_of

pytestmark = pytest.mark.django_db
EMAILS = ["petr@example.org", "eva@example.org"]
FIELDS = {"role": "annotator", "days": 7}


@pytest.fixture
def sends_mail(settings):
    settings.EMAIL_HOST = "mail.example.org"


def post(client, project, **fields):
    return client.post(reverse("invite-list", args=[project.pk]), FIELDS | fields)


def let_claims_end():
    Invitation.objects.update(claimed=F("claimed") - CLAIM_LASTS)


def link_in(message) -> str:
    return str(re.findall(r"/invitations/\S+", message.body)[0])


def test_each_person_is_mailed_a_link_of_their_own(project, boss, sends_mail):
    invited = invite_list(project=project, by=boss, role="annotator", emails=EMAILS, note="Hello")
    assert (invited.invited, invited.links) == (EMAILS, [])
    stored = {one.email: one for one in Invitation.objects.all()}
    assert {one.mailing for one in stored.values()} == {"waiting"}
    for one in stored.values():
        send_invitation(one.pk)
        # A message that is delivered twice sends one email.
        send_invitation(one.pk)
    assert [message.to for message in mail.outbox] == [[email] for email in EMAILS]
    assert len({link_in(message) for message in mail.outbox}) == 2
    assert invitations.find(token_of(link_in(mail.outbox[1]))).email == EMAILS[1]
    assert set(Invitation.objects.values_list("mailing", flat=True)) == {"sent"}


def test_members_and_people_invited_before_are_left_out(project, boss, sends_mail):
    User.objects.filter(pk=boss.pk).update(email="Petr@Example.org")
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[1:])
    invited = invite_list(project=project, by=boss, role="annotator", emails=EMAILS)
    assert (invited.invited, invited.members, invited.invited_before) == (
        [],
        EMAILS[:1],
        EMAILS[1:],
    )
    assert Invitation.objects.count() == 1


def test_an_email_that_the_server_refuses_can_be_sent_again(project, boss, sends_mail, settings):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    invitation = Invitation.objects.get()
    settings.EMAIL_BACKEND = "tests.people.test_invitation_lists.Refusing"
    mail_waiting(invitation.pk)
    invitation.refresh_from_db()
    assert invitation.mailing == "failed"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    send_again(project=project, by=boss, pk=invitation.pk)
    mail_waiting(invitation.pk)
    assert invitations.find(token_of(link_in(mail.outbox[0]))) == invitation


class Refusing:
    def __init__(self, **options):
        pass

    def send_messages(self, messages):
        raise OSError


def test_a_link_stays_valid_while_no_later_one_was_mailed(project, boss, sends_mail, settings):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    pk = Invitation.objects.get().pk
    mail_waiting(pk)
    let_claims_end()
    send_again(project=project, by=boss, pk=pk)
    settings.EMAIL_BACKEND = "tests.people.test_invitation_lists.Refusing"
    mail_waiting(pk)
    assert invitations.find(token_of(link_in(mail.outbox[0]))).mailing == "failed"


class Killed(EmailBackend):
    def send_messages(self, messages):
        raise SystemExit


def test_what_a_killed_worker_did_not_mail_is_mailed_later(
    project, boss, sends_mail, settings, monkeypatch, django_capture_on_commit_callbacks
):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    invitation = Invitation.objects.get()
    settings.EMAIL_BACKEND = "tests.people.test_invitation_lists.Killed"
    with pytest.raises(SystemExit):
        mail_waiting(invitation.pk)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, arguments, **_options: sent.append((name, arguments))
    )
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_waiting()
    assert sent == []
    let_claims_end()
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_waiting()
    assert sent == [(invitations.TASK, [invitation.pk])]
    mail_waiting(invitation.pk)
    (message,) = mail.outbox
    assert invitations.find(token_of(link_in(message))).mailing == "sent"


def test_an_invitation_is_not_sent_again_at_once(project, boss, sends_mail):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    pk = Invitation.objects.get().pk
    mail_waiting(pk)
    with pytest.raises(NotPossible):
        send_again(project=project, by=boss, pk=pk)
    let_claims_end()
    send_again(project=project, by=boss, pk=pk)


def test_a_person_whose_invitation_could_not_be_mailed_is_invited_anew(
    project, boss, sends_mail, settings
):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    settings.EMAIL_BACKEND = "tests.people.test_invitation_lists.Refusing"
    mail_waiting(Invitation.objects.get().pk)
    invited = invite_list(project=project, by=boss, role="observer", emails=EMAILS[:1])
    assert (invited.invited, invited.invited_before) == (EMAILS[:1], [])
    assert [one.role for one in invitations.open_invitations(project)] == ["observer"]


class MailingTwice(EmailBackend):
    """Delivers while another worker has a second message about the same invitations."""

    def send_messages(self, messages):
        for invitation in Invitation.objects.all():
            mail_waiting(invitation.pk)
        return super().send_messages(messages)


def test_two_workers_mail_one_link(project, boss, sends_mail, settings):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    invitation = Invitation.objects.get()
    send_again(project=project, by=boss, pk=invitation.pk)
    settings.EMAIL_BACKEND = "tests.people.test_invitation_lists.MailingTwice"
    mail_waiting(invitation.pk)
    (message,) = mail.outbox
    assert invitations.find(token_of(link_in(message))) == invitation


def test_a_link_mailed_again_replaces_the_earlier_one(project, boss, sends_mail):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    pk = Invitation.objects.get().pk
    mail_waiting(pk)
    let_claims_end()
    send_again(project=project, by=boss, pk=pk)
    mail_waiting(pk)
    first, second = (token_of(link_in(message)) for message in mail.outbox)
    with pytest.raises(UnknownLink):
        invitations.find(first)
    assert invitations.find(second).pk == pk


def test_a_revoked_invitation_is_not_mailed(project, boss, sends_mail):
    invite_list(project=project, by=boss, role="annotator", emails=EMAILS[:1])
    pk = Invitation.objects.get().pk
    invitations.revoke(project=project, by=boss, pk=pk)
    mail_waiting(pk)
    assert not mail.outbox
    with pytest.raises(UnknownLink):
        send_again(project=project, by=boss, pk=pk)


def test_administrators_invite_no_owners(project, boss):
    with pytest.raises(NotPossible):
        invite_list(project=project, by=boss, role="owner", emails=EMAILS)
    assert not Invitation.objects.exists()


def test_a_project_has_a_limited_number_of_open_invitations(project, boss, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_ADDRESSED", 1)
    with pytest.raises(NotPossible):
        invite_list(project=project, by=boss, role="annotator", emails=EMAILS)
    assert not Invitation.objects.exists()


# --- where no email is configured -------------------------------------------------------------


def test_the_links_are_shown_once(client, project, boss):
    client.force_login(boss)
    page = post(client, project, addresses=", ".join(EMAILS))
    assert page.status_code == 201
    assert [email for email, _link in page.context["links"]] == EMAILS
    html = page.content.decode()
    for email, link in page.context["links"]:
        assert f"{email},{link}" in html
        assert token_of(link) not in page_of(
            client, reverse("project-invitations", args=[project.pk])
        )
        assert invitations.find(token_of(link)).email == email


def test_a_link_that_was_not_mailed_confirms_no_address(client, project, boss):
    client.force_login(boss)
    ((_email, link),) = post(client, project, addresses=EMAILS[1]).context["links"]
    client.logout()
    User.objects.create(username="other", email=EMAILS[1])
    path = path_of(token_of(link))
    assert "<bdi>eva@example.org</bdi>" not in page_of(client, path)
    client.post(path, NEWCOMER)
    assert User.objects.get(username="eva").email == ""


# --- the form ---------------------------------------------------------------------------------


def test_pasted_and_uploaded_addresses_are_invited_together(client, project, boss):
    client.force_login(boss)
    file = SimpleUploadedFile("people.csv", f"name,email\nEva,{EMAILS[1]}\n".encode())
    page = post(client, project, addresses=EMAILS[0], file=file)
    assert [email for email, _link in page.context["links"]] == EMAILS


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"addresses": "petr@example.org, eva@, jana"}, "addresses"),
        ({"addresses": ""}, "addresses"),
        ({"addresses": "x" * (LONGEST_LIST + 1)}, "addresses"),
        ({"addresses": " ".join(f"a{n}@example.org" for n in range(501))}, "addresses"),
        ({"addresses": "petr@example.org", "role": "owner"}, "role"),
        ({"addresses": "petr@example.org", "days": 91}, "days"),
        ({"file": SimpleUploadedFile("a.csv", b"\xff\xfe")}, "file"),
        ({"file": SimpleUploadedFile("a.csv", b"a" * (LONGEST_LIST + 1))}, "file"),
        ({"file": SimpleUploadedFile("a.csv", b"nothing here\n")}, "file"),
    ],
)  # fmt: skip
def test_a_wrong_list_is_refused_as_a_whole(client, project, boss, fields, field):
    client.force_login(boss)
    page = post(client, project, **fields)
    assert page.status_code == 400
    assert field in page.context["list_form"].errors
    assert not Invitation.objects.exists()


def test_a_file_that_is_too_large_is_not_read(client, project, boss):
    client.force_login(boss)
    file = SimpleUploadedFile("people.csv", b"petr@example.org\n" * 40_000)
    assert post(client, project, addresses=EMAILS[0], file=file).status_code == 413
    assert not Invitation.objects.exists()


def test_all_wrong_addresses_are_named(client, project, boss):
    client.force_login(boss)
    page = post(client, project, addresses="petr@example.org\neva@\nno@where").content.decode()
    for part in ("eva@", "no@where"):
        assert re.search(rf"<li>[^<]*{part}", page)


def test_the_outcome_names_those_left_out(client, project, boss, sends_mail):
    make_annotator(project, "petr")
    User.objects.filter(username="petr").update(email=EMAILS[0])
    client.force_login(boss)
    again = f"{EMAILS[0]}\n{EMAILS[1]}\n{EMAILS[1]}\n"
    page = client.post(
        reverse("invite-list", args=[project.pk]), FIELDS | {"addresses": again}, follow=True
    )
    said = [str(message) for message in page.context["messages"]]
    assert len(said) == 3
    assert EMAILS[0] in said[1]
    assert EMAILS[1] in said[2]
