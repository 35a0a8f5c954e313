"""Refuse unsafe settings before anything starts: each function raises ImproperlyConfigured."""

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
# As in Django's own check of SECRET_KEY.
MIN_KEY_LENGTH = 50
# Different characters: 50 random hexadecimal digits have more, repeated words or digits do not.
MIN_KEY_CHARACTERS = 12
# `django-admin startproject` writes such keys into files that end up in repositories.
INSECURE_PREFIX = "django-insecure-"
MIN_SECRET_LENGTH = 20
# Passwords of examples and tutorials; a password equal to the user name is refused too.
KNOWN_PASSWORDS = frozenset(
    {"postgres", "redis", "segranks", "password", "secret", "changeme", "change-me", "test"}
)
SQLITE = "django.db.backends.sqlite3"


def refuse_unsafe_settings(*, debug: bool, hosts: Collection[str], key: str) -> None:
    """Refuse DEBUG on a public site, and a SECRET_KEY that can be guessed."""
    public = sorted(set(hosts) - LOOPBACK_HOSTS)
    if debug and public:
        raise ImproperlyConfigured(
            "DEBUG shows settings and code to every visitor, and ALLOWED_HOSTS names public hosts "
            f"({', '.join(public)}): unset one of the two."
        )
    is_short = len(key) < MIN_KEY_LENGTH or len(set(key)) < MIN_KEY_CHARACTERS
    if is_short or key.startswith(INSECURE_PREFIX):
        raise ImproperlyConfigured(
            f"SECRET_KEY can be guessed: set it to at least {MIN_KEY_LENGTH} random characters, at "
            f"least {MIN_KEY_CHARACTERS} of them different, or unset it, and SegRanks generates "
            "one."
        )


def refuse_unsafe_site(*, hosts: Collection[str], https: bool, address: str) -> None:
    """Refuse host, HTTPS and SITE_ADDRESS settings that contradict each other."""
    if https and set(hosts) <= LOOPBACK_HOSTS:
        raise ImproperlyConfigured(
            "HTTPS=1 is for a public site, but ALLOWED_HOSTS names only this machine: set it to "
            "the host names of the site, for example ALLOWED_HOSTS=rank.example.org."
        )
    if "*" in hosts:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS=* would accept requests for any host name: set it to the host names of "
            "the site."
        )
    if address and (urlsplit(address).scheme == "https") != https:
        raise ImproperlyConfigured(
            f"SITE_ADDRESS is {address}, but HTTPS is {'on' if https else 'off'}: set HTTPS=1 for "
            "an https address and HTTPS=0 for any other."
        )


def refuse_unsafe_database(database: Mapping[str, Any]) -> None:
    """Refuse a well-known password, and a database on another machine without a password."""
    if database["ENGINE"] == SQLITE:
        return
    # A URL may have them as parameters, too.
    options = database.get("OPTIONS", {})
    host = options.get("hostaddr") or database.get("HOST") or options.get("host", "")
    user = database.get("USER") or options.get("user", "")
    password = database.get("PASSWORD") or options.get("password", "")
    _refuse_guessable(str(password), str(user), str(host), "DATABASE_URL")


def refuse_unsafe_broker(url: str) -> None:
    """Refuse a well-known password, and a broker on another machine without a password."""
    if url.startswith("memory:"):
        return
    parts = urlsplit(url)
    password = unquote(parts.password or "")
    _refuse_guessable(password, parts.username or "", parts.hostname or "", "CELERY_BROKER_URL")


def _refuse_guessable(password: str, user: str, host: str, variable: str) -> None:
    is_local = host in {"", "::1", *LOOPBACK_HOSTS} or host.startswith("/")
    if is_local:
        return
    if not password:
        raise ImproperlyConfigured(
            f"{variable} has no password for {host}, where anyone who reaches it could read and "
            "change everything: set one there and in the URL."
        )
    if password == user or password.lower() in KNOWN_PASSWORDS:
        raise ImproperlyConfigured(
            f"The password in {variable} is well known: set another (`make secrets` generates "
            "passwords)."
        )


def refuse_unsafe_webhooks(*, private: bool, hosts: Collection[str], https: bool) -> None:
    """Refuse WEBHOOK_PRIVATE on a public site, whose users could reach internal servers."""
    if private and (https or set(hosts) - LOOPBACK_HOSTS):
        raise ImproperlyConfigured(
            "WEBHOOK_PRIVATE=1 lets webhooks reach this machine and its private networks, and "
            "ALLOWED_HOSTS or HTTPS makes this a public site: unset WEBHOOK_PRIVATE."
        )


def refuse_short_secret(name: str, secret: str) -> None:
    """Refuse a secret that is set but too short."""
    if secret and len(secret) < MIN_SECRET_LENGTH:
        raise ImproperlyConfigured(
            f"{name} can be guessed: set it to at least {MIN_SECRET_LENGTH} random characters, or "
            "unset it."
        )


def refuse_unusable_mail(*, host: str, sender: str, password: str, encrypted: bool) -> None:
    """Refuse mail without a sender, and a password that would be sent unencrypted."""
    if host and not sender:
        raise ImproperlyConfigured(
            "EMAIL_HOST is set, but EMAIL_FROM is not: set it to the sender of mails, for example "
            "SegRanks <segranks@example.org>."
        )
    if password and not encrypted and host not in {"::1", *LOOPBACK_HOSTS}:
        raise ImproperlyConfigured(
            "EMAIL_SECURITY=none would send the password of the mail server unencrypted: set it "
            "to starttls or tls."
        )


def refuse_registration_without_mail(*, domains: Collection[str], mail: str) -> None:
    """Refuse registration by domain if the addresses cannot be confirmed by mail."""
    if domains and not mail:
        raise ImproperlyConfigured(
            f"SELF_REGISTRATION allows addresses at {', '.join(domains)}, which are confirmed by "
            "mail: set EMAIL_HOST and EMAIL_FROM too, or set SELF_REGISTRATION to 0 or 1."
        )


def refuse_negative_proxies(number: int) -> None:
    """Refuse a negative number of proxies."""
    if number < 0:
        raise ImproperlyConfigured(
            f"PROXIES is {number}: set it to the number of proxies in front of SegRanks, or 0."
        )
