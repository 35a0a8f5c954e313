"""A project never loses its last owner."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project, User
from annotation.projects import administration
from crowd.anonymisation import anonymise
from tests.factories import make_annotator, make_project


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def olga(project: Project) -> User:
    return make_annotator(project, "olga", "owner")


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root")


def owners(project: Project) -> list[str]:
    rows = project.memberships.filter(role="owner", user__is_active=True)
    return sorted(rows.values_list("user__username", flat=True))


# --- services -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_superuser_neither_demotes_nor_removes_the_only_owner(
    project: Project, olga: User, root: User
) -> None:
    with pytest.raises(NotPossible):
        administration.set_role(project=project, by=root, username="olga", role="observer")
    with pytest.raises(NotPossible):
        administration.remove_member(project=project, by=root, user_id=olga.pk)
    # The owner of another project, and one who cannot sign in, are no help.
    make_annotator(make_project("other"), "otto", "owner")
    off = make_annotator(project, "off", "owner")
    User.objects.filter(pk=off.pk).update(is_active=False)
    with pytest.raises(NotPossible):
        administration.remove_member(project=project, by=root, user_id=olga.pk)
    assert owners(project) == ["olga"]

    administration.remove_member(project=project, by=root, user_id=off.pk)
    make_annotator(project, "otto2", "owner")
    administration.set_role(project=project, by=root, username="olga", role="observer")
    assert owners(project) == ["otto2"]


def demote(project: Project, by: User, other: User) -> None:
    administration.set_role(project=project, by=by, username=other.username, role="annotator")


def remove(project: Project, by: User, other: User) -> None:
    administration.remove_member(project=project, by=by, user_id=other.pk)


def anonymise_own(project: Project, by: User, other: User) -> None:
    anonymise(by, typed_name=by.username)


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [demote, remove, anonymise_own])
def test_one_of_two_owners_who_take_the_role_away_at_once_remains(
    project: Project, olga: User, change: Callable[[Project, User, User], None]
) -> None:
    otto = make_annotator(project, "otto", "owner")
    together = Barrier(2)

    def act(by: User, other: User) -> bool:
        together.wait()
        try:
            change(project, by, other)
        except NotPossible:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(act, (olga, otto), (otto, olga)))
    assert sorted(done) == [False, True]
    assert len(owners(project)) == 1


# --- the command --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_without_a_role_add_user_changes_no_role(project: Project, olga: User) -> None:
    boss = make_annotator(project, "boss", "administrator")
    for name in ("olga", "boss", "newcomer"):
        call_command("add_user", name, "--project", str(project.pk))
    roles = dict(project.memberships.values_list("user__username", "role"))
    assert roles == {"olga": "owner", "boss": "administrator", "newcomer": "annotator"}
    # The link replaces a forgotten password.
    assert boss.sign_in_links.filter(ended=None).count() == 1


@pytest.mark.django_db
def test_add_user_demotes_an_owner_only_if_there_is_another(project: Project, olga: User) -> None:
    with pytest.raises(CommandError):
        call_command("add_user", "olga", "--role", "annotator", "--project", str(project.pk))
    assert owners(project) == ["olga"]
    make_annotator(project, "otto", "owner")
    call_command("add_user", "olga", "--role", "annotator", "--project", str(project.pk))
    assert owners(project) == ["otto"]


# --- /admin/ ------------------------------------------------------------------------------------


@pytest.fixture
def admin(client: Client, root: User) -> Client:
    client.force_login(root)
    return client


def page(model: str, action: str, *ids: int) -> str:
    return reverse(f"admin:annotation_{model}_{action}", args=ids)


@pytest.mark.django_db
@pytest.mark.parametrize("has_other", [False, True])
def test_in_the_administration_only_one_of_several_owners_is_demoted_or_removed(
    admin: Client, project: Project, olga: User, has_other: bool
) -> None:
    if has_other:
        make_annotator(project, "otto", "owner")
    member = olga.memberships.get()

    demoted = admin.post(page("membership", "change", member.pk), {"role": "annotator"})
    assert (demoted.status_code == 302) is has_other
    assert ("olga" in owners(project)) is not has_other

    Membership.objects.filter(pk=member.pk).update(role="owner")
    removed = admin.post(page("membership", "delete", member.pk), {"post": "yes"})
    assert (removed.status_code == 302) is has_other
    assert ("olga" in owners(project)) is not has_other


@pytest.mark.django_db
@pytest.mark.parametrize("has_other", [False, True])
def test_in_the_administration_the_only_owner_is_neither_deactivated_nor_deleted(
    admin: Client, project: Project, olga: User, has_other: bool
) -> None:
    if has_other:
        make_annotator(project, "otto", "owner")

    off = admin.post(page("user", "change", olga.pk), {"username": "olga"})
    assert (off.status_code == 302) is has_other
    assert ("olga" in owners(project)) is not has_other

    User.objects.filter(pk=olga.pk).update(is_active=True)
    deleted = admin.post(page("user", "delete", olga.pk), {"post": "yes"})
    assert (deleted.status_code == 302) is has_other
    assert ("olga" in owners(project)) is not has_other


@pytest.mark.django_db
@pytest.mark.parametrize("model", ["user", "membership"])
def test_in_the_administration_all_owners_are_not_deleted_together(
    admin: Client, project: Project, olga: User, model: str
) -> None:
    otto = make_annotator(project, "otto", "owner")
    both = [olga, otto] if model == "user" else list(project.memberships.all())
    choice = {"action": "delete_selected", "post": "yes"}

    admin.post(page(model, "changelist"), choice | {"_selected_action": [one.pk for one in both]})
    assert owners(project) == ["olga", "otto"]

    admin.post(page(model, "changelist"), choice | {"_selected_action": [both[0].pk]})
    assert owners(project) == ["otto"]
