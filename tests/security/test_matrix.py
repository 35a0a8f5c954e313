"""Every address × every method × everybody, from the URL configuration."""

import re
from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.security.addresses import METHODS, Address, addresses, own_addresses
from tests.security.conftest import undone
from tests.security.expected import OUTSIDERS, ROLES, expected
from tests.security.requests import send
from tests.security.world import World, contents

# Rights are asked of few rows, and the table is long.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
EXPECTED = expected()
ADDRESSES = {address.name: address for address in own_addresses()}
# What a method that an address does not know may answer.
NOT_KNOWN = {"405", "403", "401", "in"}
REFUSED = re.compile("in|4..")
# Looking at these does something, which is meant, and harmless where somebody is lured there: a
# sentence is given to the annotator, or the report asked for that he would see.
DOES_SOMETHING = {"judge", "practice", "report", "report-state"}
ROWS = pytest.mark.parametrize(("name", "method"), list(EXPECTED))
ALL = pytest.mark.parametrize("address", ADDRESSES.values(), ids=list(ADDRESSES))


def answer_of(response: Any) -> str:
    if response.status_code != 302:
        return str(response.status_code)
    asks_who = response.headers["Location"].startswith(reverse(settings.LOGIN_URL) + "?")
    return "in" if asks_who else "go"


def test_every_address_has_a_name_of_its_own_and_rows() -> None:
    names = Counter(address.name for address in own_addresses())
    assert not [name for name, times in names.items() if not name or times > 1]
    assert set(names) == {name for name, _method in EXPECTED}


def test_everybody_has_a_column(world: World) -> None:
    assert tuple(world.people) == ROLES


def test_what_is_written_and_what_is_undone_is_seen(world: World) -> None:
    before = contents()
    with undone():
        User.objects.create(username="somebody")
        assert contents() != before
    assert contents() == before


@ROWS
def test_everybody_gets_what_the_table_says(world: World, name: str, method: str) -> None:
    answers = {}
    for role in ROLES:
        with undone():
            answers[role] = answer_of(send(world.client(role), ADDRESSES[name], method, world.mine))
    assert answers == EXPECTED[name, method]


@ROWS
def test_what_is_refused_changes_nothing(world: World, name: str, method: str) -> None:
    refused = [role for role, answer in EXPECTED[name, method].items() if REFUSED.fullmatch(answer)]
    before = contents()
    for role in refused:
        with undone():
            send(world.client(role), ADDRESSES[name], method, world.mine)
            assert contents() == before


@ALL
def test_other_methods_are_refused(world: World, address: Address) -> None:
    for method in METHODS:
        if (address.name, method) in EXPECTED:
            continue
        for role in ROLES:
            with undone():
                answer = answer_of(send(world.client(role), address, method, world.mine))
            assert answer in NOT_KNOWN, method


@ALL
def test_looking_changes_nothing(world: World, address: Address) -> None:
    if (address.name, "GET") not in EXPECTED or address.name in DOES_SOMETHING:
        return
    before = contents()
    for role in ROLES:
        with undone():
            send(world.client(role), address, "GET", world.mine)
            assert contents() == before


@ROWS
def test_a_forged_request_is_refused(world: World, name: str, method: str) -> None:
    """Without the token of a page of ours nothing happens, whoever's browser sends it."""
    if method == "GET" or name == "set_language":
        return
    before = contents()
    for role, answer in EXPECTED[name, method].items():
        with undone():
            client = world.client(role, enforce_csrf_checks=True)
            response = send(client, ADDRESSES[name], method, world.mine)
            assert contents() == before
        if REFUSED.fullmatch(answer):
            assert answer_of(response) in {answer, "403"}, role
        else:
            assert response.status_code == 403, role


@ALL
def test_who_is_no_member_does_not_learn_whether_there_is_a_project(
    world: World, address: Address
) -> None:
    which = {"pk", "project_pk"} & set(address.parameters)
    route = address.route.removeprefix("api/").removeprefix("v1/")
    if not route.startswith("projects/<int:"):
        return
    nowhere = 10**9
    changed: dict[str, object] = dict.fromkeys(which, nowhere)
    for role in OUTSIDERS:
        for method in METHODS:
            with undone():
                there = send(world.client(role), address, method, world.mine)
            with undone():
                not_there = send(world.client(role), address, method, world.mine, **changed)
            assert there.status_code == not_there.status_code
            assert without_tokens(there) == without_tokens(not_there)


def without_tokens(response: Any) -> str:
    """Return what is answered, but for what was asked for and a token that is always another."""
    text = response.content.decode()
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    text = re.sub(r'"instance":"[^"]*"', "", text)
    return re.sub(r'name="next" value="[^"]*"', "", text)


@ALL
def test_nothing_of_a_project_is_kept_by_a_browser(world: World, address: Address) -> None:
    if (address.name, "GET") not in EXPECTED:
        return
    for role in world.sessions:
        with undone():
            response = send(world.client(role), address, "GET", world.mine)
        if response.status_code == 200:
            assert "no-store" in response.headers["Cache-Control"]


# --- Django's own administration --------------------------------------------------------------


def test_the_administration_is_for_superusers_alone(world: World) -> None:
    """Everybody else is sent to its page for signing in, from all of its addresses."""
    admin = [address for address in addresses() if address.is_admin]
    assert len(admin) > 15
    for address in admin:
        path = path_of(address, world)
        if address.name in {"login", "logout", "jsi18n"}:
            continue
        for role in ROLES:
            client = world.client(role, raise_request_exception=False)
            for method in METHODS:
                with undone():
                    response = client.generic(method, path)
                if role == "superuser":
                    assert response.status_code < 500, path
                else:
                    assert response.status_code in (301, 302), (role, path)
                    assert "/admin/login/?next=" in response.headers["Location"]


def test_a_member_of_the_staff_who_is_no_superuser_sees_nothing_of_ours_there(world: World) -> None:
    clerk = User.objects.create(username="clerk", is_staff=True)
    client = Client()
    client.force_login(clerk)
    for model in ("user", "project", "membership"):
        for page in ("changelist", "add"):
            answer = client.get(reverse(f"admin:annotation_{model}_{page}"))
            assert answer.status_code == 403


def path_of(address: Address, world: World) -> str:
    path = re.sub(r"\(\?P<\w+>[^)]*\)", "annotation", address.route)
    path = re.sub(r"<\w*:?\w+>", str(world.mine.project.pk), path)
    return "/" + path.replace("^", "").replace("$", "").replace("\\", "")
