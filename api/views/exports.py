"""Exports of a project, streamed."""

from django.http import Http404, HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.export_formats import EXPORT_FORMATS, OBSERVABLE
from annotation.models import Project
from annotation.web.downloads import attachment, download
from api.base_views import ApiView
from api.exceptions import Conflict
from api.permissions import IsProjectAdministrator, IsProjectObserver
from api.views.findings import refuse_unprepared
from evaluation.services.metrics_export import zipped_metrics_eval


class AnyRenderer(BaseRenderer):
    """The view streams each format with its own media type and ignores the Accept header."""

    media_type = "*/*"
    format = "file"


class Export(ApiView):
    tag = "exports"
    permission_classes = [IsProjectObserver]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="exportProject",
        parameters=[
            OpenApiParameter(
                "name", {"type": "string", "enum": list(OBSERVABLE)}, OpenApiParameter.PATH
            ),
            *(
                OpenApiParameter(option.name, OpenApiTypes.FLOAT, description=option.help)
                for one in OBSERVABLE.values()
                for option in one.options
            ),
        ],
        responses={
            (200, one.media_type): OpenApiResponse(
                OpenApiTypes.OBJECT if one.media_type == "application/json" else OpenApiTypes.BINARY
            )
            for one in OBSERVABLE.values()
        },
    )
    def get(self, request: Request, pk: int, name: str) -> StreamingHttpResponse:
        """Export judgements or candidates

        In the formats of `manage.py export_project`, which docs/formats.md explains. The header
        `Left-Out` says by reason how much is left out, where the format does.
        """
        if name not in OBSERVABLE:
            raise Http404
        return _download(self.project, name, request)


class MetricsEval(ApiView):
    tag = "exports"
    permission_classes = [IsProjectObserver]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="exportTestSet", responses={(200, "application/zip"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Export a test set for mt-metrics-eval

        Texts, and scores of systems and sentences by people, as a zip file: see docs/metrics.md.
        """
        refuse_unprepared(self.project)
        try:
            contents = zipped_metrics_eval(self.project)
        except InputError as problem:
            raise Conflict(str(localize_error(problem))) from None
        headers = {"Content-Disposition": attachment(self.project, ".mt-metrics-eval.zip")}
        return HttpResponse(contents, content_type="application/zip", headers=headers)


class Archive(ApiView):
    tag = "exports"
    permission_classes = [IsProjectAdministrator]
    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="archiveProject",
        responses={(200, EXPORT_FORMATS["archive"].media_type): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """Export the whole project

        As an archive from which it can be restored on any installation. It has no secrets, no rules
        and flags of quality, no uploaded scores of metrics, no reports and no links to them.
        """
        return _download(self.project, "archive", request)


def _download(project: Project, name: str, request: Request) -> StreamingHttpResponse:
    try:
        return download(project, name, request.query_params.dict())
    except NotPossible as problem:
        raise Conflict(str(problem)) from None
