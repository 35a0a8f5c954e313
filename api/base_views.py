"""What all resources of the API share."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from rest_framework import permissions
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from annotation.models import Project, User
from annotation.uploads.upload_handlers import stream_to_disk
from api import exceptions, idempotency
from api.authentication import SessionAuthentication, TokenAuthentication
from api.pagination import page_of
from api.parsers import JSONParser, UploadParser, too_large
from api.permissions import Right, ScopeAllows, project_for
from api.serializers import Fields
from api.throttling import count_request


class Resource(APIView):
    """One address of the API, and what may be done with it.

    Everything is asked in this order: who it is, how often, whether the token is for that, which
    right in the project it takes (`rights`, of whatever has `pk` in its address), what the query
    says (`queries`), and what is sent. So nobody sends a file in vain, or learns of what is not
    his.
    """

    # What each method takes in the project; a method that is not here takes none.
    rights: ClassVar[Mapping[str, Right]] = {}
    # What each method takes in its query; what is not here is refused.
    queries: ClassVar[Mapping[str, type[Fields]]] = {}
    # Methods that take files.
    uploads: ClassVar[frozenset[str]] = frozenset()
    # Whether a POST waits for others, a mail server for example, so that no transaction may.
    waits: ClassVar[bool] = False
    # What of the answer to a POST is null where the answer is given again: a secret, of which
    # nothing but a hash is kept.
    shown_once: ClassVar[frozenset[str]] = frozenset()
    # As how many requests one counts: more where all is computed anew for it.
    cost: ClassVar[int] = 1
    # Under which heading the documentation has it.
    tag: ClassVar[str] = ""

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [permissions.IsAuthenticated, ScopeAllows]
    renderer_classes = [JSONRenderer]
    parser_classes = [JSONParser]
    metadata_class = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    project: Project
    query: dict[str, Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "post" in vars(cls):
            cls.post = _once(vars(cls)["post"])  # type: ignore[attr-defined]

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.format_kwarg = None
        self._negotiate(request)
        try:
            self.perform_authentication(request)
        except APIException:
            count_request(request, as_anonymous=True)
            raise
        count_request(request, cost=self.cost)
        self.check_permissions(request)
        method = (request.method or "").replace("HEAD", "GET")
        if method in self.rights:
            self.project = project_for(request, kwargs["pk"], self.rights[method])
        self.may(request)
        self.query = _read_query(request, self.queries.get(method, Fields))
        if method in self.uploads:
            self._take_files(request)

    def may(self, request: Request) -> None:
        """Raise what refuses the request, beyond what `rights` says of a project."""

    def body(
        self, request: Request, kind: type[BaseSerializer[Any]], *, partial: bool = False
    ) -> dict[str, Any]:
        """Return what was sent, checked; raise Problem with each thing that is wrong."""
        is_json = request.method not in self.uploads
        fields = kind(data=request.data, partial=partial, context={"json": is_json})
        if not fields.is_valid():
            raise exceptions.bad_body(fields.errors)
        return cast(dict[str, Any], fields.validated_data)

    def page(
        self, rows: QuerySet[Any], shown: type[BaseSerializer[Any]], *, newest: bool = False
    ) -> Response:
        """Return the asked page of the rows, by id. The query has to be a Paging."""
        found = page_of(
            rows,
            self.request,
            limit=self.query["limit"],
            cursor=self.query.get("cursor"),
            newest=newest,
        )
        return Response(found.shown(shown(found.rows, many=True, context=self.context).data))

    @property
    def context(self) -> dict[str, Any]:
        """What serializers may know of the request."""
        return {"site": self.request.build_absolute_uri("/").rstrip("/")}

    def get_parsers(self) -> list[Any]:
        method = getattr(getattr(self, "request", None), "method", None)
        return [UploadParser()] if method in self.uploads else super().get_parsers()

    def get_exception_handler(self) -> Callable[..., Response]:
        return exceptions.answer

    def finalize_response(  # type: ignore[override]  # what is stored is no Response of REST's
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        if getattr(response, "content_type", None) == exceptions.MEDIA_TYPE:
            # Whatever else would have been sent.
            request.accepted_renderer = JSONRenderer()
            request.accepted_media_type = JSONRenderer.media_type
        response = super().finalize_response(request, cast(Response, response), *args, **kwargs)
        add_never_cache_headers(response)
        return response

    def _negotiate(self, request: Request) -> None:
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(
            request
        )

    def _take_files(self, request: Request) -> None:
        if not stream_to_disk(request._request, int(settings.MAX_UPLOAD_BYTES)):
            raise too_large()


def _read_query(request: Request, kind: type[Fields]) -> dict[str, Any]:
    given = request.query_params
    twice = [name for name in given if len(given.getlist(name)) > 1]
    if twice:
        raise exceptions.bad_query({name: [_("Give it once.")] for name in twice})
    fields = kind(data=given.dict())
    if not fields.is_valid():
        raise exceptions.bad_query(fields.errors)
    return cast(dict[str, Any], fields.validated_data)


def _once(post: Callable[..., Response]) -> Callable[..., HttpResponseBase]:
    """Let a POST be sent again with its Idempotency-Key."""

    @wraps(post)
    def answered(view: Resource, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = idempotency.key_of(request)
        if key is None:
            return post(view, request, *args, **kwargs)
        has_body = getattr(post, "takes_body", True)
        return idempotency.answer_once(
            view.user,
            key,
            idempotency.fingerprint_of(request, has_body=has_body),
            lambda: post(view, request, *args, **kwargs),
            takes_long="POST" in view.uploads or view.waits,
            shown_once=view.shown_once,
        )

    return answered
