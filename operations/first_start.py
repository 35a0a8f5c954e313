"""The first accounts and the demo project of an empty installation."""

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models.signals import post_delete

from annotation.models import Membership, Project, User
from annotation.pipeline import jobs
from annotation.projects.creation import create_project
from annotation.projects.options import Texts
from annotation.signals import anonymised, password_changed
from annotation.uploads.sample import SAMPLE_TEXTS

ADMINISTRATOR = "admin"
ANNOTATORS = ("annotator1", "annotator2")
# Without letters that look alike.
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
PASSWORD_LENGTH = 12


@transaction.atomic
def create_initial_data(*, demo: bool) -> bool:
    """Create the first accounts and, with `demo`, the demo project; return whether it did.

    It does so while no account can sign in, so that a deleted demo project stays deleted. Where a
    project exists, it creates no demo. Stores the passwords in `sign_in_file()`.
    """
    if User.objects.filter(is_active=True).exists():
        return False
    demo = demo and not Project.objects.exists()
    # Of accounts that are gone, such as those of a deleted database.
    sign_in_file().unlink(missing_ok=True)
    passwords = {ADMINISTRATOR: _password()}
    administrator = User.objects.create_superuser(ADMINISTRATOR, password=passwords[ADMINISTRATOR])
    if demo:
        project = _demo_project()
        _add_member(administrator, project, Membership.Role.OWNER)
        for name in ANNOTATORS:
            passwords[name] = _password()
            annotator = User.objects.create_user(name, password=passwords[name])
            _add_member(annotator, project, Membership.Role.ANNOTATOR)
    # Inside the transaction: without the file, the accounts could not be used.
    _store_passwords(passwords)
    return True


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
        _store_passwords(valid)
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
        _store_passwords(stored)


def _stored_passwords() -> dict[str, str]:
    try:
        lines = sign_in_file().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split() for line in lines if len(line.split()) == 2)


def _demo_project() -> Project:
    job = create_project(
        name="Demo",
        description="Short English sentences and five Czech systems, to try everything on.",
        languages="en-cs",
        texts=Texts(
            source=SAMPLE_TEXTS / "source.en.txt",
            references=[SAMPLE_TEXTS / "reference.cs.txt"],
            systems={path.stem: path for path in sorted((SAMPLE_TEXTS / "systems").glob("*.txt"))},
        ),
    )
    jobs.enqueue(job.pk)
    return job.project


def _add_member(user: User, project: Project, role: Membership.Role) -> None:
    Membership.objects.create(user=user, project=project, role=role)


def _password() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def _store_passwords(passwords: dict[str, str]) -> None:
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
