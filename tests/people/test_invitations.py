"""Creating, accepting and ending invitations."""

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, User
from annotation.models.secret_links import EndedLink, UnknownLink
from annotation.projects import administration
from annotation.projects.deletion import delete_project
from people import invitations
from people.invitations import accept, invite
from people.models import Invitation
from tests.factories import make_annotator
from tests.people.inviting import NEWCOMER, make, page_of, path_of, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


# --- creating and revoking ---------------------------------------------------------------------


def test_only_a_hash_of_the_token_is_stored(project, boss, settings):
    settings.SITE_ADDRESS = "https://rank.example.org/"
    address = invite(project=project, by=boss, role="annotator")
    token = token_of(address)
    assert address == f"https://rank.example.org/invitations/{token}/"
    assert len(token) >= 43
    kept = Invitation.objects.values().get()
    assert kept["token_hash"] == hashlib.sha256(token.encode()).hexdigest()
    assert token not in str(kept)


def test_it_is_valid_for_the_given_days(project, boss):
    make(project, boss, days=3)
    left = Invitation.objects.get().expires - timezone.now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)


def test_only_owners_invite_owners(project, boss):
    with pytest.raises(NotPossible):
        make(project, boss, "owner")
    assert not Invitation.objects.exists()
    owner = make_annotator(project, "owner", "owner")
    make(project, owner, "owner")
    invitation = Invitation.objects.get()
    with pytest.raises(NotPossible):
        invitations.revoke(project=project, by=boss, pk=invitation.pk)
    assert list(invitations.open_invitations(project)) == [invitation]


@pytest.mark.parametrize(
    "fields",
    [{"role": "king"}, {"used": 2}, {"use_limit": 0}, {"use_limit": 2, "email": "a@example.org"}],
)
def test_the_database_refuses_invalid_invitations(project, boss, fields):
    row = {"role": "annotator", "use_limit": 1, "token_hash": "x", "expires": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(project=project, created_by=boss, **row | fields)


def test_it_is_deleted_with_its_project(project, boss):
    make(project, boss)
    delete_project(project)
    assert not Invitation.objects.exists()


# --- accepting ----------------------------------------------------------------------------------


def test_administrators_see_the_name_of_a_person_who_accepts(project, boss, eva):
    administration.set_role(project=project, by=boss, username="eva", role="observer")
    assert project.memberships.get(user=eva).added_by_name
    accept(token=make(project, boss, role="administrator"), user=eva)
    assert not project.memberships.get(user=eva).added_by_name


def test_accepting_gives_the_role_and_uses_it_up(project, boss, eva):
    token = make(project, boss, "observer")
    joined = accept(token=token, user=eva)
    assert (joined.project, joined.role, joined.changed) == (project, "observer", True)
    assert eva.memberships.get().role == "observer"
    with pytest.raises(EndedLink):
        accept(token=token, user=User.objects.create(username="petr"))
    assert project.memberships.count() == 2


def test_it_can_be_used_as_often_as_allowed(project, boss):
    token = make(project, boss, use_limit=2)
    for name in ("one", "two"):
        accept(token=token, user=User.objects.create(username=name))
    with pytest.raises(EndedLink):
        accept(token=token, user=User.objects.create(username="three"))
    assert Invitation.objects.get().used == 2


ROLES = ("annotator", "observer", "administrator", "owner")
# Members of the first role who get the second by an invitation.
RAISED = {
    ("annotator", "administrator"), ("annotator", "owner"),
    ("observer", "administrator"), ("observer", "owner"),
    ("administrator", "owner"),
}  # fmt: skip


@pytest.mark.parametrize("before", ROLES)
@pytest.mark.parametrize("offered", ROLES)
def test_a_member_never_loses_a_right(project, before, offered):
    owner = make_annotator(project, "owner", "owner")
    jana = make_annotator(project, "jana", before)
    joined = accept(token=make(project, owner, offered), user=jana)
    changed = (before, offered) in RAISED
    assert joined.changed == changed
    assert jana.memberships.get().role == (offered if changed else before)
    assert Invitation.objects.get().used == changed


def end_by_time(invitation: Invitation, boss: User) -> None:
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))


