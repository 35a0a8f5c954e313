"""What somebody tries who would like to be somebody else."""

from typing import Any

import pytest
from django.contrib.auth import hashers
from django.test import Client
from django.urls import reverse

from annotation.judging.assignment import next_assignment
from annotation.models import User
from people.sign_in_links import sign_in_path
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"


def session_after(client: Client, sign_in: Any) -> tuple[str, str]:
    """Return the key of the session before and after somebody signs in."""
    client.get(reverse("sign-in"))
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    before = str(session.session_key)
    client.cookies["sessionid"] = before
    assert sign_in().status_code == 302
    return before, client.cookies["sessionid"].value


@pytest.mark.parametrize("way", ["password", "link", "registration"])
def test_a_session_that_somebody_else_has_planted_is_left(
    client: Client, settings: Any, way: str
) -> None:
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


def test_signing_in_as_somebody_else_leaves_nothing_of_the_first(client: Client) -> None:
    client.force_login(User.objects.create(username="first"))
    session = client.session
    session["signed-in-by-link"] = True
    session.save()
    second = User.objects.create_user("second", password=PASSWORD)
    client.post(sign_in_path(second))
    client.post(reverse("sign-out"))
    client.post(reverse("sign-in"), {"username": "second", "password": PASSWORD})
    assert "signed-in-by-link" not in client.session


def test_a_new_password_ends_all_other_sessions(client: Client) -> None:
    user = User.objects.create_user("jana", password=PASSWORD)
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.post(reverse("sign-in"), {"username": "jana", "password": PASSWORD})
    new = {
        "old_password": PASSWORD,
        "new_password1": "x" + PASSWORD,
        "new_password2": "x" + PASSWORD,
    }
    assert client.post(reverse("set-password"), new).status_code == 302
    assert client.get("/").status_code == 200
    assert elsewhere.get("/").status_code == 302
    assert user.pk


def test_who_is_switched_off_is_out_at_once(client: Client) -> None:
    project = make_project()
    jana = make_annotator(project)
    client.force_login(jana)
    given = next_assignment(annotator=jana, project=project)
    assert given
    User.objects.update(is_active=False)
    path = reverse("draft", args=[project.pk, given.pk])
    answer = client.put(path, {"base": 0, "choices": {}}, content_type="application/json")
    assert answer.status_code == 403
    assert client.get("/").status_code == 302


class Counting(hashers.MD5PasswordHasher):
    """Counts how often a password is hashed: what it costs, an attacker can time."""

    made = 0

    def encode(self, password: str, salt: str) -> str:
        Counting.made += 1
        return str(super().encode(password, salt))


def test_the_page_for_signing_in_does_not_tell_who_has_an_account(
    client: Client, settings: Any
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.Counting"]
    User.objects.create_user("jana", password=PASSWORD)
    User.objects.create_user("link-only")
    User.objects.create_user("gone", password=PASSWORD, is_active=False)
    answers, costs = set(), []
    for name in ("jana", "link-only", "gone", "nobody"):
        Counting.made = 0
        answer = client.post(reverse("sign-in"), {"username": name, "password": "wrong"})
        page = answer.content.decode().replace(name, "")
        answers.add(page.split("<main")[1].split('csrfmiddlewaretoken" value="')[0])
        assert "Please enter a correct" in page
        costs.append(Counting.made)
    assert len(answers) == 1
    assert len(set(costs)) == 1
