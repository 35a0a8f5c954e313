"""Attacks on signing in and on sessions."""

from typing import Any

import pytest
from django.contrib.auth import hashers
from django.test import Client
from django.urls import reverse

from annotation.models import User
from people.sign_in_links import sign_in_path
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"


def session_after(client: Client, sign_in: Any) -> tuple[str, str]:
    """Return the session key before and after signing in."""
    client.get(reverse("sign-in"))
    session = client.session
    session["planted"] = "by an attacker"
    session.save()
    before = str(session.session_key)
    client.cookies["sessionid"] = before
    assert sign_in().status_code == 302
    return before, client.cookies["sessionid"].value


@pytest.mark.parametrize("way", ["password", "link", "registration"])
def test_signing_in_replaces_a_planted_session(client: Client, settings: Any, way: str) -> None:
    settings.SELF_REGISTRATION = True
    user = User.objects.create_user("jana", password=PASSWORD)
    link = sign_in_path(user)
    new = {"username": "petr", "password1": PASSWORD, "password2": PASSWORD}
    ways: dict[str, Any] = {
        "password": lambda: client.post(
            reverse("sign-in"), {"username": "jana", "password": PASSWORD}
        ),
        "link": lambda: client.post(link),
        "registration": lambda: client.post(reverse("register"), new),
    }
    before, after = session_after(client, ways[way])
    assert before != after
    stranger = Client()
    stranger.cookies["sessionid"] = before
    assert stranger.get("/").status_code == 302


def test_signing_in_as_another_person_clears_the_session(client: Client) -> None:
    client.force_login(User.objects.create(username="first"))
    session = client.session
    session["signed-in-by-link"] = True
    session.save()
    second = User.objects.create_user("second", password=PASSWORD)
    client.post(sign_in_path(second))
    client.post(reverse("sign-out"))
    client.post(reverse("sign-in"), {"username": "second", "password": PASSWORD})
    assert "signed-in-by-link" not in client.session


def test_a_deactivated_account_is_signed_out_at_once(client: Client) -> None:
    project = make_project()
    jana = make_annotator(project)
    client.force_login(jana)
    given = assign_next(jana, project)
    User.objects.update(is_active=False)
    path = reverse("draft", args=[project.pk, given.pk])
    answer = client.put(path, {"base": 0, "choices": {}}, content_type="application/json")
    assert answer.status_code == 403
    assert client.get("/").status_code == 302


class Counting(hashers.MD5PasswordHasher):
    """Counts hashed passwords, since an attacker can measure how long they take."""

    made = 0

    def encode(self, password: str, salt: str) -> str:
        Counting.made += 1
        return str(super().encode(password, salt))


def test_signing_in_does_not_reveal_accounts(client: Client, settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.Counting"]
    User.objects.create_user("jana", password=PASSWORD)
    User.objects.create_user("link-only")
    User.objects.create_user("gone", password=PASSWORD, is_active=False)
    answers, costs = set(), []
    for name in ("jana", "link-only", "gone", "stranger"):
        Counting.made = 0
        answer = client.post(reverse("sign-in"), {"username": name, "password": "wrong"})
        page = answer.content.decode().replace(name, "")
        answers.add(page.split("<main")[1].split('csrfmiddlewaretoken" value="')[0])
        assert "errorlist" in page or 'role="alert"' in page
        costs.append(Counting.made)
    assert len(answers) == 1
    assert len(set(costs)) == 1
