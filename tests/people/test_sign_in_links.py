"""Making accounts: add_user, registration, and whoever runs the site."""

import hashlib
from io import StringIO

import pytest
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse

from annotation.common.commands import Error
from annotation.formats.errors import InputError
from annotation.models import Membership, SignInLink, User
from people import sign_in_links
from people.sign_in_links import add_user
from people.site_address import address_file
from tests.factories import make_annotator, make_project
from tests.people.letting_in import PASSWORD, project, token_of

# Fixtures, which are used by their names.
__all__ = ["project"]

pytestmark = pytest.mark.django_db


# --- add_user ----------------------------------------------------------------------------------


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
    address_file().write_text("http://127.0.0.1:9000\n")
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
    assert sign_in_links.link_owner(token_of(address)).username == "jana"


def test_the_command_says_in_one_sentence_that_there_is_no_such_project(project):
    with pytest.raises(Error, match="There is no project 'castles'"):
        call_command("add_user", "jana", project="castles")
    assert not User.objects.exists()


# --- registration ------------------------------------------------------------------------------


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
    assert 'data-reason="no-projects"' in client.get(reverse("projects")).content.decode()


def test_a_taken_name_cannot_be_registered_again(client, project, settings):
    settings.SELF_REGISTRATION = True
    make_annotator(project, "jana")
    page = client.post(
        reverse("register"), {"username": "Jana", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert "already exists" in page.content.decode()
    assert User.objects.count() == 1


# --- the account of whoever runs the site ------------------------------------------------------


def test_no_account_of_the_site_takes_the_address_of_another():
    User.objects.create_user("jana", email="Jana@example.org")
    told = "Another account has this name or mail address"
    with pytest.raises(CommandError, match=told), transaction.atomic():
        call_command("createsuperuser", "--noinput", username="root", email="jana@example.org")
    assert not User.objects.filter(username="root").exists()
    call_command("createsuperuser", "--noinput", username="root", email="root@example.org")
    assert User.objects.get(username="root").is_superuser
