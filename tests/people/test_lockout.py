"""Who guesses passwords has to wait."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from people.client_ip import client_address
from people.password_reset import send_link
from people.sign_in_links import sign_in_path

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def jana() -> User:
    return User.objects.create_superuser("jana", password=PASSWORD, email="jana@example.org")


def attempt(
    password: str = "wrong",
    name: str = "jana",
    address: str = HERE,
    page: str = "sign-in",
    agent: str = "x",
) -> Any:
    client = Client(REMOTE_ADDR=address, headers={"user-agent": agent})
    return client.post(reverse(page), {"username": name, "password": password})


def fail(times: int, **where: str) -> list[int]:
    return [attempt(**where).status_code for _time in range(times)]


def test_the_tenth_failure_locks_and_then_the_right_password_does_not_help():
    assert fail(10) == [200] * 9 + [429]
    page = attempt(PASSWORD)
    assert page.status_code == 429
    assert "Too many attempts" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert 3590 <= int(page.headers["Retry-After"]) <= 3600
    assert reverse("forgotten-password") in page.content.decode()


def test_others_and_other_places_are_not_locked_out():
    fail(10)
    assert attempt(PASSWORD, address=THERE).status_code == 302
    User.objects.create_user("petr", password=PASSWORD)
    assert attempt(PASSWORD, name="petr").status_code == 302


def test_another_browser_is_the_same_place():
    assert fail(5, agent="one") == [200] * 5
    assert fail(5, agent="two") == [200] * 4 + [429]


def test_after_an_hour_one_tries_again_and_attempts_meanwhile_do_not_count():
    with time_machine.travel(timezone.now(), tick=False) as clock:
        fail(10)
        clock.shift(timedelta(minutes=59))
        page = attempt(PASSWORD)
        assert page.status_code == 429
        assert page.headers["Retry-After"] == "60"
        clock.shift(timedelta(minutes=2))
        assert attempt(PASSWORD).status_code == 302


def test_the_right_password_in_time_forgives():
    fail(9)
    assert attempt(PASSWORD).status_code == 302
    assert fail(9) == [200] * 9


def test_nobody_learns_whether_there_is_such_an_account():
    assert fail(10) == fail(10, name="nobody")
    known, unknown = attempt(), attempt(name="nobody")
    assert known.status_code == unknown.status_code == 429
    bodies = [page.content.decode().partition("<main")[2] for page in (known, unknown)]
    assert bodies[0].partition("datetime=")[0] == bodies[1].partition("datetime=")[0]


def test_the_administration_is_locked_too_and_together_with_the_page():
    assert fail(5, page="admin:login") == [200] * 5
    assert fail(5) == [200] * 4 + [429]
    page = attempt(PASSWORD, page="admin:login")
    assert page.status_code == 429
    assert "Too many attempts" in page.content.decode()


def test_a_link_signs_in_whoever_is_locked_out_and_forgives(jana):
    fail(10)
    client = Client(REMOTE_ADDR=HERE)
    assert client.post(sign_in_path(jana)).status_code == 302
    assert get_user(client) == jana
    assert attempt(PASSWORD).status_code == 302


def test_a_new_password_by_mail_signs_in_whoever_is_locked_out(jana, settings, mailoutbox):
    settings.EMAIL_HOST, settings.SITE_ADDRESS = "mail.example.org", "https://x.org"
    settings.DEFAULT_FROM_EMAIL = "rank@example.org"
    fail(10)
    send_link("jana@example.org", "en")
    line = next(line for line in mailoutbox[0].body.splitlines() if line.startswith("https"))
    client = Client(REMOTE_ADDR=HERE)
    form = client.get(line.removeprefix("https://x.org"), follow=True).redirect_chain[-1][0]
    new = {"new_password1": "ten-loud-brooks", "new_password2": "ten-loud-brooks"}
    assert client.post(form, new).status_code == 302
    assert get_user(client) == jana
    assert attempt("ten-loud-brooks").status_code == 302


def test_what_was_typed_as_a_password_is_kept_nowhere():
    from axes.models import AccessAttempt

    attempt("my-real-password-elsewhere")
    assert "my-real-password" not in str(AccessAttempt.objects.values().get())


# --- where a request comes from ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxies", "connecting", "forwarded", "address"),
    [
        (0, HERE, None, HERE),
        # Nobody of ours has written this.
        (0, HERE, THERE, HERE),
        (1, "10.0.0.1", HERE, HERE),
        # Further left stands what the visitor likes.
        (1, "10.0.0.1", f"1.2.3.4, {HERE}", HERE),
        (2, "10.0.0.1", f"1.2.3.4, {HERE}, 10.0.0.2", HERE),
        # It did not come through all proxies.
        (2, THERE, HERE, THERE),
        (1, THERE, None, THERE),
        (1, "10.0.0.1", "nonsense", None),
        (0, "", None, None),
        # One of ever so many addresses of the same network, and an IPv4 address written longer.
        (0, "2001:db8:1:2:aaaa:bbbb:cccc:dddd", None, "2001:db8:1:2::"),
        (1, "::1", "::ffff:192.0.2.1", HERE),
    ],
)
def test_an_address_is_what_our_own_proxies_say(settings, proxies, connecting, forwarded, address):
    settings.PROXIES = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded is not None else {}
    request = RequestFactory().get("/", REMOTE_ADDR=connecting, headers=headers)
    assert client_address(request) == address


def test_a_visitor_gets_no_more_attempts_by_claiming_other_addresses():
    answers = []
    for number in range(10):
        client = Client(REMOTE_ADDR=HERE, headers={"x-forwarded-for": f"192.0.2.{number}"})
        sent = {"username": "jana", "password": "wrong"}
        answers.append(client.post(reverse("sign-in"), sent).status_code)
    assert answers[-1] == 429


def test_whoever_is_locked_out_is_refused_before_a_password_is_looked_at(settings):
    """And who came by a start link is looked up last, as nobody signs in by that."""
    assert settings.AUTHENTICATION_BACKENDS == [
        "people.lockout.LockOut",
        "people.backends.PasswordBackend",
        "crowd.backends.StartLinkBackend",
    ]
