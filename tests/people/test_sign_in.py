"""Signing in and out: one-time links and passwords."""

import hashlib
from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import SignInLink, User
from people.sign_in_links import add_user, sign_in_path
from tests.factories import make_annotator, make_project
from tests.people.inviting import PASSWORD

pytestmark = pytest.mark.django_db


# --- the link ----------------------------------------------------------------------------------


def test_a_get_does_not_use_the_link(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    for _time in range(3):
        page = client.get(path)
        assert page.status_code == 200
        assert "jana" in page.content.decode()
        assert "no-store" in page.headers["Cache-Control"]
    assert not get_user(client).is_authenticated


def test_a_post_signs_in_once(client, project):
    user, path = add_user(name="jana", project=project, role="annotator")
    assert client.post(path).status_code == 302
    assert get_user(client) == user
    second = Client()
    assert second.get(path).status_code == 410
    assert second.post(path).status_code == 410
    assert not get_user(second).is_authenticated


def test_a_link_expires_after_seven_days(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    link = SignInLink.objects.get()
    assert timedelta(days=6, hours=23) < link.expires - timezone.now() <= timedelta(days=7)
    SignInLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert client.post(path).status_code == 410
    assert not get_user(client).is_authenticated


def test_a_link_of_a_deactivated_account_is_invalid(client, project):
    user, path = add_user(name="jana", project=project, role="annotator")
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.post(path).status_code == 410


def test_a_link_stays_valid_when_the_person_is_added_to_another_project(project):
    _user, first = add_user(name="jana", project=project, role="annotator")
    add_user(name="jana", project=make_project("Another"), role="annotator")
    assert Client().post(first).status_code == 302


def test_a_newer_link_replaces_older_ones(project):
    user, first = add_user(name="jana", project=project, role="annotator")
    second = sign_in_path(user)
    assert Client().post(first).status_code == 410
    assert Client().post(second).status_code == 302


def test_using_a_link_uses_up_all_others_of_this_user_only(project):
    user, path = add_user(name="jana", project=project, role="annotator")
    _petr, of_petr = add_user(name="petr", project=project, role="annotator")
    forgotten = SignInLink.objects.create(
        user=user,
        token_hash=hashlib.sha256(b"forgotten").hexdigest(),
        expires=timezone.now() + timedelta(days=1),
    )
    Client().post(path)
    forgotten.refresh_from_db()
    assert forgotten.ended
    assert Client().post(of_petr).status_code == 302


def test_a_new_password_makes_all_links_invalid(project):
    user, path = add_user(name="jana", project=project, role="annotator")
    user.display_name = "Jana"
    user.save()
    assert Client().get(path).status_code == 200
    user.set_password(PASSWORD)
    user.save()
    assert Client().get(path).status_code == 410


def test_an_unknown_link_is_not_found(client):
    page = client.get(reverse("sign-in-link", args=["made-up"]))
    assert page.status_code == 404


# --- passwords ---------------------------------------------------------------------------------


def test_after_a_link_a_password_can_be_set_without_the_old_one(client, project):
    _user, path = add_user(name="jana", project=project, role="annotator")
    response = client.post(path)
    assert response.headers["Location"] == reverse("set-password")
    client.post(reverse("set-password"), {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert get_user(client).is_authenticated
    assert Client().login(username="jana", password=PASSWORD)


def test_changing_a_password_needs_the_old_one(client, project):
    user = make_annotator(project)
    user.set_password("the-old-one-31")
    user.save()
    client.login(username="jana", password="the-old-one-31")
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post(reverse("set-password"), new)
    assert Client().login(username="jana", password="the-old-one-31")
    client.post(reverse("set-password"), new | {"old_password": "the-old-one-31"})
    assert Client().login(username="jana", password=PASSWORD)


def test_signing_in_never_redirects_to_another_host(client, project):
    user = make_annotator(project)
    user.set_password(PASSWORD)
    user.save()
    response = client.post(
        reverse("sign-in"),
        {"username": "jana", "password": PASSWORD, "next": "https://elsewhere.example/"},
    )
    assert response.headers["Location"] == reverse("projects")


def test_signing_out_needs_a_post(client, project):
    client.force_login(make_annotator(project))
    assert client.get(reverse("sign-out")).status_code == 405
    assert get_user(client).is_authenticated
    assert client.post(reverse("sign-out")).headers["Location"] == reverse("sign-in")
    assert not get_user(client).is_authenticated


def test_a_browser_that_opens_the_address_of_a_form_is_shown_a_page(client):
    response = client.get(reverse("sign-out"), headers={"accept": "text/html"})
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST, OPTIONS"
    assert reverse("projects") in response.content.decode()
