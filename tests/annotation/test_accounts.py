"""Letting people in: add_user, one-time links, passwords, registration."""

import hashlib
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation import accounts
from annotation.accounts import add_user
from annotation.formats.errors import InputError
from annotation.management.base import Error
from annotation.models import Membership, Project, SignInLink, User
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"


@pytest.fixture
def project() -> Project:
    return make_project(sentences=1)


def token_of(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


# --- add_user ---------------------------------------------------------------------------------


def test_a_new_name_becomes_a_member_without_a_password(project):
    user, _path = add_user(name="jana", project=project, role="annotator")
    assert user.username == "jana"
    assert not user.has_usable_password()
    assert project.memberships.get().role == Membership.Role.ANNOTATOR


def test_a_known_name_keeps_its_account_and_gets_the_new_role(project):
    first, _ = add_user(name="jana", project=project, role="annotator")
    again, _ = add_user(name="jana", project=project, role="administrator")
    assert again == first
    assert project.memberships.get().role == Membership.Role.ADMINISTRATOR


def test_where_people_register_an_account_is_let_in_only_where_it_is_meant(project, settings):
    settings.SELF_REGISTRATION = True
    novak = User.objects.create_user("novak", password=PASSWORD)
    since = f"{novak.date_joined:%Y-%m-%d}"
    with pytest.raises(InputError, match=rf"account 'novak' \(since {since}\): add --existing"):
        add_user(name="novak", project=project, role="administrator")
    assert not Membership.objects.exists()
    assert not SignInLink.objects.exists()

    call_command("add_user", "novak", "--existing", project=str(project.pk), role="administrator")
    assert project.memberships.get().user == novak


def test_elsewhere_a_member_of_another_project_is_let_in(project):
    novak = make_annotator(make_project("castles", sentences=0), "novak")
    user, _path = add_user(name="novak", project=project, role="annotator")
    assert user == novak


def printed(project, *options):
    out = StringIO()
    call_command("add_user", "jana", *options, project=str(project.pk), stdout=out)
    return out.getvalue()


def test_the_link_leads_to_where_people_reach_the_installation(project, settings, tmp_path):
    settings.DATA_DIR, settings.SITE_ADDRESS, settings.PORT = tmp_path, "", 8123
    assert "\nhttp://127.0.0.1:8123/sign-in/link/" in printed(project)
    accounts.address_file().write_text("http://127.0.0.1:9000\n")
    assert "\nhttp://127.0.0.1:9000/sign-in/link/" in printed(project)
    settings.SITE_ADDRESS = "https://rank.example.org/"
    assert "\nhttps://rank.example.org/sign-in/link/" in printed(project)
    assert "\nhttps://x.org/a/sign-in/link/" in printed(project, "--address", "https://x.org/a/")


def test_an_address_that_is_none_is_refused(project):
    with pytest.raises(Error, match="--address 'nonsense' is no address"):
        printed(project, "--address", "nonsense")
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["", "two words", "a" * 151, "semi;colon", "line\nbreak"])
def test_a_name_that_cannot_be_one_leaves_nothing_behind(project, name):
    with pytest.raises(InputError, match="cannot be a user name"):
        add_user(name=name, project=project, role="annotator")
    assert not User.objects.exists()
    assert not Membership.objects.exists()


def test_an_account_that_came_with_an_import_gets_no_link(project):
    User.objects.create(
        username="imported-1-1", is_active=False, came_with=project, display_name="A"
    )
    with pytest.raises(InputError, match="came with an import"):
        add_user(name="imported-1-1", project=project, role="annotator")
    assert not SignInLink.objects.exists()


def test_an_account_that_is_switched_off_gets_no_link(project):
    User.objects.create(username="jana", is_active=False)
    with pytest.raises(InputError, match="switched off"):
        add_user(name="jana", project=project, role="annotator")


def test_an_unknown_role_is_refused(project):
    with pytest.raises(InputError, match="annotator or observer or administrator or owner"):
        add_user(name="jana", project=project, role="king")


