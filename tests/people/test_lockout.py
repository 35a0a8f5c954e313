"""Lock-out after ten wrong passwords, and the address that it counts by."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.auth import get_user
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from people.client_ip import client_address
from people.sign_in_links import sign_in_path
from tests.security.test_signing_in import Counting

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


def test_ten_failures_lock_out_even_with_the_right_password():
    assert fail(10) == [200] * 9 + [429]
    page = attempt(PASSWORD)
    assert page.status_code == 429
    assert "no-store" in page.headers["Cache-Control"]
    assert 3590 <= int(page.headers["Retry-After"]) <= 3600
    assert reverse("forgotten-password") in page.content.decode()


def test_other_users_and_other_addresses_are_not_locked_out():
    fail(10)
    assert attempt(PASSWORD, address=THERE).status_code == 302
    User.objects.create_user("petr", password=PASSWORD)
    assert attempt(PASSWORD, name="petr").status_code == 302


def test_it_ends_after_an_hour_and_attempts_meanwhile_do_not_count():
    with time_machine.travel(timezone.now(), tick=False) as clock:
        fail(10)
        clock.shift(timedelta(minutes=59))
        page = attempt(PASSWORD)
        assert page.status_code == 429
        assert page.headers["Retry-After"] == "60"
        clock.shift(timedelta(minutes=2))
        assert attempt(PASSWORD).status_code == 302


def test_a_successful_sign_in_resets_the_counter():
    fail(9)
    assert attempt(PASSWORD).status_code == 302
    assert fail(9) == [200] * 9


def test_it_does_not_reveal_whether_the_account_exists():
    assert fail(10) == fail(10, name="stranger")
    known, unknown = attempt(), attempt(name="stranger")
    assert known.status_code == unknown.status_code == 429
    bodies = [page.content.decode().partition("<main")[2] for page in (known, unknown)]
    assert bodies[0].partition("datetime=")[0] == bodies[1].partition("datetime=")[0]


def test_it_counts_sign_ins_at_admin_too():
    assert fail(5, page="admin:login") == [200] * 5
    assert fail(5) == [200] * 4 + [429]
    page = attempt(PASSWORD, page="admin:login")
    assert page.status_code == 429


def test_a_sign_in_link_works_and_resets_the_counter(jana):
    fail(10)
    client = Client(REMOTE_ADDR=HERE)
    assert client.post(sign_in_path(jana)).status_code == 302
    assert get_user(client) == jana
    assert attempt(PASSWORD).status_code == 302


# --- all places that ask for a password --------------------------------------------------------

CHANGE = {"new_password1": "ten-loud-rivers", "new_password2": "ten-loud-rivers"}


@pytest.mark.parametrize(
    ("page", "field", "form"),
    [
        ("set-password", "old_password", CHANGE),
        ("anonymise-me", "password", {"username": "petr"}),
        ("new-address", "password", {"email": "new@example.org"}),
    ],
)
def test_a_signed_in_user_cannot_try_more_passwords(settings, page, field, form):
    settings.EMAIL_HOST = "mail.example.org"
    petr = User.objects.create_user("petr", password=PASSWORD)
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(petr)
    wrong = [client.post(reverse(page), form | {field: "wrong"}).status_code for _time in range(10)]
    assert set(wrong[:9]) <= {200, 400}
    assert wrong[9] == 429
    assert client.post(reverse(page), form | {field: PASSWORD}).status_code == 429
    assert attempt(PASSWORD, name="petr").status_code == 429
    petr.refresh_from_db()
    assert petr.check_password(PASSWORD)


def test_admin_has_no_page_of_its_own_for_a_new_password(client, jana):
    client.force_login(jana)
    assert client.get("/admin/password_change/").headers["Location"] == reverse("set-password")


def test_no_password_and_no_link_is_stored_with_an_attempt(jana):
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(jana)
    secrets = CHANGE | {"old_password": "almost-nine-quiet-rivers"}
    for _time in range(2):
        client.post(f"{reverse('set-password')}?next=/invitations/S3cretT0ken/", secrets)
    stored = str(AccessAttempt.objects.values().get())
    assert not [text for text in (*secrets.values(), "S3cretT0ken") if text in stored]
    assert AccessAttempt.objects.get().failures_since_start == 2


# --- one address and many names ----------------------------------------------------------------


@pytest.fixture
def hundred(settings):
    """A hundred failures for eleven names from HERE."""
    assert settings.ADDRESS_FAILURE_LIMIT == 100
    for number in range(11):
        failures = {"failures_since_start": 10 if number < 10 else 0}
        AccessAttempt.objects.create(username=f"name{number}", ip_address=HERE, **failures)


def test_a_hundred_failures_for_any_names_lock_out_their_address(hundred):
    page = attempt(PASSWORD)
    assert page.status_code == 429
    assert 'data-locked-out="address"' in page.content.decode()
    assert 3590 <= int(page.headers["Retry-After"]) <= 3600
    assert attempt(PASSWORD, page="admin:login").status_code == 429
    assert attempt(PASSWORD, address=THERE).status_code == 302


def test_ninety_nine_failures_do_not_lock_out_their_address(hundred):
    AccessAttempt.objects.filter(username="name0").update(failures_since_start=9)
    # This one is the hundredth.
    assert attempt().status_code == 200
    assert attempt(PASSWORD).status_code == 429


def test_nothing_is_hashed_while_the_address_is_locked_out(hundred, settings):
    settings.PASSWORD_HASHERS = ["tests.security.test_signing_in.Counting"]
    Counting.made = 0
    assert attempt(name="stranger").status_code == 429
    assert Counting.made == 0


def test_attempts_meanwhile_do_not_prolong_the_lock_out_of_an_address(hundred):
    count = AccessAttempt.objects.count()
    fail(3)
    assert AccessAttempt.objects.count() == count
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert attempt(PASSWORD).status_code == 302


def test_an_address_that_all_visitors_share_is_not_locked_out(hundred, settings):
    settings.HTTPS, settings.PROXIES = True, 0
    assert attempt(PASSWORD).status_code == 302
    AccessAttempt.objects.update(ip_address=None)
    settings.HTTPS = False
    assert attempt(PASSWORD, address="").status_code == 302


# --- the address of a request ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxies", "connecting", "forwarded", "address"),
    [
        (0, HERE, None, HERE),
        # Forged by the visitor.
        (0, HERE, THERE, HERE),
        (1, "10.0.0.1", HERE, HERE),
        # Entries further left may be forged.
        (1, "10.0.0.1", f"1.2.3.4, {HERE}", HERE),
        (2, "10.0.0.1", f"1.2.3.4, {HERE}, 10.0.0.2", HERE),
        # It did not come through all proxies.
        (2, THERE, HERE, THERE),
        (1, THERE, None, THERE),
        (1, "10.0.0.1", "nonsense", None),
        (0, "", None, None),
        # An IPv6 address counts by its network; this IPv4 address is written as IPv6.
        (0, "2001:db8:1:2:aaaa:bbbb:cccc:dddd", None, "2001:db8:1:2::"),
        (1, "::1", "::ffff:192.0.2.1", HERE),
    ],
)
def test_our_proxies_say_the_client_address(settings, proxies, connecting, forwarded, address):
    settings.PROXIES = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded is not None else {}
    request = RequestFactory().get("/", REMOTE_ADDR=connecting, headers=headers)
    assert client_address(request) == address
