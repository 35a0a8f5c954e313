"""Roles and permissions in a project."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from annotation.models import Membership, Project, User

# Databases accept no larger id; a URL may have any number.
LARGEST_ID = 2**63 - 1


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


def rights(user: User | AnonymousUser, project: Project) -> Rights:
    """Return the user's permissions in the project. One query."""
    if not user.is_authenticated:
        return Rights(None)
    role = project.memberships.filter(user=user).values_list("role", flat=True).first()
    return Rights(role, user.is_superuser)


def projects_of(user: User) -> QuerySet[Project]:
    """Return the projects that the user is a member of."""
    return Project.objects.filter(memberships__user=user)


def projects_to_judge(user: User) -> QuerySet[Project]:
    return Project.objects.filter(memberships__user=user, memberships__role__in=Membership.JUDGING)


def may_judge(user: User | AnonymousUser, project: Project) -> bool:
    return rights(user, project).may_judge


def may_create_projects(user: User | AnonymousUser) -> bool:
    """Return whether the user is a superuser or administers a project."""
    if not user.is_authenticated:
        return False
    administers = Membership.objects.filter(user=user, role__in=Membership.ADMINISTERING)
    return user.is_superuser or administers.exists()


def project_to_observe(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user may see its results; raises like `project_to_administer`."""
    return observed_project(user, pk)[0]


def observed_project(user: User | AnonymousUser, pk: int) -> tuple[Project, Rights]:
    """Return the project with the user's rights in it; otherwise like `project_to_observe`."""
    project, allowed = known_project(user, pk)
    if not allowed.may_observe:
        raise PermissionDenied
    return project, allowed


def project_to_administer(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user administers it.

    Raises PermissionDenied for its other members and Http404 for everyone else, so that strangers
    do not learn that it exists.
    """
    project, allowed = known_project(user, pk)
    if not allowed.may_administer:
        raise PermissionDenied
    return project


def project_to_own(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user owns it; raises like `project_to_administer`."""
    project, allowed = known_project(user, pk)
    if not allowed.may_own:
        raise PermissionDenied
    return project


def known_project(user: User | AnonymousUser, pk: int) -> tuple[Project, Rights]:
    """Return the project with the user's rights in it. Raises Http404 for everyone but members."""
    project = Project.objects.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if project is None:
        raise Http404
    allowed = rights(user, project)
    if not allowed.may_know:
        raise Http404
    return project, allowed
