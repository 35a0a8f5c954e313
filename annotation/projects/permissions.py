"""Who may do what in a project."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from annotation.models import Membership, Project, User

# Databases take no larger number for an id, and an address may have any.
LARGEST_ID = 2**63 - 1


@dataclass(frozen=True)
class Rights:
    """What a member's role allows, and what whoever runs the installation (superusers) may."""

    # None for who is no member.
    role: str | None
    runs_installation: bool = False

    @property
    def may_know(self) -> bool:
        """Say whether the person may know that the project exists."""
        return self.runs_installation or self.role is not None

    @property
    def may_judge(self) -> bool:
        return self.role in Membership.JUDGING

    @property
    def may_observe(self) -> bool:
        """Say whether the findings may be seen: annotators may not, so as to judge unswayed."""
        return self.runs_installation or self.role in Membership.OBSERVING

    @property
    def may_administer(self) -> bool:
        return self.runs_installation or self.role in Membership.ADMINISTERING

    @property
    def may_own(self) -> bool:
        return self.runs_installation or self.role == Membership.Role.OWNER


def rights(user: User | AnonymousUser, project: Project) -> Rights:
    """Return what the user may do in the project. One query."""
    if not user.is_authenticated:
        return Rights(None)
    role = project.memberships.filter(user=user).values_list("role", flat=True).first()
    return Rights(role, user.is_superuser)


def projects_of(user: User) -> QuerySet[Project]:
    """Return the projects that the user is a member of, in whatever role."""
    return Project.objects.filter(memberships__user=user)


def projects_to_judge(user: User) -> QuerySet[Project]:
    return Project.objects.filter(memberships__user=user, memberships__role__in=Membership.JUDGING)


def may_judge(user: User | AnonymousUser, project: Project) -> bool:
    return rights(user, project).may_judge


def may_create_projects(user: User | AnonymousUser) -> bool:
    """Whoever administers a project may make another one, and whoever runs the installation."""
    if not user.is_authenticated:
        return False
    administers = Membership.objects.filter(user=user, role__in=Membership.ADMINISTERING)
    return user.is_superuser or administers.exists()


def project_to_observe(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user may see its findings; raises as `project_to_administer`."""
    project, allowed = _project(user, pk)
    if not allowed.may_observe:
        raise PermissionDenied
    return project


def project_to_administer(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user administers it.

    Raises PermissionDenied for its other members, and Http404 for everyone else, who need not know
    that it exists.
    """
    project, allowed = _project(user, pk)
    if not allowed.may_administer:
        raise PermissionDenied
    return project


def project_to_own(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user owns it; raises as `project_to_administer`."""
    project, allowed = _project(user, pk)
    if not allowed.may_own:
        raise PermissionDenied
    return project


def _project(user: User | AnonymousUser, pk: int) -> tuple[Project, Rights]:
    project = Project.objects.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if project is None:
        raise Http404
    allowed = rights(user, project)
    if not allowed.may_know:
        raise Http404
    return project, allowed
