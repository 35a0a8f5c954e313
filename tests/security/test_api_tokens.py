"""What programs get: what their person gets, and less where the token is for less."""

import pytest
from django.test import Client

from annotation.models import User
from api.tokens import create_token
from tests.security.conftest import undone
from tests.security.expected import expected
from tests.security.requests import send
from tests.security.test_matrix import ADDRESSES
from tests.security.world import World, contents

pytestmark = pytest.mark.django_db
PUBLIC = {"api-schema", "api-schema-yaml", "api-documentation", "api-nowhere"}
# The two old addresses, of which pages have taken the place, know no tokens.
EXPECTED = {
    (name, method): row
    for (name, method), row in expected().items()
    if ADDRESSES[name].route.startswith("api/v1/") and name not in PUBLIC
}
ROWS = pytest.mark.parametrize(("name", "method"), list(EXPECTED))


def program(user: User, scope: str = "write", **options: object) -> Client:
    word = create_token(user=user, name="test", scope=scope, **options)[1]  # type: ignore[arg-type]
    return Client(headers={"Authorization": f"Bearer {word}"})


def test_there_are_such_addresses() -> None:
    assert len(EXPECTED) > 25


@ROWS
def test_a_program_gets_what_its_person_gets(world: World, name: str, method: str) -> None:
    answers = {}
    for role, user in world.people.items():
        if user is not None:
            with undone():
                answer = send(program(user), ADDRESSES[name], method, world.mine)
                answers[role] = str(answer.status_code)
    assert answers == {
        role: code for role, code in EXPECTED[name, method].items() if role in answers
    }


@ROWS
def test_a_token_that_may_read_changes_nothing(world: World, name: str, method: str) -> None:
    owner = world.people["owner"]
    assert owner
    with undone():
        reading = program(owner, "read")
        before = contents()
        answer = send(reading, ADDRESSES[name], method, world.mine)
        after = contents()
        for rows in (before, after):
            rows.pop("Token")
        assert after == before
    wanted = EXPECTED[name, method]["owner"] if method == "GET" else "403"
    assert str(answer.status_code) == wanted


@ROWS
def test_a_token_of_another_project_is_good_for_nothing_here(
    world: World, name: str, method: str
) -> None:
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


@ROWS
def test_a_token_in_place_of_a_session_needs_no_page_of_ours(
    world: World, name: str, method: str
) -> None:
    """But a session beside it is not what counts."""
    stranger, owner = world.people["stranger"], world.people["owner"]
    assert stranger
    assert owner
    with undone():
        client = program(stranger)
        client.force_login(owner)
        answer = send(client, ADDRESSES[name], method, world.mine)
    assert str(answer.status_code) == EXPECTED[name, method]["stranger"]
