"""How the API is served, and how it describes itself."""

from typing import Any

DESCRIPTION: dict[str, Any] = {
    "TITLE": "SegRanks",
    "DESCRIPTION": "What administrators of a project do in the browser, for programs. "
    "Judging and what is one's own (account, password, tokens) are not in it.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "PREPROCESSING_HOOKS": ["api.schema.only_ours"],
    "ENUM_NAME_OVERRIDES": {"AssignmentKind": "annotation.models.Assignment.Kind"},
    "SERVERS": [{"url": "/", "description": "This installation"}],
}


def framework(*, https: bool) -> dict[str, Any]:
    """Return REST framework's settings; with HTTPS a proxy stands before SegRanks."""
    return {
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "DEFAULT_SCHEMA_CLASS": "api.schema.Operation",
        # A query says what is wanted, and never in which format.
        "URL_FORMAT_OVERRIDE": None,
        # Where a request comes from, behind a proxy the proxy says.
        "NUM_PROXIES": 1 if https else 0,
    }
