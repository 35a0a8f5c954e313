"""The page of an invitation, and the project page that lists invitations."""

import pytest
from django.contrib.auth import get_user
from django.urls import reverse

from annotation.models import Project, User
from people import invitations
from people.models import Invitation
from tests.factories import make_annotator
from tests.people.inviting import NEWCOMER, PASSWORD, make, page_of, path_of, token_of

pytestmark = pytest.mark.django_db


def test_a_get_shows_the_invitation_and_does_not_use_it(client, project, boss):
    User.objects.filter(pk=boss.pk).update(display_name="Paní Nováková")
    token = make(project, boss, "observer", note="For the <course>")
    for _time in range(2):
        page = page_of(client, path_of(token))
    for words in ("houses", "observer", "Paní Nováková", "For the &lt;course&gt;"):
        assert words in page
    assert "10 characters" in page
    assert Invitation.objects.get().used == 0


def test_an_invitation_creates_an_account_without_self_registration(client, project, boss):
    token = make(project, boss)
    assert client.post(path_of(token), NEWCOMER).headers["Location"] == reverse("projects")
    eva = get_user(client)
    assert isinstance(eva, User)
    assert (eva.username, eva.email) == ("eva", "")
    assert eva.memberships.get().role == "annotator"


@pytest.mark.parametrize(
    "fields",
    [{"username": "boss"}, {"password1": "short1"}, {"password2": "another-1"}, {"username": ""}],
)  # fmt: skip
def test_an_invalid_account_uses_nothing(client, project, boss, fields):
    token = make(project, boss)
    sent = NEWCOMER | fields
    if "password1" in fields:
        sent["password2"] = fields["password1"]
    page = client.post(path_of(token), sent)
    assert page.status_code == 400
    assert User.objects.count() == 1
    assert Invitation.objects.get().used == 0


def test_a_user_signs_in_and_returns_to_the_invitation(client, project, boss):
    User.objects.create_user("eva", password=PASSWORD)
    path = path_of(make(project, boss))
    assert f'href="{reverse("sign-in")}?next={path}"' in page_of(client, path)
    signed_in = client.post(
        reverse("sign-in"), {"username": "eva", "password": PASSWORD, "next": path}
    )
    assert signed_in.headers["Location"] == path
    client.post(path)
    assert project.memberships.filter(user__username="eva", role="annotator").exists()


def test_a_member_keeps_their_role(client, project, boss):
    path = path_of(make(project, boss))
    client.force_login(boss)
    assert "administrator" in page_of(client, path).partition("member")[2]
    client.post(path)
    assert project.memberships.get(user=boss).role == "administrator"


# --- the project page -------------------------------------------------------------------------


def page(project: Project) -> str:
    return reverse("project-invitations", args=[project.pk])


def test_the_link_is_shown_once(client, project, boss):
    client.force_login(boss)
    fields = {"role": "annotator", "days": 7, "use_limit": 30, "note": "Room 12"}
    made = client.post(page(project), fields)
    assert made.status_code == 201
    address = made.context["address"]
    assert f'value="{address}"' in made.content.decode()
    assert invitations.find(token_of(address)).use_limit == 30
    later = page_of(client, page(project))
    assert token_of(address) not in later
    for words in ("Room 12", "0 of 30", "boss"):
        assert words in later


@pytest.mark.parametrize(
    "fields",
    [{"days": 0}, {"days": 91}, {"days": "x"}, {"use_limit": 0}, {"role": "owner"}, {"role": ""},
     {"note": "x" * 501}],
)  # fmt: skip
def test_an_invalid_invitation_is_refused_beside_the_field(client, project, boss, fields):
    client.force_login(boss)
    sent = {"role": "annotator", "days": 7, "use_limit": 1} | fields
    answer = client.post(page(project), sent)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == list(fields)
    assert not Invitation.objects.exists()


def test_a_revoked_invitation_is_no_longer_listed_or_valid(client, project, boss):
    token = make(project, boss)
    client.force_login(boss)
    pk = Invitation.objects.get().pk
    revoke = reverse("revoke-invitation", args=[project.pk, pk])
    answer = client.post(revoke, {"confirmed": "yes"}, follow=True)
    assert not answer.context["invitations"]
    assert client.get(path_of(token)).status_code == 410


def test_the_number_of_queries_does_not_grow(
    client, project, boss, django_assert_num_queries, django_assert_max_num_queries
):
    client.force_login(boss)
    make(project, boss)
    make_annotator(project, "one")
    client.get(page(project))
    with django_assert_max_num_queries(14) as few:
        client.get(page(project))
    for number in range(10):
        make(project, boss)
        make_annotator(project, f"more{number}")
    with django_assert_num_queries(len(few)):
        answer = client.get(page(project))
    assert len(answer.context["invitations"]) == 11


@pytest.mark.parametrize(("kind", "assumed"), [("sentence_ranking", False), ("grades", True)])
def test_the_page_of_invitations_says_how_much_work_it_is(client, project, boss, kind, assumed):
    Project.objects.filter(pk=project.pk).update(kind=kind, answer_options="good\nbad")
    client.force_login(boss)
    page = client.get(reverse("project-invitations", args=[project.pk])).content.decode()
    work = page.partition('id="work"')[2].partition("</section>")[0]
    # The cost of ranking whole sentences, 80 seconds, is assumed for grades.
    assert "80" in work
    assert ("Ranking of whole sentences" in work) == assumed


def test_without_sentences_there_is_no_work(client, project, boss):
    project.sentences.update(excluded=True)
    client.force_login(boss)
    page = client.get(reverse("project-invitations", args=[project.pk])).content.decode()
    assert 'id="work"' not in page
