"""Settings that are unsafe together are refused before anything starts."""

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
# As Django's own check wants it.
SHORTEST_KEY = 50
FEWEST_CHARACTERS = 5
# What `django-admin startproject` writes into files that end up in repositories.
MADE_FOR_TRYING = "django-insecure-"
SHORTEST_SECRET = 20
# Of examples and of tutorials; the name of the user is none either.
KNOWN_PASSWORDS = frozenset(
    {"postgres", "redis", "segranks", "password", "secret", "changeme", "change-me", "test"}
)
SQLITE = "django.db.backends.sqlite3"


def refuse_unsafe_settings(*, debug: bool, hosts: Collection[str], key: str) -> None:
    """Raise ImproperlyConfigured, one sentence, where strangers could learn or forge secrets."""
    strangers = sorted(set(hosts) - LOOPBACK_HOSTS)
    if debug and strangers:
        raise ImproperlyConfigured(
            "DEBUG shows settings and code to every visitor, and ALLOWED_HOSTS lets others than "
            f"this machine in ({', '.join(strangers)}): unset one of the two."
        )
    is_short = len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS
    if is_short or key.startswith(MADE_FOR_TRYING):
        raise ImproperlyConfigured(
            f"SECRET_KEY can be guessed: give at least {SHORTEST_KEY} random characters, or unset "
            "it and SegRanks makes a key for itself."
        )


def refuse_unsafe_site(*, hosts: Collection[str], https: bool, address: str) -> None:
    """Raise ImproperlyConfigured where nobody could come in, or anything said be overheard."""
    if https and set(hosts) <= LOOPBACK_HOSTS:
        raise ImproperlyConfigured(
            "HTTPS=1 is for visitors, and ALLOWED_HOSTS lets none in: set it to the names under "
            "which they reach this site, as in ALLOWED_HOSTS=rank.example.org."
        )
    if https and "*" in hosts:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS=* would let anybody's site pass for this one: name the hosts under "
            "which it is reached."
        )
    if address and (urlsplit(address).scheme == "https") != https:
        raise ImproperlyConfigured(
            f"SITE_ADDRESS is {address}, and HTTPS is {'on' if https else 'off'}: set HTTPS=1 for "
            "an https address, so that nothing is sent in the clear, and HTTPS=0 for any other."
        )


def refuse_unsafe_database(database: Mapping[str, Any]) -> None:
    """Raise ImproperlyConfigured for a database password that everyone tries first."""
    if database["ENGINE"] == SQLITE:
        return
    name, password = str(database.get("USER", "")), str(database.get("PASSWORD", ""))
    _refuse_known(password, name, str(database.get("HOST", "")), "DATABASE_URL")


def refuse_unsafe_broker(url: str) -> None:
    """Raise ImproperlyConfigured where the broker's password is known to everybody."""
    parts = urlsplit(url)
    password = unquote(parts.password or "")
    _refuse_known(password, parts.username or "", parts.hostname or "", "CELERY_BROKER_URL")


def _refuse_known(password: str, user: str, host: str, variable: str) -> None:
    is_here = host in {"", "::1", *LOOPBACK_HOSTS} or host.startswith("/")
    if password and not is_here and (password == user or password.lower() in KNOWN_PASSWORDS):
        raise ImproperlyConfigured(
            f"The password in {variable} is one that everybody tries first: give the server "
            "another (`make secrets` makes them up)."
        )


def refuse_unsafe_webhooks(*, private: bool, hosts: Collection[str], https: bool) -> None:
    """Raise ImproperlyConfigured where visitors could have requests sent to our neighbours."""
    if private and (https or set(hosts) - LOOPBACK_HOSTS):
        raise ImproperlyConfigured(
            "WEBHOOK_PRIVATE=1 lets webhooks reach this machine and the networks it is in, and "
            "ALLOWED_HOSTS or HTTPS lets visitors in: unset it, it is for trying only."
        )


def refuse_short_secret(name: str, secret: str) -> None:
    """Raise ImproperlyConfigured for a secret that is set and can be guessed."""
    if secret and len(secret) < SHORTEST_SECRET:
        raise ImproperlyConfigured(
            f"{name} can be guessed: give at least {SHORTEST_SECRET} random characters, or unset "
            "it."
        )


def refuse_unusable_mail(*, host: str, sender: str, password: str, encrypted: bool) -> None:
    """Raise ImproperlyConfigured where mail would come from nobody, or tell its password."""
    if host and not sender:
        raise ImproperlyConfigured(
            "EMAIL_HOST is set, and EMAIL_FROM is not: set it to the address that mail comes from, "
            "as in SegRanks <segranks@example.org>."
        )
    if password and not encrypted and host not in {"::1", *LOOPBACK_HOSTS}:
        raise ImproperlyConfigured(
            "EMAIL_SECURITY=none would send the password of the mail server in the clear: set it "
            "to starttls or tls."
        )


def refuse_registration_without_mail(*, domains: Collection[str], mail: str) -> None:
    """Raise ImproperlyConfigured where addresses are to be confirmed and no mail can be sent."""
    if domains and not mail:
        raise ImproperlyConfigured(
            f"SELF_REGISTRATION is for addresses at {', '.join(domains)}, which are confirmed by "
            "mail: set EMAIL_HOST and EMAIL_FROM too, or SELF_REGISTRATION to 0 or 1."
        )


def refuse_impossible_proxies(number: int) -> None:
    """Raise ImproperlyConfigured for a number of proxies that there cannot be."""
    if number < 0:
        raise ImproperlyConfigured(
            f"PROXIES is {number}: set it to how many proxies stand before SegRanks, 0 for none."
        )
