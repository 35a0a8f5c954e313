"""Gives what was judged before its submissions, what is open a lease, and instructions a version."""

from datetime import timedelta

from django.db import migrations
from django.db.models import OuterRef, Subquery
from django.utils import timezone

PAGE = 2000


def fill(apps, schema_editor):
    Assignment = apps.get_model("annotation", "Assignment")
    Judgement = apps.get_model("annotation", "Judgement")
    Submission = apps.get_model("annotation", "Submission")
    Instructions = apps.get_model("annotation", "Instructions")
    Project = apps.get_model("annotation", "Project")
    now = timezone.now()
    Assignment.objects.filter(kind="first").update(slot=1)
    Assignment.objects.filter(state="open").update(lease_until=now + timedelta(hours=4))
    last = 0
    submitted = Assignment.objects.filter(state="submitted").order_by("pk")
    while page := list(submitted.filter(pk__gt=last)[:PAGE]):
        last = page[-1].pk
        Submission.objects.bulk_create(
            Submission(
                assignment=assignment,
                number=1,
                current=True,
                token=assignment.submission_token,
                created=assignment.submitted,
            )
            for assignment in page
        )
    of_assignment = Submission.objects.filter(assignment=OuterRef("assignment")).values("pk")
    Judgement.objects.update(submission=Subquery(of_assignment[:1]))
    for project in Project.objects.exclude(instructions=""):
        Instructions.objects.create(
            project=project, version=1, text=project.instructions, created=project.created
        )


class Migration(migrations.Migration):

    dependencies = [("annotation", "0002_leases_and_submissions")]

    operations = [migrations.RunPython(fill)]
