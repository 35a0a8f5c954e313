"""Ids of another project, and ids beyond what a database can hold, are not found."""

import pytest

from tests.security.addresses import Address, own_addresses
from tests.security.contents import unchanged
from tests.security.expected import expected
from tests.security.requests import ids, send
from tests.security.test_matrix import answer_of
from tests.security.world import World
from tests.transactions import undone

pytestmark = pytest.mark.django_db
EXPECTED = expected()
# Parameters that are about the project itself (see the matrix), or are not ids.
NOT_FOREIGN = {"project_pk", "name", "extension"}
# Addresses that belong to a person rather than to a project.
PERSONAL = {
    "sign-in-link",
    "invitation",
    "shared-report",
    "shared-documents",
    "shared-document",
    "shared-report-json",
    "shared-report-zip",
    "shared-report-figure",
    "shared-report-image",
    "shared-report-table",
    "confirm-address",
    "confirm-registration",
    "reset-password",
    "start",
    "api-nowhere",
}
# These cannot tell a former member or an old token from a foreign one: they say so, and redirect.
REDIRECTING = {
    ("remove-member", "user_pk"),
    ("new-link", "user_pk"),
    ("revoke-token", "token_pk"),
}
IMPOSSIBLE = (2**31, 10**30)


def parts_of_projects(address: Address) -> list[str]:
    """Return the parameters that name a part of a project."""
    if address.name in PERSONAL:
        return []
    names = [name for name in address.parameters if name not in NOT_FOREIGN]
    return [name for name in names if name != "pk" or "project_pk" in address.parameters]


# Former addresses only redirect; the page that they name decides.
ADDRESSES = own_addresses()
WITH_PARTS = [(address, name) for address in ADDRESSES for name in parts_of_projects(address)]
WITH_NUMBERS = [
    (address, name)
    for address in ADDRESSES
    for name in address.parameters
    if f"<int:{name}>" in address.route
]


def methods_of(address: Address) -> list[str]:
    return [method for name, method in EXPECTED if name == address.name]


def test_a_part_of_another_project_is_not_found(world: World, subtests: pytest.Subtests) -> None:
    for address, name in WITH_PARTS:
        theirs = ids(address, world.other)[name]
        allowed = {"404", "403"} | ({"go"} if (address.name, name) in REDIRECTING else set())
        with subtests.test(address.name, parameter=name), world.restored():
            assert theirs != ids(address, world.mine)[name]
            for role in ("annotator", "superuser"):
                for method in methods_of(address):
                    with undone(), unchanged(world.contents):
                        client = world.client(role)
                        response = send(client, address, method, world.mine, **{name: theirs})
                    assert answer_of(response) in allowed, (role, method)


def test_a_number_beyond_the_database_is_not_found(world: World, subtests: pytest.Subtests) -> None:
    for address, name in WITH_NUMBERS:
        allowed = {"404"} | ({"go"} if (address.name, name) in REDIRECTING else set())
        with subtests.test(address.name, parameter=name), world.restored():
            for number in IMPOSSIBLE:
                for method in methods_of(address):
                    with undone(), unchanged(world.contents):
                        client = world.client("owner")
                        response = send(client, address, method, world.mine, **{name: number})
                    assert answer_of(response) in allowed, (number, method)
