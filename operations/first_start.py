"""The first accounts and the demo project of an empty installation."""

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation.models import Membership, Project, User
from annotation.pipeline import jobs
from annotation.projects.creation import create_project
from annotation.projects.options import Texts

DEMO = Path(__file__).parent / "demo"
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
    _write_passwords(passwords)
    return True


def sign_in_file() -> Path:
    return Path(settings.DATA_DIR) / "sign-in.txt"


def passwords() -> dict[str, str]:
    """Return the first passwords of those first accounts that still exist."""
    try:
        lines = sign_in_file().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    known = dict(line.split() for line in lines if len(line.split()) == 2)
    existing = User.objects.filter(username__in=known).values_list("username", flat=True)
    return {name: password for name, password in known.items() if name in set(existing)}


def _demo_project() -> Project:
    job = create_project(
        name="Demo",
        description="Short English sentences and five Czech systems, to try everything on.",
        languages="en-cs",
        texts=Texts(
            source=DEMO / "source.en.txt",
            reference=DEMO / "reference.cs.txt",
            systems={path.stem: path for path in sorted((DEMO / "systems").glob("*.txt"))},
        ),
    )
    jobs.enqueue(job.pk)
    return job.project


def _add_member(user: User, project: Project, role: Membership.Role) -> None:
    Membership.objects.create(user=user, project=project, role=role)


def _password() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def _write_passwords(passwords: dict[str, str]) -> None:
    """Write the file in one step; only its owner can ever read it."""
    path = sign_in_file()
    temporary = path.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    with open(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.writelines(f"{name}  {password}\n" for name, password in passwords.items())
    temporary.replace(path)
