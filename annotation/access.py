"""Who may do what in a project."""

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from annotation.models import Membership, Project, User


def projects_to_judge(user: User) -> QuerySet[Project]:
    """Return the projects that the user is a member of; administrators may judge too."""
    return Project.objects.filter(memberships__user=user)


def may_judge(user: User | AnonymousUser, project: Project) -> bool:
    return user.is_authenticated and project.memberships.filter(user=user).exists()


def may_administer(user: User | AnonymousUser, project: Project) -> bool:
    """Administrators of the project may, and whoever runs the installation (superusers)."""
    if not user.is_authenticated:
        return False
    administers = project.memberships.filter(user=user, role=Membership.Role.ADMINISTRATOR).exists()
    return user.is_superuser or administers


def may_create_projects(user: User | AnonymousUser) -> bool:
    """Whoever administers a project may make another one, and whoever runs the installation."""
    if not user.is_authenticated:
        return False
    administers = Membership.objects.filter(user=user, role=Membership.Role.ADMINISTRATOR)
    return user.is_superuser or administers.exists()


def project_to_administer(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user administers it.

    Raises PermissionDenied for its annotators, and Http404 for everyone else, who need not know
    that it exists.
    """
    project = Project.objects.filter(pk=pk).first()
    if project is not None and may_administer(user, project):
        return project
    if project is not None and may_judge(user, project):
        raise PermissionDenied
    raise Http404
