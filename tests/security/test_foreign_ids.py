"""Ids of another project, and ids that nothing can have, lead nowhere and change nothing."""

import pytest

from tests.security.addresses import Address, own_addresses
from tests.security.conftest import undone
from tests.security.expected import expected
from tests.security.requests import ids, send
from tests.security.test_matrix import answer_of
from tests.security.world import World, contents

pytestmark = pytest.mark.django_db
EXPECTED = expected()
# Of the project, which the matrix is about; and what is no id, or belongs to a person alone.
NOT_FOREIGN = {"project_pk", "name", "extension"}
ALONE = {
    "sign-in-link",
    "invitation",
    "confirm-address",
    "confirm-registration",
    "reset-password",
    "start",
    "api-nowhere",
}
# Somebody who was a member, and is none any more, cannot be told from somebody who never was: both
# are told in a sentence, and nothing happens. So with a token that is somebody else's.
TOLD = {
    ("remove-member", "user_pk"),
    ("new-link", "user_pk"),
    ("revoke-token", "token_pk"),
}
INSIDERS = ("annotator", "administrator", "superuser")
IMPOSSIBLE = (0, 2**31, 2**63 - 1, 2**63, 10**30)


def more_ids(address: Address) -> list[str]:
    """Return the parameters that name a part of the project."""
    if address.name in ALONE:
        return []
    names = [name for name in address.parameters if name not in NOT_FOREIGN]
    return [name for name in names if name != "pk" or "project_pk" in address.parameters]


WITH_IDS = [(address, name) for address in own_addresses() for name in more_ids(address)]
EACH = pytest.mark.parametrize(
    ("address", "name"), WITH_IDS, ids=[f"{address.name}-{name}" for address, name in WITH_IDS]
)
WITH_NUMBERS = [
    address for address in own_addresses() if "<int:" in address.route and not address.is_admin
]


def methods_of(address: Address) -> list[str]:
    return [method for name, method in EXPECTED if name == address.name]


def test_there_are_such_addresses() -> None:
    assert len(WITH_IDS) > 15


@EACH
def test_a_part_of_another_project_is_not_found(world: World, address: Address, name: str) -> None:
    before = contents()
    theirs = ids(address, world.other)[name]
    assert theirs != ids(address, world.mine)[name]
    allowed = {"404", "403"} | ({"go"} if (address.name, name) in TOLD else set())
    for role in INSIDERS:
        for method in methods_of(address):
            with undone():
                client = world.client(role)
                response = send(client, address, method, world.mine, **{name: theirs})
                assert contents() == before
            assert answer_of(response) in allowed, (role, method)


@EACH
def test_a_part_of_mine_is_not_found_in_another_project(
    world: World, address: Address, name: str
) -> None:
    if "pk" not in address.parameters:
        return
    before = contents()
    project = "project_pk" if "project_pk" in address.parameters else "pk"
    for role in INSIDERS[:2]:
        for method in methods_of(address):
            with undone():
                client = world.client(role)
                changed = {project: world.other.project.pk}
                response = send(client, address, method, world.mine, **changed)
                assert contents() == before
            assert answer_of(response) in {"404", "403"}, (role, method)


@pytest.mark.parametrize("address", WITH_NUMBERS, ids=[address.name for address in WITH_NUMBERS])
def test_a_number_that_no_id_can_be_is_no_error(world: World, address: Address) -> None:
    before = contents()
    numbers = [name for name in address.parameters if f"<int:{name}>" in address.route]
    client = world.client("owner")
    for name in numbers:
        for number in IMPOSSIBLE:
            for method in methods_of(address):
                with undone():
                    response = send(client, address, method, world.mine, **{name: number})
                    assert contents() == before
                allowed = {"404"} | ({"go"} if (address.name, name) in TOLD else set())
                assert answer_of(response) in allowed, (name, number, method)
