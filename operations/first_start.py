"""The first accounts and the demo project of an empty installation."""

from django.db import transaction

from annotation.models import Membership, Project, User
from annotation.pipeline import jobs
from annotation.projects.creation import create_project
from annotation.projects.options import Texts
from annotation.uploads.sample import SAMPLE_TEXTS
from operations.first_passwords import new_password, sign_in_file, store_passwords

ADMINISTRATOR = "admin"
ANNOTATORS = ("annotator1", "annotator2")


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
    passwords = {ADMINISTRATOR: new_password()}
    administrator = User.objects.create_superuser(ADMINISTRATOR, password=passwords[ADMINISTRATOR])
    if demo:
        project = _demo_project()
        _add_member(administrator, project, Membership.Role.OWNER)
        for name in ANNOTATORS:
            passwords[name] = new_password()
            annotator = User.objects.create_user(name, password=passwords[name])
            _add_member(annotator, project, Membership.Role.ANNOTATOR)
    # Inside the transaction: without the file, the accounts could not be used.
    store_passwords(passwords)
    return True


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
