"""Settings of REST framework and of drf-spectacular, which writes the schema of the API."""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenAuthentication",
        "api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.permissions.IsSignedIn"],
    "DEFAULT_THROTTLE_CLASSES": [
        "api.throttling.PersonThrottle",
        "api.throttling.AnonymousThrottle",
        "api.throttling.ComputationThrottle",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.JSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "api.exceptions.problem_response",
    # The media type is chosen by the header Accept, never by a parameter of the query.
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "SegRanks",
    "DESCRIPTION": "Everything that administrators of a project do in the browser, over HTTP. "
    "Judging and a person's own account (password, sessions, tokens) are not part of it.\n\n"
    "Authenticate with `Authorization: Bearer sr_…`, or with the session of this browser. "
    "Every refusal is a problem document (RFC 9457). Parameters and fields that an operation "
    "does not know are refused. Send a POST again safely with an `Idempotency-Key`.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "PREPROCESSING_HOOKS": ["api.schema.only_version_1"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.schema.add_problem_responses",
    ],
    "ENUM_NAME_OVERRIDES": {
        "AssignmentKind": "annotation.models.Assignment.Kind",
        "QualityRuleKind": "evaluation.models.RuleKind",
        "MethodEnum": "evaluation.stats.ranking.systems.METHODS",
    },
}
