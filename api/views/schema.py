"""The schema of the API as a file, and the answer to unknown addresses."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import ApiView
from api.schema import schema_as_yaml, whole_schema


@extend_schema(exclude=True)
class SchemaJSON(ApiView):
    permission_classes = [AllowAny]
    renderer_classes = [OpenApiJsonRenderer2]

    def get(self, request: Request) -> Response:
        return Response(whole_schema())


@extend_schema(exclude=True)
class SchemaYAML(ApiView):
    permission_classes = [AllowAny]
    renderer_classes = [OpenApiYamlRenderer2]

    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(
            schema_as_yaml(),
            content_type=OpenApiYamlRenderer2.media_type,
            headers={"Content-Disposition": 'attachment; filename="segranks-openapi.yaml"'},
        )


@extend_schema(exclude=True)
class UnknownAddress(ApiView):
    """Answers with a problem document where Django would answer with a page."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404
