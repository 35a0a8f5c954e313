"""Whatever the schema of the API allows, and much that it does not, gets an answer that it names.

SEGRANKS_SCHEMATHESIS=1000 tries so many requests of each operation, by chance, and takes hours.
"""

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import override_settings
from hypothesis import HealthCheck, Phase, seed
from hypothesis import settings as hypothesis_settings
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi

from api.tokens import create_token
from tests.security.conftest import undone
from tests.security.world import World

pytestmark = pytest.mark.django_db
# Tried of each operation, besides the ends of what each parameter may be. PostgreSQL refuses more
# of what a program can make up, and the same tests meet it after SQLite.
USUAL = 12 if "postgresql" in settings.DATABASES["default"]["ENGINE"] else 4
EXAMPLES = int(os.environ.get("SEGRANKS_SCHEMATHESIS") or USUAL)
SEED = 20261120
# Told of any address, whatever it is for.
ANYWHERE = {"405", "406"}


def named_status(_context: Any, response: Any, case: Any) -> None:
    """An operation names its statuses one by one; what it says of all others is for programs."""
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
def word(world: World) -> Iterator[str]:
    """A token that lets a program do whatever the owner may, as often as it likes."""
    owner = world.people["owner"]
    assert owner
    # They would end the transaction that is undone afterwards, as Django's own client knows too.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    with override_settings(API_RATE=10**9):
        yield create_token(user=owner, name="schemathesis", scope="write")[1]
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def there(world: World) -> dict[str, object]:
    """What there is, by the names of parameters."""
    parts = world.mine
    return {
        "id": parts.project.pk,
        "assignment_pk": parts.open.pk,
        "delivery_pk": parts.delivery.pk,
        "invitation_pk": parts.invitation.pk,
        "link_pk": parts.link.pk,
        "report_pk": parts.project.reports.get().pk,
        "system_pk": parts.system.pk,
        "user_pk": parts.annotator.pk,
        "webhook_pk": parts.delivery.webhook_id,
    }


@schema.parametrize()
@seed(SEED)
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == USUAL,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_the_schema_names(
    case: Any, word: str, there: dict[str, object]
) -> None:
    for name, value in there.items():
        if name in case.path_parameters:
            case.path_parameters[name] = value
    with undone():
        case.call_and_validate(headers={"Authorization": f"Bearer {word}"}, checks=CHECKS)


def test_a_status_that_is_not_named_is_noticed() -> None:
    operation: Any = next(schema.get_all_operations())
    case = SimpleNamespace(operation=operation.ok())
    named_status(None, SimpleNamespace(status_code=200), case)
    with pytest.raises(AssertionError, match="418 is not named"):
        named_status(None, SimpleNamespace(status_code=418), case)


def test_all_operations_are_tried() -> None:
    assert sum(1 for _operation in schema.get_all_operations()) > 50
    assert settings.SPECTACULAR_SETTINGS["OAS_VERSION"].startswith("3.1")
