"""Generated requests to every operation get an answer that the schema names."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import override_settings
from hypothesis import HealthCheck, Phase, seed
from hypothesis import settings as hypothesis_settings
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi

from api.tokens import create_token
from tests.security.world import World
from tests.transactions import undone

pytestmark = pytest.mark.django_db
SEED = 20261120
# Any address may answer with these.
ANYWHERE = {"405", "406"}


def named_status(_context: Any, response: Any, case: Any) -> None:
    """A check of schemathesis: the operation names the status, besides its default response."""
    named = set(case.operation.definition.raw["responses"]) - {"default"}
    assert str(response.status_code) in named | ANYWHERE, f"{response.status_code} is not named."


CHECKS = [
    checks.not_a_server_error,
    named_status,
    openapi.content_type_conformance,
    openapi.response_headers_conformance,
    openapi.response_schema_conformance,
]

schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())


@pytest.fixture
def secret(world: World) -> Iterator[str]:
    """A token of the owner without a limit of requests."""
    owner = world.people["owner"]
    assert owner
    # These would end the transaction that is rolled back; Django's test client omits them too.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    with override_settings(API_RATE=10**9):
        yield create_token(user=owner, name="schemathesis", scope="write")[1]
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def call(case: Any, secret: str, world: World) -> None:
    parts = world.mine
    existing = {
        "id": parts.project.pk,
        "assignment_pk": parts.open.pk,
        "delivery_pk": parts.delivery.pk,
        "invitation_pk": parts.invitation.pk,
        "link_pk": parts.link.pk,
        "preview_pk": parts.preview.pk,
        "report_pk": parts.project.reports.get(kind="report").pk,
        "score_file_pk": parts.project.score_files.get().pk,
        "system_pk": parts.system.pk,
        "medium_pk": parts.medium.pk,
        "user_pk": parts.annotator.pk,
        "webhook_pk": parts.delivery.webhook_id,
    }
    for name, value in existing.items():
        if name in case.path_parameters:
            case.path_parameters[name] = value
    with undone():
        case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, checks=CHECKS)


def settings(examples: int, *more: Phase) -> hypothesis_settings:
    return hypothesis_settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate, *more],
        suppress_health_check=list(HealthCheck),
    )


@schema.parametrize()
@seed(SEED)
@settings(2)
def test_answers_are_named_by_the_schema(case: Any, secret: str, world: World) -> None:
    call(case, secret, world)


@pytest.mark.slow
@pytest.mark.databases
@schema.parametrize()
@seed(SEED)
# And the ends of what each parameter may be.
@settings(30, Phase.explicit)
def test_answers_to_many_requests_are_named_by_the_schema(
    case: Any, secret: str, world: World
) -> None:
    call(case, secret, world)
