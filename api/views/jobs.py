"""What is being done with a project in the background, and how far it is."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Job, Project
from annotation.pipeline import jobs
from annotation.selectors.preparation_status import Report, report
from api.base_views import Resource
from api.exceptions import Conflict
from api.permissions import Right
from api.schema import describe
from api.serializers import Shown


class StageShown(Shown):
    name = serializers.CharField()
    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])
    percent = serializers.IntegerField(
        allow_null=True, help_text="How much of it is done; null where it does not say."
    )


class JobShown(Shown):
    """The latest thing that was done with the project: preparing it, or adding a system."""

    task = serializers.ChoiceField(Job.Task.choices)
    state = serializers.ChoiceField(Job.State.choices)
    system = serializers.CharField(allow_null=True, help_text="The one that is being added.")
    stage = serializers.CharField(help_text="What it is at; empty before it begins.")
    done = serializers.IntegerField(help_text="Of this stage, in sentences.")
    total = serializers.IntegerField()
    stages = StageShown(many=True, help_text="Of the preparation, while it goes on.")
    left = serializers.CharField(help_text="How long it still takes, in words; may be empty.")
    error = serializers.CharField(help_text="Why it failed; empty where it did not.")
    created = serializers.DateTimeField()
    started = serializers.DateTimeField(allow_null=True)
    finished = serializers.DateTimeField(allow_null=True)


JOB: dict[str, Any] = {
    "task": "prepare",
    "state": "running",
    "system": None,
    "stage": "alignment",
    "done": 1200,
    "total": 3000,
    "stages": [
        {"name": "tokens", "state": "done", "percent": 100},
        {"name": "segments", "state": "done", "percent": 100},
        {"name": "alignment", "state": "running", "percent": 40},
        {"name": "candidates", "state": "waiting", "percent": None},
    ],
    "left": "about 2 minutes left",
    "error": "",
    "created": "2026-11-20T09:30:00Z",
    "started": "2026-11-20T09:30:01Z",
    "finished": None,
}


class OneJob(Resource):
    tag = "jobs"
    rights = {"GET": Right.ADMINISTER, "DELETE": Right.ADMINISTER}

    @describe("getJob", returns=JobShown, example=JOB)
    def get(self, request: Request, pk: int) -> Response:
        """See how far the job of a project is

        A project that came ready-made has none until a system is added to it.
        """
        return Response(_shown(self.project))

    @describe("cancelPreparation", code=204, refusals=[409])
    def delete(self, request: Request, pk: int) -> Response:
        """Cancel the preparation

        The project is deleted, whole. One that is prepared stays.
        """
        if not jobs.cancel(self.project):
            raise Conflict(_("It was prepared already, and stays."))
        return Response(status=204)


class Retrying(Resource):
    tag = "jobs"
    rights = {"POST": Right.ADMINISTER}

    @describe(
        "retryJob", code=202, returns=JobShown, example=JOB | {"state": "queued"}, refusals=[409]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Try a job that failed again"""
        if not jobs.retry(self.project):
            raise Conflict(_("It did not fail, so there is nothing to try again."))
        return Response(_shown(Project.objects.get(pk=pk)), 202)


def _shown(project: Project) -> dict[str, Any]:
    job = Job.objects.filter(project=project).first()
    if job is None:
        raise Http404
    how_far = report(project) if job.task == Job.Task.PREPARE else None
    row = {name: getattr(job, name) for name in JOB if hasattr(job, name)}
    return JobShown(
        row
        | {
            "system": job.options.get("system"),
            "stages": _stages(how_far),
            "left": how_far.left_in_words if how_far else "",
        }
    ).data


def _stages(how_far: Report | None) -> list[dict[str, Any]]:
    stages = how_far.stages if how_far else []
    return [{"name": row.name, "state": row.state, "percent": row.share} for row in stages]
