"""The pages of the invited, and of those who invite."""

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from annotation.models import Project, User
from people import invitations
from people.models import Invitation
from tests.factories import make_annotator
from tests.people.inviting import NEWCOMER, PASSWORD, make, page_of, path_of, token_of

pytestmark = pytest.mark.django_db


def test_looking_shows_who_invites_to_what_and_uses_nothing(client, project, boss):
    User.objects.filter(pk=boss.pk).update(display_name="Paní Nováková")
    token = make(project, boss, "observer", note="For the <course>")
    for _time in range(2):
        page = page_of(client, path_of(token))
    for words in ("houses", "observer", "Paní Nováková", "For the &lt;course&gt;"):
        assert words in page
    assert "10 characters" in page
    assert Invitation.objects.get().used == 0


def test_whoever_has_no_account_makes_one_even_where_nobody_may_register(client, project, boss):
    token = make(project, boss)
    assert client.post(path_of(token), NEWCOMER).headers["Location"] == reverse("projects")
    eva = get_user(client)
    assert isinstance(eva, User)
    assert (eva.username, eva.email) == ("eva", "")
    assert eva.memberships.get().role == "annotator"


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"username": "boss"}, "already exists"), ({"password1": "short1"}, "at least 10"),
     ({"password2": "another-one-1"}, "match"), ({"username": ""}, "required")],
)  # fmt: skip
def test_an_account_that_cannot_be_leaves_nothing(client, project, boss, fields, words):
    token = make(project, boss)
    sent = NEWCOMER | fields
    if "password1" in fields:
        sent["password2"] = fields["password1"]
    page = client.post(path_of(token), sent)
    assert page.status_code == 400
    assert words in page.content.decode()
    assert User.objects.count() == 1
    assert Invitation.objects.get().used == 0


def test_whoever_has_an_account_signs_in_and_comes_back(client, project, boss):
    User.objects.create_user("eva", password=PASSWORD)
    path = path_of(make(project, boss))
    assert f'href="{reverse("sign-in")}?next={path}"' in page_of(client, path)
    signed_in = client.post(
        reverse("sign-in"), {"username": "eva", "password": PASSWORD, "next": path}
    )
    assert signed_in.headers["Location"] == path
    assert "Take part as" in page_of(client, path)
    page = client.post(path, follow=True).content.decode()
    assert "Welcome to houses: you are its annotator now." in page


def test_a_member_is_told_that_nothing_changes(client, project, boss):
    path = path_of(make(project, boss))
    client.force_login(boss)
    assert "You are in this project already, as administrator" in page_of(client, path)
    page = client.post(path, follow=True).content.decode()
    assert "already, as its administrator: nothing has changed" in page


def test_the_form_needs_its_own_token(project, boss, eva):
    client = Client(enforce_csrf_checks=True)
    client.force_login(eva)
    assert client.post(path_of(make(project, boss))).status_code == 403
    assert not eva.memberships.exists()


# --- the page of administrators ---------------------------------------------------------------


def page(project: Project) -> str:
    return reverse("project-invitations", args=[project.pk])


def test_the_link_is_shown_once(client, project, boss):
    client.force_login(boss)
    fields = {"role": "annotator", "days": 7, "most_uses": 30, "note": "Room 12"}
    made = client.post(page(project), fields)
    assert made.status_code == 201
    address = made.context["address"]
    assert f'value="{address}"' in made.content.decode()
    assert invitations.find(token_of(address)).most_uses == 30
    later = page_of(client, page(project))
    assert token_of(address) not in later
    for words in ("Room 12", "0 of 30", "whoever has the link", "boss"):
        assert words in later


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"days": 0}, "from 1 to 90"), ({"days": 91}, "from 1 to 90"), ({"days": "x"}, "from 1 to 90"),
     ({"most_uses": 0}, "from 1 to 1000"), ({"role": "owner"}, "Choose one of the roles"),
     ({"role": ""}, "Choose one of the roles"), ({"note": "x" * 501}, "at most 500")],
)  # fmt: skip
def test_what_cannot_be_invited_is_said(client, project, boss, fields, words):
    client.force_login(boss)
    sent = {"role": "annotator", "days": 7, "most_uses": 1} | fields
    answer = client.post(page(project), sent)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not Invitation.objects.exists()


def test_one_that_is_taken_back_is_gone(client, project, boss):
    token = make(project, boss)
    client.force_login(boss)
    pk = Invitation.objects.get().pk
    answer = client.post(reverse("revoke-invitation", args=[project.pk, pk]), follow=True)
    assert "Nobody more gets in" in answer.content.decode()
    assert "There is no open invitation" in answer.content.decode()
    assert client.get(path_of(token)).status_code == 410


def test_the_manage_page_leads_there(client, project, boss):
    client.force_login(boss)
    assert page(project) in page_of(client, reverse("manage-project", args=[project.pk]))


def test_the_page_asks_as_much_for_many_as_for_few(
    client, project, boss, django_assert_num_queries, django_assert_max_num_queries
):
    client.force_login(boss)
    make(project, boss)
    make_annotator(project, "one")
    client.get(page(project))
    with django_assert_max_num_queries(12) as few:
        client.get(page(project))
    for number in range(10):
        make(project, boss)
        make_annotator(project, f"more{number}")
    with django_assert_num_queries(len(few)):
        client.get(page(project))
