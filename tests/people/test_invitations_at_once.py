"""Many come by the same link at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation.models import User
from people import registration
from people.forms import AccountForm, NameTaken
from people.invitations import EndedInvitation, accept, invite
from people.models import Invitation
from tests.factories import make_annotator, make_project
from tests.people.inviting import NEWCOMER, make, path_of


@pytest.mark.django_db(transaction=True)
def test_no_more_come_than_there_is_room_for() -> None:
    project = make_project(sentences=0)
    boss = make_annotator(project, "boss", "administrator")
    address = invite(project=project, by=boss, role="annotator", most_uses=3)
    token = address.rstrip("/").rsplit("/", 1)[-1]
    users = [User.objects.create(username=f"person{number}") for number in range(8)]

    def come(user: User) -> bool:
        try:
            return accept(token=token, user=user).changed
        except EndedInvitation:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        came = list(threads.map(come, users))
    assert came.count(True) == 3
    assert project.memberships.count() == 1 + 3
    assert Invitation.objects.get().used == 3


@pytest.mark.django_db
def test_a_name_that_was_taken_meanwhile_is_a_mistake_in_the_form() -> None:
    form = AccountForm(NEWCOMER)
    assert form.is_valid()
    User.objects.create(username="eva")
    with pytest.raises(NameTaken):
        form.save()
    assert form.errors == {"username": ["A user with that username already exists."]}
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_who_choose_the_same_name_at_once_one_gets_it() -> None:
    project = make_project(sentences=0)
    path = path_of(make(project, make_annotator(project, "boss", "administrator"), most_uses=9))

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
@pytest.mark.parametrize("times", range(5))
def test_of_many_who_register_one_address_at_once_one_gets_an_account(settings, times) -> None:
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
