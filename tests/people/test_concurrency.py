"""Several people use the same link, name or address at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from annotation.models.secret_links import EndedLink, UnknownLink, hash_token
from people import registration
from people.email_change import LINK_LIFETIME, confirm
from people.invitations import accept, invite
from people.models import Invitation, NewAddress
from people.sign_in_links import sign_in_path, use_link
from tests.factories import make_annotator, make_project
from tests.people.inviting import NEWCOMER, make, path_of, token_of

pytestmark = pytest.mark.databases


@pytest.mark.django_db(transaction=True)
def test_an_invitation_is_never_overused() -> None:
    project = make_project(sentences=0)
    boss = make_annotator(project, "boss", "administrator")
    address = invite(project=project, by=boss, role="annotator", use_limit=3)
    token = address.rstrip("/").rsplit("/", 1)[-1]
    users = [User.objects.create(username=f"person{number}") for number in range(8)]

    def come(user: User) -> bool:
        try:
            return accept(token=token, user=user).changed
        except EndedLink:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        came = list(threads.map(come, users))
    assert came.count(True) == 3
    assert project.memberships.count() == 1 + 3
    assert Invitation.objects.get().used == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", range(3))
def test_one_of_two_signs_in_by_a_link(times) -> None:
    token = token_of(sign_in_path(User.objects.create(username="jana")))
    together = Barrier(2)

    def come(_number: int) -> bool:
        together.wait()
        try:
            return bool(use_link(token))
        except EndedLink:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        came = list(threads.map(come, range(2)))
    assert sorted(came) == [False, True]


@pytest.mark.django_db(transaction=True)
def test_one_of_many_gets_a_user_name() -> None:
    project = make_project(sentences=0)
    path = path_of(make(project, make_annotator(project, "boss", "administrator"), use_limit=9))

    def come(_number: int) -> int:
        try:
            return Client().post(path, NEWCOMER).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as threads:
        answers = sorted(threads.map(come, range(5)))
    assert answers == [302, 400, 400, 400, 400]
    assert Invitation.objects.get().used == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", range(3))
def test_one_of_two_registers_an_address(settings, times) -> None:
    settings.SELF_REGISTRATION, settings.REGISTRATION_DOMAINS = True, ["example.org"]
    together = Barrier(2)
    addresses = ("eva@example.org", "EVA@example.org")
    tokens = [signing.dumps(email, salt=registration.SALT) for email in addresses]

    def register(number: int) -> int:
        path = reverse("confirm-registration", args=[tokens[number]])
        together.wait()
        try:
            return Client().post(path, NEWCOMER | {"username": f"eva{number}"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        answers = sorted(threads.map(register, range(2)))
    assert answers == [302, 410]
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", range(3))
def test_one_of_two_confirms_an_address(times) -> None:
    people = [User.objects.create(username=name) for name in ("jana", "petr")]
    for user, email in zip(people, ("eva@example.org", "EVA@example.org"), strict=True):
        NewAddress.objects.create(
            user=user,
            email=email,
            token_hash=hash_token(user.username),
            expires=timezone.now() + LINK_LIFETIME,
        )
    together = Barrier(2)

    def come(user: User) -> bool:
        together.wait()
        try:
            return bool(confirm(token=user.username, user=user))
        except (UnknownLink, EndedLink):
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        came = list(threads.map(come, people))
    assert sorted(came) == [False, True]
    assert User.objects.exclude(email="").count() == 1
