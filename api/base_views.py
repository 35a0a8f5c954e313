"""Base class of all views of the API."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import APIException, Throttled
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from annotation.models import Project, User
from api.exceptions import HttpVersionNotSupported, bad_query, problem_response
from api.serializers import StrictSerializer
from operations.middleware import NEEDS_HTTP_1_1, would_look_complete


@method_decorator(never_cache, name="dispatch")
class ApiView(GenericAPIView[Any]):
    """An address of the API. Permissions are checked before the query and the body are read."""

    # The serializer of each method's query string; parameters that it does not know are refused.
    query_serializers: ClassVar[Mapping[str, type[StrictSerializer]]] = {}
    # The section of the documentation.
    tag: ClassVar[str] = ""
    # Whether its POST, if it has one, is repeated safely.
    takes_idempotency_key: ClassVar[bool] = True
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    # Set by the permission classes of `api.permissions` that are about a project.
    project: Project
    query: dict[str, Any]

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            super().initial(request, *args, **kwargs)
        except Throttled:
            raise
        except (APIException, Http404, PermissionDenied):
            # REST framework counts only what it lets through; wrong tokens count here too.
            self.check_throttles(request)
            raise
        self.query = self._read_query(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if would_look_complete(request, response):
            problem = HttpVersionNotSupported(str(NEEDS_HTTP_1_1))
            response = problem_response(problem, {"request": request})
        return super().finalize_response(request, response, *args, **kwargs)

    def read_body(
        self, serializer_class: type[BaseSerializer[Any]], *, partial: bool = False
    ) -> dict[str, Any]:
        """Return the validated body. Raises ValidationError with every mistake in it."""
        data = self.request.data
        context = {"json": not isinstance(data, QueryDict)}
        serializer = serializer_class(data=data, partial=partial, context=context)
        serializer.is_valid(raise_exception=True)
        return cast(dict[str, Any], serializer.validated_data)

    def page_response(
        self, rows: QuerySet[Any], serializer_class: type[BaseSerializer[Any]]
    ) -> Response:
        """Return the page that the query asks for; the view needs a `pagination_class`."""
        page = self.paginate_queryset(rows)
        serializer = serializer_class(page, many=True, context=self.get_serializer_context())
        return self.get_paginated_response(serializer.data)

    def _read_query(self, request: Request) -> dict[str, Any]:
        given = request.query_params
        repeated = [name for name in given if len(given.getlist(name)) > 1]
        if repeated:
            raise bad_query({name: [_("Give it only once.")] for name in repeated})
        method = (request.method or "").replace("HEAD", "GET")
        serializer = self.query_serializers.get(method, StrictSerializer)(data=given.dict())
        if not serializer.is_valid():
            raise bad_query(serializer.errors)
        return cast(dict[str, Any], serializer.validated_data)
