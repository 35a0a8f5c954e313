"""Unsafe settings are refused before anything starts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from segranks import env
from segranks.checks import (
    refuse_negative_proxies,
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

# Constant, because all xdist processes must collect tests of the same names.
KEY = "Zq3xT7vLm9-a-key-for-tests-only-Wd5sKf2hYc8Rj4Gb6Np1Xe0Ua"
HEXADECIMAL = "9f8b2c40d7e1a6535e0c94b7f21d8a3608be47c95d1fa03b6e"
SITE = "rank.example.org"
LOCAL = ["localhost", "127.0.0.1", "[::1]"]
MAIL = {"host": "mail.b.org", "sender": "a@b.org", "password": "x", "encrypted": True}

Check = Callable[..., None]


@pytest.mark.parametrize(
    ("check", "settings"),
    [
        (refuse_unsafe_settings, {"debug": True, "hosts": LOCAL, "key": KEY}),
        (refuse_unsafe_settings, {"debug": False, "hosts": [SITE], "key": KEY}),
        (refuse_unsafe_settings, {"debug": False, "hosts": [SITE], "key": HEXADECIMAL}),
        (refuse_unsafe_site, {"hosts": ["localhost"], "https": False, "address": ""}),
        (refuse_unsafe_site, {"hosts": [SITE], "https": True, "address": f"https://{SITE}"}),
        (refuse_unsafe_site, {"hosts": [SITE], "https": False, "address": f"http://{SITE}"}),
        (refuse_unsafe_broker, {"url": "redis://127.0.0.1:6379/0"}),
        (refuse_unsafe_broker, {"url": "redis://:f8Zq0v1mXc@broker:6379/0"}),
        (refuse_unsafe_broker, {"url": "redis://:secret@127.0.0.1:6379/0"}),
        (refuse_unsafe_broker, {"url": "memory://localhost/"}),
        (refuse_short_secret, {"name": "METRICS_TOKEN", "secret": ""}),
        (refuse_short_secret, {"name": "METRICS_TOKEN", "secret": KEY}),
        (refuse_unusable_mail, MAIL),
        (refuse_unusable_mail, MAIL | {"host": "", "sender": "", "password": ""}),
        (refuse_unusable_mail, MAIL | {"host": "127.0.0.1", "encrypted": False}),
        (refuse_unusable_mail, MAIL | {"password": "", "encrypted": False}),
        (refuse_registration_without_mail, {"domains": [], "mail": ""}),
        (refuse_registration_without_mail, {"domains": ["b.org"], "mail": "mail.b.org"}),
        (refuse_negative_proxies, {"number": 0}),
        (refuse_unsafe_webhooks, {"private": False, "hosts": [SITE], "https": True}),
        (refuse_unsafe_webhooks, {"private": True, "hosts": LOCAL, "https": False}),
    ],
)
def test_it_accepts_safe_settings(check: Check, settings: dict[str, Any]) -> None:
    check(**settings)


@pytest.mark.parametrize(
    ("check", "settings", "named"),
    [
        *(
            (refuse_unsafe_settings, {"debug": True, "hosts": [*LOCAL, host], "key": KEY}, "DEBUG")
            for host in (SITE, "*", "10.0.0.5")
        ),
        *(
            (refuse_unsafe_settings, {"debug": False, "hosts": LOCAL, "key": key}, "SECRET_KEY")
            for key in ("short", "a" * 80, "abcde" * 12, "0123456789" * 6, "django-insecure-" + KEY)
        ),
        (refuse_unsafe_site, {"hosts": LOCAL, "https": True, "address": ""}, "ALLOWED_HOSTS"),
        *(
            (refuse_unsafe_site, {"hosts": hosts, "https": https, "address": ""}, "ALLOWED_HOSTS")
            for hosts in (["*"], [SITE, "*"])
            for https in (True, False)
        ),
        (
            refuse_unsafe_site,
            {"hosts": [SITE], "https": False, "address": f"https://{SITE}"},
            "SITE_ADDRESS",
        ),
        (
            refuse_unsafe_site,
            {"hosts": [SITE], "https": True, "address": f"http://{SITE}"},
            "SITE_ADDRESS",
        ),
        (refuse_short_secret, {"name": "METRICS_TOKEN", "secret": "abc"}, "METRICS_TOKEN"),
        (refuse_unusable_mail, MAIL | {"sender": ""}, "EMAIL_FROM"),
        (refuse_unusable_mail, MAIL | {"encrypted": False}, "EMAIL_SECURITY"),
        (
            refuse_registration_without_mail,
            {"domains": ["a.org", "b.org"], "mail": ""},
            "SELF_REGISTRATION",
        ),
        (refuse_negative_proxies, {"number": -1}, "PROXIES"),
        *(
            (
                refuse_unsafe_webhooks,
                {"private": True, "hosts": hosts, "https": https},
                "WEBHOOK_PRIVATE",
            )
            for hosts, https in (([SITE], False), (["*"], False), (["localhost"], True))
        ),
    ],
)
def test_it_refuses_unsafe_settings(check: Check, settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=named):
        check(**settings)


@pytest.mark.parametrize("login", ["segranks:segranks", "jana:jana", "jana:Password"])
def test_it_refuses_well_known_passwords(monkeypatch: pytest.MonkeyPatch, login: str) -> None:
    monkeypatch.setenv("THING", f"postgresql://{login}@database/segranks")
    database = env.database("THING", Path("unused"))
    with pytest.raises(ImproperlyConfigured, match="password in DATABASE_URL"):
        refuse_unsafe_database(database)
    with pytest.raises(ImproperlyConfigured, match="password in CELERY_BROKER_URL"):
        refuse_unsafe_broker(f"redis://{login}@broker:6379/0")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://jana@database/segranks",
        "postgresql://jana@[2001:db8::1]/segranks",
        "postgresql://jana@/segranks?host=database",
        "postgresql://jana@localhost/segranks?hostaddr=192.0.2.1",
    ],
)
def test_it_refuses_a_remote_database_without_a_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("THING", url)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL has no password"):
        refuse_unsafe_database(env.database("THING", Path("unused")))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://jana@127.0.0.1/segranks",
        "postgresql://jana@%2Frun%2Fpostgresql/segranks",
        "postgresql:///segranks",
        "postgresql://jana:f8Zq0v1mXc@database/segranks",
        "postgresql://jana@database/segranks?password=f8Zq0v1mXc",
    ],
)
def test_it_accepts_a_local_database_or_a_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("THING", url)
    refuse_unsafe_database(env.database("THING", Path("unused")))


@pytest.mark.parametrize("url", ["redis://broker:6379/0", "rediss://jana@192.0.2.1/0"])
def test_it_refuses_a_remote_broker_without_a_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CELERY_BROKER_URL has no password"):
        refuse_unsafe_broker(url)


@pytest.mark.process
def test_a_refusal_is_one_line_and_nothing_starts(installation: Installation) -> None:
    installation.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": SITE}
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: DEBUG ")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()
