"""How fast the overview is: `python -m tests.load.overview [--sentences 50000]`.

In an SQLite database of its own, with two judges a sentence and made-up judgements: milliseconds
of the processor and queries of the first look, of one when something was handed in, and of one
when nothing was.
"""

import argparse
import os
import random
import tempfile
import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import Project

PEOPLE = 40
JUDGES = 2
BATCH = 2000


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
    from annotation.models import Assignment, User

    project = fill(sentences)
    client.force_login(User.objects.create(username="boss", is_superuser=True))
    page = f"/projects/{project.pk}/overview/"
    print(f"{Assignment.objects.count()} assignments")
    look(client, "first look", page)
    for _time in range(3):
        hand_in(project)
        look(client, "something was handed in", f"{page}now/")
        look(client, "nothing was", f"{page}now/")


def look(client: "Client", what: str, address: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        begun = time.process_time()
        response = client.get(address)
        passed = time.process_time() - begun
    assert response.status_code == 200, response
    print(f"{what:25}{1000 * passed:8.0f} ms{len(queries):4} queries")


def fill(sentences: int) -> "Project":
    """Return a project whose sentences but one are judged, each twentieth once more."""
    from django.utils import timezone

    from annotation.models import (
        Assignment,
        Candidate,
        Judgement,
        Segment,
        Sentence,
        Submission,
    )
    from tests.factories import make_annotator, make_project

    project = make_project("load", sentences=0, judges_per_sentence=JUDGES)
    people = [make_annotator(project, f"annotator{number}") for number in range(PEOPLE)]
    texts = Sentence.objects.bulk_create(
        [
            Sentence(project=project, number=number, text="a b c", tokens="a b c")
            for number in range(1, sentences + 2)
        ],
        BATCH,
    )
    segments = Segment.objects.bulk_create(
        [Segment(sentence=text, token_indices=index) for text in texts for index in "01"], BATCH
    )
    Candidate.objects.bulk_create(
        [Candidate(segment=segment, text=word) for segment in segments for word in "de"], BATCH
    )
    now, given = timezone.now(), []
    for place, text in enumerate(texts[:-1]):
        when = now - timedelta(minutes=sentences - place)
        for slot in range(JUDGES + (place % 20 == 0)):
            is_first = slot < JUDGES
            given.append(
                Assignment(
                    project=project,
                    sentence=text,
                    annotator=people[(place + slot) % PEOPLE],
                    kind="first" if is_first else "inter",
                    slot=slot + 1 if is_first else None,
                    state="submitted",
                    created=when,
                    submitted=when,
                )
            )
    assignments = Assignment.objects.bulk_create(given, BATCH)
    submissions = Submission.objects.bulk_create(
        [Submission(assignment=one, created=one.created) for one in assignments], BATCH
    )
    Judgement.objects.bulk_create(
        [
            Judgement(submission=one, segment=segment, created=now, seconds=random.uniform(5, 60))
            for one in submissions
            for segment in segments[2 * one.assignment.sentence.number - 2 :][:2]
        ],
        BATCH,
    )
    return project


def hand_in(project: "Project") -> None:
    """Let somebody judge the last sentence once more."""
    from django.utils import timezone

    from annotation.models import Assignment, Judgement, Submission

    now = timezone.now()
    one = Assignment.objects.filter(project=project).latest("pk")
    sentence = project.sentences.latest("number")
    again = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator_id=one.annotator_id,
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
