"""Every address, method and role against the table of rights, in one pass."""

import re
from collections import Counter
from contextlib import nullcontext
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.security.addresses import METHODS, addresses, own_addresses
from tests.security.contents import unchanged
from tests.security.expected import ROLES, expected, required
from tests.security.requests import send
from tests.security.world import World
from tests.transactions import undone

pytestmark = pytest.mark.django_db
EXPECTED = expected()
ADDRESSES = {address.name: address for address in own_addresses()}
# What a method that an address does not have may be answered with.
NOT_ALLOWED = {"405", "403", "401", "404", "in"}
REFUSED = re.compile("in|4..")
# GET requests that write: they assign a sentence, or ask for the report of the page.
WRITING_GETS = {"judge", "practice", "report", "report-state", "sentences"}
# Files that browsers keep, and ask each time whether they may still show them.
KEPT = {"medium"}


def answer_of(response: Any) -> str:
    """Return the answer as the table has it."""
    if response.status_code != 302:
        return str(response.status_code)
    asks_who = response.headers["Location"].startswith(reverse(settings.LOGIN_URL) + "?")
    return "in" if asks_who else "go"


def test_every_address_has_a_unique_name_and_rows_in_the_table(world: World) -> None:
    names = Counter(address.name for address in own_addresses())
    assert not [name for name, times in names.items() if not name or times > 1]
    assert set(names) == {name for name, _method in EXPECTED}
    assert tuple(world.people) == ROLES


def test_every_view_below_a_project_has_the_right_of_the_table(
    subtests: pytest.Subtests,
) -> None:
    """HEAD requires what GET does."""
    table = required()
    for name, address in ADDRESSES.items():
        rows = {method: right for (row, method), right in table.items() if row == name}
        without = "none" if address.is_below_a_project else "-"
        marked = {method: address.rights.get(method, without) for method in rows}
        with subtests.test(name):
            assert marked == rows
            assert set(address.rights) - {"HEAD"} <= set(rows)
            assert address.rights.get("HEAD") in (None, address.rights.get("GET"))


def test_every_role_gets_what_the_table_says(world: World, subtests: pytest.Subtests) -> None:
    """Refused and safe requests change nothing, and pages of people are not cached."""
    for (name, method), row in EXPECTED.items():
        reads = method == "GET" and name not in WRITING_GETS
        answers = {}
        with subtests.test(name, method=method), world.restored():
            for role in ROLES:
                changes = not reads and not REFUSED.fullmatch(row[role])
                with undone(), nullcontext() if changes else unchanged(world.contents):
                    response = send(world.client(role), ADDRESSES[name], method, world.mine)
                answers[role] = answer_of(response)
                if method == "GET" and role in world.sessions and response.status_code == 200:
                    kept = "private, no-cache" if name in KEPT else "no-store"
                    assert kept in response.headers["Cache-Control"], role
            assert answers == row


def test_it_refuses_other_methods(world: World, subtests: pytest.Subtests) -> None:
    for name, address in ADDRESSES.items():
        with subtests.test(name), world.restored():
            for method in METHODS:
                if (name, method) not in EXPECTED:
                    for role in ("anonymous", "superuser"):
                        with undone():
                            response = send(world.client(role), address, method, world.mine)
                        assert answer_of(response) in NOT_ALLOWED, (method, role)


def test_it_refuses_a_session_without_the_csrf_token(
    world: World, subtests: pytest.Subtests
) -> None:
    for (name, method), row in EXPECTED.items():
        allowed = [role for role, answer in row.items() if not REFUSED.fullmatch(answer)]
        if method == "GET" or not allowed or name == "set_language":
            continue
        with subtests.test(name, method=method), world.restored():
            client = world.client(allowed[-1], enforce_csrf_checks=True)
            with undone(), unchanged(world.contents):
                response = send(client, ADDRESSES[name], method, world.mine)
            assert response.status_code == 403


def test_strangers_do_not_learn_whether_a_project_exists(
    world: World, subtests: pytest.Subtests
) -> None:
    for name, method in EXPECTED:
        address = ADDRESSES[name]
        if not address.is_below_a_project:
            continue
        changed: dict[str, object] = dict.fromkeys(
            {"pk", "project_pk"} & set(address.parameters), 10**9
        )
        with subtests.test(name, method=method), world.restored():
            with undone():
                there = send(world.client("stranger"), address, method, world.mine)
            with undone():
                nowhere = send(world.client("stranger"), address, method, world.mine, **changed)
            assert there.status_code == nowhere.status_code
            assert without_request(there) == without_request(nowhere)


def without_request(response: Any) -> str:
    """Return the body without what repeats the request, and without CSRF tokens."""
    text = response.content.decode()
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    text = re.sub(r'"instance": ?"[^"]*"', "", text)
    return re.sub(r'name="next" value="[^"]*"', "", text)


# --- Django's administration ----------------------------------------------------------------


def test_the_administration_is_for_superusers(world: World) -> None:
    admin = [address for address in addresses() if address.is_admin]
    assert len(admin) > 15
    for address in admin:
        path = re.sub(r"\(\?P<\w+>[^)]*\)", "annotation", address.route)
        path = "/" + re.sub(r"<\w*:?\w+>", str(world.mine.project.pk), path)
        path = path.replace("^", "").replace("$", "").replace("\\", "")
        if address.name in {"login", "logout", "jsi18n"}:
            continue
        for role in ("anonymous", "owner", "superuser"):
            client = world.client(role, raise_request_exception=False)
            for method in ("GET", "POST"):
                with undone():
                    response = client.generic(method, path)
                if role == "superuser":
                    assert response.status_code < 500, path
                else:
                    assert response.status_code in (301, 302), (role, path)
                    assert "/admin/login/?next=" in response.headers["Location"]


def test_staff_who_are_not_superusers_see_nothing_in_the_administration(world: World) -> None:
    client = Client()
    client.force_login(User.objects.create(username="clerk", is_staff=True))
    for model in ("user", "project", "membership"):
        for page in ("changelist", "add"):
            answer = client.get(reverse(f"admin:annotation_{model}_{page}"))
            assert answer.status_code == 403
