"""The schema of the API, and what is at no address of it."""

from typing import Any

from django.http import Http404
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import Resource
from api.schema import whole_schema

FILE = 'attachment; filename="segranks-openapi.yaml"'


@extend_schema(exclude=True)
class Schema(Resource):
    """What there is, for programs and for those who write them: everybody may know it."""

    permission_classes = []
    renderer_classes = [OpenApiJsonRenderer2]

    def get(self, request: Request) -> Response:
        return Response(whole_schema())


class YamlSchema(Schema):
    """The same, as a file."""

    renderer_classes = [OpenApiYamlRenderer2]

    def get(self, request: Request) -> Response:
        return Response(whole_schema(), headers={"Content-Disposition": FILE})


@extend_schema(exclude=True)
class Nowhere(Resource):
    """Whatever else is asked for under the address of the API."""

    permission_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404
