"""Creating accounts: add_user, registration, createsuperuser."""

import hashlib
from io import StringIO

import pytest
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse

from annotation.formats.errors import InputError
from annotation.models import Membership, SignInLink, User
from people.sign_in_links import add_user
from people.site_address import address_file
from tests.factories import make_annotator, make_project
from tests.people.inviting import PASSWORD, token_of

pytestmark = pytest.mark.django_db


# --- add_user ----------------------------------------------------------------------------------


def test_a_new_name_gets_an_account_without_a_password(project):
    user, _path = add_user(name="jana", project=project, role="annotator")
    assert user.username == "jana"
    assert user.created_for == project
    assert not user.has_usable_password()
    assert project.memberships.get().role == Membership.Role.ANNOTATOR


def test_a_known_name_gets_the_new_role(project):
    first, _ = add_user(name="jana", project=project, role="annotator")
    again, _ = add_user(name=" jana\u00a0", project=project, role="administrator")
    assert again == first
    assert project.memberships.get().role == Membership.Role.ADMINISTRATOR


def test_with_self_registration_an_existing_account_needs_the_option(project, settings):
    settings.SELF_REGISTRATION = True
    novak = User.objects.create_user("novak", password=PASSWORD)
    since = f"{novak.date_joined:%Y-%m-%d}"
    with pytest.raises(InputError, match=rf"\(since {since}\): add --existing"):
        add_user(name="novak", project=project, role="administrator")
    assert not Membership.objects.exists()
    assert not SignInLink.objects.exists()

    call_command(
        *("add_user", "novak", "--existing", "--project", str(project.pk)), role="administrator"
    )
    assert project.memberships.get().user == novak
    # A member of the first project only.
    with pytest.raises(InputError, match="add --existing"):
        add_user(name="novak", project=project, others=[make_project("Another")])


def test_a_new_account_is_added_to_several_projects(project, settings):
    settings.SELF_REGISTRATION = True
    other = make_project("Another")
    user, _path = add_user(name="jana", project=project, others=[other])
    assert {*user.memberships.values_list("project", flat=True)} == {project.pk, other.pk}
    assert SignInLink.objects.count() == 1


def printed(project, *options):
    out = StringIO()
    call_command("add_user", "jana", *options, "--project", str(project.pk), stdout=out)
    return out.getvalue()


def test_the_link_starts_with_the_address_of_the_site(project, settings, tmp_path):
    settings.DATA_DIR, settings.SITE_ADDRESS, settings.PORT = tmp_path, "", 8123
    assert "\nhttp://127.0.0.1:8123/sign-in/link/" in printed(project)
    address_file().write_text("http://127.0.0.1:9000\n")
    assert "\nhttp://127.0.0.1:9000/sign-in/link/" in printed(project)
    settings.SITE_ADDRESS = "https://rank.example.org/"
    assert "\nhttps://rank.example.org/sign-in/link/" in printed(project)
    assert "\nhttps://x.org/a/sign-in/link/" in printed(project, "--address", "https://x.org/a/")


@pytest.mark.parametrize("name", ["", "two words", "a" * 151, "semi;colon", "line\nbreak"])
def test_an_invalid_name_leaves_nothing(project, name):
    with pytest.raises(InputError):
        add_user(name=name, project=project, role="annotator")
    assert not User.objects.exists()
    assert not Membership.objects.exists()


def test_an_imported_account_gets_no_link(project):
    User.objects.create(
        username="imported-1-1", is_active=False, imported_with=project, display_name="A"
    )
    with pytest.raises(InputError):
        add_user(name="imported-1-1", project=project, role="annotator")
    assert not SignInLink.objects.exists()


def test_a_deactivated_account_gets_no_link(project):
    User.objects.create(username="jana", is_active=False)
    with pytest.raises(InputError):
        add_user(name="jana", project=project, role="annotator")


def test_only_a_hash_of_the_token_is_stored(project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    link = SignInLink.objects.get()
    assert link.token_hash == hashlib.sha256(token_of(path).encode()).hexdigest()
    assert len(token_of(path)) >= 43


# --- registration ------------------------------------------------------------------------------


def test_registration_is_off_by_default(client):
    assert client.get(reverse("register")).status_code == 404
    assert client.post(reverse("register"), {"username": "eve"}).status_code == 404
    assert reverse("register") not in client.get(reverse("sign-in")).content.decode()
    assert not User.objects.exists()


def test_a_registered_user_is_signed_in_and_in_no_project(client, project, settings):
    settings.SELF_REGISTRATION = True
    assert reverse("register") in client.get(reverse("sign-in")).content.decode()
    client.post(
        reverse("register"), {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert get_user(client).username == "eva"
    assert not Membership.objects.exists()
    assert 'data-reason="no-projects"' in client.get(reverse("projects")).content.decode()


def test_a_taken_name_cannot_be_registered(client, project, settings):
    settings.SELF_REGISTRATION = True
    make_annotator(project, "jana")
    page = client.post(
        reverse("register"), {"username": "Jana", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert list(page.context["form"].errors) == ["username"]
    assert User.objects.count() == 1


# --- createsuperuser ---------------------------------------------------------------------------


def test_createsuperuser_refuses_a_taken_address():
    User.objects.create_user("jana", email="Jana@example.org")
    with pytest.raises(CommandError), transaction.atomic():
        call_command("createsuperuser", "--noinput", username="root", email="jana@example.org")
    assert not User.objects.filter(username="root").exists()
    call_command("createsuperuser", "--noinput", username="root", email="root@example.org")
    assert User.objects.get(username="root").is_superuser
