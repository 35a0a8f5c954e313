"""What was judged with the first tables is there with those of today."""

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# In a process of its own: the tables of the tests are today's, and there is no way back.
SCRIPT = """
import uuid
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

first = [("annotation", "0001_initial")]
executor = MigrationExecutor(connection)
executor.migrate(first)
old = executor.loader.project_state(first).apps.get_model

now = timezone.now()
project = old("annotation", "Project").objects.create(
    name="houses", source_language="en", target_language="cs", instructions="Be kind."
)
jana = old("annotation", "User").objects.create(username="jana")
petr = old("annotation", "User").objects.create(username="petr")
sentence = old("annotation", "Sentence").objects.create(
    project=project, number=1, text="a b c", tokens="a b c"
)
segment = old("annotation", "Segment").objects.create(sentence=sentence, token_indices="0 1 2")
candidate = old("annotation", "Candidate").objects.create(segment=segment, text="x")
Assignment = old("annotation", "Assignment")
token = uuid.uuid4()
done = Assignment.objects.create(
    project=project, sentence=sentence, annotator=jana, kind="first", state="submitted",
    created=now, submitted=now, submission_token=token,
)
Assignment.objects.create(
    project=project, sentence=sentence, annotator=petr, kind="inter", state="open", created=now
)
judgement = old("annotation", "Judgement").objects.create(
    assignment=done, segment=segment, created=now, seconds=3
)
old("annotation", "Placement").objects.create(
    judgement=judgement, candidate=candidate, rank=1, ranks_offered=1
)

call_command("migrate", verbosity=0)
from annotation.models import Assignment, Instructions, Placement, Submission

submission = Submission.objects.get()
assert (submission.number, submission.current, submission.token) == (1, True, token)
assert Placement.objects.get().judgement.submission == submission
first, repeat = Assignment.objects.order_by("pk")
assert (first.slot, first.lease_until) == (1, None)
assert repeat.slot is None and repeat.lease_until > now
assert list(Instructions.objects.values_list("version", "text")) == [(1, "Be kind.")]
print("all there")
"""


def test_judgements_of_the_first_tables_become_submissions(tmp_path: Path) -> None:
    environment = os.environ | {
        "SEGRANKS_DATA": str(tmp_path),
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "segranks.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("all there\n", "")
