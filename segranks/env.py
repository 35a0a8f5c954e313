"""Read settings from the environment; no other module reads it."""

import os
import re
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

# Permissions of the group and of all others.
OTHERS = stat.S_IRWXG | stat.S_IRWXO
TRUE_WORDS = {"1", "true", "yes", "on"}
DATABASES = ("sqlite://", "postgresql://", "postgres://")
BROKERS = ("memory://", "redis://", "rediss://")
FALSE_WORDS = {"0", "false", "no", "off", ""}
DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")


def text(name: str, default: str = "") -> str:
    """Return the variable, or the default if it is unset or empty."""
    return os.environ.get(name) or default


def provide(name: str, value: str) -> str:
    """Set the variable for child processes unless it is set; return its value."""
    return os.environ.setdefault(name, value)


def flag(name: str, default: bool = False) -> bool:
    """Return the variable as a boolean. Raises ImproperlyConfigured if it is none."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.strip().lower() in TRUE_WORDS:
        return True
    if value.strip().lower() in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: set it to 1 (yes) or 0 (no).")


def number(name: str, default: int) -> int:
    """Return the variable as an integer. Raises ImproperlyConfigured if it is none."""
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to a whole number.") from None


def choice(name: str, choices: Sequence[str], default: str) -> str:
    """Return the variable in capitals. Raises ImproperlyConfigured if it is not in `choices`."""
    value = text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to one of {', '.join(choices)}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Return the comma-separated parts of the variable."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def registration(name: str) -> tuple[bool, list[str]]:
    """Return whether people may register, and the allowed domains of their addresses ([] = all).

    The variable is yes, no, or a list of domains. Raises ImproperlyConfigured for anything else.
    """
    value = text(name, "0").strip().lower()
    if value in TRUE_WORDS | FALSE_WORDS:
        return value in TRUE_WORDS, []
    domains = words(name)
    wrong = [domain for domain in domains if not DOMAIN.fullmatch(domain.lower())]
    if wrong or not domains:
        raise ImproperlyConfigured(
            f"{name} is {value!r}: set it to 1 (anybody), 0 (disabled), or the allowed domains of "
            "mail addresses, for example example.org,cs.example.org."
        )
    return True, [domain.lower() for domain in domains]


def folder(name: str, default: Path) -> Path:
    """Return the variable as a folder that only its owner can read; create it if it is missing.

    A folder that was there before is made so, unless everyone may write to it, as to /tmp.
    """
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode)
        is_shared = bool(mode & stat.S_IWOTH)
        if mode & OTHERS and not is_shared:
            path.chmod(mode & ~OTHERS)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be created, or made readable by its owner only "
            f"({problem.strerror}): correct its owner, or set {name} to another."
        ) from problem
    if is_shared:
        raise ImproperlyConfigured(
            f"Everyone may write to the folder {path}: set {name} to one for SegRanks alone."
        )
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"The folder {path} cannot be written: correct its owner, or set {name} to another."
        )
    return path


def database(name: str, default: Path) -> dict[str, Any]:
    """Return the DATABASES entry for the URL in the variable; by default an SQLite file."""
    url = text(name, f"sqlite:///{quote(str(default))}")
    if not url.startswith(DATABASES):
        raise ImproperlyConfigured(
            f"{name} is not a supported database URL: set it to "
            "postgresql://user:password@host:port/name or sqlite:////absolute/path."
        )
    return dict(dj_database_url.parse(url))


def broker(name: str) -> str:
    """Return the URL of the Celery broker; by default one in memory, for a single process."""
    url = text(name, "memory://localhost/")
    if not url.startswith(BROKERS):
        raise ImproperlyConfigured(
            f"{name} is not a supported broker URL: set it to redis://host:port/number, or unset "
            "it to use `manage.py up`."
        )
    return url


def secret_key(data_folder: Path) -> str:
    """Return SECRET_KEY, or the key that this installation generated at its first start."""
    if key := text("SECRET_KEY"):
        return key
    path = data_folder / "secret-key"
    try:
        return path.read_text() if path.exists() else _make_secret_key(path)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"The secret key {path} cannot be read or created ({problem.strerror}): correct the "
            "owner of the folder, or set SEGRANKS_DATA to another."
        ) from problem


def _make_secret_key(path: Path) -> str:
    fresh = path.with_name(f".secret-key-{os.getpid()}")
    fresh.touch(mode=0o600)
    fresh.write_text(secrets.token_urlsafe(50))
    try:
        # This fails if another process was faster; then its key is used.
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_text()
