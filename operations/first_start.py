"""What an empty installation starts with: people who can sign in, and the demo project."""

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
# Without those that look alike.
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
PASSWORD_LENGTH = 12


@transaction.atomic
def furnish(*, demo: bool) -> bool:
    """Make the first accounts, and the demo project with its job; return whether it was time to.

    It is time once, while nobody can sign in, so that a demo project that was deleted stays
    deleted; where there is a project already, there is no need of a demo. The passwords are kept
    in `sign_in_file()`.
    """
    if User.objects.filter(is_active=True).exists():
        return False
    demo = demo and not Project.objects.exists()
    passwords = {ADMINISTRATOR: _password()}
    administrator = User.objects.create_superuser(ADMINISTRATOR, password=passwords[ADMINISTRATOR])
    if demo:
        project = _demo_project()
        _join(administrator, project, Membership.Role.OWNER)
        for name in ANNOTATORS:
            passwords[name] = _password()
            annotator = User.objects.create_user(name, password=passwords[name])
            _join(annotator, project, Membership.Role.ANNOTATOR)
    # Before the accounts are there for good: nobody could sign in if this failed.
    _write_passwords(passwords)
    return True


def sign_in_file() -> Path:
    return Path(settings.DATA_DIR) / "sign-in.txt"


def passwords() -> dict[str, str]:
    """Return the first passwords of the first accounts that there still are."""
    try:
        lines = sign_in_file().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    known = dict(line.split() for line in lines if len(line.split()) == 2)
    there = User.objects.filter(username__in=known).values_list("username", flat=True)
    return {name: password for name, password in known.items() if name in set(there)}


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
    jobs.send(job.pk)
    return job.project


def _join(user: User, project: Project, role: Membership.Role) -> None:
    Membership.objects.create(user=user, project=project, role=role)


def _password() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def _write_passwords(passwords: dict[str, str]) -> None:
    """Write the file at once and readable by nobody else, from its first moment."""
    path = sign_in_file()
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.writelines(f"{name}  {password}\n" for name, password in passwords.items())
    fresh.replace(path)
