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
SITE = "rank.example.org"
LOCAL = ["localhost", "127.0.0.1", "[::1]"]
MAIL = {"host": "mail.b.org", "sender": "a@b.org", "password": "x", "encrypted": True}

Check = Callable[..., None]


@pytest.mark.parametrize(
    ("check", "settings"),
    [
        (refuse_unsafe_settings, {"debug": True, "hosts": LOCAL, "key": KEY}),
        (refuse_unsafe_settings, {"debug": False, "hosts": [SITE], "key": KEY}),
        (refuse_unsafe_site, {"hosts": ["localhost"], "https": False, "address": ""}),
        (refuse_unsafe_site, {"hosts": [SITE], "https": True, "address": f"https://{SITE}"}),
        (refuse_unsafe_site, {"hosts": [SITE], "https": False, "address": f"http://{SITE}"}),
        (refuse_unsafe_broker, {"url": "redis://broker:6379/0"}),
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
            for key in ("short", "a" * 80, "django-insecure-" + KEY)
        ),
        (refuse_unsafe_site, {"hosts": LOCAL, "https": True, "address": ""}, "ALLOWED_HOSTS"),
        (refuse_unsafe_site, {"hosts": ["*"], "https": True, "address": ""}, "ALLOWED_HOSTS"),
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


@pytest.mark.process
def test_a_refusal_is_one_line_and_nothing_starts(installation: Installation) -> None:
    installation.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": SITE}
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: DEBUG ")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()
