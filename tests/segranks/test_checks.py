"""Unsafe settings are refused before anything starts."""

import secrets
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from segranks import env
from segranks.checks import (
    refuse_impossible_proxies,
    refuse_registration_without_mail,
    refuse_short_secret,
    refuse_unsafe_broker,
    refuse_unsafe_database,
    refuse_unsafe_settings,
    refuse_unsafe_site,
    refuse_unsafe_webhooks,
    refuse_unusable_mail,
)
from tests.installation import Installation

# The same in all processes of a test run, which are to find the same tests.
KEY = "Zq3xT7vLm9-nobodys-key-of-a-test-Wd5sKf2hYc8Rj4Gb6Np1Xe0Ua"


def test_it_accepts_debugging_for_this_machine_only() -> None:
    refuse_unsafe_settings(debug=True, hosts=["localhost", "127.0.0.1", "[::1]"], key=KEY)


def test_it_accepts_visitors_without_debugging() -> None:
    refuse_unsafe_settings(debug=False, hosts=["ranks.example.org"], key=KEY)


@pytest.mark.parametrize("host", ["ranks.example.org", "*", "10.0.0.5"])
def test_it_refuses_debugging_with_visitors(host: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DEBUG shows settings"):
        refuse_unsafe_settings(debug=True, hosts=["localhost", host], key=KEY)


@pytest.mark.parametrize("key", ["short", "a" * 80, "django-insecure-" + KEY])
def test_it_refuses_a_key_that_can_be_guessed(key: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY can be guessed"):
        refuse_unsafe_settings(debug=False, hosts=["localhost"], key=key)


def test_it_refuses_a_site_that_nobody_can_reach() -> None:
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS lets none in"):
        refuse_unsafe_site(hosts=["localhost", "127.0.0.1"], https=True, address="")
    refuse_unsafe_site(hosts=["localhost"], https=False, address="")


def test_it_refuses_a_site_that_any_other_can_pass_for() -> None:
    with pytest.raises(ImproperlyConfigured, match="pass for this one"):
        refuse_unsafe_site(hosts=["*"], https=True, address="")


@pytest.mark.parametrize(("https", "scheme"), [(False, "https"), (True, "http")])
def test_it_refuses_an_address_that_is_not_as_safe_as_it_says(https: bool, scheme: str) -> None:
    hosts = ["ranks.example.org"]
    with pytest.raises(ImproperlyConfigured, match="SITE_ADDRESS is http"):
        refuse_unsafe_site(hosts=hosts, https=https, address=f"{scheme}://ranks.example.org")
    refuse_unsafe_site(hosts=hosts, https=not https, address=f"{scheme}://ranks.example.org")


@pytest.mark.parametrize("login", ["segranks:segranks", "jana:jana", "jana:Password"])
def test_it_refuses_passwords_that_everybody_tries_first(
    monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    monkeypatch.setenv("THING", f"postgresql://{login}@database/segranks")
    with pytest.raises(ImproperlyConfigured, match="password in DATABASE_URL"):
        refuse_unsafe_database(env.database("THING", Path("unused")))
    with pytest.raises(ImproperlyConfigured, match="password in CELERY_BROKER_URL"):
        refuse_unsafe_broker(f"redis://{login}@broker:6379/0")


@pytest.mark.parametrize(
    "url",
    [
        "redis://broker:6379/0",
        "redis://:f8Zq0v1mXc@broker:6379/0",
        "redis://:secret@127.0.0.1:6379/0",
        "memory://localhost/",
    ],
)
def test_it_accepts_other_passwords_and_any_on_this_machine(url: str) -> None:
    refuse_unsafe_broker(url)


def test_it_refuses_a_short_secret() -> None:
    with pytest.raises(ImproperlyConfigured, match="METRICS_TOKEN can be guessed"):
        refuse_short_secret("METRICS_TOKEN", "abc")
    refuse_short_secret("METRICS_TOKEN", "")
    refuse_short_secret("METRICS_TOKEN", secrets.token_urlsafe(20))


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"HTTPS": "1"}, "Error: HTTPS=1 is for visitors"),
        ({"SITE_ADDRESS": "https://ranks.example.org"}, "Error: SITE_ADDRESS is https"),
        ({"SECRET_KEY": "guess"}, "Error: SECRET_KEY can be guessed"),
        ({"DATABASE_URL": "postgresql://a:a@far/a"}, "Error: The password in DATABASE_URL"),
        ({"CELERY_BROKER_URL": "redis://:secret@far"}, "Error: The password in CELERY_BROKER"),
        ({"SELF_REGISTRATION": "example.org"}, "Error: SELF_REGISTRATION is for addresses"),
        ({"EMAIL_HOST": "mail.example.org"}, "Error: EMAIL_HOST is set"),
    ],
)
def test_no_command_starts_with_them(
    installation: Installation, environment: dict[str, str], said: str
) -> None:
    installation.environment |= environment
    result = installation.manage("check", check=False)
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert result.stderr.startswith(said)


def test_a_refusal_is_one_sentence_and_nothing_starts(installation: Installation) -> None:
    installation.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": "ranks.example.org"}
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: DEBUG shows settings and code")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()


def test_an_installation_behind_https_passes_djangos_checks(installation: Installation) -> None:
    installation.environment |= {"HTTPS": "1", "ALLOWED_HOSTS": "ranks.example.org"}
    result = installation.manage("check", "--deploy", "--fail-level", "WARNING")
    assert "no issues" in result.stdout


def test_it_accepts_mail_and_none() -> None:
    refuse_unusable_mail(host="", sender="", password="", encrypted=True)
    refuse_unusable_mail(host="mail.example.org", sender="a@b.org", password="x", encrypted=True)
    refuse_unusable_mail(host="127.0.0.1", sender="a@b.org", password="x", encrypted=False)
    refuse_unusable_mail(host="mail.example.org", sender="a@b.org", password="", encrypted=False)


def test_it_refuses_mail_from_nobody() -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM is not"):
        refuse_unusable_mail(host="mail.example.org", sender="", password="", encrypted=True)


def test_it_refuses_to_send_the_password_of_the_mail_server_in_the_clear() -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_SECURITY=none would send the password"):
        refuse_unusable_mail(host="mail.b.org", sender="a@b.org", password="x", encrypted=False)


def test_it_refuses_registration_by_domain_without_mail() -> None:
    refuse_registration_without_mail(domains=[], mail="")
    refuse_registration_without_mail(domains=["b.org"], mail="mail.b.org")
    with pytest.raises(ImproperlyConfigured, match=r"addresses at a\.org, b\.org, which are conf"):
        refuse_registration_without_mail(domains=["a.org", "b.org"], mail="")


def test_it_refuses_a_number_of_proxies_that_there_cannot_be() -> None:
    refuse_impossible_proxies(0)
    with pytest.raises(ImproperlyConfigured, match="PROXIES is -1"):
        refuse_impossible_proxies(-1)


@pytest.mark.parametrize(
    ("hosts", "https"), [(["ranks.example.org"], False), (["*"], False), (["localhost"], True)]
)
def test_it_refuses_webhooks_to_neighbours_where_there_are_visitors(
    hosts: list[str], https: bool
) -> None:
    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_PRIVATE=1 lets webhooks reach"):
        refuse_unsafe_webhooks(private=True, hosts=hosts, https=https)
    refuse_unsafe_webhooks(private=False, hosts=hosts, https=https)
    refuse_unsafe_webhooks(private=True, hosts=["localhost", "127.0.0.1"], https=False)
