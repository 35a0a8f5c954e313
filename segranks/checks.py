"""Settings that are unsafe together are refused before anything starts."""

from collections.abc import Collection

from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
# As Django's own check wants it.
SHORTEST_KEY = 50
FEWEST_CHARACTERS = 5


def refuse_unsafe_settings(*, debug: bool, hosts: Collection[str], key: str) -> None:
    """Raise ImproperlyConfigured, one sentence, where strangers could learn or forge secrets."""
    strangers = sorted(set(hosts) - LOOPBACK_HOSTS)
    if debug and strangers:
        raise ImproperlyConfigured(
            "DEBUG shows settings and code to every visitor, and ALLOWED_HOSTS lets others than "
            f"this machine in ({', '.join(strangers)}): unset one of the two."
        )
    if len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS:
        raise ImproperlyConfigured(
            f"SECRET_KEY can be guessed: give at least {SHORTEST_KEY} random characters, or unset "
            "it and SegRanks makes a key for itself."
        )
