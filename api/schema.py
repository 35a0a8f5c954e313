"""How the schema (OpenAPI) is written, besides what drf-spectacular reads from the views."""

from functools import cache
from typing import Any, cast

from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import OpenApiYamlRenderer2
from drf_spectacular.utils import OpenApiParameter

from api.exceptions import MEDIA_TYPE, TYPE
from api.idempotency import HEADER, KEY_PATTERN
from api.result_schemas import components

API_PREFIX = "/api/v1/"
# By status: the end of the problem's type, and when the API answers with it.
REFUSALS = {
    400: ("invalid", "The query or the body is invalid; `errors` say where."),
    401: ("not_authenticated", "There is no token or session, or the token is not valid."),
    403: ("permission_denied", "Your role or your token does not allow this."),
    404: ("not_found", "Not found, or not visible to you."),
    409: ("conflict", "Not possible in the present state; with `Retry-After`, in a moment."),
    413: ("too_large", "The body is too large."),
    415: ("unsupported_media_type", "The body has a media type that is not accepted."),
    422: ("key_reused", "The Idempotency-Key was used for another request."),
    429: ("throttled", "Too many requests; `Retry-After` says how many seconds to wait."),
}
TEXT = {"type": "string"}
PROBLEM_DETAILS = {
    "type": "object",
    "description": "What is wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail", "instance", "errors"],
    "properties": {
        "type": TEXT | {"description": f"The kind of problem: {TYPE}…"},
        "title": TEXT | {"description": "What the status means."},
        "status": {"type": "integer"},
        "detail": TEXT | {"description": "What is wrong, in a sentence."},
        "instance": TEXT | {"description": "The path of the request."},
        "errors": {
            "type": "array",
            "description": "Every mistake with its place.",
            "items": {
                "type": "object",
                "required": ["detail"],
                "properties": {
                    "detail": TEXT,
                    "pointer": TEXT | {"description": "A JSON Pointer into the body: #/name."},
                    "parameter": TEXT | {"description": "A parameter of the query."},
                    "header": TEXT | {"description": "A header of the request."},
                },
            },
        },
    },
}


class OperationSchema(AutoSchema):
    """An operation of an ApiView.

    The first line of the method's docstring is the summary, the rest the description.
    """

    view: Any
    method: str

    def get_tags(self) -> list[str]:
        return [self.view.tag]

    def get_summary(self) -> str:
        return self._docstring().partition("\n")[0]

    def get_description(self) -> str:  # type: ignore[override]
        text = self._docstring().partition("\n")[2].strip()
        audiences = [getattr(each, "audience", "") for each in self.view.get_permissions()]
        return "\n\n".join(filter(None, [text, *audiences]))

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = []
        if self.method in self.view.query_serializers:
            parameters.append(self.view.query_serializers[self.method])
        if self.method == "POST" and self.view.takes_idempotency_key:
            key = OpenApiParameter(
                HEADER,
                TEXT | {"minLength": 1, "maxLength": 200, "pattern": f"^{KEY_PATTERN}$"},
                OpenApiParameter.HEADER,
                description="For 24 hours, the same request with the same key is not processed "
                "again and gets the same answer.",
            )
            parameters.append(key)
        return parameters

    def _docstring(self) -> str:
        return str(super().get_description())


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from the page “API tokens” or `manage.py create_token`.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The session of a browser. Unsafe methods need the value of the cookie "
            "csrftoken in the header X-CSRFToken.",
        }


def only_version_1(endpoints: list[Any], **_options: Any) -> list[Any]:
    """Leave out every address that is not below /api/v1/: a hook of drf-spectacular."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(API_PREFIX)]


def add_problem_responses(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Add to each operation the refusals that are possible there: a hook of drf-spectacular."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
    result["components"]["schemas"]["ProblemDetails"] = PROBLEM_DETAILS
    result["components"]["schemas"].update(components())
    result["components"]["responses"] = {
        kind: {"description": f"{when} Type: {TYPE}{kind}.", "content": content}
        for kind, when in REFUSALS.values()
    } | {"other": {"description": "Any other problem.", "content": content}}
    for methods in result["paths"].values():
        for method, operation in methods.items():
            impossible = {413, 415} if method in ("get", "delete") else set()
            taken = {parameter["name"] for parameter in operation.get("parameters", [])}
            impossible |= set() if HEADER in taken else {422}
            for status, (kind, _when) in REFUSALS.items():
                if status not in impossible:
                    operation["responses"][str(status)] = _response(kind)
            operation["responses"]["default"] = _response("other")
    return result


def _response(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


@cache
def whole_schema() -> dict[str, Any]:
    """Return the schema in English; each process generates it once."""
    with override("en"):
        generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
        return cast(dict[str, Any], generator.get_schema(request=None, public=True))


@cache
def schema_as_yaml() -> bytes:
    """Return the schema as YAML, which takes longer to write than most answers."""
    renderer: Any = OpenApiYamlRenderer2()
    return cast(bytes, renderer.render(whole_schema()))
