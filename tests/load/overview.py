"""Time the overview page: `python -m tests.load.overview [--sentences 50000]`.

In an SQLite database of its own, with two judges a sentence: milliseconds of the processor and
queries of the first view, of one after a submission, and of one without a change.
"""

import argparse
import os
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import Project

JUDGES = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=50_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SEGRANKS_DATA": folder, "ALLOWED_HOSTS": "testserver"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "segranks.settings"
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.test import Client

        settings.STORAGES = settings.STORAGES | {
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
        }
        call_command("migrate", verbosity=0)
        measure(Client(), options.sentences)


def measure(client: "Client", sentences: int) -> None:
    from annotation.models import Assignment, Project, User
    from tests.load.seeder import Size, fill

    fill(Size(projects=1, sentences=sentences, judges=JUDGES))
    project = Project.objects.get()
    client.force_login(User.objects.create(username="boss", is_superuser=True))
    page = f"/projects/{project.pk}/overview/"
    print(f"{Assignment.objects.count()} assignments")
    view(client, "first view", page)
    for _time in range(3):
        submit(project)
        view(client, "after a submission", f"{page}now/")
        view(client, "without a change", f"{page}now/")


def view(client: "Client", name: str, address: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        begun = time.process_time()
        response = client.get(address)
        passed = time.process_time() - begun
    assert response.status_code == 200, response
    print(f"{name:25}{1000 * passed:8.0f} ms{len(queries):4} queries")


def submit(project: "Project") -> None:
    """Store a repeated judgement of the last sentence."""
    from django.utils import timezone

    from annotation.models import Assignment, Judgement, Submission

    now = timezone.now()
    sentence = project.sentences.latest("number")
    again = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator_id=Assignment.objects.filter(project=project).latest("pk").annotator_id,
        kind="intra",
        state="submitted",
        created=now,
        submitted=now,
    )
    submission = Submission.objects.create(assignment=again, created=now)
    for segment in sentence.segments.all():
        Judgement.objects.create(submission=submission, segment=segment, created=now, seconds=9)


if __name__ == "__main__":
    main()
