"""Roles and permissions in a project."""

from dataclasses import dataclass
from typing import Literal

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404

from annotation.models import Membership, Project, User

# Databases accept no larger id; a URL may have any number.
LARGEST_ID = 2**63 - 1

# What an address below a project requires: `may_know` of Rights, and so on.
Right = Literal["know", "judge", "observe", "administer", "own"]


@dataclass(frozen=True)
class Rights:
    """The permissions of a user in a project, by role or as a superuser."""

    # None if the user is not a member.
    role: str | None
    runs_installation: bool = False

    @property
    def may_know(self) -> bool:
        """Return whether the user may know that the project exists."""
        return self.runs_installation or self.role is not None

    @property
    def may_judge(self) -> bool:
        return self.role in Membership.JUDGING

    @property
    def may_observe(self) -> bool:
        """Return whether the user may see results, which could influence annotators."""
        return self.runs_installation or self.role in Membership.OBSERVING

    @property
    def may_administer(self) -> bool:
        return self.runs_installation or self.role in Membership.ADMINISTERING

    @property
    def may_own(self) -> bool:
        return self.runs_installation or self.role == Membership.Role.OWNER

    def include(self, right: Right) -> bool:
        return bool(getattr(self, f"may_{right}"))


def rights(user: User | AnonymousUser, project: Project) -> Rights:
    """Return the user's permissions in the project. One query."""
    if not user.is_authenticated:
        return Rights(None)
    role = project.memberships.filter(user=user).values_list("role", flat=True).first()
    return Rights(role, user.is_superuser)


def projects_of(user: User) -> QuerySet[Project]:
    """Return the projects that the user is a member of."""
    return Project.objects.filter(memberships__user=user)


def may_judge(user: User | AnonymousUser, project: Project) -> bool:
    return rights(user, project).may_judge


def may_create_projects(user: User | AnonymousUser) -> bool:
    """Return whether the user is a superuser or administers a project."""
    if not user.is_authenticated:
        return False
    administers = Membership.objects.filter(user=user, role__in=Membership.ADMINISTERING)
    return user.is_superuser or administers.exists()


def find_project(user: User, pk: int, right: Right) -> tuple[Project, Rights]:
    """Return the project and the user's rights in it, which include this one. One query.

    Raises PermissionDenied for members without the right, and Http404 for everyone else, so that
    strangers do not learn that the project exists. Pages of annotators do not exist for others.
    """
    if pk > LARGEST_ID:
        raise Http404
    own = Membership.objects.filter(project=OuterRef("pk"), user=user).values("role")
    project = Project.objects.annotate(own_role=Subquery(own)).filter(pk=pk).first()
    if project is None:
        raise Http404
    allowed = Rights(project.own_role, user.is_superuser)
    if allowed.include(right):
        return project, allowed
    raise PermissionDenied if allowed.may_know and right != "judge" else Http404
