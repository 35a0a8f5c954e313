"""What the schema (OpenAPI) says of each resource: most of it follows from the resource itself."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    inline_serializer,
)
from rest_framework import serializers

from api.exceptions import MEDIA_TYPE, TYPE
from api.idempotency import HEADER, REPLAYED
from api.permissions import Right
from api.serializers import Shown

PREFIX = "/api/v1/"
Method = TypeVar("Method", bound=Callable[..., Any])
ROLES = {
    Right.OBSERVE: "For observers, administrators and owners of the project.",
    Right.ADMINISTER: "For administrators and owners of the project.",
    Right.OWN: "For owners of the project.",
}
# Code of the kind of problem (see `api.exceptions`), and when it comes.
REFUSALS = {
    400: ("invalid", "Something that was sent is wrong; the errors say what, and where."),
    401: ("not_authenticated", "Nobody is signed in, or the token cannot be used."),
    403: ("permission_denied", "The role or the token is not enough for this."),
    404: ("not_found", "There is no such thing, or you need not know that there is."),
    409: ("conflict", "It cannot be done as things are now; with Retry-After, in a moment."),
    413: ("too_large", "What was sent is too large."),
    415: ("unsupported_media_type", "What was sent is of a kind that is not read here."),
    422: ("key_reused", "Something else came with this Idempotency-Key before."),
    429: ("throttled", "You ask too often; Retry-After says for how many seconds to wait."),
    502: ("not_sent", "The mail server did not take the mail, and nothing was done."),
}
OTHERWISE = "Any other problem."


class ProblemError(serializers.Serializer[Any]):
    """One thing that is wrong, and where: in the body, the query or a header."""

    detail = serializers.CharField(help_text="What is wrong, in a sentence.")
    pointer = serializers.CharField(
        required=False, help_text="A JSON Pointer into the body, as #/name."
    )
    parameter = serializers.CharField(required=False, help_text="A parameter of the query.")
    header = serializers.CharField(required=False, help_text="A header.")


class ProblemDetails(Shown):
    """What is told of whatever goes wrong (RFC 9457)."""

    type = serializers.CharField(help_text="Which kind of problem, as urn:segranks:problem:….")
    title = serializers.CharField(help_text="What the status means.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong, in a sentence for people.")
    instance = serializers.CharField(help_text="The address that was asked.")
    errors = ProblemError(many=True)  # type: ignore[assignment]  # a name that Serializer has


def describe(
    name: str,
    *,
    returns: Any = None,
    code: int = 200,
    takes: Any = None,
    is_page: bool = False,
    refusals: Sequence[int] = (),
    example: Any = None,
    takes_example: Any = None,
    media_type: str = "application/json",
    says_where: bool = False,
) -> Callable[[Method], Method]:
    """Say of a method what the schema cannot see: its name, what it takes and returns.

    `name` is its operationId; the summary is the first line of its docstring, the description all
    that follows. `is_page` makes it a page of `returns`. `refusals` are codes besides those that
    follow from the resource. An `example` of a page is one of its rows. `says_where` is whether the
    answer has a Location.
    """
    shown = _page_of(returns) if is_page else returns
    if is_page and example is not None:
        example = {"results": [example], "next": None, "previous": None}
    examples = [
        OpenApiExample(
            label,
            value,
            request_only=is_request,
            response_only=not is_request,
            status_codes=[str(code)],
        )
        for label, value, is_request in (
            ("Sent", takes_example, True),
            ("Answered", example, False),
        )
        if value is not None
    ]
    extended = extend_schema(
        operation_id=name,
        request=takes,
        responses={(code, media_type): OpenApiResponse(shown, description="Done.")},
        examples=examples,
        extensions={"x-refusals": list(refusals), "x-says-where": says_where},
    )

    def described(method: Method) -> Method:
        cast(Any, method).takes_body = takes is not None
        return extended(method)

    return described


def _page_of(returns: type[serializers.BaseSerializer[Any]]) -> serializers.BaseSerializer[Any]:
    link: dict[str, Any] = {"allow_null": True, "read_only": True}
    return inline_serializer(
        f"PageOf{returns.__name__}",
        {
            "results": returns(many=True, read_only=True),
            "next": serializers.URLField(help_text="The page after this one.", **link),
            "previous": serializers.URLField(help_text="The page before this one.", **link),
        },
    )


class Operation(AutoSchema):
    """An operation of a Resource."""

    view: Any

    def get_tags(self) -> list[str]:
        return [self.view.tag]

    def get_summary(self) -> str:
        return self._doc().partition("\n")[0]

    def get_description(self) -> str:  # type: ignore[override]
        text = self._doc().partition("\n")[2].strip()
        right = self.view.rights.get(self.method)
        return "\n\n".join(part for part in (text, ROLES[right] if right else "") if part)

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = []
        if self.method in self.view.queries:
            parameters.append(self.view.queries[self.method])
        if self.method == "POST":
            parameters.append(
                OpenApiParameter(
                    HEADER,
                    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
                    OpenApiParameter.HEADER,
                    description="Makes it safe to send this again: for 24 hours the same key with "
                    "the same content gets the same answer, and nothing is done twice.",
                )
            )
        return parameters

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        declared = operation.pop("x-refusals", [])
        self._add_headers(operation, says_where=operation.pop("x-says-where", False))
        shown = self.resolve_serializer(ProblemDetails, "response").ref
        for code in sorted({*self._refusals("requestBody" in operation), *declared}):
            kind, when = REFUSALS[code]
            operation["responses"][str(code)] = _problem(shown, f"{when} Type: {TYPE}{kind}.")
        operation["responses"]["429"]["headers"] = {"Retry-After": _header("Seconds to wait.")}
        operation["responses"]["default"] = _problem(shown, OTHERWISE)
        return operation

    def _add_headers(self, operation: dict[str, Any], *, says_where: bool) -> None:
        headers = {}
        if says_where:
            headers["Location"] = _header("The address of what was made.") | {"required": True}
        if self.method == "POST":
            headers[REPLAYED] = _header("true where it was answered before, and not done again.")
        for answer in operation["responses"].values() if headers else ():
            answer["headers"] = headers

    def _refusals(self, has_body: bool) -> set[int]:
        codes = {400, 429}
        if self.view.permission_classes:
            codes.add(401)
        if self.view.rights.get(self.method) or self.method != "GET":
            codes.add(403)
        if "{" in self.path:
            codes.add(404)
        if self.method == "POST":
            codes |= {409, 422}
        return codes | ({413, 415} if has_body else set())

    def _doc(self) -> str:
        return str(get_doc(getattr(self.view, self.method.lower())))


def _header(text: str) -> dict[str, Any]:
    return {"description": text, "schema": {"type": "string"}}


def _problem(shown: dict[str, Any], when: str) -> dict[str, Any]:
    return {"description": when, "content": {MEDIA_TYPE: {"schema": shown}}}


def only_ours(endpoints: list[Any], **_kwargs: Any) -> list[Any]:
    """Leave out what the judging page talks to, which is nobody else's."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(PREFIX)]


@cache
def whole_schema() -> dict[str, Any]:
    """Return the schema, in English whoever asks; it is made once for each process."""
    with override("en"):
        generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
        return cast(dict[str, Any], generator.get_schema(request=None, public=True))
