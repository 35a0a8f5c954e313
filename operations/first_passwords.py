"""The passwords of the first accounts: a file, until people have changed them."""

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models.signals import post_delete

from annotation.models import User
from annotation.signals import anonymised, password_changed

# Without letters that look alike.
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
PASSWORD_LENGTH = 12


def new_password() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def sign_in_file() -> Path:
    return Path(settings.DATA_DIR) / "sign-in.txt"


def passwords() -> dict[str, str]:
    """Return the first passwords with which accounts can still sign in; delete all others.

    Each password is hashed, which takes a fraction of a second.
    """
    stored = _stored_passwords()
    accounts = User.objects.filter(username__in=stored, is_active=True)
    encoded = dict(accounts.values_list("username", "password"))
    valid = {
        name: password
        for name, password in stored.items()
        if name in encoded and check_password(password, encoded[name])
    }
    if valid != stored:
        store_passwords(valid)
    return valid


def connect_signals() -> None:
    """Delete a first password as soon as it is changed or its account is gone."""
    password_changed.connect(_delete_on_commit)
    anonymised.connect(_delete_on_commit)
    post_delete.connect(_delete_of_deleted, sender=User)


def _delete_on_commit(user: User, **_signal: Any) -> None:
    if user.username in _stored_passwords():
        transaction.on_commit(partial(_delete_password, user.username))


def _delete_of_deleted(instance: User, **_signal: Any) -> None:
    _delete_on_commit(instance)


def _delete_password(name: str) -> None:
    stored = _stored_passwords()
    if stored.pop(name, None):
        store_passwords(stored)


def _stored_passwords() -> dict[str, str]:
    try:
        lines = sign_in_file().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split() for line in lines if len(line.split()) == 2)


def store_passwords(passwords: dict[str, str]) -> None:
    """Write the file in one step; only its owner can ever read it. Without any, delete it."""
    path = sign_in_file()
    if not passwords:
        path.unlink(missing_ok=True)
        return
    temporary = path.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    with open(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.writelines(f"{name}  {password}\n" for name, password in passwords.items())
    temporary.replace(path)
