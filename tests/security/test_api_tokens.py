"""Rights of programs: those of their person, and fewer if the token is limited."""

import pytest
from django.test import Client

from annotation.models import User
from api.tokens import create_token
from tests.security.contents import contents
from tests.security.expected import expected
from tests.security.requests import send
from tests.security.test_matrix import ADDRESSES
from tests.security.world import World
from tests.transactions import undone

pytestmark = pytest.mark.django_db
PUBLIC = {"api-schema", "api-schema-yaml", "api-documentation", "api-nowhere"}
EXPECTED = {
    (name, method): row
    for (name, method), row in expected().items()
    if ADDRESSES[name].route.startswith("api/v1/") and name not in PUBLIC
}
# A sample of reading, JSON, files, and an address that is not about one project.
EXAMPLES = pytest.mark.parametrize(
    ("name", "method"),
    [
        ("api-project", "GET"),
        ("api-project", "PATCH"),
        ("api-systems", "POST"),
        ("api-projects", "GET"),
        ("api-projects", "POST"),
    ],
)


def program(user: User | None, scope: str = "write", **options: object) -> Client:
    assert user
    secret = create_token(user=user, name="test", scope=scope, **options)[1]  # type: ignore[arg-type]
    return Client(headers={"Authorization": f"Bearer {secret}"})


def test_a_program_gets_what_its_person_gets(world: World, subtests: pytest.Subtests) -> None:
    for (name, method), row in EXPECTED.items():
        with subtests.test(name, method=method), world.restored():
            for role in ("stranger", "annotator", "owner"):
                with undone():
                    answer = send(program(world.people[role]), ADDRESSES[name], method, world.mine)
                assert str(answer.status_code) == row[role], role


@EXAMPLES
def test_a_read_only_token_changes_nothing(world: World, name: str, method: str) -> None:
    with undone():
        reading = program(world.people["owner"], "read")
        before = contents()
        answer = send(reading, ADDRESSES[name], method, world.mine)
        after = contents()
    for rows in (before, after):
        # Its last use is noted.
        rows.pop("Token")
    assert after == before
    assert answer.status_code == (200 if method == "GET" else 403)


@EXAMPLES
def test_a_token_of_another_project_finds_nothing(world: World, name: str, method: str) -> None:
    owner = world.people["owner"]
    assert owner
    with undone():
        world.other.project.memberships.create(user=owner, role="owner")
        limited = program(owner, project=world.other.project)
        answer = send(limited, ADDRESSES[name], method, world.mine)
    if "pk" in ADDRESSES[name].parameters:
        assert answer.status_code == 404
    else:
        assert answer.status_code == (200 if method == "GET" else 403)
        assert world.mine.project.name not in answer.content.decode()


def test_a_session_beside_a_token_does_not_count(world: World) -> None:
    client = program(world.people["stranger"])
    client.force_login(world.people["owner"])  # type: ignore[arg-type]
    answer = send(client, ADDRESSES["api-project"], "PATCH", world.mine)
    assert answer.status_code == 404