def test_the_database_keeps_no_token_only_its_hash(project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    link = SignInLink.objects.get()
    assert link.token_hash == hashlib.sha256(token_of(path).encode()).hexdigest()
    assert len(token_of(path)) >= 43


def test_the_command_prints_an_address_that_signs_in(project):
    out = StringIO()
    call_command(
        "add_user",
        "jana",
        project=str(project.pk),
        role="administrator",
        address="https://rank.example/",
        stdout=out,
    )
    address = out.getvalue().split()[-1]
    assert address.startswith("https://rank.example/sign-in/link/")
    assert accounts.link_owner(token_of(address)).username == "jana"


def test_the_command_says_in_one_sentence_that_there_is_no_such_project(project):
    with pytest.raises(Error, match="There is no project 'castles'"):
        call_command("add_user", "jana", project="castles")
    assert not User.objects.exists()


# --- the link ---------------------------------------------------------------------------------


def test_looking_at_the_link_signs_nobody_in_and_leaves_it_usable(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    for _time in range(3):
        page = client.get(path)
        assert page.status_code == 200
        assert "jana" in page.content.decode()
        assert "no-store" in page.headers["Cache-Control"]
    assert not get_user(client).is_authenticated


def test_pressing_the_button_signs_in_once(client, project):
    user, path = add_user(name="jana", project=project, role="annotator")
    assert client.post(path).status_code == 302
    assert get_user(client) == user
    second = Client()
    assert second.get(path).status_code == 410
    assert second.post(path).status_code == 410
    assert not get_user(second).is_authenticated


def test_a_link_ends_after_seven_days(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    link = SignInLink.objects.get()
    assert timedelta(days=6, hours=23) < link.expires - timezone.now() <= timedelta(days=7)
    SignInLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert client.post(path).status_code == 410
    assert not get_user(client).is_authenticated


def test_a_link_of_an_account_that_was_switched_off_is_dead(client, project):
    user, path = add_user(name="jana", project=project, role="annotator")
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.post(path).status_code == 410


def test_a_newer_link_takes_the_place_of_the_older_ones(project):
    _user, first = add_user(name="jana", project=project, role="annotator")
    _user, second = add_user(name="jana", project=project, role="annotator")
    assert Client().post(first).status_code == 410
    assert Client().post(second).status_code == 302


def test_using_a_link_uses_up_all_others_of_this_person_only(project):
    user, path = add_user(name="jana", project=project, role="annotator")
    _petr, of_petr = add_user(name="petr", project=project, role="annotator")
    forgotten = SignInLink.objects.create(
        user=user,
        token_hash=hashlib.sha256(b"forgotten").hexdigest(),
        expires=timezone.now() + timedelta(days=1),
    )
    Client().post(path)
    forgotten.refresh_from_db()
    assert forgotten.used
    assert Client().post(of_petr).status_code == 302


def test_a_password_that_was_chosen_ends_all_links_wherever_it_was_chosen(project):
    user, path = add_user(name="jana", project=project, role="annotator")
    user.display_name = "Jana"
    user.save()
    assert Client().get(path).status_code == 200
    user.set_password(PASSWORD)
    user.save()
    assert Client().get(path).status_code == 410


def test_an_unknown_link_is_explained(client):
    page = client.get(reverse("sign-in-link", args=["made-up"]))
    assert page.status_code == 404
    assert "We do not know this link" in page.content.decode()


def test_the_link_asks_for_the_forms_own_token(project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    assert accounts.link_owner(token_of(path))


# --- passwords --------------------------------------------------------------------------------


def test_after_the_link_a_password_can_be_chosen_without_an_old_one(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    response = client.post(path)
    assert response.headers["Location"] == reverse("set-password")
    client.post(reverse("set-password"), {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert get_user(client).is_authenticated
    assert Client().login(username="jana", password=PASSWORD)


def test_a_forgotten_password_is_replaced_after_a_new_link(client, project):
    user = make_annotator(project)
    user.set_password("forgotten-long-ago")
    user.save()
    _user, path = add_user(name="jana", project=project, role="annotator")
    assert client.post(path).headers["Location"] == reverse("projects")
    client.post(reverse("set-password"), {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert Client().login(username="jana", password=PASSWORD)


def test_who_signed_in_with_a_password_has_to_know_it_to_change_it(client, project):
    user = make_annotator(project)
    user.set_password("the-old-one-31")
    user.save()
    client.login(username="jana", password="the-old-one-31")
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post(reverse("set-password"), new)
    assert Client().login(username="jana", password="the-old-one-31")
    client.post(reverse("set-password"), new | {"old_password": "the-old-one-31"})
    assert Client().login(username="jana", password=PASSWORD)


def test_a_weak_password_is_refused_with_a_reason(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    client.post(path)
    page = client.post(
        reverse("set-password"), {"new_password1": "12345678", "new_password2": "12345678"}
    )
    assert "too common" in page.content.decode()
    assert not Client().login(username="jana", password="12345678")


def test_signing_in_leads_to_the_page_that_was_asked_for(client, project):
    user = make_annotator(project)
    user.set_password(PASSWORD)
    user.save()
    judge = reverse("judge", args=[project.pk])
    asked = client.get(judge)
    assert asked.headers["Location"] == f"{reverse('sign-in')}?next={judge}"
    response = client.post(
        reverse("sign-in"), {"username": "jana", "password": PASSWORD, "next": judge}
    )
    assert response.headers["Location"] == judge


def test_signing_in_never_leads_to_another_host(client, project):
    user = make_annotator(project)
    user.set_password(PASSWORD)
    user.save()
    response = client.post(
        reverse("sign-in"),
        {"username": "jana", "password": PASSWORD, "next": "https://elsewhere.example/"},
    )
    assert response.headers["Location"] == reverse("projects")


def test_a_wrong_password_is_answered_with_a_sentence(client, project):
    make_annotator(project)
    page = client.post(reverse("sign-in"), {"username": "jana", "password": "wrong"})
    assert page.status_code == 200
    assert "enter a correct username and password" in page.content.decode()


def test_signing_out_needs_a_press_of_the_button(client, project):
    client.force_login(make_annotator(project))
    assert client.get(reverse("sign-out")).status_code == 405
    assert get_user(client).is_authenticated
    assert client.post(reverse("sign-out")).headers["Location"] == reverse("sign-in")
    assert not get_user(client).is_authenticated


# --- registration -----------------------------------------------------------------------------


def test_nobody_registers_where_the_installation_does_not_allow_it(client):
    assert client.get(reverse("register")).status_code == 404
    assert client.post(reverse("register"), {"username": "eve"}).status_code == 404
    assert reverse("register") not in client.get(reverse("sign-in")).content.decode()
    assert not User.objects.exists()


def test_who_registers_is_signed_in_and_a_member_of_nothing(client, project, settings):
    settings.SELF_REGISTRATION = True
    assert reverse("register") in client.get(reverse("sign-in")).content.decode()
    client.post(
        reverse("register"), {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert get_user(client).username == "eva"
    assert not Membership.objects.exists()
    assert "Nothing to judge yet" in client.get(reverse("projects")).content.decode()


def test_a_taken_name_cannot_be_registered_again(client, project, settings):
    settings.SELF_REGISTRATION = True
    make_annotator(project, "jana")
    page = client.post(
        reverse("register"), {"username": "Jana", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert "already exists" in page.content.decode()
    assert User.objects.count() == 1


# --- the account of whoever runs the site -----------------------------------------------------


def test_no_account_of_the_site_takes_the_address_of_another():
    User.objects.create_user("jana", email="Jana@example.org")
    told = "Another account has this name or mail address"
    with pytest.raises(CommandError, match=told), transaction.atomic():
        call_command("createsuperuser", "--noinput", username="root", email="jana@example.org")
    assert not User.objects.filter(username="root").exists()
    call_command("createsuperuser", "--noinput", username="root", email="root@example.org")
    assert User.objects.get(username="root").is_superuser
