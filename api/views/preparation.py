"""The background job of a project, and how its texts were prepared."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Job, Project
from annotation.pipeline import jobs
from annotation.projects.preparation_quality import verbless_sentences
from annotation.projects.provenance import provenance_of
from annotation.selectors.preparation_status import report
from api.base_views import ApiView
from api.exceptions import Conflict
from api.idempotency import idempotent
from api.permissions import IsProjectAdministrator


class StageSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])
    percent = serializers.IntegerField(allow_null=True, help_text="Null if it is not known.")


class JobSerializer(serializers.Serializer[Any]):
    """The latest job of the project: the one that made it, or adding a system."""

    task = serializers.ChoiceField(Job.Task.choices)
    state = serializers.ChoiceField(Job.State.choices)
    system = serializers.CharField(allow_null=True, help_text="The system that is being added.")
    stage = serializers.CharField(help_text="The present stage; empty before the job starts.")
    done = serializers.IntegerField(help_text="Sentences of this stage that are done.")
    total = serializers.IntegerField()
    stages = StageSerializer(many=True, help_text="Of a preparation; otherwise empty.")
    left = serializers.CharField(help_text="The remaining time in words; may be empty.")
    error = serializers.CharField(help_text="Why it failed; empty if it did not.")
    created = serializers.DateTimeField()
    started = serializers.DateTimeField(allow_null=True)
    finished = serializers.DateTimeField(allow_null=True)


# Columns of the table that are shown as they are.
JOB_COLUMNS = (
    "task", "state", "stage", "done", "total", "error", "created", "started", "finished",
)  # fmt: skip


class JobDetail(ApiView):
    tag = "jobs"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getJob", responses=JobSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the progress of a job

        A project that a command has imported has no job until a system is added to it.
        """
        return Response(_job_json(self.project))

    @extend_schema(operation_id="cancelPreparation", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Cancel the preparation

        This deletes the project. A project that is already prepared is not deleted.
        """
        if not jobs.cancel(self.project):
            raise Conflict(_("The project has already been prepared and was not deleted."))
        return Response(status=204)


class JobRetry(ApiView):
    tag = "jobs"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="retryJob", request=None, responses={202: JobSerializer})
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Retry a failed job"""
        if not jobs.retry(self.project):
            raise Conflict(_("The job has not failed, so it cannot be retried."))
        return Response(_job_json(Project.objects.get(pk=pk)), 202)


class ProgramSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    version = serializers.CharField(help_text="Empty if it is not known.")


def _share(help_text: str) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, help_text=help_text)


class SharesSerializer(serializers.Serializer[Any]):
    """Shares from 0 to 1; null if they are undefined or were not counted."""

    empty_projections = _share("Segments and systems without a candidate: no word was aligned.")
    candidates_with_gaps = _share("Candidates whose words are not adjacent.")
    unique_candidates = _share("Candidates left after merging equal ones of a segment.")
    agreeing_segments = _share("Segments with the same candidate from all systems.")
    sentences_without_segments = _share("Sentences that are not judged.")
    verbless_sentences = _share("Sentences whose tree contains no verb.")


class CountsSerializer(serializers.Serializer[Any]):
    sentences = serializers.IntegerField(allow_null=True)
    systems = serializers.IntegerField(allow_null=True)
    segments = serializers.IntegerField(allow_null=True)
    candidates = serializers.IntegerField(allow_null=True)


class PreparationSerializer(serializers.Serializer[Any]):
    """What is not known is null; for a project from ready-made segments, that is most of it."""

    parser = ProgramSerializer(allow_null=True)
    aligner = ProgramSerializer(allow_null=True)
    effort = serializers.CharField(help_text="Of the alignment; empty if it is not known.")
    seed = serializers.CharField(
        help_text="Of the alignment; none if it cannot be repeated, empty if it has or needs none."
    )
    projection = serializers.ChoiceField(
        ["links", "stretches"],
        help_text="What candidates are: all words that are linked to the segment, or the best "
        "stretches of words.",
    )
    scattered = serializers.FloatField(
        allow_null=True,
        help_text="Share of stretches of four source words that are linked to scattered words.",
    )
    coverage = serializers.CharField(help_text="Of the segmentation; empty if it is not known.")
    counts = CountsSerializer(help_text="When it was prepared, without systems added later.")
    shares = SharesSerializer()


SHARES = (
    "empty_projections",
    "candidates_with_gaps",
    "unique_candidates",
    "agreeing_segments",
    "sentences_without_segments",
)


class Preparation(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getPreparation", responses=PreparationSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get how a project was prepared

        With which programs and how well; docs/preparation.md says which figures are usual.
        """
        return Response(PreparationSerializer(_preparation_json(self.project)).data)


def _job_json(project: Project) -> dict[str, Any]:
    job = Job.objects.filter(project=project).first()
    if job is None:
        raise Http404
    status = report(project) if job.makes_project else None
    return JobSerializer(
        {
            **{name: getattr(job, name) for name in JOB_COLUMNS},
            "system": job.options.get("system"),
            "left": status.left_in_words if status else "",
            "stages": [
                {"name": stage.name, "state": stage.state, "percent": stage.share}
                for stage in (status.stages if status else [])
            ],
        }
    ).data


def _preparation_json(project: Project) -> dict[str, Any]:
    """Return what the provenance says."""
    made = provenance_of(project)
    aligner = made.aligner
    return {
        "parser": made.parser,
        "aligner": aligner,
        "effort": aligner.effort if aligner else "",
        "seed": aligner.seed if aligner else "",
        "projection": made.projection.name,
        "scattered": made.projection.scattered,
        "coverage": made.coverage,
        "counts": made.counts,
        "shares": {
            **{name: getattr(made.quality, name, None) for name in SHARES},
            "verbless_sentences": verbless_sentences(project),
        },
    }
