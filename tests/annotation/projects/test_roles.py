"""The permissions of each role, and who can change roles."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from annotation.judging.assignment import NotAMember, open_assignment
from annotation.models import Assignment, Membership, Project, User
from annotation.projects import administration
from annotation.projects.permissions import (
    Right,
    Rights,
    find_project,
    may_create_projects,
    rights,
)
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
RIGHTS: tuple[Right, ...] = ("judge", "observe", "administer", "own")
# Whether a role has them.
MAY = {
    None: (False, False, False, False),
    "annotator": (True, False, False, False),
    "observer": (False, True, False, False),
    "administrator": (True, True, True, False),
    "owner": (True, True, True, True),
}


@pytest.fixture
def project() -> Project:
    return make_project()


def allowed(found: Rights) -> tuple[bool, ...]:
    return found.may_judge, found.may_observe, found.may_administer, found.may_own


def test_the_table_has_all_roles():
    assert set(MAY) == {None, *Membership.Role.values}


@pytest.mark.parametrize("role", [role for role in MAY if role])
def test_each_role_has_its_permissions(project: Project, role: str):
    user = make_annotator(project, "jana", role)
    assert allowed(rights(user, project)) == MAY[role]
    assert allowed(rights(user, make_project("other"))) == MAY[None]
    assert may_create_projects(user) == (role in ("administrator", "owner"))


def test_superusers_may_do_everything_but_judge(project: Project):
    assert allowed(rights(User.objects.create_superuser("root"), project)) == (
        False, True, True, True,
    )  # fmt: skip


@pytest.mark.parametrize("role", list(MAY))
def test_a_project_is_refused_to_members_and_unknown_to_others(project: Project, role: str | None):
    user = make_annotator(project, "jana", role) if role else User.objects.create(username="jana")
    asked: dict[Right, bool] = {"know": bool(role)}
    asked |= zip(RIGHTS, MAY[role], strict=True)
    for right, may in asked.items():
        if may:
            assert find_project(user, project.pk, right) == (project, rights(user, project))
        else:
            with pytest.raises(PermissionDenied if role and right != "judge" else Http404):
                find_project(user, project.pk, right)
        with pytest.raises(Http404):
            find_project(user, 2**63, right)


def test_only_owners_make_owners(project: Project):
    owner = make_annotator(project, "olga", "owner")
    boss = make_annotator(project, "boss", "administrator")
    jana = make_annotator(project, "jana")
    for change in (
        lambda: administration.set_role(project=project, by=boss, username="jana", role="owner"),
        lambda: administration.set_role(
            project=project, by=boss, username="olga", role="annotator"
        ),
        lambda: administration.remove_member(project=project, by=boss, user_id=owner.pk),
        lambda: administration.set_role(
            project=project, by=owner, username="olga", role="annotator"
        ),
    ):
        with pytest.raises(NotPossible):
            change()
    assert roles(project) == {"olga": "owner", "boss": "administrator", "jana": "annotator"}
    administration.set_role(project=project, by=owner, username="jana", role="owner")
    administration.remove_member(project=project, by=jana, user_id=owner.pk)
    assert roles(project) == {"boss": "administrator", "jana": "owner"}


def test_new_observers_return_their_open_sentence(project: Project):
    boss, jana = make_annotator(project, "boss", "administrator"), make_annotator(project, "jana")
    given = next_assignment(annotator=jana, project=project)
    assert given is not None
    administration.set_role(project=project, by=boss, username="jana", role="observer")
    given.refresh_from_db()
    assert given.state == Assignment.State.RETURNED
    with pytest.raises(NotAMember):
        next_assignment(annotator=jana, project=project)
    Assignment.objects.filter(pk=given.pk).update(
        state=Assignment.State.OPEN, lease_until=timezone.now()
    )
    assert open_assignment(jana, project) is None


def test_new_owners_keep_their_open_sentence(project: Project):
    owner = make_annotator(project, "olga", "owner")
    boss = make_annotator(project, "boss", "administrator")
    given = next_assignment(annotator=boss, project=project)
    administration.set_role(project=project, by=owner, username="boss", role="owner")
    assert open_assignment(boss, project) == given


def roles(project: Project) -> dict[str, str]:
    return dict(project.memberships.values_list("user__username", "role"))