def end_by_revoking(invitation: Invitation, boss: User) -> None:
    invitations.revoke(project=invitation.project, by=boss, pk=invitation.pk)


def end_by_use(invitation: Invitation, boss: User) -> None:
    Invitation.objects.update(used=1)


def end_by_removing(invitation: Invitation, boss: User) -> None:
    boss.memberships.all().delete()


def end_by_lowering(invitation: Invitation, boss: User) -> None:
    boss.memberships.update(role="observer")


def end_by_deactivating(invitation: Invitation, boss: User) -> None:
    User.objects.filter(pk=boss.pk).update(is_active=False)


@pytest.mark.parametrize(
    "end",
    [
        end_by_time, end_by_revoking, end_by_use, end_by_removing, end_by_lowering,
        end_by_deactivating,
    ],
)  # fmt: skip
def test_an_ended_invitation_is_refused_and_names_no_project(client, project, boss, eva, end):
    token = make(project, boss)
    end(Invitation.objects.get(), boss)
    assert not invitations.open_invitations(project).exists()
    with pytest.raises(EndedLink):
        accept(token=token, user=eva)
    page = page_of(client, path_of(token), 410)
    assert "houses" not in page
    assert client.post(path_of(token), NEWCOMER | {"username": "new"}).status_code == 410
    client.force_login(eva)
    assert client.post(path_of(token)).status_code == 410
    assert not eva.memberships.exists()
    assert not User.objects.filter(username="new").exists()


def test_a_demoted_owner_cannot_invite_owners(project, eva):
    owner = make_annotator(project, "owner", "owner")
    token = make(project, owner, "owner")
    owner.memberships.update(role="administrator")
    with pytest.raises(EndedLink):
        accept(token=token, user=eva)


def test_an_unknown_link_is_not_found(client):
    page_of(client, path_of("made-up"), 404)
    assert client.post(path_of("made-up"), NEWCOMER).status_code == 404
    with pytest.raises(UnknownLink):
        invitations.find("made-up")
    assert not User.objects.exists()


@pytest.mark.parametrize("role", ["annotator", "administrator"])
def test_an_invitation_cannot_be_used_twice_by_a_user(project, boss, eva, role):
    token = make(project, boss, role, use_limit=30)
    accept(token=token, user=eva)
    if role == "annotator":
        administration.remove_member(project=project, by=boss, user_id=eva.pk)
    else:
        administration.set_role(project=project, by=boss, username="eva", role="observer")
    with pytest.raises(EndedLink):
        accept(token=token, user=eva)
    assert not eva.memberships.exclude(role="observer").exists()
    assert Invitation.objects.get().used == 1


def test_an_invitation_without_effect_cannot_be_used_later(project, boss, eva):
    token = make(project, boss, "administrator", use_limit=30)
    Membership.objects.create(user=eva, project=project, role="administrator")
    assert not accept(token=token, user=eva).changed
    administration.set_role(project=project, by=boss, username="eva", role="annotator")
    with pytest.raises(EndedLink):
        accept(token=token, user=eva)


@pytest.mark.parametrize("lose", ["removed", "observer"])
def test_invitations_of_a_demoted_member_stay_revoked(project, boss, eva, lose):
    owner = make_annotator(project, "owner", "owner")
    token = make(project, boss, "administrator")
    if lose == "removed":
        administration.remove_member(project=project, by=owner, user_id=boss.pk)
    else:
        administration.set_role(project=project, by=owner, username="boss", role=lose)
    administration.set_role(project=project, by=owner, username="boss", role="administrator")
    with pytest.raises(EndedLink):
        accept(token=token, user=eva)


def test_a_demoted_owner_keeps_invitations_to_other_roles(project, eva):
    second = make_annotator(project, "second", "owner")
    first = make_annotator(project, "first", "owner")
    kept, lost = make(project, first), make(project, first, "owner")
    administration.set_role(project=project, by=second, username="first", role="administrator")
    administration.set_role(project=project, by=second, username="first", role="owner")
    with pytest.raises(EndedLink):
        accept(token=lost, user=eva)
    assert accept(token=kept, user=eva).changed
